// SPDX-License-Identifier: Apache-2.0
/// How a CPU reduces: atom after atom and tile after tile, every offset read once.
#pragma once

#include "loops/algorithm/slice_reduce.hpp"
#include "loops/backend/native.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <limits>

namespace loops {

/// Keeps what a map reads on its way: asks for atoms some time before they are due. What hardware
/// foresees by itself ends with a page, and what a processor looks ahead is a few lines of memory.
template <class Map, bool Asks>
class lookout {
  static constexpr std::int64_t distance = 256;  // atoms: 2 to 3 KiB

 public:
  LOOPS_HD explicit lookout(const Map& map) : map_(map) {}
  /// Atoms are due from `first` on, one after another.
  LOOPS_HD void start([[maybe_unused]] std::int64_t first) {
    if constexpr (Asks) due_ = first;
  }
  /// Atom `a` is due.
  LOOPS_CALLS_USER
  LOOPS_HD void reach([[maybe_unused]] std::int64_t a) {
    if constexpr (Asks) {
      while (a >= due_) [[unlikely]] {
          map_.fetch_atoms(due_ + distance);
          due_ += Map::atoms_at_once;
        }
    }
  }

 private:
  const Map& map_;
  std::int64_t due_ = std::numeric_limits<std::int64_t>::max();
};

/// Calls `f(lookout)` with one that asks where that pays: the map can ask, atoms come in their
/// order (InOrder), and the work is beyond the caches. The lines of others come soon enough, and
/// asking for them keeps those of a gather waiting; their loops have no look-out in them.
template <bool InOrder, class Work, class Map, class F>
LOOPS_HD void with_lookout([[maybe_unused]] const Work& w, const Map& map, const F& f) {
  if constexpr (InOrder && requires { map.fetch_atoms(std::int64_t{0}); }) {
    constexpr std::int64_t cached = std::int64_t{64} << 20;  // bytes
    if (w.atoms() > cached / Map::atom_bytes) {
      lookout<Map, true> ahead(map);
      return f(ahead);
    }
  }
  lookout<Map, false> ahead(map);
  f(ahead);
}

/// A map may know a cheaper way than atom after atom, for who goes along tiles alone and may
/// remember what it met: `of_stretch(tile, first, last)` is what combining map(tile, atom) over the
/// atoms would be. A map that has to remember makes a walker, which has it, once per block:
/// `map.walker(block)`.
template <class Map>
concept takes_stretches = requires(const Map& m, std::int64_t i) {
  m.of_stretch(i, i, i);
};

/// Atoms that stand for others need not do so in a row.
template <class Map, class Work>
concept goes_along = takes_stretches<Map> && !renamed_work<Work>;

/// The map's walker along `Work`, or the map.
template <class Work, class Block, class Map>
LOOPS_HD decltype(auto) walker_of(Block& block, const Map& map) {
  if constexpr (!renamed_work<Work> && requires { map.walker(block); }) {
    return map.walker(block);
  } else {
    return (map);
  }
}

/// Combines the atoms [first, last) of tile t; the order depends on their number alone. Atoms are
/// combined in pairs, so that additions overlap, behind the odd one if there is one. Where a loop
/// ends is what a processor guesses wrong, and one wrong guess costs as much as a dozen additions:
/// so a loop over pairs runs as often for two atoms as for three, and a pure map is asked for the
/// first atom in either case, and the answer taken or not without a branch. Values that fill
/// several registers overlap by themselves.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine, class Lookout>
LOOPS_HD Value reduce_in_order(const Work& w, std::int64_t t, std::int64_t first, std::int64_t last,
                               const Map& map, const Combine& combine, Lookout& ahead) {
  Value sum = combine.template identity<Value>();
  if (first == last) return sum;
  std::int64_t a = first;
  ahead.reach(a);
  if constexpr (sizeof(Value) <= 32) {
    const bool odd = ((last - first) & 1) != 0;
    if constexpr (pure_map<Map>) {
      const Value either[2] = {sum, combine(sum, Value(detail::map_atom(w, map, t, a)))};
      sum = either[odd];
    } else if (odd) {
      sum = combine(sum, Value(detail::map_atom(w, map, t, a)));
    }
    for (a += odd; a < last; a += 2) {
      ahead.reach(a);
      const auto one = Value(detail::map_atom(w, map, t, a));
      native::keep_scalar();
      const auto two = Value(detail::map_atom(w, map, t, a + 1));
      sum = combine(sum, combine(one, two));
      native::keep_scalar();
    }
  } else {
    for (; a < last; ++a) {
      sum = combine(sum, Value(detail::map_atom(w, map, t, a)));
      native::keep_scalar();
    }
  }
  return sum;
}

/// The same by who knows a cheaper way.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine, class Lookout>
requires goes_along<Map, Work> LOOPS_HD Value reduce_in_order(const Work& w, std::int64_t t,
                                                              std::int64_t first, std::int64_t last,
                                                              const Map& map,
                                                              const Combine& combine, Lookout&) {
  if (first == last) return combine.template identity<Value>();
  return map.of_stretch(tile_id(w, t), first, last);
}

/// The same of four neighbouring tiles of n atoms each, the first of which begins at atom `first`:
/// side by side, so that they share a loop and four sums overlap. Calls emit(tile, value) for each.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine, class Emit, class Lookout>
LOOPS_HD void reduce_four_in_order(const Work& w, std::int64_t t, std::int64_t first,
                                   std::int64_t n, const Map& map, const Combine& combine,
                                   const Emit& emit, Lookout& ahead) {
  const auto one = [&](std::int64_t tile, std::int64_t a) {
    return Value(detail::map_atom(w, map, t + tile, a + tile * n));
  };
  const auto two = [&](std::int64_t tile, std::int64_t a) {
    const Value left = one(tile, a);
    native::keep_scalar();
    return combine(left, one(tile, a + 1));
  };
  // Four names: an array of them, a compiler would keep in memory.
  const Value none = combine.template identity<Value>();
  Value sum0 = none, sum1 = none, sum2 = none, sum3 = none;
  const auto add_to_each = [&](const auto& next, std::int64_t a) {
    sum0 = native::computed_here(combine(sum0, next(0, a)));
    sum1 = native::computed_here(combine(sum1, next(1, a)));
    sum2 = native::computed_here(combine(sum2, next(2, a)));
    sum3 = native::computed_here(combine(sum3, next(3, a)));
  };
  std::int64_t a = first;
  if (n > 0) ahead.reach(first + 4 * n - 1);
  if ((n & 1) != 0) add_to_each(one, a++);
  for (; a < first + n; a += 2) add_to_each(two, a);
  emit(tile_id(w, t), sum0);
  emit(tile_id(w, t + 1), sum1);
  emit(tile_id(w, t + 2), sum2);
  emit(tile_id(w, t + 3), sum3);
}

/// Reduces the tiles that a slice closes, all begun at or after `range.begin`: calls
/// emit(tile, value) for each. Returns where the open last tile begins.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine, class Emit, class Lookout>
LOOPS_HD coordinate reduce_tiles_in_order(const Work& w, const slice& range, const Map& map,
                                          const Combine& combine, const Emit& emit,
                                          Lookout& ahead) {
  std::int64_t atom = range.begin.atom;
  for (std::int64_t t = range.begin.tile; t < range.end.tile;) {
    std::int64_t stop = range.end.tile;
    if constexpr (sizeof(Value) <= 8 && !goes_along<Map, Work>) {
      constexpr std::int64_t chunk = 16;    // tiles that are worth a test for equal ones
      constexpr std::int64_t unequal = 32;  // tiles, the next test after one that failed
      constexpr std::int64_t few = 16;      // atoms: of more, what a tile costs by itself is little
      const std::int64_t n = w.offset(t + 1) - atom;
      const auto equal = [&](std::int64_t tiles) {
        return w.offset(t + tiles) - atom == tiles * n;
      };
      if (n <= few && stop - t >= chunk && equal(chunk)) {
        stop = t + chunk;
        for (; t < stop && equal(1) && equal(2) && equal(3) && equal(4); t += 4) {
          reduce_four_in_order<Value>(w, t, atom, n, map, combine, emit, ahead);
          atom += 4 * n;
        }
      } else if (stop - t > unequal) {
        stop = t + unequal;
      }
    }
    for (; t < stop; ++t) {
      const std::int64_t end = w.offset(t + 1);
      emit(tile_id(w, t), reduce_in_order<Value>(w, t, atom, end, map, combine, ahead));
      atom = end;
    }
  }
  return {range.end.tile, atom};
}

/// Reduces a slice from end to end, as `reduce_slice` does with a group:
///   emit(tile, value)  for every tile closed that also began inside the slice
///   head(tile, value)  for the first tile closed, when it began before the slice
///   tail(value)        once, what is left open at the end (the identity when nothing is)
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine, class Emit, class Head, class Tail,
          class Lookout>
LOOPS_HD void reduce_slice_in_order(const Work& w, const slice& range, const Map& map,
                                    const Combine& combine, const Emit& emit, const Head& head,
                                    const Tail& tail, Lookout& ahead) {
  coordinate at = range.begin;
  if (at.tile < range.end.tile && at.atom > w.offset(at.tile)) {
    const std::int64_t end = w.offset(at.tile + 1);
    head(at.tile, reduce_in_order<Value>(w, at.tile, at.atom, end, map, combine, ahead));
    at = {at.tile + 1, end};
  }
  at = reduce_tiles_in_order<Value>(w, slice{at, range.end}, map, combine, emit, ahead);
  tail(reduce_in_order<Value>(w, at.tile, at.atom, range.end.atom, map, combine, ahead));
}

}  // namespace loops
