// SPDX-License-Identifier: Apache-2.0
/// The command line of the benchmarks of sparse products, beyond what Google Benchmark takes.
#pragma once

#include "support/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace loops::bench {

struct options {
  std::vector<std::string> matrices;  ///< generator lines, files and folders; empty: the defaults
  bool f32 = true;
  bool f64 = false;
  bool f16 = false;
  bool once = true;             ///< also with the preparation inside the timing
  std::string commit;           ///< empty: the one that was built
  std::size_t flush_bytes = 0;  ///< per buffer; 0: as the machine needs
  int rounds = 1;               ///< how often the contenders of a problem come, in turns
  effort samples;
};

/// The part of `--help` that all of these programs share.
extern const char* const shared_usage;

/// Reads an option that only one program has; false when it does not know it.
using extra_option = std::function<bool(std::string_view name, std::string_view value)>;

/// Reads what Google Benchmark left. Throws: invalid_argument naming the option.
[[nodiscard]] options parse(int argc, char** argv, const extra_option& extra = {});

/// A positive integer. Throws: invalid_argument naming the option.
[[nodiscard]] std::int64_t positive(std::string_view option, std::string_view text,
                                    std::int64_t most = INT64_MAX);
/// What stands between commas.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);
/// Positive integers with commas between them. Throws: as `positive`.
[[nodiscard]] std::vector<std::int64_t> positives(std::string_view option, std::string_view text);

}  // namespace loops::bench
