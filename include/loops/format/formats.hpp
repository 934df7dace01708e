// SPDX-License-Identifier: Apache-2.0
/// Sparse matrices: a view (what kernels read) and an owner (what holds the arrays) per format.
/// `Value` is the element, `Index` a row or column number, `Offset` a position among nonzeros.
#pragma once

#include "loops/core/error.hpp"
#include "loops/core/narrow.hpp"
#include "loops/execution/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace loops {

/// Compressed sparse rows: row r holds nonzeros [offsets[r], offsets[r + 1]).
template <class Value, class Index = std::int32_t, class Offset = Index>
struct csr_view {
  using value_type = Value;
  using index_type = Index;
  using offset_type = Offset;
  Index rows = 0;
  Index cols = 0;
  Offset nonzeros = 0;
  const Offset* offsets = nullptr;  ///< rows + 1
  const Index* indices = nullptr;   ///< column of each nonzero
  const Value* values = nullptr;
};

/// Compressed sparse columns: column c holds nonzeros [offsets[c], offsets[c + 1]).
template <class Value, class Index = std::int32_t, class Offset = Index>
struct csc_view {
  using value_type = Value;
  using index_type = Index;
  using offset_type = Offset;
  Index rows = 0;
  Index cols = 0;
  Offset nonzeros = 0;
  const Offset* offsets = nullptr;  ///< cols + 1
  const Index* indices = nullptr;   ///< row of each nonzero
  const Value* values = nullptr;
};

/// Coordinates sorted by row (and, for repeatable sums, by column within a row).
template <class Value, class Index = std::int32_t, class Offset = Index>
struct coo_view {
  using value_type = Value;
  using index_type = Index;
  using offset_type = Offset;
  Index rows = 0;
  Index cols = 0;
  Offset nonzeros = 0;
  const Index* row_indices = nullptr;
  const Index* col_indices = nullptr;
  const Value* values = nullptr;
};

/// ELLPACK, column-major: entry k of row r is at k * stride + r; padding has column -1.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct ell_view {
  using value_type = Value;
  using index_type = Index;
  using offset_type = Offset;
  static constexpr Index padding = Index(-1);
  Index rows = 0;
  Index cols = 0;
  Index width = 0;    ///< entries per row, padding included
  Offset stride = 0;  ///< distance between entries k and k + 1 of a row; >= rows
  const Index* indices = nullptr;
  const Value* values = nullptr;
};

/// Blocks of R x C values, row-major inside a block; block row b holds blocks
/// [offsets[b], offsets[b + 1]). The last block row or column may reach past the matrix;
/// what lies outside is zero and is never read from `x` or written to `y`.
template <class Value, int R, int C, class Index = std::int32_t, class Offset = Index>
struct bcsr_view {
  using value_type = Value;
  using index_type = Index;
  using offset_type = Offset;
  static constexpr int block_rows = R;
  static constexpr int block_cols = C;
  Index rows = 0;
  Index cols = 0;
  Offset blocks = 0;
  const Offset* offsets = nullptr;  ///< ceil(rows / R) + 1, in blocks
  const Index* indices = nullptr;   ///< block column of each block
  const Value* values = nullptr;    ///< R * C per block
};

/// Diagonals: values[k * stride + r] is A(r, r + diagonals[k]); outside the matrix it is ignored.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct dia_view {
  static_assert(std::is_signed_v<Index>,
                "a diagonal below the main one has a negative number: DIA needs a signed Index");
  using value_type = Value;
  using index_type = Index;
  using offset_type = Offset;
  Index rows = 0;
  Index cols = 0;
  Index count = 0;                   ///< number of stored diagonals
  Offset stride = 0;                 ///< >= rows
  const Index* diagonals = nullptr;  ///< column minus row, ascending
  const Value* values = nullptr;
};

