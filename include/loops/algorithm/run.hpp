// SPDX-License-Identifier: Apache-2.0
/// Runs a tile program over a work: block-sized workers, partials handed from block to block.
#pragma once

#include "loops/algorithm/cuts.hpp"
#include "loops/algorithm/early.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/tile_program.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace loops {

/// A schedule bound to a work on an executor for programs of one type, with room for a partial and
/// a flag per worker that may have one. Making it allocates; running it allocates nothing,
/// synchronises nothing, is one launch, and can be captured into a graph, which may be replayed as
/// long as the plan is there. One plan serves one stream at a time.
template <class Exec, class Schedule, work Work, class Program>
class run_plan {
  using point = decltype(std::declval<const Schedule&>().compose());

 public:
  using executor_type = Exec;
  using program_type = Program;
  using shape = typename Program::shape;
  using assignment_type = decltype(std::declval<point>().bind(std::declval<Work>(), machine{}));
  using bound_type = bound<Work, assignment_type>;
  using kernel_type = detail::run_segments<bound_type, Program>;

  static_assert(std::is_trivially_copyable_v<Program>, "a program is copied to the device");
  static_assert(point::pure, "run needs a schedule that is known beforehand, not one by arrival");
  static_assert(
      std::is_same_v<typename point::worker_type, worker::block>,
      "the workers of a tile program are blocks: take a schedule of dense_schedules.hpp, such "
      "as data_parallel or stream_k, or compose one of worker::block");
  static_assert(!point::measure_type::splits_tiles || point::order_type::backwards,
                "blocks that wait for each other need order::last_first");

  /// Throws: overflow when the work cannot be counted in 64 bits; invalid_argument when the numbers
  /// of the schedule or the cluster mean nothing; unsupported when no block of the
  /// program fits the device, a worker would have to leave two partials, or the program's teams
  /// take whole tiles and the schedule cuts some.
  run_plan(Exec exec, const Schedule& schedule, const Work& w, std::size_t slot_bytes,
           std::int64_t patience = 0, int cluster = 1)
      : exec_(std::move(exec)), cluster_(cluster) {
    const point p = schedule.compose();
    detail::check_schedulable(exec_, p, w);
    require(cluster >= 1, errc::invalid_argument,
            "a worker of a tile program has a block at least");
    const machine m = machine_of(exec_, cluster);
    bound_.w = w;
    bound_.a = p.bind(w, m);
    // A schedule counts workers, a grid lanes. Workers go round.
    const std::int64_t most = most_blocks(Exec::template block<shape>::threads) / cluster;
    bound_.a.blocks = std::min(bound_.a.blocks, std::max<std::int64_t>(1, most));
    resident_ = std::min<std::int64_t>(m.blocks, bound_.a.blocks);
    crowds_ =
        bound_.a.blocks < m.blocks && w.atoms() / detail::crowds_from<Program>() >= bound_.a.blocks;
    const std::int64_t cut = bound_.a.cut_slices();
    if (cut > bound_.a.blocks)
      throw error(errc::unsupported,
                  std::to_string(cut) + " slices that may end inside of tiles are more than the " +
                      std::to_string(bound_.a.blocks) +
                      " blocks of a launch, and each has room for one partial: cut the work into "
                      "fewer pieces");
    require(cut == 0 || !detail::takes_whole_tiles<Program>(), errc::unsupported,
            "the teams of this program take whole tiles, and this schedule cuts them: use another, "
            "or another tile");
    if constexpr (point::measure_type::splits_tiles) find_cuts(cut == 0);
    if (cut > 0) {
      make_room(cut, slot_bytes, patience > 0 ? patience : exec_.patience());
    }
  }

  /// For this program, and those of its type that are alike in partials and clusters.
  run_plan(Exec exec, const Schedule& schedule, const Work& w, const Program& program)
      : run_plan(std::move(exec), schedule, w, detail::slot_bytes_of(program), 0,
                 detail::cluster_of(program)) {}

  /// The machine that a schedule is bound to: as many workers, of `cluster` blocks each, as run at
  /// once. Throws: unsupported when no block of the program fits the device.
  static machine machine_of(const Exec& exec, int cluster) {
    const std::int64_t resident = exec.template resident<shape, kernel_type>(cluster);
    require(resident > 0, errc::unsupported,
            "not one block of the program fits the device: use a smaller tile");
    const std::int64_t workers = resident < cluster ? 1 : resident / cluster;
    return {1, 1, 1, 1, workers, detail::fewest_of<Program>()};
  }

