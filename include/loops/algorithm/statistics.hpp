// SPDX-License-Identifier: Apache-2.0
/// Gathers what `schedule::automatic` wants to know, in one pass over the tiles.
#pragma once

#include "loops/algorithm/column_sample.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/collective/group.hpp"
#include "loops/execution/memory.hpp"
#include "loops/select/facts.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace loops {

namespace detail {

template <class Work, class Columns>
struct gather_statistics {
  static constexpr bool samples = !std::is_same_v<Columns, no_columns>;
  static constexpr std::size_t numbers = samples ? 7 : 5;

  Work w;
  Columns column;
  std::int64_t* found;  ///< longest, empty, crowded, padded, wrong; sampled, strewn

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
    bool wrong = block.id() == 0 && !ends_with_its_atoms(w);
    // All lanes of a block go round equally often: they reduce together.
    for (std::int64_t first = block.id() * groups * neighbours; first < tiles;
         first += block.blocks() * groups * neighbours) {
      const std::int64_t begin = first + g.index() * neighbours;
      std::int64_t here = 0;
      for (int i = g.rank(); i < neighbours; i += lanes) {
        if (begin + i >= tiles) break;
        const std::int64_t size = atoms_of(w, begin + i).size();
        here = size > here ? size : here;
        wrong |= size < 0;
        none += size == 0;
        crowd += size > twice_mean ? size : 0;
      }
      most = here > most ? here : most;
      here = g.reduce(here, larger{}, shared.reduce);
      const std::int64_t left = tiles - begin;
      if (g.rank() == 0 && left > 0) padded += here * (left < neighbours ? left : neighbours);
    }
    std::int64_t looked = 0;
    std::int64_t strewn = 0;
    if constexpr (samples) {
      const std::int64_t count = sample_size(tiles);
      for (std::int64_t i = block.id() * groups + g.index(); i < count;
           i += block.blocks() * groups)
        sample_columns(w, column, sampled_tile(i, tiles), g.rank(), lanes, [&](bool far) {
          ++looked;
          strewn += far;
        });
    }
    if (wrong) block.atomic_add(found + 4, std::int64_t{1});
    const group<Block, Block::threads> all(block);
    most = all.reduce(most, larger{}, shared.reduce);
    none = all.reduce(none, add{}, shared.reduce);
    crowd = all.reduce(crowd, add{}, shared.reduce);
    padded = all.reduce(padded, add{}, shared.reduce);
    if constexpr (samples) {
      looked = all.reduce(looked, add{}, shared.reduce);
      strewn = all.reduce(strewn, add{}, shared.reduce);
    }
    if (all.rank() != 0) return;
    // Integers: the order of arrival does not show in the result.
    block.atomic_max(found, most);
    block.atomic_add(found + 1, none);
    block.atomic_add(found + 2, crowd);
    block.atomic_add(found + 3, padded);
    if constexpr (samples) {
      block.atomic_add(found + 5, looked);
      block.atomic_add(found + 6, strewn);
    }
  }
};

}  // namespace detail

/// Statistics of `w`, whose atom a has the column `column(a)`, counted on the host, tile by tile.
/// Requires: the host may read what both refer to. Throws: invalid_argument when the offsets are
/// not those of a work.
template <work W, class Columns = no_columns>
tile_statistics statistics_of(const W& w, const Columns& column = {}) {
  tile_statistics out{w.tiles(), w.atoms(), 0, 0, 0, 0, 0, 0};
  const std::int64_t twice_mean = out.tiles > 0 ? 2 * out.atoms / out.tiles : 0;
  bool sound = detail::ends_with_its_atoms(w);
  for (std::int64_t first = 0; first < out.tiles; first += tiles_padded_together) {
    const std::int64_t last = std::min(out.tiles, first + tiles_padded_together);
    std::int64_t longest = 0;
    for (std::int64_t t = first; t < last; ++t) {
      const std::int64_t size = atoms_of(w, t).size();
      longest = std::max(longest, size);
      sound &= size >= 0;
      out.empty += size == 0;
      out.crowded += size > twice_mean ? size : 0;
    }
    out.longest = std::max(out.longest, longest);
    out.padded += longest * (last - first);
  }
  detail::require_sound(sound, out.atoms);
  if constexpr (!std::is_same_v<Columns, no_columns>) {
    for (std::int64_t i = 0; i < sample_size(out.tiles); ++i)
      sample_columns(w, column, sampled_tile(i, out.tiles), 0, 1, [&](bool far) {
        ++out.sampled;
        out.strewn += far;
      });
  }
  return out;
}

/// Statistics of `w`, whose atom a has the column `column(a)`. Cost: one read of the offsets and of
/// a sample of the columns, one launch. Waits for the result. Throws: invalid_argument when the
/// offsets are not those of a work.
template <class Exec, work Work, class Columns = no_columns>
tile_statistics gather_statistics(const Exec& exec, const Work& w, const Columns& column = {}) {
  using launch_shape = shape<256, 1>;
  using kernel = detail::gather_statistics<Work, Columns>;
  array<std::int64_t> found(kernel::numbers, exec.memory());
  found.fill(0);
  const machine m = exec.template describe<launch_shape>();
  std::int64_t blocks =
      ceil_div(w.tiles(), m.threads < tiles_padded_together ? tiles_padded_together : m.threads);
  if constexpr (kernel::samples) {
    // A tile of the sample is a round trip to memory: few blocks would make many in a row.
    const std::int64_t groups = ceil_div(m.threads, tiles_padded_together);
    const std::int64_t wanted = ceil_div(sample_size(w.tiles()), groups);
    blocks = blocks < wanted ? wanted : blocks;
  }
  exec.template launch<launch_shape>(blocks < m.blocks ? blocks : m.blocks,
                                     kernel{w, column, found.data()});
  std::vector<std::int64_t> r = found.to_vector();
  detail::require_sound(r[4] == 0, w.atoms());
  r.resize(7);
  return {w.tiles(), w.atoms(), r[0], r[1], r[2], r[3], r[5], r[6]};
}

/// The same of a work of few tiles, without its columns, by the host, which gets a copy of the
/// offsets. Cost: one copy, which is half of what a launch and its answer cost.
template <class Exec, class Offset>
tile_statistics statistics_of_copy(const Exec& exec, const segments<Offset>& w) {
  std::vector<Offset> offsets(static_cast<std::size_t>(w.tiles()) + 1);
  exec.memory()->download(offsets.data(), w.offsets(), offsets.size() * sizeof(Offset));
  return statistics_of(segments<Offset>(offsets.data(), w.tiles(), w.atoms()));
}

/// What `schedule::automatic` looks at when it has decided to: `x` is what it knows of the work.
/// Waits for the result.
template <class Exec, work Work, class Columns = no_columns>
tile_statistics look_at(const Exec& exec, const Work& w, const Columns& column,
                        const select::facts& x) {
  if constexpr (requires { statistics_of_copy(exec, w); }) {
    if (select::copied_to_look(x)) return statistics_of_copy(exec, w);
  }
  return gather_statistics(exec, w, column);
}

}  // namespace loops
