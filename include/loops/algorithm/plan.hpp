// SPDX-License-Identifier: Apache-2.0
/// A plan: a schedule bound to a work on an executor, with its cuts, bins and workspace.
#pragma once

#include "loops/algorithm/binning.hpp"
#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/cuts.hpp"
#include "loops/algorithm/join_blocks.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/algorithm/piece_list.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_reduce.hpp"
#include "loops/execution/memory.hpp"
#include "loops/execution/rooms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace loops {

/// The launch shape for values of `bytes` bytes: a slice keeps one value per atom in shared memory.
template <std::size_t bytes>
using shape_for = std::conditional_t<
    (bytes <= 4), shape<128, 12>,
    std::conditional_t<(bytes <= 8), shape<128, 10>,
                       std::conditional_t<(bytes <= 16), shape<128, 8>,
                                          std::conditional_t<(bytes <= 64), shape<64, 8>,
                                                             shape<32, (bytes <= 256 ? 3 : 1)>>>>>;

namespace detail {

constexpr std::int64_t most_steps = std::int64_t{1} << 62;  ///< of a path

/// The launch shape of a schedule that is asked to take `Shape`: one of more lanes, where it wants
/// the lanes of several blocks in one, nobody chose the shape, and lanes are not bundled.
template <class Exec, class Schedule, class Shape, std::size_t bytes>
consteval auto shape_taken() {
  if constexpr (
      requires { Schedule::blocks_in_one; } && bytes <= 8 &&
      std::is_same_v<Shape, shape_for<bytes>> && !requires(const Exec& exec) { exec.copies(); }) {
    // What fits 48 KiB: beyond, shared memory is aligned to more in all kernels of a program.
    constexpr int items = bytes <= 4 ? Shape::items : Shape::items - 2;
    return shape<Shape::threads * Schedule::blocks_in_one, items>{};
  } else {
    return Shape{};
  }
}
template <class Exec, class Schedule, class Shape, std::size_t bytes>
using shape_of = decltype(shape_taken<Exec, Schedule, Shape, bytes>());

/// Throws unless the work can be counted, and has its offsets. Reads none.
template <work W>
void check_work(const W& w) {
  const std::int64_t t = w.tiles();
  const std::int64_t a = w.atoms();
  if (t < 0 || a < 0 || t >= most_steps - a)
    throw error(errc::overflow, "a work of " + std::to_string(t) + " tiles and " +
                                    std::to_string(a) + " atoms cannot be scheduled");
  require(a == 0 || t > 0, errc::invalid_argument, "a work with atoms must have tiles");
  if constexpr (requires { w.offsets(); })
    require(w.offsets() || t == 0, errc::invalid_argument,
            "the offsets of a work are a null pointer; it needs one more than it has tiles");
  if constexpr (requires { w.notes(); })
    require(w.notes() || a == 0, errc::invalid_argument,
            "a work has no notes of its atoms' tiles: the array is a null pointer");
}

/// The same, and where the CPU can read the offsets, unless they go from 0 to the atoms, or keys in
/// their place ascend.
template <class Exec, work W>
void check_work(const Exec& exec, const W& w) {
  check_work(w);
  if (!exec.memory()->on_host()) return;
  require_ends(*exec.memory(), w);
  if constexpr (requires { w.require_sorted(); }) w.require_sorted();
}

/// The same, and unless the numbers of the schedule mean something. Looked at before a machine
/// changes them: what one refuses, all do.
template <class Exec, class M, class Who, class O, work W>
void check_schedulable(const Exec& exec, const composed<M, Who, O>& p, const W& w) {
  check_work(exec, w);
  const auto hold = [](int lanes) {
    if (lanes <= 0 || (lanes & (lanes - 1)) != 0)
      throw error(errc::invalid_argument,
                  "the lanes of a group must be a power of two, not " + std::to_string(lanes));
  };
  if constexpr (std::is_same_v<Who, worker::group>) {
    if (p.who.size != worker::group::whole_wave) hold(p.who.size);
  } else if constexpr (std::is_same_v<Who, worker::by_length>) {
    if (p.who.size != worker::by_length::by_mean) hold(p.who.size);
  } else if constexpr (std::is_same_v<Who, worker::by_bin>) {
    for (const short lanes : p.who.size) hold(lanes);
  }
  if constexpr (std::is_same_v<M, measure::pieces>) {
    require(p.what.per_tile >= 1, errc::invalid_argument, "a tile has at least one piece");
    require(w.tiles() <= most_steps / p.what.per_tile, errc::overflow,
            "so many pieces of so many tiles cannot be counted in 64 bits");
  }
  if constexpr (std::is_same_v<M, measure::long_first>) {
    const auto counted = [](std::int64_t atoms) { return atoms >= 0 && atoms <= M::counted; };
    require(p.what.whole >= 0 && counted(p.what.most) && counted(p.what.alone),
            errc::invalid_argument,
            "a piece of a long tile has between 1 and 2^31 - 1 atoms: `whole`, `most` and `alone` "
            "cannot be negative, and the latter two no more than that");
  }
  if constexpr (std::is_same_v<M, measure::shares_then_tiles>)
    require(p.what.waves >= 0 || p.what.waves == M::everything, errc::invalid_argument,
            "Stream-K: `waves` is `all`, or the number of tiles a worker shares at most");
  require(p.grain >= grain::whole_turns, errc::invalid_argument,
          "a grain is how much a slice covers, or one of the rules of loops::grain");
  require(p.processors >= 0, errc::invalid_argument,
          "the number of processors cannot be negative; 0 is all of them");
}

template <class Schedule>
inline constexpr bool is_variant = false;
template <class... Schedules>
inline constexpr bool is_variant<std::variant<Schedules...>> = true;

}  // namespace detail

