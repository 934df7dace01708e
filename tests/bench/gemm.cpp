// SPDX-License-Identifier: Apache-2.0
/// What bench_gemm refuses before it measures anything.
#include "cli/support.hpp"

namespace {

using cli_support::has;

cli_support::outcome bench_gemm(const std::string& options) {
  const auto program = cli_support::fs::read_symlink("/proc/self/exe").parent_path() / "bench_gemm";
  return cli_support::shell("'" + program.string() + "' --seconds=0.01 " + options);
}

TEST(bench_gemm, refuses_what_no_option_can_mean) {
  for (const char* options : {"--from=32824", "--measured=false 8x8x8", "--all=0 8x8x8",
                              "--grouped=3x16,oops", "--grouped=3x16 --out=/nowhere/x.json"}) {
    const auto said = bench_gemm(options);
    EXPECT_EQ(said.code, 2) << options << '\n' << said.out;
    EXPECT_FALSE(has(said.out, "spread")) << options << '\n' << said.out;
  }
}

TEST(bench_gemm, says_when_results_cannot_be_written) {
  for (const char* options : {"--out=/dev/full 8x8x8", "--grouped=3x16 --out=/dev/full"}) {
    const auto said = bench_gemm(options);
    EXPECT_EQ(said.code, 2) << options << '\n' << said.out;
    EXPECT_TRUE(has(said.out, "be written") || has(said.out, "cannot write")) << said.out;
  }
}

}  // namespace
