// SPDX-License-Identifier: Apache-2.0
/// What the kernels of a reduction are given: the caller's functions, and room for cut tiles.
#pragma once

namespace loops::detail {

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
