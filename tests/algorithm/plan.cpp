// SPDX-License-Identifier: Apache-2.0
/// Plans say what they hold, refuse what cannot be, and serve again and again.
#include "loops/algorithm/plan.hpp"

#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/schedule/split_k.hpp"
#include "loops/work/flattened.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/counting.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

namespace schedule = loops::schedule;
using loops::errc;
using loops::uniform;
using support::expect_error;

template <class Exec>
class plan : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(plan, support::executors, support::executor_name);

static_assert(std::is_same_v<loops::shape_for<1>, loops::shape_for<4>>);
static_assert(sizeof(loops::uninitialized<double, loops::shape_for<8>::threads *
                                                      loops::shape_for<8>::items>) <= 16 * 1024);
static_assert(256 * loops::shape_for<256>::threads * loops::shape_for<256>::items <= 32 * 1024);

TYPED_TEST(plan, refuses_works_that_cannot_be_counted) {
  const auto exec = this->any();
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  for (const uniform& w :
       {uniform(huge, huge), uniform(INT64_MAX, 1), uniform(2, INT64_MAX / 2), uniform(-1, 0),
        uniform(3, -1), uniform(huge, -huge), uniform(std::int64_t{1} << 61, 1)})
    expect_error(errc::overflow, "cannot be scheduled",
                 [&] { loops::plan(exec, schedule::merge_path{}, w, loops::reuse::once); });
}

/// Says that it has atoms, but no tile to own them.
struct homeless {
  [[nodiscard]] LOOPS_HD std::int64_t tiles() const { return 0; }
  [[nodiscard]] LOOPS_HD std::int64_t atoms() const { return 3; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t) const { return 0; }
};
static_assert(homeless{}.offset(0) == 0);

TYPED_TEST(plan, refuses_atoms_without_tiles) {
  expect_error(errc::invalid_argument, "must have tiles", [&] {
    loops::plan(this->any(), schedule::thread_mapped{}, homeless{}, loops::reuse::once);
  });
}

TYPED_TEST(plan, refuses_tiles_without_offsets) {
  const auto exec = this->any();
  const loops::segments<int> none(nullptr, 3, 5);
  expect_error(errc::invalid_argument, "offsets of a work are a null pointer",
               [&] { loops::plan(exec, schedule::merge_path{}, none, loops::reuse::once); });
  EXPECT_NO_THROW(loops::plan(exec, schedule::merge_path{}, loops::segments<int>(nullptr, 0, 0)));
}

TYPED_TEST(plan, refuses_offsets_that_end_elsewhere_where_it_can_read_them) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "the offsets are on the device";
  const std::vector<int> offsets = {0, 2, 5};
  for (const std::int64_t atoms : {0, 4, 6})
    expect_error(errc::invalid_argument, "go from 0 to 5, and not from 0 to its", [&] {
      loops::plan(exec, schedule::group_mapped{4}, loops::segments<int>(offsets.data(), 2, atoms));
    });
  expect_error(errc::invalid_argument, "go from 2 to 5", [&] {
    loops::plan(exec, schedule::merge_path{}, loops::segments<int>(offsets.data() + 1, 1, 5));
  });
  EXPECT_NO_THROW(
      loops::plan(exec, schedule::merge_path{}, loops::segments<int>(offsets.data(), 2, 5)));
}

TYPED_TEST(plan, refuses_chunks_of_no_atoms) {
  for (const std::int64_t width : {0, -1})
    expect_error(errc::overflow, "cannot be scheduled", [&] {
      loops::plan(this->any(), schedule::merge_path{}, loops::flattened(uniform(1, 5), width),
                  loops::reuse::once);
    });
}

/// A schedule of slices of any size.
struct slices_of {
  std::int64_t steps;
  [[nodiscard]] static constexpr const char* name() { return "slices_of"; }
  [[nodiscard]] constexpr auto compose() const {
    return loops::composed<loops::measure::path, loops::worker::block, loops::order::in_order>{
        {}, steps};
  }
};

TYPED_TEST(plan, refuses_grains_that_are_no_rule) {
  const auto exec = this->any();
  const uniform w(10, 10);
  for (const std::int64_t steps : {std::int64_t{-4}, INT64_MIN})
    expect_error(errc::invalid_argument, "one of the rules of loops::grain",
                 [&] { loops::plan(exec, slices_of{steps}, w); });
  for (const std::int64_t steps : {loops::grain::whole_turns, std::int64_t{1}, std::int64_t{7}})
    EXPECT_NO_THROW(loops::plan(exec, slices_of{steps}, w)) << steps;
}

