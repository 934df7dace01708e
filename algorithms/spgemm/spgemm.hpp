// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times sparse matrix: C = A B, rows of C sorted.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/functors.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/execution/sort.hpp"
#include "loops/format/validate.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace loops {

/// The pattern of C = A B, and for every entry of C the products that it is the sum of: all that
/// does not depend on values (the symbolic part). Calling it computes the values (the numeric
/// part), allocates nothing, waits for nothing, and can be captured into a graph. It keeps no
/// reference to A and B.
template <class Exec, class Schedule, class View>
class spgemm_plan {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using factors = spgemm_detail::factors<O>;

 public:
  /// Cost: a pass over the nonzeros of A, and a stable sort of the products by their place in C;
  /// 16 bytes per product with 32-bit offsets, twice that while sorting. `schedule` balances the
  /// products of the nonzeros of A, and the products of the entries of C. Waits. Throws:
  /// invalid_argument when A has other columns than B has rows; overflow when the products or the
  /// entries of C cannot be counted in the types of A.
  spgemm_plan(const Exec& exec, const Schedule& schedule, const View& a, const View& b)
      : exec_(exec), rows_(a.rows), cols_(b.cols) {
    using namespace segmented_detail;
    if (a.cols != b.rows)
      throw error(errc::invalid_argument, "spgemm: A has " + std::to_string(a.cols) +
                                              " columns, but B has " + std::to_string(b.rows) +
                                              " rows");
    if (cols_ > 0)
      require(static_cast<std::int64_t>(rows_) <= INT64_MAX / static_cast<std::int64_t>(cols_),
              errc::overflow, "spgemm: the places of C cannot be counted in 64 bits");
    const auto& where = exec.memory();
    const auto nonzeros = static_cast<std::int64_t>(a.nonzeros);
    array<std::int64_t> first_product(static_cast<std::size_t>(nonzeros) + 1, where);
    const std::int64_t count = running_sums(
        exec, nonzeros, spgemm_detail::partners<View, View>{a.indices, b.offsets}, first_product);
    array<I> row_of(static_cast<std::size_t>(nonzeros), where);
    for_each_atom(exec, schedule::nonzero_split{}, rows_of(a), note_tile<I>{row_of.data()});

    array<std::int64_t> places(static_cast<std::size_t>(count), where);
    products_ = array<factors>(static_cast<std::size_t>(count), where);
    for_each_atom(exec, schedule, segments<std::int64_t>(first_product.data(), nonzeros, count),
                  spgemm_detail::expand<View, View>{a, b, row_of.data(), first_product.data(),
                                                    places.data(), products_.data()});
    stable_sort_by_key(exec, places, products_);
    note_entries(places);
    plan_.emplace(exec, schedule, segments<std::int64_t>(first_.data(), entries(), count));
  }

  /// Entries of C, zeros that cancelled out included.
  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(columns_.size()); }

  /// C without values: they are not initialised.
  [[nodiscard]] csr<V, I, O> pattern() const {
    const auto& where = exec_.memory();
    return {rows_, cols_, offsets_.to(where), columns_.to(where), array<V>(columns_.size(), where)};
  }

  /// Values of C for values of A and B, all in the order of their patterns.
  void operator()(const V* a, const V* b, V* c) const {
    if (entries() == 0) return;
    reduce_tiles<accumulator_t<V>>(*plan_, spgemm_detail::multiply<V, O>{products_.data(), a, b},
                                   plus{}, spgemm_detail::store_entry<V>{c});
  }

  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return products_.size() * sizeof(factors) + first_.size() * 8 + columns_.size() * sizeof(I) +
           offsets_.size() * sizeof(O) + plan_->bytes();
  }

 private:
  /// Finds the entries of C among the sorted places of products.
  void note_entries(const array<std::int64_t>& places) {
    using namespace segmented_detail;
    const auto& where = exec_.memory();
    const auto count = static_cast<std::int64_t>(places.size());
    const spgemm_detail::begins_entry begins{places.data()};
    array<std::int64_t> total(1, where);
    total.fill(0);
    reduce_tiles<std::int64_t>(exec_, schedule::nonzero_split{}, each_of(count), begins, plus{},
                               spgemm_detail::store_total{total.data()});
    const std::int64_t found = total.to_vector().front();
    (void)detail::narrow<O>(found, "the number of entries of C");
    columns_ = array<I>(static_cast<std::size_t>(found), where);
    offsets_ = array<O>(static_cast<std::size_t>(rows_) + 1, where);
    first_ = array<std::int64_t>(static_cast<std::size_t>(found) + 1, where);
    where->upload(first_.data() + found, &count, sizeof count);
    scan_tiles<std::int64_t>(
        exec_, schedule::nonzero_split{}, each_of(count), begins, plus{},
        spgemm_detail::note_entry<I>{places.data(), cols_, first_.data(), columns_.data()});
    for_each_atom(
        exec_, schedule::nonzero_split{}, each_of(static_cast<std::int64_t>(rows_) + 1),
        spgemm_detail::find_row<O>{places.data(), first_.data(), found, cols_, offsets_.data()});
  }

  Exec exec_;
  I rows_;
  I cols_;
  array<factors> products_;
  array<I> columns_;
  array<O> offsets_;
  array<std::int64_t> first_;
  std::optional<tile_plan<Exec, Schedule, segments<std::int64_t>, accumulator_t<V>>> plan_;
};

/// Prepares C = A B for repeated use with other values.
template <class Exec, class Schedule, class View>
auto plan_spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  return spgemm_plan<Exec, Schedule, View>(exec, schedule, a, b);
}

/// C = A B.
template <class Exec, class Schedule, class View>
auto spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  const spgemm_plan<Exec, Schedule, View> plan(exec, schedule, a, b);
  auto c = plan.pattern();
  plan(a.values, b.values, c.values.data());
  return c;
}

}  // namespace loops
