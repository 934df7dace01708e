// SPDX-License-Identifier: Apache-2.0
/// Few bytes of a device's memory, for the host to go on with.
#pragma once

#include "loops/algorithm/early.hpp"
#include "loops/backend/block.hpp"
#include "loops/execution/answers.hpp"
#include "loops/execution/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace loops {

namespace detail {

/// Tells the host some words, a lane each.
struct tell_words {
  const std::uint32_t* words;
  std::int64_t* told;
  int count;

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    for (int i = block.lane(); i < count; i += Block::threads)
      block.answer(told + i, static_cast<std::int64_t>(words[i]));
  }
};

}  // namespace detail

/// The first value of an array in the executor's memory, when what was launched before has written
/// it: as `to_vector().front()`, which copies and waits for all there is. Cost: a launch, and the
/// way of a number to the host. Requires: an element. Throws: what `synchronize` does.
template <class T, class Exec>
T first_of(const Exec& exec, const array<T>& from) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && alignof(T) >= 4,
                "values are told in words of 32 bits");
  if (exec.memory()->on_host()) return *from.data();
  constexpr std::size_t count = sizeof(T) / 4;
  answers told(exec, count);
  exec.template launch_early<shape<32, 1>>(
      1, detail::early{detail::tell_words{reinterpret_cast<const std::uint32_t*>(from.data()),
                                          told.data(), static_cast<int>(count)}});
  const auto& all = told.wait();
  std::uint32_t words[count];
  for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::uint32_t>(all[i]);
  T value;
  std::memcpy(&value, words, sizeof value);
  return value;
}

}  // namespace loops
