// SPDX-License-Identifier: Apache-2.0
/// Which lanes of a wave hold the same number.
#pragma once

#include "loops/collective/group.hpp"

#include <cstdint>
#include <type_traits>

namespace loops {

/// One bit per lane of a wave, in 32 bits where these suffice: of wider words nvcc 13 counts the
/// bits wrongly, and the zeros of any.
template <class Block>
using lane_bits = std::conditional_t<(Block::wave > 32), std::uint64_t, std::uint32_t>;

/// The lanes of a group within a wave.
template <class Block, int Lanes>
LOOPS_HD lane_bits<Block> lanes_of(const group<Block, Lanes>& g) {
  using word = lane_bits<Block>;
  const int lane = g.block().lane() & (Block::wave - 1);
  const word all =
      g.size() < static_cast<int>(8 * sizeof(word)) ? (word{1} << g.size()) - 1 : ~word{0};
  return all << (lane & ~(g.size() - 1));
}

/// The lanes of a wave, of those of this lane's group, whose `key` is the same; none where it is
/// negative. Keys differ in their lowest `bits` bits. Lanes: all of the wave. Cost: a ballot per
/// bit, and one.
template <class Block, int Lanes>
LOOPS_HD lane_bits<Block> peers_of(const group<Block, Lanes>& g, std::int64_t key, int bits) {
  using word = lane_bits<Block>;
  Block& block = g.block();
  auto peers = static_cast<word>(block.ballot(key >= 0));
  if (g.size() < Block::wave) peers &= lanes_of(g);
  for (int b = 0; b < bits; ++b) {
    const bool set = (key >> b & 1) != 0;
    const auto same = static_cast<word>(block.ballot(set));
    peers &= set ? same : ~same;
  }
  return key >= 0 ? peers : 0;
}

}  // namespace loops
