// SPDX-License-Identifier: Apache-2.0
/// A block on the host touches as many sums as a small product has, not those of a whole tile.
#include "algorithms/gemm/host_agent.hpp"

#include "algorithms/gemm/portable_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace loops;

/// A product of an A full of twos and a B full of threes, as the host's agents take it.
struct small_product {
  small_product(int rows, int cols, int depth)
      : m(rows), n(cols), k(depth), a(elements(m, k), 2), b(elements(k, n), 3), c(elements(m, n)) {}
  static std::size_t elements(int lines, int each) {
    return static_cast<std::size_t>(lines) * static_cast<std::size_t>(each);
  }
  [[nodiscard]] auto problem() {
    return make_gemm_problem(matrix<const float>(a.data(), m, k),
                             matrix<const float>(b.data(), k, n), matrix<float>(c.data(), m, n),
                             gemm_detail::chain());
  }
  int m, n, k;
  std::vector<float> a, b, c;
};
using problem = decltype(std::declval<small_product&>().problem());
using program = portable_engine<portable_blocking<host_executor, float>::type>::program<problem>;
using agent = gemm_detail::host_agent<program::source_type, program::blocking>;

/// An agent and a slot for its sums.
struct bench {
  explicit bench(small_product& of)
      : p(of.problem()), source(p, p.tiles(program::tile_shape)), one(source, *shared) {}
  std::byte* bytes() { return reinterpret_cast<std::byte*>(slot.data()); }

  problem p;
  program::source_type source;
  std::unique_ptr<agent::storage> shared = std::make_unique<agent::storage>();
  std::vector<float> slot = std::vector<float>(program::slot_bytes / sizeof(float), -1);
  agent one;
};

TEST(host_agent, leaves_alone_what_a_small_product_has_not) {
  small_product of(5, 7, 3);
  bench at(of);
  std::fill(std::begin(at.shared->sums), std::end(at.shared->sums), -1.0F);
  const auto untouched = [](const auto& sums) {
    return std::count(std::begin(sums), std::end(sums), -1.0F);
  };
  constexpr int touched = host::panel_rows * host::panel_cols<float>;
  constexpr int all = program::blocking::m * program::blocking::n;

  const segment step{0, 0, 1, true, true};
  at.one.clear();
  at.one.step(step);
  at.one.store(at.bytes());
  EXPECT_EQ(untouched(at.shared->sums), all - touched);
  EXPECT_EQ(untouched(at.slot), all - touched);
  at.one.clear();
  at.one.step(step);
  at.one.add(at.bytes());
  at.one.finish(0);
  EXPECT_EQ(untouched(at.shared->sums), all - touched);
  EXPECT_EQ(of.c, std::vector<float>(of.c.size(), 2 * 2 * 3 * 3));
}

/// Whole panels, so that every column of the sums is one of C.
TEST(host_agent, takes_steps_one_after_another_and_adds_all_of_another_part) {
  constexpr int k_step = portable_blocking<host_executor, float>::type::k_bytes / 4;
  small_product of(host::panel_rows, host::panel_cols<float>, 2 * k_step + 1);
  bench at(of);
  at.one.clear();
  at.one.step({0, 0, 1, true, false});
  at.one.store(at.bytes());
  at.one.clear();
  at.one.step({0, 1, 2, false, false});
  at.one.step({0, 2, 3, false, true});
  at.one.add(at.bytes());
  at.one.finish(0);
  EXPECT_EQ(of.c, std::vector<float>(of.c.size(), static_cast<float>(2 * 3 * of.k)));
}

}  // namespace
