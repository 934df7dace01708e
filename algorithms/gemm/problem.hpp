// SPDX-License-Identifier: Apache-2.0
/// One GEMM, checked: operands that fit each other, and a row-major C.
#pragma once

#include "algorithms/gemm/epilogue.hpp"
#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/stretches.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/core/error.hpp"
#include "loops/core/numeric.hpp"
#include "loops/core/wide.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace loops {

namespace gemm_detail {

inline std::string sizes(std::int64_t rows, std::int64_t cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

/// Refuses a matrix that cannot be one. `name` is what the caller calls it.
template <class T, layout L>
void check_matrix(const matrix<T, L>& a, const char* name, source_place where) {
  const auto refuse = [&](const std::string& why, errc code = errc::invalid_argument) {
    throw error(code, std::string(name) + " (" + sizes(a.rows, a.cols) + ")" + why, where);
  };
  if (a.rows < 0 || a.cols < 0 || a.batch < 0) refuse(" has a negative size");
  const bool empty = a.rows == 0 || a.cols == 0 || a.batch == 0;
  if (empty) return;
  if (!a.data) refuse(" is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(a.data) % alignof(T) != 0)
    refuse(" does not start at a multiple of its element's size");
  if (a.leading < a.inner() && a.outer() > 1)
    refuse(" has leading dimension " + std::to_string(a.leading) + ", but its " +
           (L == layout::row_major ? "rows" : "columns") + " have " + std::to_string(a.inner()) +
           " elements");
  if (a.leading < 0) refuse(" has a negative leading dimension");
  if (a.batch_stride < 0) refuse(" has a negative batch stride");
  // The last element's offset has to be a number.
  const auto far = static_cast<detail::wide_int>(a.batch - 1) * a.batch_stride +
                   static_cast<detail::wide_int>(a.outer() - 1) * a.leading + a.inner();
  if (far > static_cast<detail::wide_int>(INT64_MAX) / static_cast<int>(sizeof(T)))
    refuse(" spans more bytes than can be addressed", errc::overflow);
}

/// A matrix that will be written must not write an element twice. Requires: what `check_matrix`
/// does.
template <class T, layout L>
void check_output(const matrix<T, L>& c, source_place where) {
  if (batches_overlap(c))
    throw error(errc::invalid_argument,
                "the matrices of C overlap: their batch stride is " +
                    std::to_string(c.batch_stride) + ", and each has " + std::to_string(c.outer()) +
                    " stretches of " + std::to_string(c.inner()) + " elements, " +
                    std::to_string(c.leading) + " apart",
                where);
}

/// What `f` gives; what it throws names a group of products.
template <class F>
auto naming_group(std::size_t group, const F& f) {
  try {
    return f();
  } catch (const error& e) {
    throw error(e.code(), "group " + std::to_string(group) + ": " + e.message(), e.where());
  }
}

}  // namespace gemm_detail

/// C = epilogue(A B), A m x k and B k x n, `batch` times. The epilogue knows C.
template <class TA, layout LA, class TB, layout LB, class Epilogue>
struct gemm_problem {
  using a_type = TA;
  using b_type = TB;
  using epilogue_type = Epilogue;
  static constexpr layout a_order = LA;
  static constexpr layout b_order = LB;
  /// What sums are kept in.
  using sum = accumulator_t<TA>;

  matrix<const TA, LA> a;
  matrix<const TB, LB> b;
  Epilogue epilogue;
  /// Whether what follows a row (column) of an operand, to the next 16 bytes, is there and zero.
  bool zeros_behind = false;
  /// Of products that are parts of k, as many elements as A has columns each, and the last as many
  /// as are left: all elements of k. 0: every product of a batch is a whole one.
  std::int64_t whole_k = 0;

  [[nodiscard]] constexpr std::int64_t m() const { return a.rows; }
  [[nodiscard]] constexpr std::int64_t n() const { return b.cols; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t k() const { return a.cols; }
  [[nodiscard]] constexpr std::int64_t batch() const { return epilogue.c().batch; }
  /// Elements of k of product z.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t k_of(std::int64_t z) const {
    return whole_k == 0 || whole_k - z * k() > k() ? k() : whole_k - z * k();
  }
  /// Its tiles and steps.
  [[nodiscard]] gemm_tiles tiles(gemm_tile_shape shape, raster order = {},
                                 source_place where = source_place::here()) const {
    return {m(), n(), k(), batch(), shape, order, where};
  }
};

namespace gemm_detail {

/// The problem with a row-major C: a column-major one is the transposed problem.
template <class TA, layout LA, class TB, layout LB, class TC, layout LC, class... Parts>
auto arranged(const matrix<TA, LA>& a, const matrix<TB, LB>& b, const matrix<TC, LC>& c,
              const part_chain<Parts...>& parts) {
  if constexpr (LC == layout::column_major) {
    return arranged(loops::transposed(b), loops::transposed(a), loops::transposed(c),
                    parts.transposed());
  } else {
    using epilogue_type = gemm_epilogue<TC, Parts...>;
    return gemm_problem<std::remove_const_t<TA>, LA, std::remove_const_t<TB>, LB, epilogue_type>{
        a, b, epilogue_type(c, parts)};
  }
}

}  // namespace gemm_detail

/// The problem C = parts(A B). A column-major C is computed as the transposed problem, so programs
/// see a row-major one. Parts take the first C for matrix `first` of a batch. Requires: C overlaps
/// neither A nor B nor what parts read, but for the element of C that they may read before it is
/// written. Throws: invalid_argument or overflow, saying what does not fit and why; overlaps too,
/// as far as `gemm_detail::meet` finds them, but not of what a caller's own parts read.
template <class TA, layout LA, class TB, layout LB, class TC, layout LC, class... Parts>
auto make_gemm_problem(const matrix<TA, LA>& a, const matrix<TB, LB>& b, const matrix<TC, LC>& c,
                       const gemm_detail::part_chain<Parts...>& parts,
                       source_place where = source_place::here(), std::int64_t first = 0) {
  static_assert(!std::is_const_v<TC>, "C is written: it cannot be a matrix of const elements");
  static_assert(std::is_same_v<accumulator_t<std::remove_const_t<TA>>,
                               accumulator_t<std::remove_const_t<TB>>>,
                "A and B are summed in different types: convert one of them");
  static_assert(!std::is_integral_v<std::remove_const_t<TA>> ||
                    (std::is_same_v<std::remove_const_t<TA>, std::int8_t> &&
                     std::is_same_v<std::remove_const_t<TB>, std::int8_t>),
                "of integers, only std::int8_t are multiplied: sums of others would wrap");
  gemm_detail::check_matrix(a, "A", where);
  gemm_detail::check_matrix(b, "B", where);
  gemm_detail::check_matrix(c, "C", where);
  gemm_detail::check_output(c, where);
  if (a.cols != b.rows || a.rows != c.rows || b.cols != c.cols)
    throw error(errc::invalid_argument,
                "A (" + gemm_detail::sizes(a.rows, a.cols) + ") times B (" +
                    gemm_detail::sizes(b.rows, b.cols) + ") does not give C (" +
                    gemm_detail::sizes(c.rows, c.cols) + ")",
                where);
  if constexpr (std::is_same_v<accumulator_t<std::remove_const_t<TA>>, std::int32_t>) {
    // The largest product of two elements, as often as 32 bits hold.
    constexpr std::int64_t most = INT32_MAX / (128 * 128);
    if (a.cols > most)
      throw error(errc::overflow,
                  "sums of " + std::to_string(a.cols) +
                      " products of 8-bit integers need not fit 32 bits: " +
                      "multiply parts of k of up to " + std::to_string(most) + ", and add them",
                  where);
  }
  if ((a.batch != 1 && a.batch != c.batch) || (b.batch != 1 && b.batch != c.batch))
    throw error(errc::invalid_argument,
                "batches of " + std::to_string(a.batch) + " A and " + std::to_string(b.batch) +
                    " B do not give " + std::to_string(c.batch) +
                    " C: take as many, or a single one for all",
                where);
  if (c.rows != 0 && c.cols != 0 && c.batch != 0) {
    if (a.cols != 0) {
      const gemm_detail::stretches written = gemm_detail::memory_of(c);
      gemm_detail::check_apart(gemm_detail::memory_of(a), "", "A", written, where);
      gemm_detail::check_apart(gemm_detail::memory_of(b), "", "B", written, where);
    }
    parts.check(c, first, where);
  }
  return gemm_detail::arranged(a, b, c, parts);
}

}  // namespace loops
