// SPDX-License-Identifier: Apache-2.0
/// Writes text files, plain or gzipped.
#include "loops/io/matrix_market_writer.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace loops::detail {

/// zlib's file, which also writes plain text when told to.
class text_sink::file {
 public:
  explicit file(const std::string& path) : path_(path) {
    errno = 0;
    file_ = gzopen(path.c_str(), path.ends_with(".gz") ? "wb6" : "wbT");
    if (!file_) fail("cannot be created");
    gzbuffer(file_, 1U << 17);
  }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  ~file() {
    if (file_) gzclose(file_);
  }
  void write(const std::string& text) {
    errno = 0;
    if (!text.empty() && gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) !=
                             static_cast<int>(text.size()))
      fail("cannot be written");
  }
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

text_sink::text_sink(const std::string& path) : file_(std::make_unique<file>(path)) {
  buffer_.reserve(enough);
}
text_sink::~text_sink() = default;

void text_sink::flush() {
  file_->write(buffer_);
  buffer_.clear();
}

void text_sink::close() {
  flush();
  file_->close();
}

}  // namespace loops::detail
