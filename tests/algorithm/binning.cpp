// SPDX-License-Identifier: Apache-2.0
/// Bins have every tile exactly once, in order, and the table says where they begin.
#include "loops/algorithm/binning.hpp"

#include "loops/algorithm/plan.hpp"
#include "loops/schedule/lrb.hpp"
#include "loops/schedule/three_bins.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using loops::worker::by_bin;

struct listed {
  const std::int64_t* sizes;
  LOOPS_HD std::int64_t operator()(std::int64_t t) const { return sizes[t]; }
};

template <class Exec>
class binning : public support::on_executor<Exec> {
 protected:
  template <class Schedule>
  void check(const Exec& exec, const Schedule& schedule, const support::sizes& s) {
    using shape = loops::shape<64, 3>;
    using work = loops::segments<std::int32_t>;
    const auto offsets = s.template offsets<std::int32_t>();
    const loops::array<std::int32_t> device(offsets, exec.memory());
    const loops::tile_plan<Exec, Schedule, work, float, shape> plan(
        exec, schedule, work(device.data(), s.tiles(), s.atoms()));
    const auto& b = plan.bound_schedule();
    ASSERT_NE(b.bins, nullptr);
    loops::bin_table table;
    std::vector<std::int64_t> tiles(s.of.size());
    exec.memory()->download(&table, b.bins, sizeof table);
    exec.memory()->download(tiles.data(), b.binned_tiles, tiles.size() * sizeof tiles[0]);

    std::vector<std::int64_t> wanted(s.of.size());
    std::iota(wanted.begin(), wanted.end(), std::int64_t{0});
    const auto bin = [&](std::int64_t t) { return by_bin::bin_of(s.of[std::size_t(t)]); };
    std::stable_sort(wanted.begin(), wanted.end(),
                     [&](std::int64_t x, std::int64_t y) { return bin(x) < bin(y); });
    ASSERT_EQ(tiles, wanted);

    const loops::machine m = exec.template describe<shape>();
    std::int64_t visits = 0;
    for (int i = 0; i < by_bin::bins; ++i) {
      const auto first = std::lower_bound(wanted.begin(), wanted.end(), i,
                                          [&](std::int64_t t, int n) { return bin(t) < n; });
      ASSERT_EQ(table.first[i], first - wanted.begin()) << "bin " << i;
      ASSERT_EQ(table.visit[i], visits) << "bin " << i;
      ASSERT_EQ(table.lanes[i], b.a.who.lanes(i, m)) << "bin " << i;
      const auto last = std::lower_bound(wanted.begin(), wanted.end(), i + 1,
                                         [&](std::int64_t t, int n) { return bin(t) < n; });
      const std::int64_t per_visit = m.threads / b.a.who.lanes(i, m) * m.batch;
      visits += loops::ceil_div(last - first, per_visit);
    }
    ASSERT_EQ(table.first[by_bin::bins], s.tiles());
    ASSERT_EQ(table.visit[by_bin::bins], visits);
    ASSERT_LE(visits, b.a.visits);
  }
};
TYPED_TEST_SUITE(binning, support::executors, support::executor_name);

TYPED_TEST(binning, sorts_awkward_works_stably) {
  for (const auto& v : this->variants())
    for (const support::sizes& s : support::few_sizes(192, 64)) {
      SCOPED_TRACE(s.name + ", " + v.name);
      this->check(v.exec, loops::schedule::lrb{}, s);
    }
  for (const support::sizes& s : support::awkward_sizes(192, 64)) {
    SCOPED_TRACE(s.name);
    this->check(this->any(), loops::schedule::three_bins{4, 64}, s);
  }
}

TYPED_TEST(binning, boundaries_of_stretches) {
  // A wave has a stretch of 128 tiles, or of more where there are more than 4096 of these.
  for (const std::int64_t tiles : {127, 128, 129, 511, 513, 4096 * 128, 4096 * 128 + 1}) {
    SCOPED_TRACE(tiles);
    support::sizes s{"", {}};
    for (std::int64_t t = 0; t < tiles; ++t) s.of.push_back(t * t % 97 % 11);
    this->check(this->any(), loops::schedule::lrb{2}, s);
  }
}

TYPED_TEST(binning, sizes_that_are_no_works) {
  using shape = loops::shape<64, 3>;
  const auto exec = this->any();
  const std::vector<std::int64_t> sizes{5, std::int64_t{1} << 40, 0, 4, 7, 0, 1};
  const loops::array<std::int64_t> there(sizes, exec.memory());
  const loops::machine m = exec.template describe<shape>();
  const auto bins = loops::binned_tiles::sorted<shape>(
      exec, static_cast<std::int64_t>(sizes.size()), listed{there.data()},
      loops::schedule::lrb{}.compose().who, m);
  std::vector<std::int64_t> tiles(sizes.size());
  loops::bin_table table;
  exec.memory()->download(&table, bins.table(), sizeof table);
  exec.memory()->download(tiles.data(), bins.tiles(), tiles.size() * sizeof tiles[0]);
  EXPECT_EQ(tiles, (std::vector<std::int64_t>{2, 5, 6, 0, 3, 4, 1}));
  EXPECT_EQ(table.first[3], 3);
  EXPECT_EQ(table.first[41], 6);
  EXPECT_EQ(table.first[42], 7);
}

}  // namespace
