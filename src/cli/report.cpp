// SPDX-License-Identifier: Apache-2.0
/// A run as a page of its own.
#include "cli/record.hpp"

namespace loops::cli {

void write_report(const run_record& run, const std::string& path) {
  std::string page = "<!doctype html><meta charset=utf-8><title>loops spmv</title><pre>";
  for (const matrix_record& m : run.matrices)
    if (const schedule_record* best = m.best())
      page += m.name + " " + best->schedule + " " + format_seconds(best->seconds) + "\n";
  write_file(path, page + "</pre>\n");
}

}  // namespace loops::cli
