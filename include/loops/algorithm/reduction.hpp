// SPDX-License-Identifier: Apache-2.0
/// What the kernels of a reduction are given: the caller's functions, and room for cut tiles.
#pragma once

#include <cstddef>

namespace loops::detail {

/// Lanes per processor that kernels are built for which keep a slice of values of so many bytes in
/// shared memory; 0: what the compiler makes of it. They wait for memory most of the time.
template <std::size_t bytes>
inline constexpr int slice_lanes = bytes <= 4   ? 1536
                                   : bytes <= 8 ? 1280
                                                : 0;

/// What a caller of `reduce_tiles` brings.
template <class Value, class Map, class Combine, class Emit>
struct reduction {
  using value_type = Value;
  using parts_type = Value*;
  static constexpr bool wide = false;  ///< whether a value is more than one lane should hold
  Map map;
  Combine combine;
  Emit emit;
};

/// Per slice: the value of its first tile when that began earlier, and of its open last tile.
template <class Reduction>
struct partials {
  typename Reduction::parts_type heads{};
  typename Reduction::parts_type tails{};
};

}  // namespace loops::detail
