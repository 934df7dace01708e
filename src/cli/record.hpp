// SPDX-License-Identifier: Apache-2.0
/// Everything that one run of `loops spmv` found out; tables, JSON and the report are made from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/device.hpp"

namespace loops::cli {

/// One schedule on one matrix.
struct schedule_record {
  std::string schedule;
  std::string error;  ///< why there is no measurement; empty when there is one
  measurement measured;
  double seconds = 0;  ///< the median
  [[nodiscard]] bool right() const {
    return error.empty() && measured.result.correct && measured.result.repeatable;
  }
};

/// One matrix.
struct matrix_record {
  std::string name;
  std::string place;
  std::string error;  ///< why it was not run; empty when it was
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nonzeros = 0;
  std::string type;
  double bytes = 0;  ///< that a run moves at least
  std::vector<schedule_record> schedules;
  /// The fastest right one; null when there is none.
  [[nodiscard]] const schedule_record* best() const {
    const schedule_record* found = nullptr;
    for (const auto& s : schedules)
      if (s.right() && (!found || s.seconds < found->seconds)) found = &s;
    return found;
  }
};

/// A schedule that is the same as another one on the device at hand.
struct alias {
  std::string name;
  std::string same_as;
};

struct run_record {
  std::string command_line;
  std::string commit;
  std::string cpu;
  std::string device;
  std::string device_details;
  bool timed = true;  ///< false: times say nothing, as in the emulation
  bool cold = false;
  std::string format;
  int index_bits = 32;
  double alpha = 1;
  double beta = 0;
  int repeat = 0;
  double copy_bandwidth = 0;  ///< bytes per second; 0: not measured
  std::vector<alias> aliases;
  std::vector<matrix_record> matrices;
};

/// "1.23 ms"
[[nodiscard]] std::string format_seconds(double seconds);

/// The table for people: every schedule, or one line per matrix.
void print_matrix(const run_record& run, const matrix_record& m);
void print_summary(const run_record& run);

/// The record as JSON.
[[nodiscard]] std::string to_json(const run_record& run);
/// The record as a page of its own. Throws: `io` when it cannot be written.
void write_report(const run_record& run, const std::string& path);

}  // namespace loops::cli