/// A schedule of any numbers.
template <class Measure>
struct with_numbers {
  Measure what{};
  std::int64_t processors = 0;
  [[nodiscard]] static constexpr const char* name() { return "with_numbers"; }
  [[nodiscard]] constexpr auto compose() const {
    return loops::composed<Measure, loops::worker::block, loops::order::in_order>{
        {}, 0, what, processors};
  }
};

TYPED_TEST(plan, refuses_numbers_that_mean_nothing) {
  namespace measure = loops::measure;
  const auto exec = this->any();
  const uniform w(10, 10);
  const auto refuses = [&](errc code, const char* words, const auto& how, const uniform& over) {
    expect_error(code, words, [&] { loops::plan(exec, how, over); });
  };
  using by_path = with_numbers<measure::path>;
  using in_pieces = with_numbers<measure::pieces>;
  using in_shares = with_numbers<measure::shares_then_tiles>;
  refuses(errc::invalid_argument, "processors cannot be negative", by_path{{}, -1}, w);
  refuses(errc::invalid_argument, "at least one piece", in_pieces{{0}}, w);
  refuses(errc::overflow, "so many pieces", in_pieces{{INT64_MAX}}, w);
  refuses(errc::invalid_argument, "`waves` is `all`", in_shares{{-2}}, w);
  for (const std::int64_t processors : {0, 1, 3})
    EXPECT_NO_THROW(loops::plan(exec, by_path{{}, processors}, w));
  EXPECT_NO_THROW(loops::plan(exec, in_pieces{{1}}, w));
  EXPECT_NO_THROW(loops::plan(exec, in_shares{{measure::shares_then_tiles::everything}}, w));
}

TYPED_TEST(plan, refuses_slices_of_which_notes_cannot_be_addressed) {
  const auto exec = this->any();
  expect_error(errc::overflow, "cannot be addressed: cut the work into fewer",
               [&] { loops::plan(exec, slices_of{1}, uniform(std::int64_t{1} << 60, 1)); });
  expect_error(errc::overflow, "cannot be addressed: cut the work into fewer", [&] {
    loops::plan(exec, schedule::split_k{1 << 30}, uniform(std::int64_t{1} << 32, 1 << 28));
  });
}

TYPED_TEST(plan, refuses_groups_that_are_no_power_of_two_on_every_machine) {
  const auto exec = this->any();
  const uniform w(10, 10);
  for (const int lanes : {3, 6, 33, 100, 257, 1000, -1, -32, -2147483647 - 1}) {
    SCOPED_TRACE(lanes);
    const char* words = "power of two";
    expect_error(errc::invalid_argument, words,
                 [&] { loops::plan(exec, schedule::group_mapped{lanes}, w); });
    expect_error(errc::invalid_argument, words,
                 [&] { loops::plan(exec, schedule::queue{lanes}, w); });
    expect_error(errc::invalid_argument, words,
                 [&] { loops::plan(exec, schedule::tiles_in_groups{lanes}, w); });
  }
  for (const int lanes : {0, 1, 2, 256, 1024, 1 << 30})
    EXPECT_NO_THROW(loops::plan(exec, schedule::group_mapped{lanes}, w)) << lanes;
}

/// Somebody else's bins, one of which has a size that no group can have.
struct wrong_bins {
  [[nodiscard]] static constexpr const char* name() { return "wrong_bins"; }
  [[nodiscard]] constexpr auto compose() const {
    auto s = schedule::lrb{}.compose();
    s.who.size[5] = 12;
    return s;
  }
};
static_assert(wrong_bins::name() != nullptr);

TYPED_TEST(plan, refuses_bins_that_are_no_power_of_two) {
  expect_error(errc::invalid_argument, "power of two",
               [&] { loops::plan(this->any(), wrong_bins{}, uniform(10, 10)); });
}

struct one {
  LOOPS_HD int operator()(std::int64_t) const { return 1; }
};
struct store_value {
  int* out;
  LOOPS_HD void operator()(std::int64_t t, int n) const { out[t] = n; }
};

