// SPDX-License-Identifier: Apache-2.0
/// The executor of bundles: what schedules see of it, and which kernels are told their share.
#include "loops/algorithm/bundles.hpp"

#include "support/executors.hpp"

#include <climits>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

/// Counts, per share, the lanes that were told it; without `take_share`, the lanes there are.
struct count_lanes {
  int* counts;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block&, storage<Block>&) const {
    support::count_up(counts);
  }
};
struct count_shares {
  int* counts;
  static constexpr int wanted_lanes = 0;
  template <class Block>
  struct storage {};
  LOOPS_HD void take_share(int share, std::int64_t) { counts += share; }
  template <class Block>
  LOOPS_HD void operator()(Block&, storage<Block>&) const {
    support::count_up(counts);
  }
};
static_assert(loops::taken_in_shares<count_shares> && count_shares::wanted_lanes == 0);
static_assert(!loops::taken_in_shares<count_lanes>);

/// A machine with a block for every lane it was asked about, 2048 when it was not.
struct asked_executor {
  template <class Shape>
  using block = loops::host_executor::block<Shape>;
  template <class Shape>
  [[nodiscard]] loops::machine describe(int lanes = 0) const {
    return {Shape::threads, 32, Shape::items, 1, lanes > 0 ? lanes : 2048};
  }
};

TEST(bundles_of_slices, are_counted_for_the_lanes_that_the_kernel_has) {
  using shape = loops::shape<128, 4>;
  const loops::bundle_executor<asked_executor, 4> few(asked_executor{}, 2, 768);
  EXPECT_EQ(few.describe<shape>(1).blocks, 384);
  EXPECT_EQ(few.describe<shape>().blocks, 1024) << "kernels that take tiles have all lanes";
  const loops::bundle_executor<asked_executor, 4> all(asked_executor{}, 2);
  EXPECT_EQ(all.describe<shape>(1).blocks, 1024);
}

/// Notes the blocks it was asked to launch, and the lanes of each.
struct noting_executor {
  std::int64_t* blocks;
  template <class Shape>
  using block = Shape;
  template <class Shape, class Kernel>
  void launch(std::int64_t count, const Kernel& kernel) const {
    *blocks = count;
    EXPECT_EQ(kernel.blocks * copies, count);
  }
  template <class Shape, class Kernel>
  void launch_early(std::int64_t count, const Kernel& kernel) const {
    launch<Shape>(count, kernel);
  }
  int copies = 1;
};

