// SPDX-License-Identifier: Apache-2.0
/// What tests look at in a matrix's pattern.
#pragma once

#include "loops/format/formats.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace support {

/// How long the rows are.
inline std::vector<int> lengths(const loops::csr<float>& a) {
  std::vector<int> out;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r)
    out.push_back(a.offsets[r + 1] - a.offsets[r]);
  return out;
}

/// The columns of row r.
inline std::vector<int> columns(const loops::csr<float>& a, std::size_t r) {
  return {a.indices.begin() + a.offsets[r], a.indices.begin() + a.offsets[r + 1]};
}

/// The pattern as a set of (row, column).
inline std::set<std::pair<int, int>> pattern(const loops::csr<float>& a) {
  std::set<std::pair<int, int>> out;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r)
    for (const int c : columns(a, r)) out.emplace(static_cast<int>(r), c);
  return out;
}

/// Whether the pattern is its own transpose.
inline bool symmetric(const loops::csr<float>& a) {
  const auto entries = pattern(a);
  return std::all_of(entries.begin(), entries.end(), [&](auto e) {
    return entries.count({e.second, e.first}) == 1;
  });
}

}  // namespace support