/// Long tiles first, where those of more than `Most` atoms are cut in pieces of no more.
template <int Most>
struct in_pieces_of {
  [[nodiscard]] static constexpr const char* name() { return "in_pieces_of"; }
  [[nodiscard]] constexpr auto compose() const {
    return loops::composed<loops::measure::long_first, loops::worker::by_length,
                           loops::order::in_order>{{}, 0, {Most, Most, Most}};
  }
};
template <class Plan>
void expect_cut_tiles(const Plan&) {}
/// Every tile has two pieces or more; where blocks can wait, they go through boxes.
template <class Exec, int Most, class... P>
void expect_cut_tiles(const loops::tile_plan<Exec, in_pieces_of<Most>, P...>& p) {
  EXPECT_GE(p.bound_schedule().piece_count, 2 * p.bound_schedule().w.tiles());
  EXPECT_EQ(p.boxes().words != nullptr,
            (loops::tile_plan<Exec, in_pieces_of<Most>, P...>::may_post));
}

TYPED_TEST(plan, holds_the_bytes_it_says_and_allocates_nothing_in_use) {
  int waits = 0;
  const TypeParam base = this->any();
  const auto memory = std::make_shared<support::counting_memory>(base.memory());
  const support::counting_executor<TypeParam> exec(base, memory, &waits);
  const uniform w(3000, 5);
  // Of the same stream as the launches, but not counted.
  loops::array<int> out(3000, base.memory());
  const auto try_one = [&](const auto& s) {
    SCOPED_TRACE(s.name());
    {
      const auto p = loops::plan<int>(exec, s, w);
      EXPECT_EQ(p.bytes(), memory->held);
      expect_cut_tiles(p);
      const int before = memory->allocations;
      const int moved = memory->transfers;
      const int waited = waits;
      for (int i = 0; i < 3; ++i) {
        out.fill(0xff);
        loops::reduce_tiles<int>(p, one{}, loops::plus{}, store_value{out.data()});
        for (const int n : out.to_vector()) ASSERT_EQ(n, 5);
      }
      EXPECT_EQ(memory->allocations, before) << "using a plan allocates";
      EXPECT_EQ(memory->transfers, moved) << "using a plan copies";
      EXPECT_EQ(waits, waited) << "using a plan waits";
    }
    EXPECT_EQ(memory->held, 0U) << "memory that nobody gave back";
  };
  try_one(schedule::thread_mapped{});
  try_one(schedule::merge_path{});
  try_one(schedule::dynamic_merge_path{});
  try_one(schedule::lrb{});
  try_one(schedule::queue{});
  try_one(schedule::work_oriented{});
  try_one(schedule::nonzero_split{});
  try_one(schedule::long_first{});
  try_one(in_pieces_of<2>{});
}

/// Memory as others have left it.
class used_memory final : public loops::memory {
 public:
  explicit used_memory(std::shared_ptr<loops::memory> base) : base_(std::move(base)) {}
  void* allocate(std::size_t bytes) override {
    void* const p = base_->allocate(bytes);
    std::vector<unsigned char> left(bytes);
    for (std::size_t i = 0; i < bytes; ++i) left[i] = static_cast<unsigned char>(i * 37 >> 4 | 1);
    if (p) base_->upload(p, left.data(), bytes);
    return p;
  }
  void deallocate(void* p, std::size_t bytes) noexcept override { base_->deallocate(p, bytes); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    base_->upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    base_->download(to, from, bytes);
  }
  void fill(void* to, int byte, std::size_t bytes) override { base_->fill(to, byte, bytes); }
  [[nodiscard]] bool on_host() const noexcept override { return base_->on_host(); }

 private:
  std::shared_ptr<loops::memory> base_;
};

/// Three tiles, in slices that all run at once and almost fill their blocks.
template <class Exec>
uniform all_at_once(const Exec& exec) {
  const loops::machine m = exec.template describe<loops::shape_for<sizeof(int)>>();
  return {3, std::int64_t{m.threads} * m.items * std::min<std::int64_t>(m.blocks, 16) / 3 - 40};
}

struct store_scanned {
  int* out;
  LOOPS_HD void operator()(std::int64_t, std::int64_t atom, int, int through) const {
    out[atom] = through;
  }
};

