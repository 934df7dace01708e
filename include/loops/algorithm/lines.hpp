// SPDX-License-Identifier: Apache-2.0
/// Lines of memory that are asked for before anybody waits for what they hold.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/collective/bundle.hpp"

#include <cstdint>

namespace loops {

/// Whether a map can ask for everything that it will read: `lines()` pieces, and `fetch(i)` asks
/// for one of them.
template <class Map>
inline constexpr bool knows_its_lines = requires(const Map& map) {
  map.fetch(map.lines());
};

namespace detail {

/// A line of a GPU's memory.
inline constexpr std::int64_t line_bytes = 128;

/// Lines that hold so many elements.
template <class T>
LOOPS_HD std::int64_t lines_of(std::int64_t count) {
  return (count * static_cast<std::int64_t>(sizeof(T)) + line_bytes - 1) / line_bytes;
}

/// Asks for one of them.
template <class T>
LOOPS_HD void fetch_line_of(const T* array, std::int64_t line) {
  native::fetch_ahead(reinterpret_cast<const char*>(array) + line * line_bytes);
}

/// Whether a map reads so little that the launch waits for memory to answer, not to deliver.
template <class Map>
[[nodiscard]] LOOPS_HD bool reads_little(const Map& map) {
  constexpr std::int64_t most_lines = 32768;  // 4 MB
  if constexpr (knows_its_lines<Map>) {
    return map.lines() <= most_lines;
  } else {
    return false;
  }
}

/// The lanes of a grid ask for everything that a map will read, fewer than 2^31 lines. A small work
/// on a cold cache waits for offsets, columns and x one after another; asked for at once, they
/// arrive at once.
template <class Block, class Map>
LOOPS_HD void fetch_lines(const Block& block, const Map& map) {
  const auto lines = static_cast<std::int64_t>(map.lines());
  for (std::int64_t i = lane_of_grid(block); i < lines; i += lanes_of_grid(block))
    map.fetch(static_cast<std::uint32_t>(i));
}

}  // namespace detail

}  // namespace loops
