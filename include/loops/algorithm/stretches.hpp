// SPDX-License-Identifier: Apache-2.0
/// Cuts tiles into stretches, one for every wave, for passes that leave numbers of each.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/core/path.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::detail {

template <class Block>
inline constexpr int waves_of = Block::threads / Block::wave;

/// Consecutive tiles, at least so many in a stretch, in at most so many stretches: few enough that
/// a block looks at all of them.
struct stretches {
  std::int64_t tiles;
  std::int64_t length;
  std::int64_t count;

  stretches(std::int64_t n, std::int64_t least, std::int64_t most)
      : tiles(n),
        length(n > least * most ? ceil_div(n, most) : least),
        count(ceil_div(n, length)) {}
  [[nodiscard]] LOOPS_HD std::int64_t first(std::int64_t i) const {
    return i * length < tiles ? i * length : tiles;
  }
  /// Blocks that have a wave for each.
  template <class Block>
  [[nodiscard]] std::int64_t blocks() const {
    return ceil_div(count, waves_of<Block>);
  }
  /// The stretch that the wave `g` takes; `count` or more where it has none.
  template <class Group>
  [[nodiscard]] static LOOPS_HD std::int64_t taken_by(const Group& g) {
    using block_type = std::remove_reference_t<decltype(g.block())>;
    return g.block().id() * waves_of<block_type> + g.index();
  }
};

}  // namespace loops::detail
