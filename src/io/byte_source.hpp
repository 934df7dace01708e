// SPDX-License-Identifier: Apache-2.0
/// Where the bytes of a text come from: a file, memory, or either of them inflated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace loops::detail {

/// The bytes are there but do not mean anything; whoever knows the line turns it into an `error`.
struct damaged {
  std::string what;
};

/// A stream of bytes.
class byte_source {
 public:
  virtual ~byte_source() = default;
  /// Writes up to `size` bytes to `to`; fewer only at the end.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// No more bytes than these can come in all; the largest number if that is not known.
  [[nodiscard]] virtual std::uint64_t most() const = 0;
  /// About how many bytes will come, but no more than a few times what is stored; 0 if unknown.
  [[nodiscard]] virtual std::uint64_t likely() const = 0;
};

/// How far gzipped data may grow: `ratio` times their size, once there are more than `always`.
struct inflation_limit {
  double ratio;
  std::uint64_t always;
};

/// Opens a file; what starts like gzip is inflated. Throws: `errc::io` naming the path.
std::unique_ptr<byte_source> open_file(const std::string& path, inflation_limit limit);

/// Reads `bytes`, which must outlive the source; what starts like gzip is inflated.
std::unique_ptr<byte_source> open_memory(std::string_view bytes, inflation_limit limit);

}  // namespace loops::detail
