// SPDX-License-Identifier: Apache-2.0
/// Matrices made on the spot from a line of text: `generate("rmat:scale=20,edges=16,seed=1")`.
#pragma once

#include "loops/core/error.hpp"
#include "loops/format/formats.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops {

/// A matrix as a pure function of the row number. Every member may be called from many threads at
/// once; the same row always gives the same answer, so the matrix does not depend on who makes it.
class row_source {
 public:
  virtual ~row_source() = default;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::int64_t cols() const = 0;
  /// How many nonzeros to expect at least, as far as that is known before a row is made: by this a
  /// matrix is refused that the machine cannot hold.
  [[nodiscard]] virtual double least_nonzeros() const { return 0; }
  /// Appends the columns of one row to `columns`: ascending, without duplicates, below `cols()`.
  virtual void row(std::int64_t row, std::vector<std::int64_t>& columns) const = 0;
  /// The values that belong to `columns`, the columns of `row`; both have the same length.
  virtual void values(std::int64_t row, std::span<const std::int64_t> columns,
                      std::span<double> out) const = 0;
};

/// A parameter of a generator, as `name=value` in its text.
struct generator_parameter {
  std::string name;
  std::string fallback;  ///< what it is when it is not given
  std::string meaning;
};

/// One kind of matrix that `generate` makes.
struct generator {
  std::string name;
  std::string summary;
  std::vector<generator_parameter> parameters;
};

/// Every generator, in the order in which a command line should show them.
[[nodiscard]] const std::vector<generator>& list_generators();

/// The rows of the matrix that `spec` names: `name` or `name:parameter=value,...`. Integers may end
/// in k, M or G (powers of 1000). Throws `invalid_argument`, naming what is legal.
[[nodiscard]] std::unique_ptr<const row_source> make_rows(std::string_view spec);

namespace detail {

/// Calls `f(0) ... f(chunks - 1)`, each once, from `threads` threads (0: one per processor), or
/// from fewer where the system does not start so many; rethrows the first exception.
void for_each_chunk(std::int64_t chunks, unsigned threads,
                    const std::function<void(std::int64_t)>& f);

/// Throws `overflow` when `count` things cannot be numbered by an integer with this `maximum`.
void require_fits(std::int64_t count, std::uint64_t maximum, const char* what);

/// Throws `out_of_memory` when so many bytes, of what is `named` so, are more than the machine has.
/// Asking the system for them would succeed: it ends the process when they are touched.
void require_room(double bytes, const char* named = "this matrix",
                  const char* instead = "generate a smaller one");

/// The rows [first, last) of a matrix, as they are before anybody knows where they will lie.
template <class Index>
struct row_chunk {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::vector<std::int64_t> lengths;
  std::vector<Index> columns;
};

/// Throws `overflow`: a generated value is none of the type asked for.
[[noreturn]] void refuse_value(double x);

/// A generated value as one of the matrix. Throws `overflow` where it would become infinite, or an
/// integer other than it is.
template <class Value>
[[nodiscard]] Value from_double(double x) {
  if constexpr (std::is_integral_v<Value>) {
    using limits = std::numeric_limits<Value>;
    const bool fits = x >= double(limits::min()) && x < double(limits::max()) + 1;
    if (!fits || double(static_cast<Value>(x)) != x) refuse_value(x);
    return static_cast<Value>(x);
  } else if constexpr (std::is_floating_point_v<Value>) {
    const auto out = static_cast<Value>(x);
    if (std::isinf(out) && !std::isinf(x)) refuse_value(x);
    return out;
  } else if constexpr (requires(Value v) { v.re; }) {
    return Value(from_double<decltype(Value::re)>(x));
  } else {
    const Value out(from_double<float>(x));
    if (std::isinf(static_cast<float>(out)) && !std::isinf(x)) refuse_value(x);
    return out;
  }
}

}  // namespace detail

