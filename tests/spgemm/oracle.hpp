// SPDX-License-Identifier: Apache-2.0
/// Holds that C = A B comes out exactly, and with the same bits under every order of lanes.
#pragma once

#include "algorithms/spgemm/spgemm.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace oracle {

/// A matrix on the host from the columns of its rows, in the order given; values are small
/// integers, none of them zero.
template <class V = float, class I = std::int32_t, class O = std::int32_t>
loops::csr<V, I, O> matrix_of(const std::vector<std::vector<std::int64_t>>& rows,
                              std::int64_t cols) {
  std::vector<O> offsets{0};
  std::vector<I> indices;
  std::vector<V> values;
  for (const auto& row : rows) {
    for (const std::int64_t c : row) {
      indices.push_back(static_cast<I>(c));
      const auto k = static_cast<std::int64_t>(values.size());
      values.push_back(static_cast<V>(static_cast<float>(1 + (k * 31 + k / 7) % 3)));
    }
    offsets.push_back(static_cast<O>(indices.size()));
  }
  return {static_cast<I>(rows.size()), static_cast<I>(cols), loops::array<O>(offsets),
          loops::array<I>(indices), loops::array<V>(values)};
}

/// A B row by row, column -> value, in `double`.
template <class V, class I, class O>
std::vector<std::map<std::int64_t, double>> exact_product(const loops::csr<V, I, O>& a,
                                                          const loops::csr<V, I, O>& b) {
  std::vector<std::map<std::int64_t, double>> c(static_cast<std::size_t>(a.rows));
  const auto value = [](V v) { return static_cast<double>(static_cast<float>(v)); };
  for (std::int64_t r = 0; r < static_cast<std::int64_t>(a.rows); ++r)
    for (O k = a.offsets.data()[r]; k < a.offsets.data()[r + 1]; ++k) {
      const I row = a.indices.data()[k];
      for (O n = b.offsets.data()[row]; n < b.offsets.data()[row + 1]; ++n)
        c[static_cast<std::size_t>(r)][b.indices.data()[n]] +=
            value(a.values.data()[k]) * value(b.values.data()[n]);
    }
  return c;
}

template <class Exec, class Schedule, class V, class I, class O>
void check_product(const Exec& exec, const Schedule& schedule, const loops::csr<V, I, O>& a,
                   const loops::csr<V, I, O>& b) {
  const auto wanted = exact_product(a, b);
  const auto there_a = a.to(exec.memory());
  const auto there_b = b.to(exec.memory());
  auto plan = loops::plan_spgemm(exec, schedule, there_a.view(), there_b.view());
  auto there = plan.pattern();
  there.values.fill(0xff);
  plan(there_a.values.data(), there_b.values.data(), there.values.data());
  const auto c = there.to(loops::default_host_memory());
  EXPECT_NO_THROW(loops::validate(c.view()));
  ASSERT_EQ(c.rows, a.rows);
  ASSERT_EQ(c.cols, b.cols);
  std::int64_t k = 0;
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    ASSERT_EQ(static_cast<std::int64_t>(c.offsets.data()[r]), k) << "row " << r;
    for (const auto& [column, value] : wanted[r]) {
      ASSERT_LT(k, static_cast<std::int64_t>(c.indices.size())) << "row " << r;
      ASSERT_EQ(static_cast<std::int64_t>(c.indices.data()[k]), column) << "row " << r;
      ASSERT_EQ(static_cast<double>(static_cast<float>(c.values.data()[k])), value)
          << "C(" << r << ", " << column << ")";
      ++k;
    }
  }
  ASSERT_EQ(static_cast<std::int64_t>(c.indices.size()), k);
  plan(there_a.values.data(), there_b.values.data(), there.values.data());
  EXPECT_TRUE(support::same_bits(c.values.to_vector(), there.values.to_vector()))
      << "the second run has other bits";
  plan.keep_products();
  there.values.fill(0xff);
  plan(there_a.values.data(), there_b.values.data(), there.values.data());
  EXPECT_TRUE(support::same_bits(c.values.to_vector(), there.values.to_vector()))
      << "sums over the list of products differ";
}

/// C as one executor computes it, twice under one plan, and from a list of products; sums must not
/// round. On a CPU also with so many columns that there is no place for each: then it has tables.
template <class Exec, class Schedule, class V, class I, class O>
void check(const Exec& exec, const Schedule& schedule, const loops::csr<V, I, O>& a,
           const loops::csr<V, I, O>& b) {
  check_product(exec, schedule, a, b);
  if constexpr (std::is_same_v<Exec, loops::host_executor>) {
    SCOPED_TRACE("very many columns");
    auto wide = b.to(exec.memory());
    wide.cols = static_cast<I>(std::min<std::int64_t>(std::numeric_limits<I>::max(), 1 << 28));
    check_product(exec, schedule, a, wide);
  }
}

/// Values whose sums round, so that an order that changes shows.
inline void make_uneven(loops::csr<float>& a) {
  for (std::size_t k = 0; k < a.values.size(); ++k)
    a.values[k] = 1.0F / static_cast<float>(1 + (k * 7919) % 1013);
}

/// The values of C are the same bits whoever comes first.
template <class Exec, class Schedule>
void check_bits(const std::vector<support::variant_of<Exec>>& variants, const Schedule& schedule,
                const loops::csr<float>& a, const loops::csr<float>& b) {
  std::vector<float> first;
  std::vector<float> from_list;
  for (const auto& v : variants) {
    const auto there_a = a.to(v.exec.memory());
    const auto there_b = b.to(v.exec.memory());
    const auto got =
        loops::spgemm(v.exec, schedule, there_a.view(), there_b.view()).values.to_vector();
    if (first.empty()) first = got;
    EXPECT_TRUE(support::same_bits(first, got)) << v.name << " has other bits";
    auto plan = loops::plan_spgemm(v.exec, schedule, there_a.view(), there_b.view());
    loops::array<float> c(got.size(), v.exec.memory());
    plan.keep_products();
    plan(there_a.values.data(), there_b.values.data(), c.data());
    if (from_list.empty()) from_list = c.to_vector();
    EXPECT_TRUE(support::same_bits(from_list, c.to_vector())) << v.name << " has other bits";
  }
}

}  // namespace oracle
