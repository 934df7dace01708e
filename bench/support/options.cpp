// SPDX-License-Identifier: Apache-2.0
/// Reads the command line.
#include "support/options.hpp"

#include "loops/core/error.hpp"

#include <climits>

#include <charconv>
#include <string_view>

namespace loops::bench {

const char* const shared_usage =
    "  matrix            a generator line (random:rows=1M,cols=1M,per_row=16), a .mtx or .mtx.gz\n"
    "                    file, or a folder of such files; without any, seven generated ones\n"
    "  --types=f32,f64   value types (f32)\n"
    "  --quick           five samples each, and nothing with its preparation inside the timing\n"
    "  --samples=N       N samples each, however long they take\n"
    "  --rounds=N        every contender of a matrix comes N times, in turns (1), and the turns "
    "in\n"
    "                    an order drawn anew: on a machine that is not quiet, neighbours disturb\n"
    "                    all alike. Results hold N of each name\n"
    "  --flush-mb=N      size of each of the two buffers that flush the cache\n"
    "                    (twice the L2 of a GPU; on the host nothing is flushed)\n"
    "  --commit=TEXT     the commit that the results name, instead of the one that was built\n"
    "  --benchmark_filter=REGEX --benchmark_out=FILE --benchmark_out_format=json ...\n"
    "                    as in every Google Benchmark";

std::int64_t positive(std::string_view option, std::string_view text, std::int64_t most) {
  std::int64_t n = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || n <= 0 || n > most)
    throw error(errc::invalid_argument, std::string(option) + " takes a positive integer up to " +
                                            std::to_string(most) + ", not '" + std::string(text) +
                                            "'");
  return n;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const auto comma = text.find(',');
    out.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::int64_t> positives(std::string_view option, std::string_view text) {
  std::vector<std::int64_t> out;
  for (const std::string_view word : words(text)) out.push_back(positive(option, word));
  return out;
}

options parse(int argc, char** argv, const extra_option& extra) {
  options out;
  bool only_matrices = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (only_matrices || argument.substr(0, 2) != "--") {
      out.matrices.emplace_back(argument);
      continue;
    }
    const auto equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : argument.substr(equals + 1);
    if (argument == "--") {
      only_matrices = true;
    } else if (argument == "--quick") {
      out.once = false;
      out.samples.least = out.samples.most = 5;
    } else if (name == "--types") {
      out.f32 = out.f64 = out.f16 = false;
      for (const std::string_view type : words(value)) {
        bool* const asked = type == "f32"   ? &out.f32
                            : type == "f64" ? &out.f64
                            : type == "f16" ? &out.f16
                                            : nullptr;
        require(asked, errc::invalid_argument,
                "--types takes a list of f32, f64 and, where there are any, f16");
        *asked = true;
      }
    } else if (name == "--samples") {
      out.samples.least = out.samples.most = static_cast<int>(positive(name, value, INT_MAX));
    } else if (name == "--rounds") {
      out.rounds = static_cast<int>(positive(name, value, INT_MAX));
    } else if (name == "--flush-mb") {
      out.flush_bytes = static_cast<std::size_t>(positive(name, value, INT_MAX)) << 20;
    } else if (name == "--commit") {
      out.commit = value;
    } else if (!extra || !extra(name, value)) {
      throw error(errc::invalid_argument,
                  "there is no option " + std::string(argument) + "; --help lists them");
    }
  }
  return out;
}

}  // namespace loops::bench