/// How often a plan will be used. Only a schedule that the plan decides on asks.
enum class reuse { many_times, once };

/// Everything that can be prepared before the functor is known. Making a plan allocates; using it
/// allocates nothing, synchronises nothing, and can be captured into a graph, which may be replayed
/// as long as the plan is there. It holds views: the work's arrays must outlive it. One plan serves
/// one stream at a time.
template <class Exec, class Schedule, work Work, class Value,
          class Asked = shape_for<sizeof(Value)>>
class tile_plan {
  static_assert(!detail::is_variant<Schedule>,
                "this is a variant of schedules: std::visit it, and make the plan with what is "
                "inside");
  static constexpr bool tries = requires { typename Schedule::decided_by_plan; };
  static_assert(
      detail::is_variant<Schedule> || tries || requires(const Schedule& s) { s.compose(); },
      "this is no schedule: it has no `compose() const`, which says what is cut, who takes a cut, "
      "in which order");
  static_assert(!tries,
                "a plan over tiles has nothing to try before it has a functor: schedule::measured "
                "is for products; compare plans of your own with loops::fastest");
  using point = decltype(std::declval<const Schedule&>().compose());

 public:
  using executor_type = Exec;
  using work_type = Work;
  using shape_type = detail::shape_of<Exec, Schedule, Asked, sizeof(Value)>;
  using assignment_type = decltype(std::declval<point>().bind(std::declval<Work>(), machine{}));
  using bound_type = bound<Work, assignment_type>;
  static constexpr std::size_t value_bytes = sizeof(Value);
  static constexpr std::size_t parts_alignment = std::max(alignof(Value), std::size_t{16});
  static_assert(parts_alignment <= host_memory::alignment,
                "memory is aligned to 128 bytes, and these values want more");
  static constexpr bool may_post = detail::may_post<Exec, bound_type, shape_type, value_bytes>;
  /// Whether slices may tell later ones of the same launch what they leave open.
  static constexpr bool may_carry =
      may_post && !bound_type::long_first &&
      std::is_same_v<typename bound_type::measure_type, measure::path>;

