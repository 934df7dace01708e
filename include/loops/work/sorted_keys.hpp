// SPDX-License-Identifier: Apache-2.0
/// Tiles given by the sorted tile number of every atom: rows of a sorted coordinate matrix.
#pragma once

#include "loops/core/error.hpp"
#include "loops/format/formats.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <string>

namespace loops {

/// Atom a belongs to tile keys[a]; `keys` ascends. An offset costs log2(atoms) reads, so what is
/// used again and again is better turned into `segments` once.
template <class Key>
class sorted_keys {
 public:
  sorted_keys() = default;
  LOOPS_HD constexpr sorted_keys(const Key* keys, std::int64_t tiles, std::int64_t atoms)
      : keys_(keys), tiles_(tiles), atoms_(atoms) {}
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return tiles_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return atoms_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const {
    return first_where<std::int64_t>(
        0, atoms_, [&](std::int64_t a) { return static_cast<std::int64_t>(keys_[a]) >= t; });
  }
  [[nodiscard]] LOOPS_HD constexpr Key noted_tile(std::int64_t a) const { return keys_[a]; }
  /// Where the keys lie.
  [[nodiscard]] LOOPS_HD constexpr const Key* notes() const { return keys_; }
  /// Throws invalid_argument unless the keys ascend and are tiles. Reads all of them, on the host.
  void require_sorted() const {
    std::int64_t before = 0;
    for (std::int64_t a = 0; a < atoms_; ++a) {
      const auto key = static_cast<std::int64_t>(keys_[a]);
      if (key >= before && key < tiles_) {
        before = key;
        continue;
      }
      const bool known = key >= 0 && key < tiles_;
      throw error(errc::invalid_argument,
                  "atom " + std::to_string(a) + " is of tile " + std::to_string(key) +
                      (known ? ", after one of tile " + std::to_string(before) +
                                   ": coordinates must be sorted by row; to_csr takes them in any "
                                   "order"
                             : ", but there are " + std::to_string(tiles_) + " tiles"));
    }
  }

 private:
  const Key* keys_ = nullptr;
  std::int64_t tiles_ = 0;
  std::int64_t atoms_ = 0;
};

/// Rows of a sorted coordinate matrix as tiles, nonzeros as atoms.
template <class V, class I, class O>
constexpr sorted_keys<I> rows_of(const coo_view<V, I, O>& a) {
  return {a.row_indices, static_cast<std::int64_t>(a.rows), static_cast<std::int64_t>(a.nonzeros)};
}

static_assert(noted_work<sorted_keys<int>>);

}  // namespace loops
