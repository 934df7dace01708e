// SPDX-License-Identifier: Apache-2.0
/// Some tiles of a work, in any order: permuted rows, filtered rows, a frontier of vertices.
#pragma once

#include "loops/core/error.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loops {

/// Tile t is tile ids[t] of `base`; `offsets` (count + 1) are the running sums of their sizes.
/// Functors are told what tiles and atoms of the base stand for: those of the base, or, where it is
/// a selection itself, what it was selected from.
template <work Base, class Index, class Offset>
class selected {
 public:
  selected() = default;
  LOOPS_HD constexpr selected(Base base, const Index* ids, const Offset* offsets,
                              std::int64_t count, std::int64_t atoms)
      : base_(base), ids_(ids), offsets_(offsets), count_(count), atoms_(atoms) {}
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return count_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return atoms_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const {
    return static_cast<std::int64_t>(offsets_[t]);
  }
  /// Where the count + 1 offsets lie.
  [[nodiscard]] LOOPS_HD constexpr const Offset* offsets() const { return offsets_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tile_id(std::int64_t t) const {
    return loops::tile_id(base_, place(t));
  }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atom_id(std::int64_t t, std::int64_t a) const {
    return loops::atom_id(base_, place(t), base_.offset(place(t)) + (a - offset(t)));
  }
  /// As many tiles and atoms as the base may name.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tile_ids() const { return loops::tile_ids(base_); }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atom_ids() const { return loops::atom_ids(base_); }

 private:
  /// Which tile of the base tile t is.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t place(std::int64_t t) const {
    return static_cast<std::int64_t>(ids_[t]);
  }

  Base base_{};
  const Index* ids_ = nullptr;
  const Offset* offsets_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t atoms_ = 0;
};

/// Owns the two arrays of a selection.
template <work Base, class Index = std::int64_t, class Offset = std::int64_t>
struct selection {
  Base base;
  array<Index> ids;
  array<Offset> offsets;
  std::int64_t atoms = 0;
  [[nodiscard]] selected<Base, Index, Offset> view() const {
    return {base, ids.data(), offsets.data(), static_cast<std::int64_t>(ids.size()), atoms};
  }
  /// The same selection in other memory, of `elsewhere`, the base as that memory's owner sees it.
  [[nodiscard]] selection to(const std::shared_ptr<memory>& where, Base elsewhere) const {
    return {elsewhere, ids.to(where), offsets.to(where), atoms};
  }
};

/// The tiles `ids` of `base`, in that order; tile i of a selection is its i-th. Host only: reads
/// the offsets of the base. Throws: invalid_argument when an id is not a tile; overflow when there
/// are too many atoms to count.
template <work Base>
selection<Base> select_tiles(Base base, const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> offsets(ids.size() + 1, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= base.tiles())
      throw error(errc::invalid_argument, "select_tiles: id " + std::to_string(ids[i]) +
                                              " is not one of " + std::to_string(base.tiles()) +
                                              " tiles");
    const std::int64_t atoms = atoms_of(base, ids[i]).size();
    if (atoms > INT64_MAX - offsets[i])
      throw error(errc::overflow, "select_tiles: the atoms of " + std::to_string(ids.size()) +
                                      " tiles cannot be counted in 64 bits: select them in parts");
    offsets[i + 1] = offsets[i] + atoms;
  }
  const std::int64_t atoms = offsets.back();
  return {base, array<std::int64_t>(ids), array<std::int64_t>(offsets), atoms};
}

/// All tiles of `base`, tile t being order[t]. Throws unless `order` is a permutation.
template <work Base>
selection<Base> permuted(Base base, const std::vector<std::int64_t>& order) {
  bool good = std::cmp_equal(order.size(), base.tiles());
  std::vector<bool> seen(good ? order.size() : 0, false);
  for (std::size_t i = 0; good && i < order.size(); ++i) {
    good = order[i] >= 0 && order[i] < base.tiles() && !seen[static_cast<std::size_t>(order[i])];
    if (good) seen[static_cast<std::size_t>(order[i])] = true;
  }
  require(good, errc::invalid_argument,
          "permuted: the order must name every tile of the work exactly once");
  return select_tiles(base, order);
}

/// The tiles of `base` for which `keep(tile)` holds, in order.
template <work Base, class Keep>
selection<Base> filtered(Base base, const Keep& keep) {
  std::vector<std::int64_t> ids;
  for (std::int64_t t = 0; t < base.tiles(); ++t)
    if (keep(t)) ids.push_back(t);
  return select_tiles(base, ids);
}

}  // namespace loops
