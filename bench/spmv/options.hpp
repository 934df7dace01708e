// SPDX-License-Identifier: Apache-2.0
/// The command line of bench_spmv, beyond what Google Benchmark takes.
#pragma once

#include "support/statistics.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace loops::bench {

struct options {
  std::vector<std::string> matrices;  ///< generator lines, files and folders; empty: the defaults
  bool f32 = true;
  bool f64 = false;
  bool once = true;             ///< also with the preparation inside the timing
  std::string commit;           ///< empty: the one that was built
  std::size_t flush_bytes = 0;  ///< per buffer; 0: as the machine needs
  effort samples;
};

/// What `--help` prints.
void print_usage();

/// Reads what Google Benchmark left. Throws: invalid_argument naming the option.
[[nodiscard]] options parse(int argc, char** argv);

}  // namespace loops::bench