  /// Throws: overflow when the work cannot be counted in 64 bits; invalid_argument when the
  /// schedule's group size is not a power of two, or offsets are missing or, on a CPU, do not end
  /// with the atoms, or keys are not sorted.
  tile_plan(Exec exec, const Schedule& schedule, const Work& w, reuse = reuse::many_times)
      : exec_(std::move(exec)) {
    const machine m = described();
    const point p = schedule.compose();
    detail::check_schedulable(exec_, p, w);
    bound_.w = w;
    bound_.a = p.bind(w, m);
    if constexpr (bound_type::long_first) {
      count_pieces(p, m);
    } else if constexpr (may_post) {
      if (w.tiles() > 0) choose_joiner(p, m);
    }
    const auto& where = exec_.memory();
    if constexpr (bound_type::measure_type::splits_tiles) find_cuts();
    if constexpr (bound_type::order_type::by_arrival) {
      tickets_ = array<ticket_counter>(grids(), where);
      tickets_.fill(0);
      bound_.tickets = tickets_.data();
    }
    if constexpr (bound_type::binned) {
      bins_ = binned_tiles::sorted<shape_type>(exec_, w.tiles(), detail::sizes_of_tiles<Work>{w},
                                               p.who, m);
      bound_.bins = bins_.table();
      bound_.binned_tiles = bins_.tiles();
    }
  }

  [[nodiscard]] const Exec& executor() const { return exec_; }
  /// The schedule as kernels take it; valid while the plan lives.
  [[nodiscard]] const bound_type& bound_schedule() const { return bound_; }
  /// What was planned.
  [[nodiscard]] const Work& work() const { return bound_.w; }
  [[nodiscard]] std::int64_t blocks() const { return bound_.a.blocks; }
  /// Workspace for partial values: room for two of `V` per slice.
  template <class V>
  [[nodiscard]] std::pair<V*, V*> parts() const {
    static_assert(sizeof(V) <= value_bytes && alignof(V) <= parts_alignment,
                  "the plan was made for smaller values: name the type, plan<Value>(…)");
    auto* p = reinterpret_cast<V*>(parts_);
    return {p, p ? p + bound_.slices_with_parts() : nullptr};
  }
  /// Boxes through which slices hand over their parts of cut tiles, where that pays.
  [[nodiscard]] const detail::post& boxes() const { return boxes_; }
  /// Who joins the tiles that are cut.
  [[nodiscard]] detail::joiner joiner() const { return joiner_; }
  /// Boxes through which a scan carries on from slice to slice, where every slice has a block that
  /// holds it in one round.
  [[nodiscard]] const detail::carry_tree& carries() const { return carries_; }
  /// What has to be joined of long tiles, where these come first.
  [[nodiscard]] detail::pieces_to_join pieces_to_join() const {
    return {boxes_, cut_tiles_, pieces_.cut_tiles(), pieces_.lanes_that_join()};
  }

