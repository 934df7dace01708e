// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times sparse matrix: C = A B, rows of C sorted.
#pragma once

#include "algorithms/spgemm/entries.hpp"
#include "algorithms/spgemm/pattern.hpp"
#include "algorithms/spgemm/product_list.hpp"
#include "algorithms/spgemm/row_parts.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/core/error.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"
#include "loops/schedule/automatic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace loops {

/// The pattern of C = A B, and who takes which entries: all that does not depend on values (the
/// symbolic part). Calling it computes the values (the numeric part), allocates nothing, waits for
/// nothing, and can be captured into a graph. The patterns of A and B must outlive it; it keeps
/// nothing per product unless asked to.
template <class Exec, class Schedule, class View>
class spgemm_plan {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;
  static_assert(std::is_signed_v<I>,
                "SpGEMM keeps columns in a signed type: make views with std::int32_t in place of "
                "std::uint32_t");
  using pattern_type = spgemm_detail::product_pattern<Exec, Schedule, View>;
  using list_of_products = spgemm_detail::product_list<Exec, Schedule, V, O>;
  using rows_in_parts = spgemm_detail::rows_in_parts<spgemm_plan, View>;

 public:
  /// Cost: a pass over the products, without their values, and one more over those of rows whose
  /// columns there was no room to keep (the README says how much there is). `schedule` says which
  /// group takes a row, as long as its table has room for it; it balances rows that no block has
  /// room for. Waits. Throws: invalid_argument when A has other columns than B has rows, an array
  /// is missing or, on a CPU, offsets or columns are no matrix's; overflow when the products, the
  /// entries of C or all parts cannot be counted in the types of A. `parts`: into so many each row
  /// of A is cut, whose products are added up afterwards; 0: as many as pay where rows are few and
  /// have many products in few columns, of types that are summed as they are.
  spgemm_plan(const Exec& exec, const Schedule& schedule, const View& a, const View& b,
              std::int64_t parts = 0)
      : exec_(exec), schedule_(schedule) {
    check_arrays(a, reads::pattern);
    check_arrays(b, reads::pattern);
    if (a.cols != b.rows)
      throw error(errc::invalid_argument, "spgemm: A has " + std::to_string(a.cols) +
                                              " columns, but B has " + std::to_string(b.rows) +
                                              " rows");
    check_pattern(exec, a, "A: row");
    check_pattern(exec, b, "B: row");
    if (b.cols > 0)
      require(static_cast<std::int64_t>(a.rows) <= INT64_MAX / static_cast<std::int64_t>(b.cols),
              errc::overflow, "spgemm: the places of C cannot be counted in 64 bits");
    require(parts >= 0, errc::invalid_argument, "spgemm: rows of A cannot have so few parts");
    if constexpr (std::is_same_v<accumulator_t<V>, V>) {
      const machine m = exec.template describe<spgemm_detail::row_shape>();
      const std::int64_t most = a.rows > 0 ? spgemm_detail::most_parts(a) : 1;
      if (parts == 0)
        parts = std::min(spgemm_detail::parts_that_pay(a, b, m.blocks * m.threads / m.wave), most);
      if (parts > 1 && a.rows > 0) {
        require(parts <= most, errc::overflow,
                "spgemm: all parts of the rows of A cannot be counted in its types; ask for fewer");
        in_parts_ = std::make_unique<rows_in_parts>(exec, schedule, a, b, parts);
        return;
      }
    }
    pattern_.emplace(exec, schedule, a, b);
  }

  /// Entries of C, zeros that cancelled out included.
  [[nodiscard]] std::int64_t entries() const { return of_c().entries(); }

  /// C without values: they are not initialised.
  [[nodiscard]] csr<V, I, O> pattern() const { return of_c().matrix(); }

  /// Values of C for values of A and B, all in the order of their patterns. Throws:
  /// invalid_argument when C has entries and values of a matrix are a null pointer, or those of C
  /// begin where others do.
  void operator()(const V* a, const V* b, V* c) const {
    if (entries() == 0) return;
    require(
        a && b && c, errc::invalid_argument,
        "spgemm: the values of a matrix are a null pointer; C has entries, and wants all three");
    check_apart(c, "C", a, "A", true);
    check_apart(c, "C", b, "B", true);
    if (in_parts_) {
      (*in_parts_)(a, b, c);
    } else if (products_) {
      (*products_)(a, b, c);
    } else {
      pattern_->walk(spgemm_detail::sum_products<V>{a, b, c, pattern_->distinct()});
    }
  }

  /// C with its pattern, which the plan gives away.
  [[nodiscard]] csr<V, I, O> result(const V* a, const V* b) && {
    array<V> values(static_cast<std::size_t>(entries()), exec_.memory());
    (*this)(a, b, values.data());
    return std::move(of_c()).matrix(std::move(values));
  }

  /// Makes a list of the products of every entry, two offsets each: from now on values are sums
  /// over it, which the schedule balances. Cost: two passes over the products, and one over the
  /// nonzeros of A. Waits. Throws: overflow when there are more than 2^31 - 1 products.
  void keep_products() {
    if (in_parts_) {
      in_parts_->of_parts().keep_products();
      in_parts_->of_sums().keep_products();
    } else if (entries() > 0 && !products_) {
      products_.emplace(exec_, schedule_, *pattern_);
    }
  }

  /// Waits for everything started so far. Throws: device when a result is wrong because a block
  /// waited for another one in vain.
  void check() {
    exec_.synchronize();
    if (in_parts_) in_parts_->check();
    if (products_) products_->check();
  }
  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    if (in_parts_) return in_parts_->bytes();
    return pattern_->bytes() + (products_ ? products_->bytes() : 0);
  }

 private:
  /// A column of A without a row in B leads anywhere, and may have no end: looked for on a CPU.
  static void check_pattern(const Exec& exec, const View& m, const char* row) {
    detail::check_work(exec, rows_of(m));
    if (exec.memory()->on_host())
      detail::validate_compressed(row, "column", m.rows, m.cols, m.nonzeros, m.offsets, m.indices,
                                  source_place::here());
  }
  [[nodiscard]] pattern_type& of_c() {
    return in_parts_ ? *in_parts_->of_sums().pattern_ : *pattern_;
  }
  [[nodiscard]] const pattern_type& of_c() const {
    return in_parts_ ? *in_parts_->of_sums().pattern_ : *pattern_;
  }

  Exec exec_;
  Schedule schedule_;
  std::optional<pattern_type> pattern_;
  std::optional<list_of_products> products_;
  std::unique_ptr<rows_in_parts> in_parts_;
};

/// Prepares C = A B for repeated use with other values.
template <class Exec, class Schedule, class View>
auto plan_spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  detail::require_view<View>();
  return spgemm_plan<Exec, Schedule, View>(exec, schedule, a, b);
}

/// C = A B, of views, or of what owns the arrays. Throws: as a plan, and invalid_argument when
/// values are missing.
template <class Exec, class Schedule, class Matrix>
auto spgemm(const Exec& exec, const Schedule& schedule, const Matrix& a, const Matrix& b) {
  using view = detail::view_of<Matrix>;
  const view left = detail::viewed(a);
  const view right = detail::viewed(b);
  return spgemm_plan<Exec, Schedule, view>(exec, schedule, checked(left), checked(right))
      .result(left.values, right.values);
}

/// C = A B, with the schedule that suits the matrices.
template <class Exec, class Matrix>
auto spgemm(const Exec& exec, const Matrix& a, const Matrix& b) {
  return spgemm(exec, schedule::automatic{1}, a, b);
}

}  // namespace loops
