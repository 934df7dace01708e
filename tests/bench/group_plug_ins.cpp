// SPDX-License-Identifier: Apache-2.0
/// bench_gemm times and checks groups of products by peers from shared libraries.
#include "cli/support.hpp"

namespace {

using cli_support::has;

std::string beside(const std::string& name) {
  return (cli_support::fs::read_symlink("/proc/self/exe").parent_path() / name).string();
}

cli_support::outcome bench_groups(const std::string& arguments) {
  return cli_support::shell("'" + beside("bench_gemm") +
                            "' --selected --offers=0 --seconds=0.001 " + arguments);
}

/// The line that the benchmark prints about a contender.
std::string line_of(const std::string& out, const std::string& name) {
  const std::size_t from = out.find("  " + name + " ");
  return from == std::string::npos ? "" : out.substr(from, out.find('\n', from) - from);
}

TEST(group_plug_ins, are_checked_as_other_peers) {
  const auto r = bench_groups("--grouped=2x64 --peer='" + beside("loops_test_group_peer.so") + "'");
  EXPECT_EQ(r.code, 1) << r.out;  // because of the wrong and the failing
  EXPECT_TRUE(has(line_of(r.out, "peer_rows"), "TFLOP/s")) << r.out;
  EXPECT_TRUE(has(line_of(r.out, "peer_choosy"), "TFLOP/s")) << r.out;
  EXPECT_TRUE(has(line_of(r.out, "peer_forgetful"), "failed: group 0: ")) << r.out;
  EXPECT_TRUE(has(r.out, "the peer fails: as it was made to")) << r.out;
}

TEST(group_plug_ins, that_refuse_are_left_out) {
  const auto r = bench_groups("--grouped=3x64 --peer='" + beside("loops_test_group_peer.so") + "'");
  EXPECT_TRUE(has(r.out, "the peer choosy refuses: they are too many")) << r.out;
  EXPECT_TRUE(has(line_of(r.out, "peer_rows"), "TFLOP/s")) << r.out;
  EXPECT_EQ(line_of(r.out, "peer_choosy"), "") << r.out;
}

TEST(group_plug_ins, that_cannot_be_used_end_the_program_with_a_reason) {
  const auto none = bench_groups("--grouped=2x64 --peer='" + beside("loops_test_peer.so") + "'");
  EXPECT_EQ(none.code, 2) << none.out;
  EXPECT_TRUE(has(none.out, "offers no peer: define loops_group_peer() of bench/gemm/peers/"))
      << none.out;
  const auto alone = bench_groups("64x64x64 --peer=peer.so");
  EXPECT_EQ(alone.code, 2) << alone.out;
  EXPECT_TRUE(has(alone.out, "it needs --grouped")) << alone.out;
}

}  // namespace
