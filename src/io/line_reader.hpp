// SPDX-License-Identifier: Apache-2.0
/// Cuts a stream of bytes into stretches of whole lines, without holding the text as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "byte_source.hpp"
#include "decimal.hpp"

namespace loops::detail {

/// A window of whole lines, each ended by '\n' (the last one of a file is given one if need be),
/// with `decimal_slack` readable characters after the last.
class line_reader {
 public:
  /// A longer line is not the line of a matrix.
  static constexpr std::size_t longest_line = (std::size_t(1) << 19) - 1;

  explicit line_reader(std::unique_ptr<byte_source> source)
      : source_(std::move(source)),
        room_(std::clamp<std::uint64_t>(source_->most(), 4096, longest_line - 1) + 1),
        buffer_(room_ + 1 + decimal_slack) {}

  /// No more bytes than these come after what `next_line` has given.
  [[nodiscard]] std::uint64_t most_left() const {
    const std::uint64_t most = source_->most();
    const std::uint64_t used = read_ - static_cast<std::uint64_t>(fill_ - next_) -
                               static_cast<std::uint64_t>(window_end_ - line_);
    return most > used ? most - used : 0;
  }

  /// About how many bytes the text has; less if that is not known.
  [[nodiscard]] std::uint64_t likely() const { return source_->likely(); }

  /// The next whole lines, from `begin` to just past a '\n'; empty at the end of the text.
  /// What the last window had is gone. Throws: `damaged`.
  std::pair<const char*, const char*> next_window() {
    std::memmove(buffer_.data(), buffer_.data() + next_, fill_ - next_);
    fill_ -= next_;
    next_ = 0;
    if (!ended_) {
      const std::size_t room = room_ - fill_;
      const std::size_t got = source_->read(buffer_.data() + fill_, room);
      read_ += got;
      fill_ += got;
      ended_ = got < room;
      if (ended_ && fill_ != 0 && buffer_[fill_ - 1] != '\n') {
        buffer_[fill_++] = '\n';
        ++read_;
      }
    }
    std::size_t length = fill_;
    while (length != 0 && buffer_[length - 1] != '\n') --length;
    if (length == 0 && fill_ != 0)
      throw damaged{"the line is longer than " + std::to_string(room_) +
                    " characters; this is not a Matrix Market file"};
    next_ = length;
    return {buffer_.data(), buffer_.data() + length};
  }

  /// The next line without its end, for headers; `false` at the end of the text.
  bool next_line(const char*& begin, const char*& end) {
    if (line_ == window_end_) {
      std::tie(line_, window_end_) = next_window();
      if (line_ == window_end_) return false;
    }
    begin = line_;
    end = static_cast<const char*>(
        std::memchr(line_, '\n', static_cast<std::size_t>(window_end_ - line_)));
    line_ = end + 1;
    if (end != begin && end[-1] == '\r') --end;
    return true;
  }

  /// What `next_line` has left of its window.
  [[nodiscard]] std::pair<const char*, const char*> rest_of_window() const {
    return {line_, window_end_};
  }

 private:
  std::unique_ptr<byte_source> source_;
  std::size_t room_;  ///< all of a small text fits
  std::vector<char> buffer_;
  std::size_t next_ = 0;
  std::size_t fill_ = 0;
  std::uint64_t read_ = 0;
  bool ended_ = false;
  const char* line_ = nullptr;
  const char* window_end_ = nullptr;
};

}  // namespace loops::detail