  /// Waits for everything started so far. Throws: invalid_argument when offsets do not end with the
  /// atoms, which on a GPU is seen of an array of them only; device when a slice did not get the
  /// parts of others in time: the results are wrong, and the next use begins afresh.
  void check() {
    exec_.synchronize();
    detail::require_ends(*exec_.memory(), bound_.w);
    if constexpr (may_post) {
      const std::int64_t* const where = boxes_.words ? boxes_.lost : carries_.lost;
      if (!where) return;
      std::int64_t lost = 0;
      exec_.memory()->download(&lost, where, sizeof lost);
      if (lost == 0) return;
      find_cuts();
      throw error(errc::device, "slice " + std::to_string(lost) +
                                    " gave up waiting for parts of its first tile; the results are "
                                    "wrong. Does only one stream use the plan?");
    }
  }
  /// Sets back what a launch that did not end leaves for the next one: on a CPU, where an exception
  /// of a functor ends one. The algorithms do so themselves; for kernels of one's own.
  void begin_afresh() const {
    const auto& where = exec_.memory();
    if (bound_.tickets) where->fill(bound_.tickets, 0, tickets_.size() * sizeof(ticket_counter));
    if constexpr (may_post) {
      if (carries_.words) {
        where->fill(carries_.words, 0, carry_bytes());
        where->fill(carries_.lost, 0, sizeof *carries_.lost);
      }
      if (!boxes_.words) return;
      const auto boxes = static_cast<std::size_t>(bound_.slices_with_parts() + 1) *
                         detail::words_for<value_bytes> * sizeof(std::uint64_t);
      where->fill(boxes_.words, 0, boxes);
      if (boxes_.heads) where->fill(boxes_.heads, 0, boxes);
      where->fill(boxes_.lost, 0, sizeof *boxes_.lost);
    }
  }
  /// Says that whoever made the plan waited for the work's arrays: all that says where atoms are
  /// and where they read lay in memory before the first use.
  void settle() {
    if constexpr (bound_type::long_first) exec_.synchronize();  // the list is made by the plan
    settled_ = true;
  }
  [[nodiscard]] bool settled() const { return settled_; }
  /// Says that atoms read strewn columns again and again: where a processor's cache and shared
  /// memory are one, slices leave more of it to the cache, unless they are large ones of small
  /// values, of which too few would run.
  void favour_cache() {
    constexpr bool large = shape_type::threads > Asked::threads;
    constexpr int third = 36;  // 100 of an H200's 228 KB: it has shares of 64, 100, 132 and more
    if constexpr (takes_slices && !(large && value_bytes <= 4)) bound_.storage_share = third;
  }
  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return workspace_.size() + tickets_.size() * sizeof(ticket_counter) + bins_.bytes();
  }

 private:
  /// How many copies of the grid a launch has; each draws its own tickets.
  [[nodiscard]] std::size_t grids() const {
    if constexpr (requires { exec_.copies(); }) {
      return static_cast<std::size_t>(exec_.copies());
    } else {
      return 1;
    }
  }

  /// Blocks take slices, and keep them in shared memory.
  static constexpr bool takes_slices =
      bound_type::measure_type::splits_tiles &&
      std::is_same_v<typename bound_type::worker_type, worker::block>;

  /// The machine that kernels leave which take slices.
  [[nodiscard]] machine described() const {
    if constexpr (takes_slices) {
      using storage = slice_storage<typename Exec::template block<shape_type>, Value>;
      return exec_.template describe<shape_type>(detail::slice_lanes<value_bytes>, sizeof(storage));
    } else {
      return exec_.template describe<shape_type>();
    }
  }

  /// May take other slices: those that join by themselves leave room for a tile that is not cut.
  void choose_joiner(const point& p, const machine& m) {
    if constexpr (detail::may_hold_slices<bound_type, shape_type>) {
      machine roomy = m;
      roomy.items = detail::longest_items<shape_type>;
      const assignment_type a = p.bind(bound_.w, roomy);
      if (detail::pays_to_wait<shape_type>(bound_.w, a, roomy)) {
        bound_.a = a;
        joiner_ = detail::joiner::closing_slice;
        return;
      }
    }
    if (detail::pays_to_join_last(bound_.a, m)) joiner_ = detail::joiner::last_blocks;
  }

  /// Counts the pieces of long tiles, which come first.
  void count_pieces(const point& p, const machine& m) {
    pieces_ = piece_list::counted<shape_type>(exec_, bound_.w, bound_.a.what);
    bound_.piece_count = pieces_.pieces();
    bound_.a = p.with_pieces(bound_.a, bound_.piece_count, bound_.w.tiles(), m);
    if constexpr (may_post) joiner_ = detail::joiner::last_blocks;
  }

  /// Whether one round of a block holds a slice, with what it may have got of a tile besides.
  [[nodiscard]] bool holds_slices() const {
    constexpr std::int64_t room = std::int64_t{shape_type::threads} * shape_type::items;
    return joiner_ == detail::joiner::closing_slice || bound_.a.step <= room;
  }
  [[nodiscard]] std::size_t carry_bytes() const {
    return static_cast<std::size_t>(detail::carry_tree::boxes(bound_.a.slices)) *
           detail::words_for<value_bytes> * sizeof(std::uint64_t);
  }

  /// Makes room for cuts and partials in one piece, which a small work touches but once, and has
  /// the cuts found.
  void find_cuts() {
    constexpr bool listed = bound_type::long_first;
    const bool posts = joiner_ != detail::joiner::next_kernel;
    const bool last = joiner_ == detail::joiner::last_blocks && !listed;
    const auto slices = static_cast<std::size_t>(bound_.slices_with_parts());
    detail::rooms rooms;
    const auto make_room = [&](std::size_t count, std::size_t bytes, std::size_t alignment = 16) {
      if (count > detail::rooms::largest / bytes)
        throw error(errc::overflow, "what a plan notes of " + std::to_string(slices) +
                                        " slices cannot be addressed: cut the work into fewer");
      return rooms.add(count * bytes, alignment);
    };
    constexpr int words = detail::words_for<value_bytes>;
    constexpr std::size_t box = words * sizeof(std::uint64_t);
    const std::size_t cuts = listed ? make_room(slices, sizeof(piece_of_tile))
                                    : make_room(slices + 1, sizeof(coordinate));
    const std::size_t cut_tiles =
        make_room(static_cast<std::size_t>(pieces_.cut_tiles()), sizeof(cut_tile));
    const std::size_t begun = make_room(posts && !listed ? slices + 1 : 0, sizeof(std::int32_t));
    const bool carried = may_carry && detail::a_block_each(bound_.a) && holds_slices();
    const std::size_t lost = make_room(posts || carried ? 1 : 0, sizeof(std::int64_t));
    const std::size_t boxes = make_room(posts ? slices + 1 : 0, box);
    const std::size_t heads = make_room(last ? slices + 1 : 0, box);
    const std::size_t carries = make_room(carried ? carry_bytes() : 0, 1);
    const std::size_t parts = make_room(slices, 2 * value_bytes, parts_alignment);
    if (workspace_.size() != rooms.bytes())
      workspace_ = array<std::byte>(rooms.bytes(), exec_.memory());
    rooms.fence(workspace_);
    std::byte* const at = workspace_.data();
    parts_ = at + parts;
    if constexpr (may_post) {
      if (posts)
        boxes_ = {reinterpret_cast<std::uint64_t*>(at + boxes),
                  last ? reinterpret_cast<std::uint64_t*>(at + heads) : nullptr,
                  reinterpret_cast<std::int32_t*>(at + begun),
                  reinterpret_cast<std::int64_t*>(at + lost), exec_.patience()};
      if (carried)
        carries_ = {reinterpret_cast<std::uint64_t*>(at + carries),
                    reinterpret_cast<std::int64_t*>(at + lost), bound_.a.slices, words,
                    exec_.patience()};
    }
    if constexpr (listed) {
      auto* const pieces = reinterpret_cast<piece_of_tile*>(at + cuts);
      cut_tiles_ = reinterpret_cast<cut_tile*>(at + cut_tiles);
      pieces_.template list<shape_type>(exec_, bound_.w, bound_.a.what, pieces, cut_tiles_, boxes_,
                                        words);
      bound_.pieces = pieces;
      if (bound_.piece_count == 0) begin_afresh();  // else whoever lists makes boxes ready
    } else {
      auto* const found = reinterpret_cast<coordinate*>(at + cuts);
      bound_.cuts = nullptr;
      constexpr int threads = Exec::template block<shape_type>::threads;
      exec_.template launch<shape_type>(
          ceil_div(bound_.a.slices + 1, threads),
          detail::compute_cuts<bound_type>{bound_, found, boxes_, words,
                                           last ? 0 : detail::whole_tile<shape_type>(bound_.a.step),
                                           carries_});
      bound_.cuts = found;
    }
  }

  Exec exec_;
  bound_type bound_;
  array<std::byte> workspace_;
  std::byte* parts_ = nullptr;
  detail::joiner joiner_ = detail::joiner::next_kernel;
  detail::post boxes_;
  detail::carry_tree carries_;
  bool settled_ = false;
  array<ticket_counter> tickets_;
  binned_tiles bins_;
  piece_list pieces_;
  cut_tile* cut_tiles_ = nullptr;
};

namespace detail {

/// While launches over a plan are made: where one of them throws what a functor threw, the next use
/// of the plan begins afresh.
template <class Plan>
class use_of {
 public:
  explicit use_of(const Plan& p) : plan_(p) {}
  ~use_of() {
    if (std::uncaught_exceptions() > before_ && plan_.executor().memory()->on_host())
      plan_.begin_afresh();
  }
  use_of(const use_of&) = delete;
  use_of& operator=(const use_of&) = delete;

 private:
  const Plan& plan_;
  int before_ = std::uncaught_exceptions();
};

}  // namespace detail

/// Plans `schedule` over `w` for values of up to `sizeof(Value)` bytes.
template <class Value = double, class Exec, class Schedule, work Work>
auto plan(const Exec& exec, const Schedule& schedule, const Work& w,
          reuse uses = reuse::many_times) {
  return tile_plan<Exec, Schedule, Work, Value>(exec, schedule, w, uses);
}

}  // namespace loops
