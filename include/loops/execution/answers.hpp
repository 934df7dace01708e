// SPDX-License-Identifier: Apache-2.0
/// Numbers that a launch leaves for the host, which waits for these and not for the launch.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace loops {

/// So many numbers of a launch. A kernel puts each by `block.answer(data() + i, v)`, once; the host
/// sees them come. That a launch has ended a runtime tells later than its last number is there.
///
/// Requires: `wait` is called after the launch, before the end of this.
template <class Exec>
class answers {
 public:
  /// What no kernel puts: the number is not there yet.
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

  answers(const Exec& exec, std::size_t count) : exec_(exec), numbers_(count, exec.answers()) {
    std::fill(numbers_.begin(), numbers_.end(), none);
  }
  [[nodiscard]] std::int64_t* data() { return numbers_.data(); }

  /// The numbers, when all are there; what was launched before has ended then. Throws: what
  /// `synchronize` does.
  const array<std::int64_t>& wait() {
    // Behind much other work it is the runtime that waits: it may have better means than looking.
    constexpr auto patience = std::chrono::microseconds(200);
    const auto from = std::chrono::steady_clock::now();
    for (std::int64_t& number : numbers_)
      for (int looks = 1; std::atomic_ref(number).load(std::memory_order_relaxed) == none; ++looks)
        if (looks % 64 == 0 && std::chrono::steady_clock::now() - from > patience) {
          exec_.synchronize();
          return numbers_;
        }
    return numbers_;
  }

 private:
  Exec exec_;
  array<std::int64_t> numbers_;
};

}  // namespace loops