  [[nodiscard]] const Exec& executor() const { return exec_; }
  /// The schedule as kernels take it; valid while the plan lives.
  [[nodiscard]] const bound_type& bound_schedule() const { return bound_; }
  /// Blocks that are one worker.
  [[nodiscard]] int cluster() const { return cluster_; }
  /// Workers that are launched.
  [[nodiscard]] std::int64_t workers() const { return bound_.a.blocks; }
  /// How many of them run at once.
  [[nodiscard]] std::int64_t resident() const { return resident_; }
  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return slots_.size() + flags_.size() * 8 + lost_.size() * sizeof(detail::lost_part) +
           cuts_.size() * sizeof(coordinate);
  }

  /// Starts the program and returns.
  void operator()(const Program& program) const {
    if (bound_.w.tiles() == 0) return;
    const kernel_type kernel{bound_, parts_, program, cluster_};
    const detail::use_of guard(*this);
    if constexpr (detail::starts_early<Program>())
      if (!crowds_) return exec_.template launch_early<shape>(bound_.a.blocks * cluster_, kernel);
    exec_.template launch<shape>(bound_.a.blocks * cluster_, kernel);
  }

  /// Sets back what launches that did not end leave for the next one; an exception of a program
  /// does so itself.
  void begin_afresh() const {
    if (!parts_.lost) return;
    const auto& where = exec_.memory();
    where->fill(parts_.lost, 0, sizeof *parts_.lost);
    where->fill(parts_.flags, 0, flags_.size() * sizeof(std::int64_t));
  }

  /// Waits for everything started so far. Throws: device when a block did not get its peers' parts
  /// in time; the results of that launch are wrong, and the next one begins afresh.
  void check() {
    exec_.synchronize();
    if (lost_.empty()) return;
    const detail::lost_part l = lost_.to_vector().front();
    if (l.launch == 0) return;
    begin_afresh();
    throw error(errc::device,
                "worker " + std::to_string(l.worker) + " gave up waiting for worker " +
                    std::to_string(l.peer) + "'s part of tile " + std::to_string(l.tile) +
                    " in launch " + std::to_string(l.launch) +
                    " of the plan; its results are wrong. Does every path of the program through "
                    "store and sync end, and does only one stream use the plan?");
  }

 private:
  /// A program that starts early reads cuts before it waits for the kernel in front of it, which
  /// so must not be the one that finds them: `last` says that nothing else would lie between.
  void find_cuts([[maybe_unused]] bool last) {
    if constexpr (!closed_form_work<Work>) {
      using lanes = loops::shape<64, 1>;
      bound_type asked = bound_;
      if constexpr (point::measure_type::dealt) {
        // Nobody asks where the tiles after the shares begin, but the last share ends there.
        if (bound_.a.what.shares == 0) return;
        asked.a.slices = std::min(bound_.a.slices, bound_.a.what.shares + 1);
      }
      const auto count = asked.a.slices + 1;
      const bool fenced = detail::starts_early<Program>() && last;
      cuts_ = array<coordinate>(static_cast<std::size_t>(count) + (fenced ? 1 : 0), exec_.memory());
      constexpr int per_block = Exec::template block<lanes>::threads;
      exec_.template launch<lanes>(ceil_div(count, per_block),
                                   detail::compute_cuts<bound_type>{asked, cuts_.data()});
      if (fenced) exec_.memory()->fill(cuts_.data() + count, 0, sizeof(coordinate));
      bound_.cuts = cuts_.data();
    }
  }

  void make_room(std::int64_t cut, std::size_t slot_bytes, std::int64_t patience) {
    constexpr std::size_t line = 128;
    const auto& where = exec_.memory();
    const std::size_t stride = (slot_bytes + line - 1) / line * line;
    // The last of them ends with the end of a tile: it never leaves a partial.
    const auto slots = static_cast<std::size_t>((cut - 1) * cluster_);
    if (stride != 0 && slots > static_cast<std::size_t>(-1) / 2 / stride)
      throw error(errc::overflow, "the partials of " + std::to_string(cut) + " workers of " +
                                      std::to_string(slot_bytes) + " bytes cannot be addressed");
    slots_ = array<std::byte>(slots * stride, where);
    parts_.blocks = cut * cluster_;
    flags_ = array<std::int64_t>(
        static_cast<std::size_t>(parts_.blocks * detail::exchange::flag_stride), where);
    lost_ = array<detail::lost_part>(1, where);
    parts_.slot_stride = static_cast<std::int64_t>(stride);
    parts_.slots = slots_.data();
    parts_.flags = flags_.data();
    parts_.lost = lost_.data();
    parts_.patience = patience;
    begin_afresh();
  }

  Exec exec_;
  int cluster_;  ///< blocks per worker
  bound_type bound_;
  std::int64_t resident_ = 1;
  bool crowds_ = false;  ///< it would, where it started early
  detail::exchange parts_;
  array<std::byte> slots_;
  array<std::int64_t> flags_;
  array<detail::lost_part> lost_;
  array<coordinate> cuts_;
};

/// Plans `schedule` over `w` for programs of type `Program` that need `slot_bytes` per partial and
/// block. `patience`: looks at a flag before a wait counts as failed; 0 is the executor's.
/// `cluster`: blocks per worker.
template <class Program, class Exec, class Schedule, work Work>
auto plan_run(const Exec& exec, const Schedule& schedule, const Work& w, std::size_t slot_bytes,
              std::int64_t patience = 0, int cluster = 1) {
  return run_plan<Exec, Schedule, Work, Program>(exec, schedule, w, slot_bytes, patience, cluster);
}

/// The same for this program, and those of its type that are alike in partials and clusters.
template <class Exec, class Schedule, work Work, class Program>
auto plan_run(const Exec& exec, const Schedule& schedule, const Work& w,
              const Program& program) requires(std::is_class_v<Program>) {
  return run_plan<Exec, Schedule, Work, Program>(exec, schedule, w, program);
}

/// Starts `program` as planned: one launch.
template <class... P>
void run(const run_plan<P...>& plan, const typename run_plan<P...>::program_type& program) {
  plan(program);
}

/// Runs `program` over the tiles of `w`, every atom once, every tile finished once, empty ones too,
/// under a schedule of `dense_schedules.hpp` or one of your own whose worker is the block.
/// Repeatable: the same device, schedule and input give the same bits. Allocates workspace in
/// stream order; prefer a plan for what is done again, and to `check`.
template <class Exec, class Schedule, work Work, class Program>
void run(const Exec& exec, const Schedule& schedule, const Work& w, const Program& program) {
  plan_run(exec, schedule, w, program)(program);
}

}  // namespace loops
