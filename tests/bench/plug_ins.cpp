// SPDX-License-Identifier: Apache-2.0
/// bench_spmv times and checks peers from shared libraries, and says what is wrong with one.
#include "cli/support.hpp"

namespace {

using cli_support::bytes_of;
using cli_support::has;

/// A file beside this test.
std::string beside(const std::string& name) {
  return (cli_support::fs::read_symlink("/proc/self/exe").parent_path() / name).string();
}

cli_support::outcome bench_spmv(const std::string& arguments) {
  return cli_support::shell("'" + beside("bench_spmv") + "' --quick " + arguments);
}

/// The part of a JSON that is about one benchmark.
std::string entry(const std::string& json, const std::string& name) {
  const std::size_t from = json.find("\"name\": \"spmv/banded:rows=50,width=2/" + name + "/");
  return from == std::string::npos ? "" : json.substr(from, json.find('}', from) - from);
}

TEST(plug_ins, are_timed_and_checked_as_other_peers) {
  const cli_support::folder in;
  const auto r = bench_spmv("--types=f32,f64 --peer='" + beside("loops_test_peer.so") +
                            "' --benchmark_filter='peer_' --benchmark_out='" + (in / "out.json") +
                            "' -- banded:rows=50,width=2");
  const std::string json = bytes_of(in / "out.json");
  EXPECT_EQ(r.code, 1) << r.out;  // because of the wrong and the failing
  for (const std::string type : {"f32/", "f64/"}) {
    const std::string right = entry(json, type + "peer_rows");
    EXPECT_TRUE(has(right, "\"plan_us\"") && has(right, "\"samples\"")) << json;
    EXPECT_FALSE(has(right, "error_occurred")) << right;
    EXPECT_TRUE(has(entry(json, type + "peer_forgetful"), "wrong: y[49] is ")) << json;
    EXPECT_TRUE(has(entry(json, type + "peer_failing"), "the peer fails: as it was made to"))
        << json;
  }
  EXPECT_FALSE(has(entry(json, "f32/peer_choosy"), "error_occurred")) << json;
  EXPECT_TRUE(has(entry(json, "f64/peer_choosy"), "the peer choosy refuses: it is too wide"))
      << json;
  EXPECT_TRUE(has(r.out, "4 benchmarks failed")) << r.out;
}

TEST(plug_ins, that_refuse_have_not_failed) {
  const auto r = bench_spmv("--types=f64 --peer='" + beside("loops_test_peer.so") +
                            "' --benchmark_filter='peer_(rows|choosy)' -- banded:rows=50,width=2");
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(has(r.out, "it is too wide")) << r.out;
}

TEST(plug_ins, that_cannot_be_used_end_the_program_with_a_reason) {
  const struct {
    std::string file;
    const char* reason;
  } all[] = {
      {"/nowhere/peer.so", "cannot load the peer /nowhere/peer.so: "},
      {"peer.so", "cannot load the peer peer.so: ./peer.so: "},
      {"", "cannot load the peer "},
      {beside("loops_test_old_peer.so"),
       "has version 0 of bench/spmv/peers/plug_in.hpp, this program has version 1"},
      {beside("loops_test_no_peer.so"), "offers no peer: define loops_spmv_peer()"},
  };
  for (const auto& one : all) {
    const auto r = bench_spmv("--peer='" + one.file + "' -- banded:rows=50,width=2");
    EXPECT_EQ(r.code, 2) << one.file << "\n" << r.out;
    EXPECT_TRUE(has(r.out, one.reason)) << r.out;
  }
}

}  // namespace
