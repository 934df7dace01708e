// SPDX-License-Identifier: Apache-2.0
/// Writes text files, plain or gzipped.
#include "loops/io/matrix_market_writer.hpp"

#include "gz_file.hpp"

namespace loops::detail {

text_sink::text_sink(const std::string& path)
    : file_(std::make_unique<gz_file>(path, path.ends_with(".gz"))) {
  buffer_.reserve(enough);
}
text_sink::~text_sink() = default;

void text_sink::flush() {
  file_->write(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void text_sink::close() {
  flush();
  file_->close();
}

}  // namespace loops::detail
