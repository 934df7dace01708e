// SPDX-License-Identifier: Apache-2.0
/// Small matrices of awkward shapes, and their comparison.
#pragma once

#include "loops/format/formats.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace samples {

template <class Value, class Index, class Offset>
loops::csr<Value, Index, Offset> make(std::int64_t rows, std::int64_t cols,
                                      const std::vector<std::vector<std::int64_t>>& columns) {
  std::vector<Offset> offsets{0};
  std::vector<Index> indices;
  std::vector<Value> values;
  for (const auto& row : columns) {
    for (const auto c : row) {
      indices.push_back(static_cast<Index>(c));
      values.push_back(Value(float(values.size() % 1000 + 1)));
    }
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {static_cast<Index>(rows), static_cast<Index>(cols), loops::array<Offset>(offsets),
          loops::array<Index>(indices), loops::array<Value>(values)};
}

/// Shapes that break converters; columns sorted and distinct, no zero values.
template <class Value, class Index, class Offset>
std::vector<std::pair<std::string, loops::csr<Value, Index, Offset>>> all() {
  std::vector<std::pair<std::string, loops::csr<Value, Index, Offset>>> out;
  const auto add = [&](const char* name, std::int64_t rows, std::int64_t cols,
                       const std::vector<std::vector<std::int64_t>>& columns) {
    out.emplace_back(name, make<Value, Index, Offset>(rows, cols, columns));
  };
  std::vector<std::int64_t> full(250);
  for (std::size_t c = 0; c < full.size(); ++c) full[c] = std::int64_t(c);
  using rows_of = std::vector<std::vector<std::int64_t>>;

  add("0 x 0", 0, 0, {});
  add("0 x 7", 0, 7, {});
  add("7 x 0", 7, 0, rows_of(7));
  add("5 x 9, empty", 5, 9, rows_of(5));
  add("1 x 1", 1, 1, {{0}});
  add("1 x 250, dense", 1, 250, {full});
  add("250 x 1, dense", 250, 1, rows_of(250, {0}));
  add("corners", 5, 7, {{0, 6}, {}, {}, {}, {0, 6}});
  add("last column of the last row", 6, 11, {{}, {}, {}, {}, {}, {10}});
  rows_of dense_row(67);
  dense_row[33] = full;
  dense_row[66] = {249};
  add("one dense row", 67, 250, dense_row);
  rows_of dense_column(67, {5});
  dense_column[12] = {};
  add("one dense column", 67, 250, dense_column);
  rows_of random(83);
  std::mt19937 generator(7);
  for (auto& row : random)
    for (std::int64_t c = 0; c < 59; ++c)
      if (generator() % 8 == 0) row.push_back(c);
  add("random", 83, 59, random);
  rows_of band(64);
  for (std::int64_t r = 0; r < 64; ++r)
    for (std::int64_t c = r - 2; c <= r + 1; ++c)
      if (c >= 0 && c < 50) band[std::size_t(r)].push_back(c);
  add("band, more rows than columns", 64, 50, band);
  return out;
}

/// Whether two matrices agree array by array.
template <class Csr>
bool equal(const Csr& a, const Csr& b) {
  if (a.rows != b.rows || a.cols != b.cols) return false;
  if (a.offsets.to_vector() != b.offsets.to_vector()) return false;
  if (a.indices.to_vector() != b.indices.to_vector()) return false;
  if (a.values.size() != b.values.size()) return false;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (!(a.values[k] == b.values[k])) return false;
  return true;
}

}  // namespace samples