/// The matrix in host memory: bitwise the same for any number of `threads` (0: one per processor).
/// Cost: each row is asked for once; one copy of the column indices exists beside the result.
/// Throws `overflow` when a dimension does not fit `Index` or the nonzeros do not fit `Offset`, or
/// a value `Value` (integers take whole ones), and `out_of_memory` as soon as it is known to be
/// more than the machine has.
template <class Value = float, class Index = std::int32_t, class Offset = Index>
[[nodiscard]] csr<Value, Index, Offset> generate(const row_source& source, unsigned threads = 0) {
  const std::int64_t rows = source.rows();
  constexpr auto most_indices = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  detail::require_fits(rows, most_indices, "rows");
  detail::require_fits(source.cols(), most_indices, "columns");
  // A row's length and offset, a nonzero's column, twice, and value.
  const double row_bytes = double(rows) * (sizeof(std::int64_t) + sizeof(Offset));
  constexpr std::size_t nonzero_bytes = 2 * sizeof(Index) + sizeof(Value);
  // Before the first chunk: that may be all of the matrix.
  detail::require_room(row_bytes + source.least_nonzeros() * nonzero_bytes);

  // Small enough to balance a few long rows, large enough not to be felt for many short ones.
  const std::int64_t height = rows / 256 < 1 ? 1 : rows / 256 > 4096 ? 4096 : rows / 256;
  std::vector<detail::row_chunk<Index>> chunks(
      static_cast<std::size_t>((rows + height - 1) / height));
  const auto count = static_cast<std::int64_t>(chunks.size());
  std::atomic<std::int64_t> made{0};
  detail::for_each_chunk(count, threads, [&](std::int64_t c) {
    auto& chunk = chunks[static_cast<std::size_t>(c)];
    chunk.first = c * height;
    chunk.last = rows - chunk.first < height ? rows : chunk.first + height;
    std::vector<std::int64_t> columns;
    for (std::int64_t r = chunk.first; r < chunk.last; ++r) {
      columns.clear();
      source.row(r, columns);
      chunk.lengths.push_back(static_cast<std::int64_t>(columns.size()));
      for (const auto column : columns) chunk.columns.push_back(static_cast<Index>(column));
    }
    made += static_cast<std::int64_t>(chunk.columns.size());
    detail::require_room(row_bytes + double(made) * nonzero_bytes);
  });

  std::int64_t nonzeros = 0;
  std::vector<std::int64_t> starts;
  for (const auto& chunk : chunks) {
    starts.push_back(nonzeros);
    nonzeros += static_cast<std::int64_t>(chunk.columns.size());
  }
  detail::require_fits(nonzeros, static_cast<std::uint64_t>(std::numeric_limits<Offset>::max()),
                       "nonzeros");

  csr<Value, Index, Offset> out;
  out.rows = static_cast<Index>(rows);
  out.cols = static_cast<Index>(source.cols());
  out.offsets = array<Offset>(static_cast<std::size_t>(rows) + 1);
  out.indices = array<Index>(static_cast<std::size_t>(nonzeros));
  out.values = array<Value>(static_cast<std::size_t>(nonzeros));
  out.offsets[0] = 0;
  detail::for_each_chunk(count, threads, [&](std::int64_t c) {
    auto chunk = std::move(chunks[static_cast<std::size_t>(c)]);
    auto at = static_cast<std::size_t>(starts[static_cast<std::size_t>(c)]);
    std::vector<std::int64_t> columns;
    std::vector<double> values;
    std::size_t from = 0;
    for (std::int64_t r = chunk.first; r < chunk.last; ++r) {
      const auto length =
          static_cast<std::size_t>(chunk.lengths[static_cast<std::size_t>(r - chunk.first)]);
      columns.assign(chunk.columns.begin() + static_cast<std::ptrdiff_t>(from),
                     chunk.columns.begin() + static_cast<std::ptrdiff_t>(from + length));
      values.resize(length);
      source.values(r, columns, values);
      for (std::size_t k = 0; k < length; ++k) {
        out.indices[at + k] = chunk.columns[from + k];
        out.values[at + k] = detail::from_double<Value>(values[k]);
      }
      at += length;
      from += length;
      out.offsets[static_cast<std::size_t>(r) + 1] = static_cast<Offset>(at);
    }
  });
  return out;
}

/// The matrix that `spec` names, in host memory. Throws as `make_rows` and `generate` do.
template <class Value = float, class Index = std::int32_t, class Offset = Index>
[[nodiscard]] csr<Value, Index, Offset> generate(std::string_view spec, unsigned threads = 0) {
  return generate<Value, Index, Offset>(*make_rows(spec), threads);
}

}  // namespace loops
