// SPDX-License-Identifier: Apache-2.0
/// What a benchmark measured, matrix by matrix: the raw material of training.
#pragma once

#include "loops/select/facts.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "train/json.hpp"

namespace loops::train {

/// Microseconds that anything measured takes: no kernel is shorter.
inline constexpr double least_us = 1e-3;

/// A matrix in one value type, and all that was measured of it.
struct measured {
  std::string matrix;
  std::string group;  ///< of the collection, or the generator
  bool generated = false;
  bool for_limits = false;  ///< teaches where schedules take others' places, and trees nothing
  select::facts given;
  std::map<std::string, double> us;  ///< of a product, by schedule
  /// The same by the first, third … and by the second, fourth … of several rounds.
  std::array<std::map<std::string, double>, 2> halves;
  std::map<std::string, double> plan_us;  ///< of making the plan, where that was measured
  std::optional<double> gather_us;        ///< of the pass over the tiles, where it was
};

/// Results of one machine.
struct results {
  std::string machine;
  std::string backend;  ///< CUDA, HIP or host
  std::string commit;
  double copy_gb_per_s = 0;
  std::vector<measured> rows;
};

/// Where a matrix is known by name only: its statistics, or nothing if nobody has it.
using statistics_finder = std::function<std::optional<tile_statistics>(const std::string& matrix)>;

/// Takes the library's schedules from what `bench_spmv` wrote; peers and `automatic` are left out.
/// Results without statistics of rows, as older ones are, ask `find`. Of a name that a file has for
/// each of several rounds the median counts. Later files replace earlier ones, entry by entry. What
/// the first `teaching` files do not have is marked as `for_limits`.
/// Throws: `parse` when a file is no such result, when two are of different machines, or when
/// nothing usable is left.
[[nodiscard]] results read_results(const std::vector<std::pair<std::string, json>>& files,
                                   const statistics_finder& find,
                                   std::size_t teaching = static_cast<std::size_t>(-1));

/// The part of a matrix's name that its relatives share.
[[nodiscard]] std::string group_of(const std::string& matrix);

/// Whether the name is a generator's line.
[[nodiscard]] bool is_generated(const std::string& matrix);

/// FNV-1a, the same everywhere: what decides on which side of a split a group falls.
[[nodiscard]] std::uint64_t hash_of(const std::string& text);

}  // namespace loops::train
