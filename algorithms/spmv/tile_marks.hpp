// SPDX-License-Identifier: Apache-2.0
/// A bit per atom that says where tiles begin, so that the tile of an atom is found without a
/// search.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "loops/algorithm/first_of.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/backend/native.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/work.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace loops::spmv_detail {

/// Four neighbours in memory, read by one instruction or two.
template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) four {
  T at[4];
};
template <class T>
LOOPS_HD four<T> load_four(const T* at) {
  return *reinterpret_cast<const four<T>*>(at);
}

/// What a kernel takes of `tile_marks`. Tiles that have atoms are counted; `name` says which tile
/// of all one is.
template <class Index>
struct marks_view {
  const std::uint32_t* words;  ///< bit i of word j: a tile begins at atom 32 j + i
  const Index* before;         ///< of a word: tiles that begin before its atoms
  const Index* names;          ///< missing where no tile is empty

  /// Which of the tiles with atoms an atom is in.
  [[nodiscard]] LOOPS_HD Index number(std::int64_t atom) const {
    const auto bit = static_cast<unsigned>(atom) & 31U;
    const std::uint32_t up_to = words[atom >> 5] & (0xffffffffU >> (31U - bit));
    return static_cast<Index>(before[atom >> 5] + native::count_bits(up_to) - 1);
  }
  [[nodiscard]] LOOPS_HD std::int64_t name(Index number) const {
    return static_cast<std::int64_t>(names ? names[number] : number);
  }
};

/// Sets the bit of every tile's first atom. Each is set once, so adding it sets it.
template <class Work>
struct mark_tiles {
  Work w;
  std::uint32_t* words;
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t tile) const {
    const std::int64_t first = w.offset(tile);
    if (w.offset(tile + 1) > first)
      block.atomic_add(words + (first >> 5), std::uint32_t{1} << (first & 31));
  }
};

struct bits_of_word {
  const std::uint32_t* words;
  LOOPS_HD std::int64_t operator()(std::int64_t i) const { return native::count_bits(words[i]); }
};

/// Writes something of every tile with atoms to its place among these.
template <class Work, class Index, class Of>
struct gather_marked {
  Work w;
  marks_view<Index> marks;
  Of of;
  Index* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t tile) const {
    const std::int64_t first = w.offset(tile);
    if (w.offset(tile + 1) > first) to[marks.number(first)] = static_cast<Index>(of(tile));
  }
};

struct name_of_tile {
  LOOPS_HD std::int64_t operator()(std::int64_t tile) const { return tile; }
};

/// Marks where the tiles of a work begin: a bit per atom, and a number per 32. Making it waits.
template <class Index>
class tile_marks {
 public:
  template <class Exec, class Work>
  tile_marks(const Exec& exec, const Work& w)
      : words_(words_for(w), exec.memory()), before_(words_for(w) + 1, exec.memory()) {
    words_.fill(0);
    for_each_atom(exec, schedule::nonzero_split{}, segmented_detail::each_of(w.tiles()),
                  mark_tiles<Work>{w, words_.data()});
    array<std::int64_t> total(1, exec.memory());
    segmented_detail::sum_into(exec, static_cast<std::int64_t>(words_for(w)),
                               bits_of_word{words_.data()}, before_.data(), total.data());
    marked_ = first_of(exec, total);
  }
  /// Has the view tell the names of tiles, for which it takes a number per tile with atoms, if
  /// others are empty.
  template <class Exec, class Work>
  void name(const Exec& exec, const Work& w) {
    if (marked_ < w.tiles()) names_ = of_tiles(exec, w, name_of_tile{});
  }
  /// of(tile) for every tile with atoms.
  template <class Exec, class Work, class Of>
  array<Index> of_tiles(const Exec& exec, const Work& w, const Of& of) const {
    array<Index> out(static_cast<std::size_t>(marked_), exec.memory());
    for_each_atom(exec, schedule::nonzero_split{}, segmented_detail::each_of(w.tiles()),
                  gather_marked<Work, Index, Of>{w, view(), of, out.data()});
    return out;
  }
  [[nodiscard]] marks_view<Index> view() const {
    return {words_.data(), before_.data(), names_.size() == 0 ? nullptr : names_.data()};
  }
  /// How many tiles have atoms.
  [[nodiscard]] std::int64_t marked() const { return marked_; }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return words_.size() * 4 + (before_.size() + names_.size()) * sizeof(Index);
  }

 private:
  /// In fours.
  template <class Work>
  static std::size_t words_for(const Work& w) {
    return static_cast<std::size_t>(4 * ceil_div(w.atoms(), std::int64_t{128}));
  }

  array<std::uint32_t> words_;
  array<Index> before_;
  array<Index> names_;
  std::int64_t marked_ = 0;
};

}  // namespace loops::spmv_detail