TYPED_TEST(plan, needs_no_memory_that_nobody_has_used) {
  int waits = 0;
  const TypeParam base = this->any();
  const support::counting_executor<TypeParam> exec(
      base, std::make_shared<used_memory>(base.memory()), &waits);
  const auto try_one = [&](const auto& s, const uniform& w) {
    SCOPED_TRACE(testing::Message() << s.name() << ", tiles of " << w.width());
    auto p = loops::plan<int>(exec, s, w);
    loops::array<int> sums(static_cast<std::size_t>(w.tiles()), base.memory());
    loops::array<int> scanned(static_cast<std::size_t>(w.atoms()), base.memory());
    for (int i = 0; i < 2; ++i) {
      sums.fill(0xff);
      scanned.fill(0xff);
      loops::reduce_tiles<int>(p, one{}, loops::plus{}, store_value{sums.data()});
      loops::scan_tiles<int>(p, one{}, loops::plus{}, store_scanned{scanned.data()});
      EXPECT_NO_THROW(p.check());
      for (const int n : sums.to_vector()) ASSERT_EQ(n, w.width());
      std::int64_t atom = 0;
      for (const int n : scanned.to_vector()) ASSERT_EQ(n, atom++ % w.width() + 1);
    }
  };
  for (const uniform& w : {uniform(900, 5), uniform(7, 3000), all_at_once(base)}) {
    try_one(schedule::merge_path{}, w);
    try_one(slices_of{128 * 13}, w);
    try_one(schedule::nonzero_split{}, w);
    try_one(schedule::dynamic_merge_path{}, w);
    try_one(schedule::lrb{}, w);
    try_one(schedule::long_first{}, w);
    try_one(in_pieces_of<2>{}, w);
  }
}

TYPED_TEST(plan, sets_back_all_that_a_launch_may_leave) {
  const auto exec = this->any();
  const auto dirty = [&](void* at, std::size_t bytes) { exec.memory()->fill(at, 0x35, bytes); };
  const auto expect_zeros = [&](const void* at, std::size_t bytes, const char* what) {
    std::vector<unsigned char> now(bytes, 1);
    exec.memory()->download(now.data(), at, bytes);
    EXPECT_EQ(now, std::vector<unsigned char>(bytes, 0)) << what;
  };
  const auto try_one = [&](const auto& s, const uniform& w) {
    SCOPED_TRACE(testing::Message() << s.name() << ", tiles of " << w.width());
    const auto p = loops::plan<int>(exec, s, w);
    const auto& b = p.bound_schedule();
    const auto each = [&](const auto& f) {
      const auto boxes = static_cast<std::size_t>(b.slices_with_parts() + 1) * 8;
      if (b.tickets) f(b.tickets, sizeof *b.tickets, "tickets");
      if (p.boxes().words) f(p.boxes().words, boxes, "boxes");
      if (p.boxes().heads) f(p.boxes().heads, boxes, "boxes of heads");
      if (p.boxes().words) f(p.boxes().lost, std::size_t{8}, "who waited in vain");
      if (!p.carries().words) return;
      const auto all = static_cast<std::size_t>(loops::detail::carry_tree::boxes(b.a.slices)) * 8;
      f(p.carries().words, all, "boxes of a scan");
      f(p.carries().lost, std::size_t{8}, "who waited in vain in a scan");
    };
    each([&](void* at, std::size_t bytes, const char*) { dirty(at, bytes); });
    p.begin_afresh();
    each(expect_zeros);
  };
  for (const uniform& w :
       {uniform(900, 5), uniform(7, 3000), uniform(40, 100000), all_at_once(exec)}) {
    try_one(schedule::merge_path{}, w);
    try_one(schedule::nonzero_split{}, w);
    try_one(schedule::dynamic_merge_path{}, w);
    try_one(in_pieces_of<64>{}, w);
  }
}

TYPED_TEST(plan, says_what_it_will_launch) {
  const auto exec = this->any();
  const uniform w(100, 100);
  const auto p = loops::plan<float>(exec, schedule::merge_path{}, w);
  using shape = typename decltype(p)::shape_type;
  const auto a = schedule::merge_path{}.compose().bind(w, exec.template describe<shape>());
  EXPECT_EQ(p.blocks(), a.blocks);
  EXPECT_EQ(p.bound_schedule().a.slices, a.slices);
  EXPECT_EQ(p.bound_schedule().w.atoms(), 10000);
  // A plan for larger values has room for smaller ones.
  const auto [heads, tails] = p.template parts<std::int16_t>();
  EXPECT_EQ(tails - heads, a.slices);
  static_assert(decltype(p)::value_bytes == 4);
  // Schedules that cut no tile need no room.
  EXPECT_EQ(loops::plan<float>(exec, schedule::wave_mapped{}, w).bytes(), 0U);
  // Cuts, two partials per slice, boxes where slices are short, and those of a scan.
  const auto n = static_cast<std::size_t>(a.slices);
  const auto piece = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
  std::size_t bytes = (n + 1) * sizeof(loops::coordinate) + piece(n * 2 * 4);
  if (p.boxes().words) bytes += piece((n + 1) * 4) + piece(8) + piece((n + 1) * 8);
  if (p.boxes().heads) bytes += piece((n + 1) * 8);
  if (p.carries().words) {
    const auto boxes = loops::detail::carry_tree::boxes(static_cast<std::int64_t>(n));
    bytes += piece(static_cast<std::size_t>(boxes) * 8) + (p.boxes().words ? 0 : piece(8));
  }
  EXPECT_EQ(p.bytes(), bytes);
}

