// SPDX-License-Identifier: Apache-2.0
/// Rows of A cut into parts, each a row of its own, whose products are added up afterwards.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/format/formats.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace loops::spgemm_detail {

/// How many parts of each row of A keep `groups` groups of lanes busy, where rows are so few that
/// whole ones do not, and have so many products that those of a part meet in few entries; 1: whole
/// rows. Goes by what is known without looking: as if all rows of B were as long.
template <class View>
std::int64_t parts_that_pay(const View& a, const View& b, std::int64_t groups) {
  if (a.rows == 0 || b.rows == 0) return 1;
  constexpr double least_products = 512;  ///< of a part
  constexpr double products_per_entry = 4;
  constexpr double least_parts = 4;
  const double per_row = static_cast<double>(a.nonzeros) / static_cast<double>(a.rows) *
                         static_cast<double>(b.nonzeros) / static_cast<double>(b.rows);
  const double of_a_part =
      std::max(least_products, products_per_entry * static_cast<double>(b.cols));
  const double parts = std::min(per_row / of_a_part,
                                2.0 * static_cast<double>(groups) / static_cast<double>(a.rows));
  return parts < least_parts ? 1 : static_cast<std::int64_t>(parts);
}

/// Into how many parts the rows of A, of which it has some, can be cut: all parts are rows of one
/// matrix and columns of another, of the same types.
template <class View>
std::int64_t most_parts(const View& a) {
  const auto most = std::min<std::uintmax_t>(
      {std::numeric_limits<typename View::index_type>::max(),
       std::numeric_limits<typename View::offset_type>::max(), INT64_MAX - 1});
  return static_cast<std::int64_t>(most) / static_cast<std::int64_t>(a.rows);
}

/// Where parts of rows begin: those of a row have as many nonzeros each, but for one.
template <class O>
struct cut_rows {
  const O* offsets;
  std::int64_t rows;
  std::int64_t parts;
  O* cut;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const {
    const std::int64_t row = i / parts;
    std::int64_t at = static_cast<std::int64_t>(offsets[row]);
    if (row < rows)
      at += (static_cast<std::int64_t>(offsets[row + 1]) - at) * (i - row * parts) / parts;
    cut[i] = static_cast<O>(at);
  }
};

/// A matrix of ones, each row with those of its parts.
template <class V, class I, class O>
struct name_parts {
  std::int64_t rows;
  std::int64_t parts;
  O* offsets;
  I* columns;
  V* ones;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const {
    if (i <= rows) offsets[i] = static_cast<O>(i * parts);
    if (i >= rows * parts) return;
    columns[i] = static_cast<I>(i);
    ones[i] = V(1);
  }
};

/// C = F (A' B): A' has the parts of A's rows for rows, F adds them up.
template <class Plan, class View>
class rows_in_parts {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;

 public:
  template <class Exec, class Schedule>
  rows_in_parts(const Exec& exec, const Schedule& schedule, const View& a, const View& b,
                std::int64_t parts)
      : cut_(static_cast<std::size_t>(a.rows * parts) + 1, exec.memory()),
        sums_{a.rows, static_cast<I>(a.rows * parts),
              array<O>(static_cast<std::size_t>(a.rows) + 1, exec.memory()),
              array<I>(static_cast<std::size_t>(a.rows * parts), exec.memory()),
              array<V>(static_cast<std::size_t>(a.rows * parts), exec.memory())},
        of_parts_(exec, schedule, parts_of(exec, a, parts), b, 1),
        products_(of_parts_.pattern()),
        of_sums_(exec, schedule, ones(exec, parts), products_.view(), 1) {}

  [[nodiscard]] Plan& of_parts() { return of_parts_; }
  [[nodiscard]] Plan& of_sums() { return of_sums_; }
  [[nodiscard]] const Plan& of_sums() const { return of_sums_; }

  void operator()(const V* a, const V* b, V* c) const {
    of_parts_(a, b, const_cast<V*>(products_.values.data()));
    of_sums_(sums_.values.data(), products_.values.data(), c);
  }
  void check() {
    of_parts_.check();
    of_sums_.check();
  }
  [[nodiscard]] std::size_t bytes() const {
    const auto held = [](const csr<V, I, O>& m) {
      return m.offsets.size() * sizeof(O) + m.indices.size() * (sizeof(I) + sizeof(V));
    };
    return cut_.size() * sizeof(O) + held(sums_) + held(products_) + of_parts_.bytes() +
           of_sums_.bytes();
  }

 private:
  template <class Exec>
  View parts_of(const Exec& exec, const View& a, std::int64_t parts) {
    const auto rows = static_cast<std::int64_t>(a.rows);
    for_each_atom(exec, schedule::nonzero_split{}, segmented_detail::each_of(rows * parts + 1),
                  cut_rows<O>{a.offsets, rows, parts, cut_.data()});
    return {static_cast<I>(rows * parts), a.cols, a.nonzeros, cut_.data(), a.indices, a.values};
  }
  template <class Exec>
  View ones(const Exec& exec, std::int64_t parts) {
    const auto rows = static_cast<std::int64_t>(sums_.rows);
    for_each_atom(exec, schedule::nonzero_split{}, segmented_detail::each_of(rows * parts + 1),
                  name_parts<V, I, O>{rows, parts, sums_.offsets.data(), sums_.indices.data(),
                                      sums_.values.data()});
    return sums_.view();
  }

  array<O> cut_;
  csr<V, I, O> sums_;
  Plan of_parts_;
  csr<V, I, O> products_;
  Plan of_sums_;
};

}  // namespace loops::spgemm_detail
