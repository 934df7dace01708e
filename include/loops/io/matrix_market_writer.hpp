// SPDX-License-Identifier: Apache-2.0
/// Writes Matrix Market files, gzipped if the name ends in `.gz`, that read back bit for bit.
#pragma once

#include "loops/core/complex.hpp"
#include "loops/core/error.hpp"
#include "loops/core/float16.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace loops {

namespace detail {

class gz_file;

/// A text file being written, compressed if its name ends in `.gz`.
class text_sink {
 public:
  /// Throws: `errc::io` naming the path.
  explicit text_sink(const std::string& path);
  text_sink(const text_sink&) = delete;
  text_sink& operator=(const text_sink&) = delete;
  ~text_sink();
  void put(std::string_view text) {
    if (buffer_.size() + text.size() > enough) flush();
    buffer_ += text;
  }
  /// Whatever `std::to_chars` makes of it: for a float the shortest text that reads back the same.
  void put_number(auto number) {
    char text[64];
    put({text,
         static_cast<std::size_t>(std::to_chars(text, text + sizeof text, number).ptr - text)});
  }
  /// Writes what is left and closes the file. Throws: `errc::io` if anything could not be written.
  void close();

 private:
  static constexpr std::size_t enough = std::size_t(1) << 18;
  void flush();
  std::string buffer_;
  std::unique_ptr<gz_file> file_;
};

/// Writes `v` so that reading it as a double and rounding that to float gives `v`. Of all floats
/// 7.038531e-26 alone needs more than its shortest text: as a double that is halfway to the next.
inline void put_real(text_sink& sink, float v) {
  char text[32];
  char* const end = std::to_chars(text, text + sizeof text, v).ptr;
  double read = 0;
  std::from_chars(text, end, read);
  if (static_cast<float>(read) == v)
    sink.put({text, static_cast<std::size_t>(end - text)});
  else
    sink.put_number(static_cast<double>(v));
}
inline void put_real(text_sink& sink, double v) {
  sink.put_number(v);
}

/// The parts of a value as they are written.
template <class Value>
struct matrix_market_parts {
  static_assert(
      std::same_as<Value, float> || std::same_as<Value, double> || std::same_as<Value, half> ||
          std::same_as<Value, bfloat16>,
      "Matrix Market files are written from float, double, half, bfloat16, "
      "complex<float> and complex<double>, which can be read; convert other values first");
  static constexpr const char* field = "real";
  static bool finite(Value v) { return std::isfinite(static_cast<double>(v)); }
  static void put(text_sink& sink, Value v) {
    if constexpr (std::floating_point<Value>)
      put_real(sink, v);
    else  // a 16-bit number: what any text for the float that it is reads back as
      put_real(sink, static_cast<float>(v));
  }
};
template <class Part>
struct matrix_market_parts<complex<Part>> {
  static constexpr const char* field = "complex";
  static bool finite(complex<Part> v) { return std::isfinite(v.re) && std::isfinite(v.im); }
  static void put(text_sink& sink, complex<Part> v) {
    put_real(sink, v.re);
    sink.put(" ");
    put_real(sink, v.im);
  }
};

template <class Value>
void put_matrix_market_value(text_sink& sink, Value v, std::size_t row, std::size_t col) {
  if (!matrix_market_parts<Value>::finite(v))
    throw error(errc::invalid_argument,
                "row " + std::to_string(row) + ", column " + std::to_string(col) +
                    " is not finite, which Matrix Market files cannot say; remove it first");
  matrix_market_parts<Value>::put(sink, v);
  sink.put("\n");
}

inline void put_matrix_market_start(text_sink& sink, const char* layout, const char* field,
                                    std::uint64_t rows, std::uint64_t cols) {
  sink.put("%%MatrixMarket matrix ");
  sink.put(layout);
  sink.put(" ");
  sink.put(field);
  sink.put(" general\n");
  sink.put_number(rows);
  sink.put(" ");
  sink.put_number(cols);
}

}  // namespace detail

/// Writes `a` as `coordinate real general`, or `complex` for complex values, row by row. `Value` is
/// one that `read_matrix_market` takes; others, such as integers, are refused when compiled.
/// Reading the file into the same types gives the same bits, provided the columns of each row
/// ascend. Requires: `a` in host memory. Throws: as `validate`; `errc::invalid_argument` naming a
/// value that is not finite; `errc::io` if the file cannot be written (what is there by then is
/// left incomplete).
template <class Value, class Index, class Offset>
void write_matrix_market(const std::string& path, const csr_view<Value, Index, Offset>& a) {
  validate(a);
  detail::text_sink sink(path);
  detail::put_matrix_market_start(sink, "coordinate", detail::matrix_market_parts<Value>::field,
                                  static_cast<std::uint64_t>(a.rows),
                                  static_cast<std::uint64_t>(a.cols));
  sink.put(" ");
  sink.put_number(static_cast<std::uint64_t>(a.nonzeros));
  sink.put("\n");
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r)
    for (Offset k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      const auto c = static_cast<std::size_t>(a.indices[k]);
      sink.put_number(r + 1);
      sink.put(" ");
      sink.put_number(c + 1);
      sink.put(" ");
      detail::put_matrix_market_value(sink, a.values[k], r, c);
    }
  sink.close();
}

/// The same from an owner.
template <class Value, class Index, class Offset>
void write_matrix_market(const std::string& path, const csr<Value, Index, Offset>& a) {
  write_matrix_market(path, detail::host_view(a));
}

/// Writes a dense matrix as `array real general`, or `complex` for complex values; `Value` as in
/// `write_matrix_market`. Element (r, c) is `values[r * cols + c]`; the file goes down the columns,
/// as the format wants it.
/// Throws: `errc::invalid_argument` if `values` has not rows * cols elements or one is not finite;
/// `errc::io` if the file cannot be written.
template <class Value>
void write_matrix_market_array(const std::string& path, std::size_t rows, std::size_t cols,
                               std::span<const Value> values) {
  if (cols == 0 ? !values.empty() : values.size() / cols != rows || values.size() % cols != 0)
    throw error(errc::invalid_argument, "a matrix of " + std::to_string(rows) + " x " +
                                            std::to_string(cols) + " elements was given " +
                                            std::to_string(values.size()) + " values");
  detail::text_sink sink(path);
  detail::put_matrix_market_start(sink, "array", detail::matrix_market_parts<Value>::field, rows,
                                  cols);
  sink.put("\n");
  for (std::size_t c = 0; c < cols; ++c)
    for (std::size_t r = 0; r < rows; ++r)
      detail::put_matrix_market_value(sink, values[r * cols + c], r, c);
  sink.close();
}

}  // namespace loops
