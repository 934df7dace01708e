// SPDX-License-Identifier: Apache-2.0
/// The real matrices at hand: *.mtx and *.mtx.gz of the folder that LOOPS_MATRICES names, or of
/// ../shared/matrices when that is there.
#pragma once

#include "loops/core/error.hpp"
#include "loops/io/matrix_market.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// Their files, in the order of their names.
inline std::vector<std::filesystem::path> real_matrices() {
  const char* given = std::getenv("LOOPS_MATRICES");
  const std::filesystem::path folder = given ? given : "../shared/matrices";
  std::vector<std::filesystem::path> found;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().find(".mtx") != std::string::npos)
        found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// How many stored entries a matrix may have where every format and type takes its turn:
/// LOOPS_TEST_ENTRIES, or few enough for minutes.
inline std::int64_t most_entries() {
  const char* given = std::getenv("LOOPS_TEST_ENTRIES");
  return given ? std::strtoll(given, nullptr, 10) : 30000;
}

/// Where a matrix has nonzeros; no position twice.
struct pattern {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> indices;
};

/// The patterns of the real matrices of up to `most_entries()`.
inline const std::vector<pattern>& real_patterns() {
  static const std::vector<pattern> all = [] {
    std::vector<pattern> out;
    for (const auto& file : real_matrices()) {
      loops::matrix_market::demands few;
      few.largest_offset = most_entries();
      try {
        (void)loops::matrix_market::read_coordinates(file.string(), {}, few);
      } catch (const loops::error& e) {
        if (e.code() == loops::errc::overflow) continue;
        throw;
      }
      using value = loops::complex<double>;
      const auto a = loops::read_matrix_market<value, std::int64_t, std::int64_t>(file.string());
      pattern p{file.filename().string(), a.rows, a.cols, {0}, {}};
      for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
        for (auto k = static_cast<std::size_t>(a.offsets[r]);
             k < static_cast<std::size_t>(a.offsets[r + 1]); ++k)
          if (k == static_cast<std::size_t>(a.offsets[r]) || a.indices[k] != p.indices.back())
            p.indices.push_back(a.indices[k]);
        p.offsets.push_back(static_cast<std::int64_t>(p.indices.size()));
      }
      out.push_back(std::move(p));
    }
    return out;
  }();
  return all;
}

}  // namespace support
