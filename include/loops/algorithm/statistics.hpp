// SPDX-License-Identifier: Apache-2.0
/// Gathers what `schedule::automatic` wants to know, in one pass over the tiles.
#pragma once

#include "loops/algorithm/column_sample.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"
#include "loops/select/facts.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace loops {

namespace detail {

/// Twice the mean of the tiles' atoms, rounded down; the largest number where it is more.
template <class Work>
LOOPS_HD constexpr std::int64_t twice_mean_of(const Work& w) {
  if (w.tiles() <= 0) return 0;
  const std::uint64_t twice =
      2 * static_cast<std::uint64_t>(w.atoms()) / static_cast<std::uint64_t>(w.tiles());
  return twice < INT64_MAX ? static_cast<std::int64_t>(twice) : INT64_MAX;
}

/// Padding may make atoms 32 times as many: the last digits of each tile's that are not counted,
/// lest the sum overflow.
LOOPS_HD constexpr int padding_digits(std::int64_t atoms) {
  static_assert(tiles_padded_together == 32);
  return atoms > INT64_MAX / tiles_padded_together ? 5 : 0;
}
/// What was counted, with these digits; at most what has a number.
constexpr std::int64_t padded_of(std::int64_t counted, std::int64_t atoms) {
  const int digits = padding_digits(atoms);
  return std::min(counted, INT64_MAX >> digits) << digits;
}

template <class Work, class Columns>
struct gather_statistics {
  static constexpr bool samples = !std::is_same_v<Columns, no_columns>;
  /// The numbers that a block leaves, and their places.
  enum place : std::size_t { longest, empty, crowded, padded, wrong, sampled, strewn, span, all };
  static constexpr std::size_t numbers = samples ? all : sampled;
  /// One of them is the largest of something, the others are counts.
  static constexpr std::int64_t join(std::size_t i, std::int64_t a, std::int64_t b) {
    return i != longest ? a + b : a < b ? b : a;
  }

  Work w;
  Columns column;
  /// Blocks that look at the sample, a round trip to memory after another. Those after them walk
  /// over the tiles at the same time.
  std::int64_t samplers;
  std::int64_t* found;  ///< `numbers` of every block

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> reduce;
    std::int64_t sums[numbers];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    constexpr int neighbours = static_cast<int>(tiles_padded_together);
    constexpr int lanes = Block::wave < neighbours ? Block::wave : neighbours;
    constexpr int groups = Block::threads / lanes;
    const group<Block, lanes> g(block);
    const std::int64_t tiles = w.tiles();
    const std::int64_t twice_mean = twice_mean_of(w);
    const int digits = padding_digits(w.atoms());
    std::int64_t most = 0;
    std::int64_t none = 0;
    std::int64_t crowd = 0;
    std::int64_t padding = 0;
    std::int64_t bad = block.id() == 0 && !ends_with_its_atoms(w);
    // All lanes of a block go round equally often: they reduce together.
    const std::int64_t walker = block.id() - samplers;
    const std::int64_t stride = (block.blocks() - samplers) * groups * neighbours;
    for (std::int64_t first = walker < 0 ? tiles : walker * groups * neighbours; first < tiles;
         first += stride) {
      const std::int64_t begin = first + g.index() * neighbours;
      std::int64_t here = 0;
      for (int i = g.rank(); i < neighbours; i += lanes) {
        if (begin + i >= tiles) break;
        const std::int64_t size = atoms_of(w, begin + i).size();
        here = size > here ? size : here;
        bad += size < 0;
        none += size == 0;
        crowd += size > twice_mean ? size : 0;
      }
      most = here > most ? here : most;
      here = g.reduce(here, maximum{}, shared.reduce);
      const std::int64_t left = tiles - begin;
      if (g.rank() == 0 && left > 0)
        padding += (here >> digits) * (left < neighbours ? left : neighbours);
    }
    std::int64_t looked = 0;
    std::int64_t apart = 0;
    std::int64_t over = 0;
    if constexpr (samples) {
      const std::int64_t count = walker < 0 ? sample_size(tiles) : 0;
      for (std::int64_t i = block.id() * groups + g.index(); i < count; i += samplers * groups)
        sample_columns(w, column, sampled_tile(i, tiles), g.rank(), lanes,
                       [&](bool far, std::int64_t columns) {
                         ++looked;
                         apart += far;
                         over += columns;
                       });
    }
    const group<Block, Block::threads> whole(block);
    const auto keep = [&](place i, std::int64_t mine, const auto& combine) {
      mine = whole.reduce(mine, combine, shared.reduce);
      if (whole.rank() == 0) shared.sums[i] = mine;
    };
    keep(longest, most, maximum{});
    keep(empty, none, plus{});
    keep(crowded, crowd, plus{});
    keep(padded, padding, plus{});
    keep(wrong, bad, plus{});
    if constexpr (samples) {
      keep(sampled, looked, plus{});
      keep(strewn, apart, plus{});
      keep(span, over, plus{});
    }
    block.sync();
    // Side by side: they may be on their way to the host.
    constexpr int n = static_cast<int>(numbers);
    for (int i = block.lane(); i < n; i += Block::threads)
      found[block.id() * n + i] = shared.sums[i];
  }
};