TYPED_TEST(plan, outlives_being_moved) {
  const auto exec = this->any();
  const uniform w(3000, 5);
  loops::array<int> out(3000, exec.memory());
  out.fill(0xff);
  auto p = loops::plan<int>(exec, schedule::dynamic_merge_path{}, w);
  const auto q = std::move(p);
  loops::reduce_tiles<int>(q, one{}, loops::plus{}, store_value{out.data()});
  for (const int n : out.to_vector()) ASSERT_EQ(n, 5);
}

TYPED_TEST(plan, of_nothing_does_nothing) {
  const auto exec = this->any();
  for (const loops::named_schedule& s : loops::all_schedules())
    std::visit(
        [&](const auto& one_schedule) {
          const auto p = loops::plan<int>(exec, one_schedule, uniform(0, 0));
          EXPECT_EQ(p.bound_schedule().a.slices, 0) << s.name;
        },
        s.schedule);
}

#if !LOOPS_CUDA && !LOOPS_HIP

/// What each atom counts as; atom `bad` is too much for it.
struct weighed {
  const int* weight;
  const std::int64_t* bad;
  int operator()(std::int64_t atom) const {
    if (atom == *bad) throw loops::error(errc::invalid_argument, "a bad atom");
    return *weight;
  }
};

TYPED_TEST(plan, begins_afresh_after_a_functor_threw) {
  constexpr std::int64_t tiles = 40;
  constexpr int width = 300;
  const uniform w(tiles, width);
  const auto try_one = [&](const auto& schedule) {
    SCOPED_TRACE(schedule.name());
    const auto p = loops::plan<int>(this->any(), schedule, w);
    expect_cut_tiles(p);
    int weight = 1;
    std::int64_t bad = -1;
    const weighed map{&weight, &bad};
    std::vector<int> out(tiles);
    std::vector<int> seen(tiles * width);
    const auto reduce = [&] {
      loops::reduce_tiles<int>(p, map, loops::plus{}, store_value{out.data()});
    };
    std::vector<int> scanned(tiles * width);
    const auto scan = [&] {
      loops::scan_tiles<int>(p, map, loops::plus{}, store_scanned{scanned.data()});
    };
    const auto visit = [&] {
      loops::for_each_atom(p, [&](std::int64_t, std::int64_t atom) {
        (void)map(atom);
        support::count_up(&seen[static_cast<std::size_t>(atom)]);
      });
    };
    for (const std::int64_t last : {tiles * width / 2 + 7, tiles * width - 1, std::int64_t{3}}) {
      bad = last;
      expect_error(errc::invalid_argument, "a bad atom", reduce);
      ++weight;
      bad = -1;
      reduce();
      EXPECT_EQ(out, std::vector<int>(tiles, width * weight)) << "after atom " << last;
      bad = last;
      expect_error(errc::invalid_argument, "a bad atom", scan);
      bad = -1;
      scan();
      for (int a = 0; a < tiles * width; ++a)
        ASSERT_EQ(scanned[static_cast<std::size_t>(a)], (a % width + 1) * weight)
            << "after atom " << last;
      bad = last;
      expect_error(errc::invalid_argument, "a bad atom", visit);
      bad = -1;
      seen.assign(seen.size(), 0);
      visit();
      EXPECT_EQ(seen, std::vector<int>(tiles * width, 1)) << "after atom " << last;
    }
  };
  try_one(schedule::queue{1});
  try_one(schedule::queue{});
  try_one(schedule::dynamic_merge_path{});
  try_one(schedule::merge_path{});
  try_one(schedule::nonzero_split{});
  try_one(schedule::long_first{});
  try_one(in_pieces_of<64>{});
}

#endif

}  // namespace
