// SPDX-License-Identifier: Apache-2.0
/// Matrix Market files read through a binary copy, which is made the first time.
#pragma once

#include "loops/core/complex.hpp"
#include "loops/core/float16.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"
#include "loops/io/matrix_market_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace loops {

namespace detail {

/// What a cached value is called in the name of the file and in its header.
template <class Value>
inline constexpr const char* cached_value_name = nullptr;
template <>
inline constexpr const char* cached_value_name<float> = "f32";
template <>
inline constexpr const char* cached_value_name<double> = "f64";
template <>
inline constexpr const char* cached_value_name<half> = "f16";
template <>
inline constexpr const char* cached_value_name<bfloat16> = "bf16";
template <>
inline constexpr const char* cached_value_name<complex<float>> = "c32";
template <>
inline constexpr const char* cached_value_name<complex<double>> = "c64";

/// The element types of a matrix, for code that is compiled without them.
struct cached_types {
  const char* value;
  std::size_t value_size;
  std::size_t index_size;
  std::size_t offset_size;
};

/// How to tell whether a file is still the one that was read.
struct file_stamp {
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since the epoch
  bool settled = false;       ///< changed long enough ago that another change would show
  friend bool operator==(const file_stamp& a, const file_stamp& b) {
    return a.size == b.size && a.modified == b.modified;
  }
};

struct cached_sizes {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nonzeros = 0;
};

/// The stamp of a regular file; nothing if there is none.
std::optional<file_stamp> stamp_of(const std::string& path);

/// Where the copy of `path` is kept: next to it, or in the folder that LOOPS_CACHE_DIR names.
std::string cache_path(const std::string& path, const cached_types& types);

/// A copy that is being read: first its sizes, then its arrays.
class cache_reader {
 public:
  /// `good()` unless the file is missing, cut, from elsewhere, or not made from `source`.
  cache_reader(const std::string& path, const cached_types& types, const file_stamp& source);
  cache_reader(const cache_reader&) = delete;
  cache_reader& operator=(const cache_reader&) = delete;
  ~cache_reader();
  [[nodiscard]] bool good() const;
  [[nodiscard]] const cached_sizes& sizes() const { return sizes_; }
  /// Fills the three arrays; whether their checksum is right.
  [[nodiscard]] bool read(void* offsets, void* indices, void* values);

 private:
  struct state;
  std::unique_ptr<state> state_;
  cached_sizes sizes_;
};

/// Writes a copy under another name and moves it into place. Leaves nothing behind if it fails.
bool write_cache(const std::string& path, const cached_types& types, const file_stamp& source,
                 const cached_sizes& sizes, const void* offsets, const void* indices,
                 const void* values) noexcept;

/// The matrix in the copy, if there is a good one.
template <class Value, class Index, class Offset>
std::optional<csr<Value, Index, Offset>> read_cache(const std::string& path,
                                                    const cached_types& types,
                                                    const file_stamp& source) {
  cache_reader reader(path, types, source);
  if (!reader.good()) return std::nullopt;
  const cached_sizes& sizes = reader.sizes();
  if (!std::in_range<Index>(sizes.rows) || !std::in_range<Index>(sizes.cols) ||
      !std::in_range<Offset>(sizes.nonzeros))
    return std::nullopt;
  csr<Value, Index, Offset> out;
  out.rows = static_cast<Index>(sizes.rows);
  out.cols = static_cast<Index>(sizes.cols);
  out.offsets = array<Offset>(static_cast<std::size_t>(sizes.rows) + 1);
  out.indices = array<Index>(static_cast<std::size_t>(sizes.nonzeros));
  out.values = array<Value>(static_cast<std::size_t>(sizes.nonzeros));
  if (!reader.read(out.offsets.data(), out.indices.data(), out.values.data())) return std::nullopt;
  try {
    validate(out.view());  // a checksum is no proof against a copy that was made wrong
  } catch (const error&) {
    return std::nullopt;
  }
  return out;
}

}  // namespace detail

/// As `read_matrix_market`, through a binary copy named `<path>.<types>.loops`. The copy is used if
/// it was made from a file of the same size and time of modification and its checksum is right;
/// otherwise the text is read and the copy made anew. It is kept next to the file, or in the
/// folder that the environment variable LOOPS_CACHE_DIR names; where nothing can be written, or
/// the file was changed within the last second, there is no copy, and that is no error.
/// Cost: with a copy, reading it and one pass over offsets and indices.
/// Throws: as `read_matrix_market`; of a copy, entries that a symmetric file does not store count.
template <class Value, class Index = std::int32_t, class Offset = Index>
[[nodiscard]] csr<Value, Index, Offset> read_matrix_cached(
    const std::string& path, const std::shared_ptr<memory>& where = default_host_memory(),
    const matrix_market::limits& limits = {}) {
  static_assert(detail::cached_value_name<Value> != nullptr, "this value type has no cached form");
  constexpr detail::cached_types types{detail::cached_value_name<Value>, sizeof(Value),
                                       sizeof(Index), sizeof(Offset)};
  const auto place = [&](csr<Value, Index, Offset>&& a) {
    return !where || where == default_host_memory() ? std::move(a) : a.to(where);
  };
  const auto source = detail::stamp_of(path);
  if (!source) return read_matrix_market<Value, Index, Offset>(path, where, limits);
  const std::string copy = detail::cache_path(path, types);
  if (auto cached = detail::read_cache<Value, Index, Offset>(copy, types, *source);
      cached && limits.believe(static_cast<std::int64_t>(cached->rows),
                               static_cast<std::int64_t>(cached->nonzeros())))
    return place(std::move(*cached));

  auto a = read_matrix_market<Value, Index, Offset>(path, default_host_memory(), limits);
  // A file that changed while it was read must not be remembered as what it was before.
  if (source->settled && detail::stamp_of(path) == source)
    static_cast<void>(
        detail::write_cache(copy, types, *source,
                            {static_cast<std::int64_t>(a.rows), static_cast<std::int64_t>(a.cols),
                             static_cast<std::int64_t>(a.nonzeros())},
                            a.offsets.data(), a.indices.data(), a.values.data()));
  return place(std::move(a));
}

}  // namespace loops
