// SPDX-License-Identifier: Apache-2.0
/// A file that is written from front to end, gzipped or as it is.
#pragma once

#include "loops/core/error.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace loops::detail {

/// zlib's file, which also writes plain bytes when told to. Throws: `errc::io` with the path and
/// the system's reason.
class gz_file {
 public:
  gz_file(const std::string& path, bool compress) : path_(path) {
    errno = 0;
    file_ = gzopen(path.c_str(), compress ? "wb6" : "wbT");
    if (!file_) fail("cannot be created");
    gzbuffer(file_, 1U << 18);
  }
  gz_file(const gz_file&) = delete;
  gz_file& operator=(const gz_file&) = delete;
  ~gz_file() {
    if (file_) gzclose(file_);
  }
  /// At most 2 GiB at once.
  void write(const char* from, std::size_t count) {
    errno = 0;
    if (count && gzwrite(file_, from, static_cast<unsigned>(count)) != static_cast<int>(count))
      fail("cannot be written");
  }
  /// Writes what zlib holds back. Once.
  void close() {
    errno = 0;
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) fail("cannot be written");
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    const std::string why = errno ? std::strerror(errno) : "zlib cannot say why";
    throw error(errc::io, path_ + ": " + what + ": " + why +
                              "; check the folder, its permissions and the space that is left");
  }
  std::string path_;
  gzFile file_ = nullptr;
};

}  // namespace loops::detail
