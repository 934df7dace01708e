// SPDX-License-Identifier: Apache-2.0
/// What bench_spmv times beside schedules and peers, and what it refuses, where there is no GPU.
#include "cli/support.hpp"

namespace {

using cli_support::bytes_of;
using cli_support::has;

/// What it writes with these options, and what it says.
std::string results(const std::string& options, cli_support::outcome& said) {
  const cli_support::folder in;
  const auto program = cli_support::fs::read_symlink("/proc/self/exe").parent_path() / "bench_spmv";
  said =
      cli_support::shell("'" + program.string() + "' --quick " + options +
                         " --benchmark_filter='/(empty_kernel|automatic|narrow_automatic)/'" +
                         " --benchmark_out='" + (in / "out.json") + "' -- banded:rows=50,width=2");
  return bytes_of(in / "out.json");
}

TEST(bench_spmv, has_no_empty_kernel_where_calls_are_no_launches) {
  cli_support::outcome said;
  const std::string json = results("", said);
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_TRUE(has(json, "/f32/automatic/")) << json;
  EXPECT_TRUE(has(json, "/f32/narrow_automatic/")) << json;
  EXPECT_FALSE(has(json, "/f32/empty_kernel/")) << json;
  EXPECT_FALSE(has(json, "error_occurred")) << json;
}

TEST(bench_spmv, says_that_graphs_are_for_gpus) {
  cli_support::outcome said;
  const std::string json = results("--replay", said);
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_TRUE(has(json, "there are no graphs to replay")) << json;
}

TEST(bench_spmv, says_when_nothing_was_measured) {
  cli_support::outcome said;
  results("--types=f16", said);  // which it does not multiply
  EXPECT_EQ(said.code, 2) << said.out;
  EXPECT_TRUE(has(said.out, "nothing was measured")) << said.out;
}

TEST(bench_spmv, refuses_what_no_option_can_mean) {
  for (const char* option :
       {"--types=f32,f46", "--types=", "--samples=2147483648", "--rounds=4294967297",
        "--flush-mb=17592186044416", "--in-a-row=4294967297"}) {
    cli_support::outcome said;
    results(option, said);
    EXPECT_EQ(said.code, 2) << option << '\n' << said.out;
    EXPECT_TRUE(has(said.out, " takes a ")) << said.out;
  }
}

}  // namespace