namespace detail {

/// Throws: `errc::invalid_argument` if an array of an owner is shorter than its sizes say. One that
/// is missing is left to whoever reads it.
template <class T>
void check_length(const char* what, const array<T>& a, std::size_t needs, source_place where) {
  if (a.data() && a.size() < needs)
    throw error(errc::invalid_argument,
                "the matrix has " + std::to_string(a.size()) + " " + what +
                    " but its sizes ask for " + std::to_string(needs) +
                    "; resize the array or correct the sizes",
                where);
}

/// The offsets of `majors` segments, and so many values for each of the indices.
template <class Owner, class Index>
void check_compressed_lengths(const Owner& a, Index majors, std::size_t values_each,
                              source_place where) {
  if (majors > 0) check_length("offsets", a.offsets, static_cast<std::size_t>(majors) + 1, where);
  check_length("values", a.values,
               static_cast<std::size_t>(narrow_product<std::ptrdiff_t>(
                   a.indices.size(), values_each, "the number of values", where)),
               where);
}

/// Elements of `count` columns of `rows` that begin `stride` apart; 0 where a size is negative.
template <class Count, class Offset, class Index>
std::size_t strided_length(Count count, Offset stride, Index rows, source_place where) {
  if (count <= 0 || rows <= 0 || stride < 0) return 0;
  return static_cast<std::size_t>(rows) +
         static_cast<std::size_t>(narrow_product<std::ptrdiff_t>(
             static_cast<std::size_t>(count) - 1, static_cast<std::size_t>(stride),
             "the number of elements", where));
}

/// So many tiles of `size` hold n.
template <class Index>
Index blocks_in(Index n, int size) {
  return static_cast<Index>(n / Index(size) + (n % Index(size) != 0));
}

}  // namespace detail

/// An owning CSR matrix. Its view, as those of the other owners, throws: overflow when there are
/// more nonzeros than an `Offset` counts; invalid_argument when an array is too short for the
/// sizes.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct csr {
  using view_type = csr_view<Value, Index, Offset>;
  Index rows = 0;
  Index cols = 0;
  array<Offset> offsets;
  array<Index> indices;
  array<Value> values;
  /// Throws: overflow when they are more than an `Offset` counts.
  [[nodiscard]] Offset nonzeros(source_place where = source_place::here()) const {
    return detail::narrow<Offset>(indices.size(), "the number of nonzeros", where);
  }
  [[nodiscard]] view_type view(source_place where = source_place::here()) const {
    detail::check_compressed_lengths(*this, rows, 1, where);
    return {rows, cols, nonzeros(where), offsets.data(), indices.data(), values.data()};
  }
  [[nodiscard]] csr to(const std::shared_ptr<memory>& where) const {
    return {rows, cols, offsets.to(where), indices.to(where), values.to(where)};
  }
};

/// An owning CSC matrix.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct csc {
  using view_type = csc_view<Value, Index, Offset>;
  Index rows = 0;
  Index cols = 0;
  array<Offset> offsets;
  array<Index> indices;
  array<Value> values;
  /// Throws: overflow when they are more than an `Offset` counts.
  [[nodiscard]] Offset nonzeros(source_place where = source_place::here()) const {
    return detail::narrow<Offset>(indices.size(), "the number of nonzeros", where);
  }
  [[nodiscard]] view_type view(source_place where = source_place::here()) const {
    detail::check_compressed_lengths(*this, cols, 1, where);
    return {rows, cols, nonzeros(where), offsets.data(), indices.data(), values.data()};
  }
  [[nodiscard]] csc to(const std::shared_ptr<memory>& where) const {
    return {rows, cols, offsets.to(where), indices.to(where), values.to(where)};
  }
};

