// SPDX-License-Identifier: Apache-2.0
/// How the sizes of a work's tiles are distributed: the numbers that decide which schedule fits.
#pragma once

#include "loops/format/formats.hpp"
#include "loops/schedule/schedule.hpp"
#include "loops/work/work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace loops::model {

/// Tile sizes of a work. Bin b counts tiles of 2^(b-1) … 2^b - 1 atoms, bin 0 those without any.
struct size_histogram {
  std::int64_t tiles = 0;
  std::int64_t atoms = 0;
  std::int64_t shortest = 0;
  std::int64_t longest = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation
  double gini = 0;       ///< 0: all tiles are the same size; towards 1: few tiles hold everything
  std::array<std::int64_t, worker::by_bin::bins> bins{};

  [[nodiscard]] std::int64_t empty() const { return bins[0]; }
  /// Standard deviation over mean; 0 without atoms.
  [[nodiscard]] double variation() const { return mean > 0 ? deviation / mean : 0; }
};

/// The distribution of `w`'s tile sizes. Cost: a sort of the sizes.
template <work W>
size_histogram histogram_of(const W& w) {
  size_histogram out;
  out.tiles = w.tiles();
  out.atoms = w.atoms();
  if (out.tiles == 0) return out;
  std::vector<std::int64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(out.tiles));
  for (std::int64_t t = 0; t < out.tiles; ++t) {
    sizes.push_back(atoms_of(w, t).size());
    ++out.bins[static_cast<std::size_t>(worker::by_bin::bin_of(sizes.back()))];
  }
  std::sort(sizes.begin(), sizes.end());
  out.shortest = sizes.front();
  out.longest = sizes.back();
  const auto n = static_cast<double>(out.tiles);
  out.mean = static_cast<double>(out.atoms) / n;
  double squares = 0;
  double ranked = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto size = static_cast<double>(sizes[i]);
    squares += (size - out.mean) * (size - out.mean);
    ranked += (2 * static_cast<double>(i + 1) - n - 1) * size;
  }
  out.deviation = std::sqrt(squares / n);
  out.gini = out.atoms > 0 ? ranked / (n * static_cast<double>(out.atoms)) : 0;
  return out;
}

/// Where the nonzeros of a matrix lie.
struct pattern_facts {
  std::int64_t bandwidth = 0;  ///< the largest |column - row|
  std::int64_t diagonals = 0;  ///< different values of column - row
  bool square = false;
  bool symmetric = false;  ///< the pattern equals its transpose
};

/// Cost: a word per row and a bit per diagonal, of which there are rows + columns, or a word per
/// nonzero where that is less; a pass over the nonzeros and one over their transpose.
/// Requires: `a` in host memory, columns ascending within rows.
template <class V, class I, class O>
pattern_facts pattern_of(const csr_view<V, I, O>& a) {
  pattern_facts out;
  const auto rows = static_cast<std::int64_t>(a.rows);
  const auto cols = static_cast<std::int64_t>(a.cols);
  out.square = rows == cols;
  // Unsigned, where the sum of two sizes always fits. Columns are not bounded by what is stored: a
  // list of the diagonals in use then takes less than a bit for each.
  const std::uint64_t places = static_cast<std::uint64_t>(rows) + static_cast<std::uint64_t>(cols);
  const bool listed = places / 64 > static_cast<std::uint64_t>(rows ? a.offsets[rows] : 0);
  std::vector<bool> used(listed ? 0 : static_cast<std::size_t>(places) + 1);
  std::vector<std::int64_t> list;
  // Transposing row by row visits the entries of each column in ascending order of rows, so one
  // cursor per row tells whether the mirror image of every entry is where it has to be.
  std::vector<O> next(a.offsets, a.offsets + (rows ? rows : 0));
  bool mirrored = out.square;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (O k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      const auto c = static_cast<std::int64_t>(a.indices[k]);
      out.bandwidth = std::max(out.bandwidth, c > r ? c - r : r - c);
      if (listed) {
        list.push_back(c - r);
      } else {
        used[static_cast<std::size_t>(c - r + rows)] = true;
      }
      if (!mirrored) continue;
      O& at = next[static_cast<std::size_t>(c)];
      mirrored = at < a.offsets[c + 1] && static_cast<std::int64_t>(a.indices[at]) == r;
      ++at;
    }
  }
  out.symmetric = mirrored;
  std::sort(list.begin(), list.end());
  out.diagonals = std::unique(list.begin(), list.end()) - list.begin() +
                  std::count(used.begin(), used.end(), true);
  return out;
}

}  // namespace loops::model
