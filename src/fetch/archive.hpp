// SPDX-License-Identifier: Apache-2.0
/// Takes one file out of a .tar.gz whose maker is not trusted.
#pragma once

#include "loops/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace loops::fetching {

/// Reads up to so many bytes into a buffer; fewer only at the end.
using byte_reader = std::function<std::size_t(char*, std::size_t)>;

/// The header of one file of an archive.
struct tar_member {
  std::string path;
  std::uint64_t size = 0;
  bool regular = false;  ///< a file with contents, not a directory, a link or a device
};

/// Reads a tar archive (ustar, with pax and GNU long names) front to back. Throws `parse`.
class tar_reader {
 public:
  explicit tar_reader(byte_reader source) : source_(std::move(source)) {}
  /// Goes to the next member, skipping what is left of this one; false at the end.
  bool next(tar_member& member);
  /// The next bytes of the member's contents; 0 at their end.
  std::size_t read(char* to, std::size_t most);

 private:
  void exactly(char* to, std::size_t count);
  std::string text(std::uint64_t size);
  void skip();

  byte_reader source_;
  std::uint64_t left_ = 0;     ///< bytes of contents not yet read
  std::uint64_t padding_ = 0;  ///< bytes after them up to the next block
};

/// More in an archive than is allowed: a reason to refuse it, but no damage.
class too_large : public error {
 public:
  using error::error;
};

/// Writes the member `name` of the gzipped tar `archive` to `to`, gzipped if asked, and reads the
/// archive to its end, which checks its checksums. No path of the archive is ever used as a path.
/// Throws `parse` when it is damaged or lacks the member, `too_large`, which is one, when it has
/// more than `largest` bytes in it.
void extract(const std::filesystem::path& archive, const std::string& name,
             const std::filesystem::path& to, bool compress, std::uint64_t largest,
             const std::function<void(std::uint64_t)>& progress);

}  // namespace loops::fetching