/// An owning coordinate matrix.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct coo {
  using view_type = coo_view<Value, Index, Offset>;
  Index rows = 0;
  Index cols = 0;
  array<Index> row_indices;
  array<Index> col_indices;
  array<Value> values;
  /// Throws: overflow when they are more than an `Offset` counts.
  [[nodiscard]] Offset nonzeros(source_place where = source_place::here()) const {
    return detail::narrow<Offset>(row_indices.size(), "the number of nonzeros", where);
  }
  [[nodiscard]] view_type view(source_place where = source_place::here()) const {
    detail::check_length("column indices", col_indices, row_indices.size(), where);
    detail::check_length("values", values, row_indices.size(), where);
    return {rows, cols, nonzeros(where), row_indices.data(), col_indices.data(), values.data()};
  }
  [[nodiscard]] coo to(const std::shared_ptr<memory>& where) const {
    return {rows, cols, row_indices.to(where), col_indices.to(where), values.to(where)};
  }
};

/// An owning ELLPACK matrix.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct ell {
  using view_type = ell_view<Value, Index, Offset>;
  Index rows = 0;
  Index cols = 0;
  Index width = 0;
  Offset stride = 0;
  array<Index> indices;
  array<Value> values;
  [[nodiscard]] view_type view(source_place where = source_place::here()) const {
    const std::size_t needs = detail::strided_length(width, stride, rows, where);
    detail::check_length("indices", indices, needs, where);
    detail::check_length("values", values, needs, where);
    return {rows, cols, width, stride, indices.data(), values.data()};
  }
  [[nodiscard]] ell to(const std::shared_ptr<memory>& where) const {
    return {rows, cols, width, stride, indices.to(where), values.to(where)};
  }
};

/// An owning block CSR matrix.
template <class Value, int R, int C, class Index = std::int32_t, class Offset = Index>
struct bcsr {
  using view_type = bcsr_view<Value, R, C, Index, Offset>;
  Index rows = 0;
  Index cols = 0;
  array<Offset> offsets;
  array<Index> indices;
  array<Value> values;
  [[nodiscard]] view_type view(source_place where = source_place::here()) const {
    detail::check_compressed_lengths(*this, detail::blocks_in(rows, R),
                                     std::size_t(R) * std::size_t(C), where);
    return {rows,
            cols,
            detail::narrow<Offset>(indices.size(), "the number of blocks", where),
            offsets.data(),
            indices.data(),
            values.data()};
  }
  [[nodiscard]] bcsr to(const std::shared_ptr<memory>& where) const {
    return {rows, cols, offsets.to(where), indices.to(where), values.to(where)};
  }
};

/// An owning diagonal matrix.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct dia {
  static_assert(std::is_signed_v<Index>,
                "a diagonal below the main one has a negative number: DIA needs a signed Index");
  using view_type = dia_view<Value, Index, Offset>;
  Index rows = 0;
  Index cols = 0;
  Offset stride = 0;
  array<Index> diagonals;
  array<Value> values;
  [[nodiscard]] view_type view(source_place where = source_place::here()) const {
    detail::check_length("values", values,
                         detail::strided_length(diagonals.size(), stride, rows, where), where);
    return {rows,
            cols,
            detail::narrow<Index>(diagonals.size(), "the number of diagonals", where),
            stride,
            diagonals.data(),
            values.data()};
  }
  [[nodiscard]] dia to(const std::shared_ptr<memory>& where) const {
    return {rows, cols, stride, diagonals.to(where), values.to(where)};
  }
};

/// Holds the arrays of a matrix, and gives a view of them.
template <class M>
concept matrix_owner = requires {
  typename M::view_type;
};

namespace detail {

/// What algorithms read that take both: a view itself, and that of an owner.
template <class View>
const View& viewed(const View& a) {
  return a;
}
template <matrix_owner Owner>
typename Owner::view_type viewed(const Owner& a) {
  return a.view();
}
template <class Matrix>
using view_of = std::remove_cvref_t<decltype(viewed(std::declval<const Matrix&>()))>;
template <class Matrix>
using value_in = typename view_of<Matrix>::value_type;

/// Refuses an owner: plans outlive the call that makes them.
template <class View>
constexpr void require_view() {
  static_assert(!matrix_owner<View>,
                "a plan holds a view of the matrix: give it a.view(), and keep a for as long");
}

}  // namespace detail

}  // namespace loops
