// SPDX-License-Identifier: Apache-2.0
/// The path of a work written out step by step: slow, and right by construction.
#pragma once

#include "loops/work/work.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace brute {

/// Every place of the path: after 0, 1, … steps.
inline std::vector<loops::coordinate> path_of(const std::vector<std::int64_t>& sizes) {
  std::vector<loops::coordinate> places{{0, 0}};
  loops::coordinate at;
  for (const std::int64_t n : sizes) {
    for (std::int64_t i = 0; i < n; ++i) {
      ++at.atom;
      places.push_back(at);
    }
    ++at.tile;
    places.push_back(at);
  }
  return places;
}

/// Holds that `w` is the work with these sizes of tiles, and that every question about places is
/// answered as the path says.
template <loops::work W>
void expect_work(const W& w, const std::vector<std::int64_t>& sizes) {
  std::int64_t atoms = 0;
  ASSERT_EQ(w.tiles(), static_cast<std::int64_t>(sizes.size()));
  ASSERT_EQ(w.offset(0), 0);
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    const auto tile = static_cast<std::int64_t>(t);
    ASSERT_EQ(loops::atoms_of(w, tile), (loops::atom_range{atoms, atoms + sizes[t]})) << tile;
    for (std::int64_t a = atoms; a < atoms + sizes[t]; ++a)
      ASSERT_EQ(loops::tile_of(w, a), tile) << "atom " << a;
    atoms += sizes[t];
  }
  ASSERT_EQ(w.atoms(), atoms);
  const std::vector<loops::coordinate> places = path_of(sizes);
  for (std::size_t d = 0; d < places.size(); ++d) {
    ASSERT_EQ(loops::path_cut(w, static_cast<std::int64_t>(d)), places[d]) << "step " << d;
    ASSERT_EQ(loops::path_cut(w, static_cast<std::int64_t>(d), 0, w.tiles()), places[d]);
    // Any bounds that hold the tile do.
    ASSERT_EQ(loops::path_cut(w, static_cast<std::int64_t>(d), places[d].tile, places[d].tile),
              places[d]);
  }
  for (std::int64_t a = 0; a <= atoms; ++a) {
    const loops::coordinate c = loops::atom_cut(w, a);
    ASSERT_EQ(c.atom, a);
    if (a == 0) {
      ASSERT_EQ(c.tile, 0);
    } else if (a == atoms) {
      ASSERT_EQ(c.tile, w.tiles());
    } else {
      ASSERT_EQ(c.tile, loops::tile_of(w, a));
    }
  }
}

}  // namespace brute
