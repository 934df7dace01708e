// SPDX-License-Identifier: Apache-2.0
/// What the kernels of a reduction are given: the caller's functions, and room for cut tiles.
#pragma once

#include "loops/core/numeric.hpp"

#include <cstddef>

namespace loops::detail {

/// Lanes per processor that kernels are built for which keep a slice of values of so many bytes in
/// shared memory; 0: what the compiler makes of it. They wait for memory most of the time.
template <std::size_t bytes>
inline constexpr int slice_lanes = bytes <= 4   ? 1536
                                   : bytes <= 8 ? 1280
                                                : 0;

/// The value of a plan that makes no room for parts: whoever uses the plan keeps them, of `Value`.
template <class Value>
struct kept_elsewhere {
  char nothing;
};

/// Bytes of what is reduced, as selectors know it: of one element, where a lane holds several.
template <class Value>
inline constexpr int element_bytes = sizeof(Value);
template <class T, int N>
inline constexpr int element_bytes<kept_elsewhere<row_sums<T, N>>> = sizeof(T);
template <class Value>
inline constexpr int element_bytes<kept_elsewhere<Value>> = sizeof(Value);

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
