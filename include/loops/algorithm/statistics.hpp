// SPDX-License-Identifier: Apache-2.0
/// Gathers what `schedule::automatic` wants to know, in one pass over the tiles.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/execution/memory.hpp"
#include "loops/select/facts.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <vector>

namespace loops {

namespace detail {

template <class Work>
struct gather_statistics {
  Work w;
  std::int64_t* found;  ///< longest, empty, crowded, padded

  struct larger {
    LOOPS_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a < b ? b : a; }
  };
  struct add {
    LOOPS_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
  };
  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> reduce;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    constexpr int neighbours = static_cast<int>(tiles_padded_together);
    constexpr int lanes = Block::wave < neighbours ? Block::wave : neighbours;
    constexpr int groups = Block::threads / lanes;
    const group<Block, lanes> g(block);
    const std::int64_t tiles = w.tiles();
    const std::int64_t twice_mean = tiles > 0 ? 2 * w.atoms() / tiles : 0;
    std::int64_t most = 0;
    std::int64_t none = 0;
    std::int64_t crowd = 0;
    std::int64_t padded = 0;
    // All lanes of a block go round equally often: they reduce together.
    for (std::int64_t first = block.id() * groups * neighbours; first < tiles;
         first += block.blocks() * groups * neighbours) {
      const std::int64_t begin = first + g.index() * neighbours;
      std::int64_t here = 0;
      for (int i = g.rank(); i < neighbours; i += lanes) {
        if (begin + i >= tiles) break;
        const std::int64_t size = atoms_of(w, begin + i).size();
        here = size > here ? size : here;
        none += size == 0;
        crowd += size > twice_mean ? size : 0;
      }
      most = here > most ? here : most;
      here = g.reduce(here, larger{}, shared.reduce);
      const std::int64_t left = tiles - begin;
      if (g.rank() == 0 && left > 0) padded += here * (left < neighbours ? left : neighbours);
    }
    const group<Block, Block::threads> all(block);
    most = all.reduce(most, larger{}, shared.reduce);
    none = all.reduce(none, add{}, shared.reduce);
    crowd = all.reduce(crowd, add{}, shared.reduce);
    padded = all.reduce(padded, add{}, shared.reduce);
    if (all.rank() != 0) return;
    // Integers: the order of arrival does not show in the result.
    block.atomic_max(found, most);
    block.atomic_add(found + 1, none);
    block.atomic_add(found + 2, crowd);
    block.atomic_add(found + 3, padded);
  }
};

}  // namespace detail

/// Statistics of `w`. Cost: one read of the offsets, one launch. Waits for the result.
template <class Exec, work Work>
tile_statistics gather_statistics(const Exec& exec, const Work& w) {
  using launch_shape = shape<256, 1>;
  array<std::int64_t> found(4, exec.memory());
  found.fill(0);
  const machine m = exec.template describe<launch_shape>();
  const std::int64_t blocks =
      ceil_div(w.tiles(), m.threads < tiles_padded_together ? tiles_padded_together : m.threads);
  exec.template launch<launch_shape>(blocks < m.blocks ? blocks : m.blocks,
                                     detail::gather_statistics<Work>{w, found.data()});
  const std::vector<std::int64_t> r = found.to_vector();
  return {w.tiles(), w.atoms(), r[0], r[1], r[2], r[3]};
}

}  // namespace loops
