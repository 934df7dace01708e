// SPDX-License-Identifier: Apache-2.0
/// One line on the terminal that says what is going on; nothing anywhere else.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <unistd.h>

#include "cli/printable.hpp"

namespace loops::cli {

/// Progress through a number of things, on standard error if that is a terminal.
class progress {
 public:
  explicit progress(std::size_t total) : total_(total), visible_(isatty(STDERR_FILENO) != 0) {}
  ~progress() { clear(); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void show(const std::string& what) {
    if (!visible_) return;
    std::fprintf(stderr, "\r[%zu/%zu] %s\x1b[K", done_ + 1, total_, printable(what, 60).c_str());
    std::fflush(stderr);
    shown_ = true;
  }
  void advance() { ++done_; }
  void clear() {
    if (shown_) std::fprintf(stderr, "\r\x1b[K");
    shown_ = false;
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool visible_;
  bool shown_ = false;
};

}  // namespace loops::cli
