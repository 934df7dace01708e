// SPDX-License-Identifier: Apache-2.0
/// Noted cuts agree with the schedule's; those of small works spare short tiles.
#include "loops/algorithm/cuts.hpp"

#include "loops/algorithm/plan.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace {

using work = loops::segments<std::int32_t>;
using shape = loops::shape<128, 12>;
using loops::coordinate;

template <class T>
std::vector<T> read(const std::shared_ptr<loops::memory>& m, const T* at, std::size_t n) {
  std::vector<T> out(n);
  m->download(out.data(), at, n * sizeof(T));
  return out;
}

template <class Exec>
class cuts : public support::on_executor<Exec> {
 protected:
  template <class Schedule>
  void check(const Exec& exec, const support::sizes& s) {
    SCOPED_TRACE(testing::Message() << s.name << ", " << Schedule::name());
    const auto offsets = s.template offsets<std::int32_t>();
    const work host(offsets.data(), s.tiles(), s.atoms());
    const loops::array<std::int32_t> there(offsets, exec.memory());
    const loops::tile_plan<Exec, Schedule, work, float, shape> p(
        exec, Schedule{}, work(there.data(), s.tiles(), s.atoms()));
    const auto& b = p.bound_schedule();
    const auto n = static_cast<std::size_t>(b.a.slices);
    const std::vector<coordinate> noted = read(exec.memory(), b.cuts, n + 1);
    const bool posts = p.boxes().words != nullptr;
    const bool spares = p.joiner() == loops::detail::joiner::closing_slice;
    std::vector<std::int32_t> begun(n + 1, -1);
    if (posts) begun = read<std::int32_t>(exec.memory(), p.boxes().begun, n + 1);
    const int items = loops::detail::short_items<shape>(b.a.step);
    const std::int64_t whole = loops::detail::whole_tile<shape>(b.a.step);
    const std::int64_t room = std::int64_t{shape::threads} * items;
    EXPECT_GE(spares ? whole : shape::threads, shape::threads);
    for (std::size_t i = 0; i <= n; ++i) {
      const coordinate wanted = b.a.cut(host, static_cast<std::int64_t>(i));
      const coordinate c = b.a.noted(host, static_cast<std::int64_t>(i), noted[i]);
      ASSERT_EQ(c.tile, wanted.tile) << "cut " << i;
      const bool inside = c.tile < s.tiles() && wanted.atom > host.offset(c.tile);
      const bool spared = spares && inside && s.of[static_cast<std::size_t>(c.tile)] <= whole;
      ASSERT_EQ(c.atom, spared ? host.offset(c.tile) : wanted.atom) << "cut " << i;
      if (i > 0) {
        ASSERT_LE(noted[i - 1].diagonal(), c.diagonal());
        if (spares) {
          ASSERT_LE(c.diagonal() - noted[i - 1].diagonal(), room)
              << "slice " << i - 1 << " does not fit its block";
        }
      }
      if (!posts) continue;
      const std::int64_t wants = inside && !spared ? b.a.slice_of(host, c.tile) : -1;
      ASSERT_EQ(begun[i], wants) << "cut " << i;
      // The slice that is named has the tile's first atom.
      if (wants >= 0) {
        const auto first = static_cast<std::size_t>(wants);
        ASSERT_LE(noted[first].atom, host.offset(c.tile));
        ASSERT_GT(noted[first + 1].atom, host.offset(c.tile));
      }
    }
    if (spares) seen_.insert(items);
    if (posts) check_empties(exec, b, n + 1);
  }
  /// Boxes are empty afterwards, whatever lay in their memory.
  template <class Bound>
  static void check_empties(const Exec& exec, const Bound& b, std::size_t boxes) {
    const auto dirty = [&](auto& a) { exec.memory()->fill(a.data(), 0xff, 8 * boxes); };
    loops::array<std::uint64_t> words(boxes, exec.memory());
    loops::array<std::uint64_t> heads(boxes, exec.memory());
    loops::array<std::int32_t> begun(boxes, exec.memory());
    loops::array<std::int64_t> lost(1, exec.memory());
    loops::array<coordinate> cuts(boxes, exec.memory());
    dirty(words);
    dirty(heads);
    constexpr int lanes = Exec::template block<shape>::threads;
    exec.template launch<shape>(
        loops::ceil_div(static_cast<std::int64_t>(boxes), std::int64_t{lanes}),
        loops::detail::compute_cuts<Bound>{
            b, cuts.data(), {words.data(), heads.data(), begun.data(), lost.data(), 0}, 1, 0});
    exec.synchronize();
    EXPECT_EQ(words.to_vector(), std::vector<std::uint64_t>(boxes, 0));
    EXPECT_EQ(heads.to_vector(), std::vector<std::uint64_t>(boxes, 0));
    EXPECT_EQ(lost.to_vector().front(), 0);
  }
  std::set<int> seen_;  ///< steps per lane of blocks that had boxes
};
TYPED_TEST_SUITE(cuts, support::executors, support::executor_name);

