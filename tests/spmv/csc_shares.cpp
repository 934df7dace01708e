// SPDX-License-Identifier: Apache-2.0
/// SpMV over CSC in shares: exact, the same bits on every run, and taken where it pays.
#include "algorithms/spmv/csc_shares.hpp"

#include "algorithms/spmv/csc_rows.hpp"
#include "loops/format/convert.hpp"
#include "loops/io/generate.hpp"
#include "loops/schedule/automatic.hpp"
#include "support/counting.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "products.hpp"

namespace products {
namespace {

const int pools[] = {1, 2, 3, 8, 61};

loops::host_executor pool_of(int threads) {
  return loops::host_executor(std::make_shared<loops::host::pool>(threads));
}

template <class V, class I, class O>
void check_matrices() {
  for (const auto& [name, a] : matrices<V, I, O>()) {
    const auto exact = product(a);
    const auto csc = loops::to_csc(a);
    std::vector<V> x;
    for (std::int64_t c = 0; c < static_cast<std::int64_t>(a.cols); ++c)
      x.push_back(narrow<V>(small<V>(c)));
    for (const int threads : pools) {
      SCOPED_TRACE(name + ", threads: " + std::to_string(threads));
      const loops::spmv_shares_plan step(pool_of(threads), csc.view());
      ASSERT_TRUE(step.ready());
      std::vector<V> y(exact.size());
      // Twice: the first leaves zeros behind. What y held must not count.
      for (int run = 0; run < 2; ++run) {
        std::fill(y.begin(), y.end(), narrow<V>(std::numeric_limits<float>::quiet_NaN()));
        step(x, y);
        for (std::size_t r = 0; r < exact.size(); ++r)
          ASSERT_EQ(y[r], narrow<V>(exact[r])) << "row " << r;
      }
      step(x, y, 2, -3);
      for (std::size_t r = 0; r < exact.size(); ++r)
        ASSERT_EQ(y[r], narrow<V>(2 * exact[r] - 3 * exact[r])) << "row " << r;
    }
  }
}

TEST(csc_shares, all_matrices) {
  check_matrices<float, std::int32_t, std::int32_t>();
  check_matrices<double, std::int64_t, std::int64_t>();
  check_matrices<double, std::uint32_t, std::size_t>();
}

TEST(csc_shares, rows_around_the_stretches_in_which_sums_are_added_up) {
  for (const int rows : {1023, 1024, 1025, 2047, 2048, 2049}) {
    auto a = loops::generate<float>("random:cols=300,per_row=3,rows=" + std::to_string(rows));
    for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] = static_cast<float>(k % 7) - 3;
    const auto exact = product(a);
    std::vector<float> x;
    for (int c = 0; c < a.cols; ++c) x.push_back(narrow<float>(small<float>(c)));
    const auto csc = loops::to_csc(a);
    const loops::spmv_shares_plan step(pool_of(3), csc.view());
    std::vector<float> y(exact.size(), -1);
    step(x, y);
    for (std::size_t r = 0; r < exact.size(); ++r)
      ASSERT_EQ(y[r], static_cast<float>(exact[r])) << "row " << r << " of " << rows;
  }
}

TEST(csc_shares, same_bits_on_every_run) {
  auto a = loops::generate<float>("power_law:rows=3000,nonzeros=60k");
  for (std::size_t k = 0; k < a.values.size(); ++k)
    a.values[k] = 1.0F / static_cast<float>(1 + (k * 7919) % 1013);
  std::vector<float> x;
  for (int c = 0; c < a.cols; ++c) x.push_back(1.0F / static_cast<float>(1 + c % 17));
  const auto csc = loops::to_csc(a);
  const auto exec = pool_of(5);
  const loops::spmv_shares_plan step(exec, csc.view());
  std::vector<float> first(static_cast<std::size_t>(a.rows));
  step(x, first);
  for (int run = 0; run < 50; ++run) {
    std::vector<float> y(first.size());
    step(x, y);
    ASSERT_TRUE(support::same_bits(first, y));
  }
}

TEST(csc_shares, taken_by_automatic_where_sums_are_few) {
  const auto dense = loops::to_csc(loops::generate<float>("random:rows=500,cols=500,per_row=9"));
  const auto few = pool_of(3);
  const auto many = pool_of(200);
  const auto taken = loops::plan_spmv(few, loops::schedule::automatic{}, dense.view());
  EXPECT_EQ(taken.passes(), 0);
  EXPECT_EQ(taken.way(), "in shares");
  EXPECT_EQ(loops::plan_spmv(many, loops::schedule::automatic{}, dense.view()).way(), "in 1 pass");
  EXPECT_GT(loops::plan_spmv(many, loops::schedule::automatic{}, dense.view()).passes(), 0);
  // Bands: a share has nonzeros in few rows, however many there are.
  const auto band = loops::to_csc(loops::generate<float>("banded:rows=20k,width=9"));
  EXPECT_EQ(loops::plan_spmv(many, loops::schedule::automatic{}, band.view()).passes(), 0);
  EXPECT_GT(loops::plan_spmv(few, loops::schedule::merge_path{}, dense.view()).passes(), 0);
}

/// Two columns, a share each, with nonzeros in rows 3 to 5 and 0 to 8: twelve sums.
TEST(csc_shares, ready_where_there_is_just_room_and_hold_the_bytes_they_say) {
  const std::vector<int> offsets{0, 2, 4};
  const std::vector<int> rows{5, 3, 0, 8};
  const std::vector<float> values{1, 2, 3, 4};
  const loops::csc_view<float, int, int> a{9, 2, 4, offsets.data(), rows.data(), values.data()};
  const auto exec = pool_of(2);
  EXPECT_TRUE(loops::spmv_shares_plan(exec, a, 12).ready());
  EXPECT_FALSE(loops::spmv_shares_plan(exec, a, 11).ready());
  support::expect_held(exec, [&](const auto& e) { return loops::spmv_shares_plan(e, a); });
  const auto plan = loops::plan_spmv(exec, loops::schedule::automatic{}, a);
  EXPECT_EQ(plan.way(), "in shares");
  EXPECT_GE(plan.bytes(), loops::spmv_shares_plan(exec, a).bytes());
}

TEST(csc_shares, refuses_rows_that_it_has_not) {
  const std::vector<int> offsets{0, 1, 2};
  const std::vector<float> values{1, 2};
  for (const int row : {-1, 2}) {
    const std::vector<int> rows{0, row};
    const loops::csc_view<float, int, int> a{2, 2, 2, offsets.data(), rows.data(), values.data()};
    // In a share of its own, and in one that begins with a row there is.
    for (const int threads : {1, 2}) {
      const auto exec = pool_of(threads);
      EXPECT_THROW(loops::spmv_shares_plan(exec, a), loops::error);
      EXPECT_THROW(loops::plan_spmv(exec, loops::schedule::automatic{}, a), loops::error);
    }
  }
  const std::vector<int> wrong{0, 1, 3};
  const std::vector<int> rows{0, 1};
  const loops::csc_view<float, int, int> a{2, 2, 2, wrong.data(), rows.data(), values.data()};
  EXPECT_THROW(loops::spmv_shares_plan(pool_of(2), a), loops::error);
}

}  // namespace
}  // namespace products
