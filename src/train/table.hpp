// SPDX-License-Identifier: Apache-2.0
/// Measurements as a table of numbers: a row per matrix and type, a column per schedule.
#pragma once

#include "loops/core/machine.hpp"

#include <string>
#include <vector>

#include "train/results.hpp"

namespace loops::train {

/// A kind of machine that gets a selector of its own.
struct device_class {
  std::string name;  ///< h200, host, cdna
  machine shape;     ///< what decides which schedules differ: lanes of a block and of a wave
};

/// Throws: `invalid_argument` with the names there are.
[[nodiscard]] device_class device_class_named(const std::string& name);
/// The class whose results have this backend. Throws: `parse` for one that none has.
[[nodiscard]] std::string class_of_backend(const std::string& backend);

/// A column: a schedule, as `select::candidate` knows it.
struct column {
  std::string name;
  int lanes = 0;         ///< see select::candidate
  double plan_us = 0;    ///< median
  bool planned = false;  ///< whether that was measured
};

/// A row: a matrix in one value type.
struct row {
  std::string matrix;
  std::string group;
  bool generated = false;
  bool for_limits = false;  ///< teaches where schedules take others' places, and trees nothing
  select::facts given;
  std::vector<double> us;       ///< by column
  std::vector<double> plan_us;  ///< by column
  double gather_us = 0;
  double best_us = 0;  ///< of all columns
  /// `us` by one half of several rounds and by the other: neither knows what disturbed the other.
  /// Empty where there was one.
  std::array<std::vector<double>, 2> halves{};
};

struct table {
  device_class device;
  std::string basis;  ///< machine and commit
  double copy_gb_per_s = 0;
  double gather_us = 0;         ///< of a pass over few tiles
  double gather_ns = 0;         ///< and for each of many
  double copy_us = 0;           ///< of a look at a copy of the ends of few tiles
  bool gather_measured = true;  ///< false: assumed, because no result has it
  std::vector<column> columns;
  std::vector<row> rows;
};

/// The table of all schedules that differ on the device. What was not measured of a schedule counts
/// as twenty times the best; groups of one lane are taken from thread_mapped where they were not
/// measured themselves. Throws: `parse` when merge_path was not measured.
[[nodiscard]] table tabulate(const results& r, const device_class& device);

/// Whether a time of a row is less than what stands for times that were not measured.
[[nodiscard]] bool counts_as_measured(const row& r, double us);

/// The table with some of its columns, in the order of `columns`.
[[nodiscard]] table with_columns(const table& t, const std::vector<std::size_t>& columns);

/// The rows that satisfy `f(row)`.
template <class F>
[[nodiscard]] table with_rows(const table& t, const F& f) {
  table out = t;
  std::erase_if(out.rows, [&](const row& r) { return !f(r); });
  return out;
}

/// The base of a schedule's name, one instantiation of its kernels: "group_mapped" of
/// "group_mapped:8".
[[nodiscard]] std::string kernels_of(const std::string& schedule);

/// What a set of kernels loses against all of them when the best is always known.
struct subset {
  std::vector<std::string> kernels;
  double geometric_mean = 1;  ///< of the best of all over the best of these, matrix by matrix
  double total = 1;           ///< time of these over time of all
};

/// The sets with the least loss, one for each number of kernels, all with merge_path. Throws:
/// `invalid_argument` without a row.
[[nodiscard]] std::vector<subset> best_subsets(const table& t, std::size_t most);

/// The smallest set that is within `slack` of all kernels in geometric mean and in total.
[[nodiscard]] subset smallest_subset(const std::vector<subset>& best, double slack);

/// Throws `invalid_argument` for the first of `kernels` that makes no column, with those that do,
/// and for kernels without merge_path. None at all stand for all.
void require_known(const table& t, const std::vector<std::string>& kernels);

/// The table's columns that these kernels make.
[[nodiscard]] std::vector<std::size_t> columns_of(const table& t,
                                                  const std::vector<std::string>& kernels);

}  // namespace loops::train
