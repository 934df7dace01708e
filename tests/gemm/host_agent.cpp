// SPDX-License-Identifier: Apache-2.0
/// A block on the host touches as many sums as a small product has, not those of a whole tile.
#include "algorithms/gemm/host_agent.hpp"

#include "algorithms/gemm/portable_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace {

using namespace loops;

TEST(host_agent, leaves_alone_what_a_small_product_has_not) {
  constexpr int m = 5, n = 7, k = 3;
  const std::vector<float> a(m * k, 2), b(k * n, 3);
  std::vector<float> c(m * n);
  const auto p =
      make_gemm_problem(matrix<const float>(a.data(), m, k), matrix<const float>(b.data(), k, n),
                        matrix<float>(c.data(), m, n), gemm_detail::chain());
  using program = portable_engine<portable_blocking<host_executor, float>::type>::program<
      std::remove_const_t<decltype(p)>>;
  using agent = gemm_detail::host_agent<program::source_type, program::blocking>;
  const program::source_type source(p, p.tiles(program::tile_shape));
  const auto shared = std::make_unique<agent::storage>();
  std::fill(std::begin(shared->sums), std::end(shared->sums), -1.0F);
  std::vector<float> slot(program::slot_bytes / sizeof(float), -1);
  const auto untouched = [](const auto& sums) {
    return std::count(std::begin(sums), std::end(sums), -1.0F);
  };
  constexpr int touched = host::panel_rows * host::panel_cols<float>;
  constexpr int all = program::blocking::m * program::blocking::n;

  agent one(source, *shared);
  const segment step{0, 0, 1, true, true};
  one.clear();
  one.step(step);
  one.store(reinterpret_cast<std::byte*>(slot.data()));
  EXPECT_EQ(untouched(shared->sums), all - touched);
  EXPECT_EQ(untouched(slot), all - touched);
  one.clear();
  one.step(step);
  one.add(reinterpret_cast<const std::byte*>(slot.data()));
  one.finish(0);
  EXPECT_EQ(untouched(shared->sums), all - touched);
  EXPECT_EQ(c, std::vector<float>(m * n, 2 * 2 * 3 * k));
}

/// Whole panels, so that every column of the sums is one of C.
TEST(host_agent, takes_steps_one_after_another_and_adds_all_of_another_part) {
  constexpr int m = host::panel_rows, n = host::panel_cols<float>;
  constexpr int k_step = portable_blocking<host_executor, float>::type::k_bytes / 4;
  constexpr int k = 2 * k_step + 1;
  const std::vector<float> a(m * k, 1), b(k * n, 1);
  std::vector<float> c(m * n);
  const auto p =
      make_gemm_problem(matrix<const float>(a.data(), m, k), matrix<const float>(b.data(), k, n),
                        matrix<float>(c.data(), m, n), gemm_detail::chain());
  using program = portable_engine<portable_blocking<host_executor, float>::type>::program<
      std::remove_const_t<decltype(p)>>;
  using agent = gemm_detail::host_agent<program::source_type, program::blocking>;
  const program::source_type source(p, p.tiles(program::tile_shape));
  const auto shared = std::make_unique<agent::storage>();
  std::vector<float> slot(program::slot_bytes / sizeof(float), -1);
  agent one(source, *shared);
  one.clear();
  one.step({0, 0, 1, true, false});
  one.store(reinterpret_cast<std::byte*>(slot.data()));
  one.clear();
  one.step({0, 1, 2, false, false});
  one.step({0, 2, 3, false, true});
  one.add(reinterpret_cast<const std::byte*>(slot.data()));
  one.finish(0);
  EXPECT_EQ(c, std::vector<float>(m * n, k));
}

}  // namespace