/// In what the host counts the atoms of a few tiles: where offsets have 32 bits in these, of which
/// a processor adds more at a time.
template <class Work>
struct count_of {
  using type = std::int64_t;
};
template <>
struct count_of<segments<std::int32_t>> {
  using type = std::int32_t;
};

}  // namespace detail

/// Statistics of `w`, whose atom a has the column `column(a)`, counted on the host, tile by tile.
/// Requires: the host may read what both refer to. Throws: invalid_argument when the offsets are
/// not those of a work.
template <work W, class Columns = no_columns>
tile_statistics statistics_of(const W& w, const Columns& column = {}) {
  tile_statistics out{w.tiles(), w.atoms(), 0, 0, 0, 0, 0, 0};
  using count = typename detail::count_of<W>::type;
  const auto twice_mean = static_cast<count>(
      std::min<std::int64_t>(detail::twice_mean_of(w), std::numeric_limits<count>::max()));
  const int digits = detail::padding_digits(out.atoms);
  bool sound = detail::ends_with_its_atoms(w);
  for (std::int64_t first = 0; first < out.tiles; first += tiles_padded_together) {
    const std::int64_t last = std::min(out.tiles, first + tiles_padded_together);
    count longest = 0;
    count least = 0;  // of sizes and of offsets: with none below 0 no difference overflows
    count empty = 0;
    std::make_unsigned_t<count> crowded = 0;  // of unsound sizes it may pass the largest count
    for (std::int64_t t = first; t < last; ++t) {
      const atom_range atoms = atoms_of(w, t);
      const auto size = static_cast<count>(atoms.size());
      longest = std::max(longest, size);
      least = std::min({least, size, static_cast<count>(atoms.last)});
      empty += size == 0;
      crowded += static_cast<std::make_unsigned_t<count>>(size > twice_mean ? size : 0);
    }
    sound &= least >= 0;
    out.longest = std::max<std::int64_t>(out.longest, longest);
    out.empty += empty;
    out.crowded += static_cast<std::int64_t>(crowded);
    out.padded += (longest >> digits) * (last - first);
  }
  out.padded = detail::padded_of(out.padded, out.atoms);
  detail::require_sound(sound, out.atoms);
  if constexpr (!std::is_same_v<Columns, no_columns>) {
    for (std::int64_t i = 0; i < sample_size(out.tiles); ++i)
      sample_columns(w, column, sampled_tile(i, out.tiles), 0, 1,
                     [&](bool far, std::int64_t columns) {
                       ++out.sampled;
                       out.strewn += far;
                       out.span += columns;
                     });
  }
  return out;
}

/// Statistics of `w`, whose atom a has the column `column(a)`. Cost: one read of the offsets and,
/// if `sample`, of a sample of the columns, one launch. Waits for the result. Throws:
/// invalid_argument when the offsets are not those of a work.
template <class Exec, work Work, class Columns = no_columns>
tile_statistics gather_statistics(const Exec& exec, const Work& w, const Columns& column = {},
                                  bool sample = true) {
  using launch_shape = shape<256, 1>;
  using kernel = detail::gather_statistics<Work, Columns>;
  const machine m = exec.template describe<launch_shape>();
  const std::int64_t together = std::max<std::int64_t>(m.threads, tiles_padded_together);
  const std::int64_t walkers = std::min(ceil_div(w.tiles(), together), m.blocks);
  std::int64_t samplers = 0;
  if constexpr (kernel::samples) {
    const std::int64_t groups = ceil_div(m.threads, tiles_padded_together);
    if (sample) samplers = std::min(ceil_div(sample_size(w.tiles()), groups), m.blocks);
  }
  const std::int64_t blocks = samplers + walkers;
  // Every block leaves its numbers where the host adds them up: nothing to clear before, no copy
  // after.
  array<std::int64_t> found(static_cast<std::size_t>(blocks) * kernel::numbers, exec.staging());
  exec.template launch<launch_shape>(blocks, kernel{w, column, samplers, found.data()});
  exec.synchronize();
  std::int64_t r[kernel::all] = {};
  for (std::size_t i = 0; i < found.size(); i += kernel::numbers)
    for (std::size_t k = 0; k < kernel::numbers; ++k) r[k] = kernel::join(k, r[k], found[i + k]);
  detail::require_sound(r[kernel::wrong] == 0, w.atoms());
  return {w.tiles(),          w.atoms(),          r[kernel::longest],
          r[kernel::empty],   r[kernel::crowded], detail::padded_of(r[kernel::padded], w.atoms()),
          r[kernel::sampled], r[kernel::strewn],  r[kernel::span]};
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
  return gather_statistics(exec, w, column, select::columns_matter(x));
}

}  // namespace loops
