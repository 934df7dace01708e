// SPDX-License-Identifier: Apache-2.0
/// Products of operands that a fast engine cannot address: they are copied for it, every time.
#pragma once

#include "algorithms/gemm/packed_lines.hpp"
#include "algorithms/gemm/problem.hpp"
#include "algorithms/spmm/packed_rows.hpp"
#include "loops/core/error.hpp"
#include "loops/core/numeric.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace loops::gemm_detail {

/// An operand in layout `To` that can be moved by the 16 bytes: where it lies, or a copy. `Whole`:
/// what these move beyond its rows (columns) is zero.
template <class Exec, class T, layout From, layout To, bool Whole = false>
class packed_operand {
  using rows = std::conditional_t<From == To, packed_lines<Exec, T>,
                                  spmm_detail::packed_rows<Exec, T, 16 / int(sizeof(T))>>;

 public:
  using given = matrix<const T, From>;
  using packed = matrix<const T, To>;

  /// Whether it can be used where it lies.
  static bool as_it_is(const given& m) {
    return From == To && by_16_bytes(m) && (!Whole || ends_with_16_bytes(m));
  }
  /// Whether it can be copied otherwise: a batch, if its stretches are all as far apart.
  static bool can_copy(const given& m) {
    return m.batch == 1 || (From == To && m.batch_stride == m.outer() * m.leading);
  }

  packed_operand(const Exec& exec, const given& like) : batch_(like.batch) {
    if (!as_it_is(like)) rows_.emplace(exec, stretches(like), reuse::many_times);
  }
  /// Where the operand will be.
  [[nodiscard]] packed place_of(const given& m) const {
    return rows_ ? of(m, rows_->place_of(stretches(m))) : where_it_lies(m);
  }
  /// The operand, copied where it must be. Throws: unsupported where there is room for one that
  /// lies otherwise.
  [[nodiscard]] packed of(const given& m, const char* name) const {
    check(m, name);
    return rows_ ? of(m, rows_->of(stretches(m), name)) : where_it_lies(m);
  }
  [[nodiscard]] std::size_t bytes() const { return rows_ ? rows_->bytes() : 0; }

  /// Whether rows are copied as they lie, so that those of another operand can be in the same
  /// launch.
  [[nodiscard]] bool copies_lines() const { return From == To && rows_.has_value(); }
  /// What copies the operand then. Throws: as `of`.
  [[nodiscard]] auto copy_of(const given& m, const char* name) const {
    check(m, name);
    return rows_->copy_of(stretches(m));
  }
  static std::int64_t lines(const given& m) { return stretches(m).rows; }
  static std::int64_t packs(const given& m) {
    return ceil_div(stretches(m).cols, 16 / int(sizeof(T)));
  }

 private:
  void check(const given& m, const char* name) const {
    if (rows_ && (m.batch != batch_ || !can_copy(m)))
      throw error(
          errc::unsupported,
          std::string(name) +
              " is a batch that lies otherwise than the planned one: plan this product too");
  }
  /// What is contiguous in `To`, as rows.
  static dense_view<const T> stretches(const given& m) {
    const packed like(m.data, m.rows, m.cols);
    return {m.data, like.outer() * m.batch, like.inner(), m.leading,
            From == To ? layout::row_major : layout::column_major};
  }
  static packed of(const given& m, const dense_view<const T>& copied) {
    packed out(copied.data, m.rows, m.cols, copied.stride, m.batch);
    if (m.batch > 1) out.batch_stride = out.outer() * copied.stride;
    return out;
  }
  static packed where_it_lies([[maybe_unused]] const given& m) {
    if constexpr (From == To)
      return m;
    else
      return {};
  }

  std::int64_t batch_;
  std::optional<rows> rows_;
};

/// Both operands of a problem, as those of `Direct`, which has the same types. `Whole`: with zeros
/// behind.
template <class Exec, class Problem, class Direct, bool Whole = false>
class packed_operands {
  using operand_a =
      packed_operand<Exec, typename Problem::a_type, Problem::a_order, Direct::a_order, Whole>;
  using operand_b =
      packed_operand<Exec, typename Problem::b_type, Problem::b_order, Direct::b_order, Whole>;

 public:
  using given = Problem;
  using direct = Direct;

  static bool can_copy(const Problem& p) {
    return (operand_a::as_it_is(p.a) || operand_a::can_copy(p.a)) &&
           (operand_b::as_it_is(p.b) || operand_b::can_copy(p.b));
  }
  /// Bytes that would be copied.
  static double bytes_to_copy(const Problem& p) {
    const auto bytes = [](const auto& m) {
      using element = typename std::remove_cvref_t<decltype(m)>::value_type;
      return double(m.rows) * double(m.cols) * double(m.batch) * double(sizeof(element));
    };
    return (operand_a::as_it_is(p.a) ? 0 : bytes(p.a)) +
           (operand_b::as_it_is(p.b) ? 0 : bytes(p.b));
  }

  packed_operands(const Exec& exec, const Problem& like) : a_(exec, like.a), b_(exec, like.b) {
    if constexpr (both_have_lines)
      if (a_.copies_lines() && b_.copies_lines())
        both_.emplace(exec, operand_a::lines(like.a) + operand_b::lines(like.b),
                      operand_a::packs(like.a), reuse::many_times);
  }
  /// The problem over copies that are still to be made.
  [[nodiscard]] Direct place_of(const Problem& p) const {
    return {a_.place_of(p.a), b_.place_of(p.b), p.epilogue, Whole};
  }
  /// The problem over copies.
  [[nodiscard]] Direct of(const Problem& p) const {
    if constexpr (both_have_lines)
      if (both_) {
        (*both_)(copy_both{a_.copy_of(p.a, "A"), b_.copy_of(p.b, "B"), operand_a::lines(p.a)});
        return place_of(p);
      }
    return {a_.of(p.a, "A"), b_.of(p.b, "B"), p.epilogue, Whole};
  }
  [[nodiscard]] std::size_t bytes() const {
    return a_.bytes() + b_.bytes() + (both_ ? both_->bytes() : 0);
  }

 private:
  /// Whether lines of both are of k, and so equally long: a launch copies them.
  static constexpr bool both_have_lines =
      Problem::a_order == layout::row_major && Direct::a_order == layout::row_major &&
      Problem::b_order == layout::column_major && Direct::b_order == layout::column_major &&
      std::is_same_v<typename Problem::a_type, typename Problem::b_type>;

  operand_a a_;
  operand_b b_;
  std::optional<line_copier<Exec>> both_;
};

/// Whether copies and a fast engine take less time than an engine that reads any operands. In us,
/// beyond the 6 that a small product takes either way, as measured on an H200: every turn of that
/// one, a tile of 128 x 128 for each processor, takes 5 and 4 for 32 of k; copies take 1 for a
/// megabyte. On other devices nobody has measured it.
template <class Problem>
bool packing_pays(const Problem& p, double bytes, int processors) {
  const double tiles =
      double(ceil_div(p.m(), 128)) * double(ceil_div(p.n(), 128)) * double(p.batch());
  const double turns = std::ceil(tiles / processors);
  const double steps = double(ceil_div(p.k(), 32));
  return turns * (5 + 4 * steps) > bytes * 1e-6;
}

}  // namespace loops::gemm_detail
