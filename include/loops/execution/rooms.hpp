// SPDX-License-Identifier: Apache-2.0
/// Several arrays in one allocation, which AddressSanitizer can tell apart.
#pragma once

#include "loops/execution/memory.hpp"

#include <cstddef>

// Present only in programs that AddressSanitizer watches.
extern "C" [[gnu::weak]] void __asan_poison_memory_region(const volatile void* at,
                                                          std::size_t bytes);

namespace loops::detail {

/// Where arrays lie that share an allocation. Under AddressSanitizer there is a gap behind each.
class rooms {
 public:
  static constexpr int most = 16;
  /// Bytes of an array, of which `most` can be added up.
  static constexpr std::size_t largest = std::size_t(-1) / most - 1024;

  /// Room for an array of so many bytes, `largest` at most, behind those that have theirs; returns
  /// where it begins. Requires: fewer than `most` so far; a power of two, at most
  /// `host_memory::alignment`.
  std::size_t add(std::size_t bytes, std::size_t alignment = 16) {
    const std::size_t at = round_up(size_, alignment);
    ends_[count_++] = at + bytes;
    size_ = round_up(at + bytes, 16) + (watched() ? gap : 0);
    return at;
  }
  /// Bytes of all.
  [[nodiscard]] std::size_t bytes() const { return size_; }
  /// Has whoever touches a gap reported, where the memory is the host's. `in`: of `bytes()` bytes.
  void fence(array<std::byte>& in) const {
    if (!watched() || in.where() != default_host_memory()) return;
    for (int i = 0; i < count_; ++i)
      __asan_poison_memory_region(in.data() + ends_[i], round_up(ends_[i], 16) + gap - ends_[i]);
  }

 private:
  static constexpr std::size_t gap = 64;
  static bool watched() { return __asan_poison_memory_region != nullptr; }
  static std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

  std::size_t ends_[most];
  int count_ = 0;
  std::size_t size_ = 0;
};

}  // namespace loops::detail