TYPED_TEST(cuts, agree_with_the_schedule_and_spare_short_tiles) {
  const auto exec = this->any();
  for (const std::int64_t size : {shape::threads * 4, shape::threads * 12})
    for (const support::sizes& s : support::awkward_sizes(size, shape::threads)) {
      this->template check<loops::schedule::merge_path>(exec, s);
      this->template check<loops::schedule::nonzero_split>(exec, s);
      if (this->HasFailure()) return;
    }
  // Around the longest tile that is spared.
  for (const std::int64_t n : {127, 128, 129, 255, 256, 257}) {
    for (const std::int64_t atoms : {1600, 2500, 4000, 20000}) {
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(atoms / n), n);
      for (const std::int64_t more : {0, 7000}) {
        sizes.resize(sizes.size() + static_cast<std::size_t>(more), 0);
        this->template check<loops::schedule::merge_path>(exec,
                                                          {"tiles of " + std::to_string(n), sizes});
        if (this->HasFailure()) return;
      }
    }
  }
  // More steps than all lanes of the machine take at once, so that slices are long.
  const loops::machine m = exec.template describe<shape>();
  const std::int64_t all = 4 * m.blocks * shape::threads * 9;
  this->template check<loops::schedule::merge_path>(
      exec,
      {"work for everybody", std::vector<std::int64_t>(static_cast<std::size_t>(all / 20), 19)});
  const bool lone_lanes = TypeParam::template block<shape>::threads == 1;
  EXPECT_EQ(this->seen_, lone_lanes ? std::set<int>{} : std::set<int>({4, 8, 10}));
}

TEST(short_cuts, leave_room_for_a_tile_in_the_least_block) {
  using loops::detail::short_items;
  using loops::detail::whole_tile;
  constexpr std::int64_t lanes = shape::threads;
  for (std::int64_t step = 1; step <= lanes * loops::detail::longest_items<shape>; ++step) {
    const int items = short_items<shape>(step);
    const std::int64_t whole = whole_tile<shape>(step);
    ASSERT_GE(whole, lanes);
    ASSERT_LE(whole, 2 * lanes);
    ASSERT_LE(step + whole, lanes * items);
    ASSERT_EQ(items, step <= 3 * lanes ? 4 : step <= 7 * lanes ? 8 : 10);
  }
  // Shapes of few steps per lane.
  EXPECT_EQ((short_items<loops::shape<128, 8>>(128 * 7)), 8);
  EXPECT_EQ((short_items<loops::shape<128, 5>>(128 * 4)), 5);
  EXPECT_EQ((loops::detail::longest_items<loops::shape<128, 5>>), 4);
}

TEST(short_cuts, have_boxes_where_all_slices_run_at_once_or_tiles_are_short) {
  using loops::detail::pays_to_wait;
  const loops::machine m{128, 32, loops::detail::longest_items<shape>, 1, 16, 2};
  const auto pays = [&](std::int64_t tiles, std::int64_t width, std::int64_t processors = 0) {
    const loops::uniform w(tiles, width);
    auto p = loops::schedule::merge_path{}.compose();
    p.processors = processors;
    return pays_to_wait<shape>(w, p.bind(w, m), m);
  };
  const std::int64_t one_round = 16 * 128 * 9;
  EXPECT_TRUE(pays(3, one_round / 3 - 1));
  EXPECT_TRUE(pays(1, one_round - 1));
  EXPECT_FALSE(pays(1, one_round));
  EXPECT_TRUE(pays(1000, 51));
  EXPECT_FALSE(pays(1000, 52));
  // Blocks of several slices would wait for higher ones.
  EXPECT_FALSE(pays(1000, 51, 3));
  // A block does not hold a slice of a grain of one's own.
  const loops::uniform w(1000, 5);
  auto large = loops::schedule::merge_path{}.compose();
  large.grain = 128 * 9 + 1;
  EXPECT_FALSE((pays_to_wait<shape>(w, large.bind(w, m), m)));
  large.grain = 128 * 9;
  EXPECT_TRUE((pays_to_wait<shape>(w, large.bind(w, m), m)));
}

TEST(cuts_of_many_slices, are_joined_last_where_slices_take_turns) {
  using loops::detail::pays_to_join_last;
  const loops::machine m{128, 32, shape::items, 1, 16, 2};
  const auto pays = [&](std::int64_t atoms, std::int64_t processors = 0) {
    auto p = loops::schedule::nonzero_split{}.compose();
    p.processors = processors;
    return pays_to_join_last(p.bind(loops::uniform(1, atoms), m), m);
  };
  const std::int64_t one_round = 16 * 128 * shape::items;
  EXPECT_FALSE(pays(one_round));
  EXPECT_TRUE(pays(one_round + 1));
  EXPECT_FALSE(pays(one_round + 1, 3)) << "blocks of several slices";
}

}  // namespace