TEST(bundles_of_a_tile, occupy_a_third_of_the_machine) {
  const auto bundles = [](std::int64_t tiles, std::int64_t longest, const loops::machine& one,
                          int share = 3) {
    return loops::bundle_executor<asked_executor, 8>::for_a_tile(tiles, longest, one, share);
  };
  loops::machine m;
  m.threads = 16;
  m.blocks = 75;  // 1200 bundles
  m.wave = 4;
  EXPECT_EQ(bundles(400, 100, m), 1);
  EXPECT_EQ(bundles(399, 100, m), 2);
  EXPECT_EQ(bundles(200, 100, m), 2);
  EXPECT_EQ(bundles(199, 100, m), 4);
  // Or of all of it.
  EXPECT_EQ(bundles(1200, 100, m, 1), 1);
  EXPECT_EQ(bundles(1199, 100, m, 1), 2);
  EXPECT_EQ(bundles(599, 100, m, 1), 4);
  // No more than a wave has, nor than have two atoms each of the longest tile.
  EXPECT_EQ(bundles(1, 20'000, m), 4);
  EXPECT_EQ(bundles(100, 4, m), 4);
  EXPECT_EQ(bundles(100, 3, m), 2);
  EXPECT_EQ(bundles(100, 1, m), 1);
}

TEST(bundles_of_a_tile, are_too_few_where_a_tile_is_long) {
  constexpr auto too_few = loops::bundle_executor<asked_executor, 8>::too_few;
  loops::machine m;
  m.threads = 16;
  m.blocks = 75;  // 1200 bundles
  // Each of four bundles, or one, goes through more than it takes to start a kernel …
  EXPECT_TRUE(too_few(4, 1000, 4 * 25, m));
  EXPECT_FALSE(too_few(4, 1000, 4 * 25 - 1, m));
  EXPECT_TRUE(too_few(1, 1000, 25, m));
  EXPECT_FALSE(too_few(1, 1000, 24, m));
  // … and than four times as much as all take for all atoms.
  EXPECT_TRUE(too_few(1, 1200 * 1000, 4025, m));
  EXPECT_FALSE(too_few(1, 1200 * 1000, 4024, m));
  EXPECT_FALSE(too_few(1, 4, 4, m));
  EXPECT_FALSE(too_few(1, 0, 0, m));
}

TEST(bundles_of_large_works, are_no_more_than_a_grid_holds) {
  constexpr std::int64_t many = std::int64_t{1} << 40;
  const auto launched = [&]<class Shape>(Shape, std::int64_t asked, int copies) {
    std::int64_t blocks = 0;
    std::int64_t early = 0;
    const loops::bundle_executor<noting_executor, 4> one({&blocks, copies}, copies);
    one.template launch<Shape>(asked, count_shares{nullptr});
    const loops::bundle_executor<noting_executor, 4> other({&early, copies}, copies);
    other.template launch_early<Shape>(asked, count_shares{nullptr});
    EXPECT_EQ(blocks, early);
    return blocks;
  };
  using shape = loops::shape<128, 4>;
  const std::int64_t most = loops::most_blocks(128);
  EXPECT_EQ(launched(shape{}, 1000, 3), 3000);
  EXPECT_EQ(launched(shape{}, most, 1), most);
  EXPECT_EQ(launched(shape{}, many, 1), most);
  EXPECT_EQ(launched(shape{}, many, 3), most / 3 * 3);
  EXPECT_EQ(launched(loops::shape<1024, 4>{}, many, 2), loops::most_blocks(1024));
  EXPECT_EQ(launched(shape{}, many, 1 << 30), 1 << 30) << "every copy has a block";
}

template <class Exec>
class bundles : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(bundles, support::executors, support::executor_name);

TYPED_TEST(bundles, hold_one_copy_of_a_grid_at_least) {
  for (const int copies : {0, -1})
    support::expect_error(loops::errc::invalid_argument, "at least one share per lane", [&] {
      static_cast<void>(loops::bundle_executor<TypeParam, 1>(this->any(), copies));
    });
}

TYPED_TEST(bundles, schedules_see_bundles_and_kernels_their_shares) {
  using shape = loops::shape<64, 5>;
  constexpr int width = TypeParam::template block<shape>::wave > 1 ? 4 : 1;
  const auto exec = this->any();
  const loops::machine all = exec.template describe<shape>();
  const loops::bundle_executor<TypeParam, width> bundle(exec, 3);
  const loops::machine m = bundle.template describe<shape>();
  EXPECT_EQ(m.threads * width, all.threads);
  EXPECT_EQ(m.wave * width, all.wave);
  // A CPU's slices are as small as their copies together are to be.
  EXPECT_EQ(m.items, all.threads > 1 ? all.items : all.items / 3);
  if (all.threads == 1) {
    using lone = loops::bundle_executor<TypeParam, 1>;
    EXPECT_EQ(lone(exec, 1).template describe<shape>().items, all.items);
    for (const int copies : {100, 1 << 22, INT_MAX})
      EXPECT_EQ(lone(exec, copies).template describe<shape>().items, 512) << copies;
  }
  EXPECT_EQ(m.blocks, all.blocks > 3 ? all.blocks / 3 : 1);
  EXPECT_EQ(bundle.copies(), 3);

  loops::array<int> counts(3 * width, exec.memory());
  counts.fill(0);
  bundle.template launch<shape>(5, count_lanes{counts.data()});
  EXPECT_EQ(counts.to_vector()[0], 5 * all.threads) << "a kernel without shares was copied";
  counts.fill(0);
  bundle.template launch<shape>(5, count_shares{counts.data()});
  EXPECT_EQ(counts.to_vector(),
            (std::vector<int>(3 * static_cast<std::size_t>(width), 5 * m.threads)));
}

}  // namespace
