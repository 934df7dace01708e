// SPDX-License-Identifier: Apache-2.0
/// Results are read as they were written, and refused when they are none.
#include "train/gemm_results.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include "train/gemm_judge.hpp"
#include "train/gemm_machine.hpp"
#include "train/gemm_write.hpp"

namespace {

using loops::train::gemm_results;
using loops::train::parse_json;
using loops::train::read_gemm_results;

constexpr const char* sample = R"({"context": {"machine": "NVIDIA H200", "commit": "abc",
 "processors": "132", "menus": {"bf16/nt": [
  {"name": "128x256c2", "rows": 128, "columns": 256, "tall": 2, "wide": 1, "split": 1, "stages": 4, "depth": 64,
   "workers": 0},
  {"name": "96x96", "rows": 96, "columns": 96, "tall": 1, "wide": 1, "split": 3, "stages": 5, "depth": 64,
   "workers": 0}]}},
 "products": [
 {"m": 1024, "n": 1000, "k": 1024, "type": "bf16", "layouts": "nt",
  "ours": [[0, 0, 12.5, 5, 0.01], [1, -1, 14, 1, 0]], "peers": [["cublaslt:0", 13, 5, 0.01],
  ["cublaslt:1", 12, 5, 0.01]], "failures": [{"tile": 1, "waves": 2, "message": "wrong"}]},
 {"m": 64, "n": 64, "k": 64, "type": "tf32", "layouts": "nt", "ours": [], "peers": []}]})";

gemm_results read(const std::string& text, const char* type = "bf16", const char* layouts = "") {
  return read_gemm_results({{"x.json", parse_json(text, "x.json")}}, type, layouts);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(gemm_results, reads_what_is_there) {
  const gemm_results r = read(sample);
  EXPECT_EQ(r.machine, "NVIDIA H200");
  ASSERT_EQ(r.products.size(), 1U);
  const auto& p = r.products.front();
  EXPECT_EQ(p.size.n, 1000);
  EXPECT_EQ(p.size.a, loops::select::row_starts::lines);
  EXPECT_EQ(p.size.b, loops::select::row_starts::lines);
  EXPECT_EQ(p.size.c, loops::select::row_starts::anywhere);
  ASSERT_EQ(p.ours.size(), 2U);
  EXPECT_EQ(p.ours[1].first, (loops::select::gemm_candidate{1, -1}));
  EXPECT_EQ(p.ours[1].second, 14);
  EXPECT_EQ(p.peers, (std::vector<double>{13, 12}));
  EXPECT_EQ(p.failures, 1);
  ASSERT_EQ(r.tiles.size(), 2U);
  EXPECT_EQ(r.tiles[0].workers, 66);
  EXPECT_EQ(r.tiles[1].workers, 44);
  EXPECT_EQ(r.like.costs.size(), 2U);
  EXPECT_EQ(r.samples([](const auto&) { return true; }).size(), 2U);
}

TEST(gemm_results, tells_batches_apart) {
  const std::string product = "{\"m\": 1024, \"n\": 1000, \"k\": 1024";
  std::string both = with(sample, " " + product,
                          product +
                              ", \"batch\": 3, \"type\": \"bf16\", \"layouts\": \"nt\", "
                              "\"ours\": [[0, 0, 40, 5, 0.01]], \"peers\": []},\n " +
                              product);
  const gemm_results r = read(both);
  ASSERT_EQ(r.products.size(), 2U);
  EXPECT_EQ(r.products[0].size.batch, 1);
  EXPECT_EQ(r.products[0].ours.size(), 2U);
  EXPECT_EQ(r.products[1].size.batch, 3);
  EXPECT_EQ(r.products[1].ours[0].second, 40);
}

TEST(gemm_results, knows_the_bytes_of_operands_and_results) {
  const auto bytes = [](const std::string& type, int operand, int result) {
    std::string text = with(sample, "bf16", type);
    text = with(text, "\"bf16", "\"" + type);
    const gemm_results r = read(text, type.c_str());
    EXPECT_EQ(r.like.operand_bytes, operand) << type;
    EXPECT_EQ(r.like.result_bytes, result) << type;
  };
  bytes("f64", 8, 8);
  bytes("f32", 4, 4);
  bytes("tf32", 4, 4);
  bytes("bf16", 2, 2);
  bytes("f16", 2, 2);
  bytes("e4m3", 1, 2);
  bytes("i8", 1, 4);
}

TEST(gemm_results, refuses_what_it_cannot_be) {
  const auto refused = [](const std::string& text, const char* why) {
    support::expect_error(loops::errc::parse, why, [&] { static_cast<void>(read(text)); });
  };
  refused("{}", "no result of bench_gemm");
  refused("[1", "not JSON");
  refused(with(sample, "\"rows\": 96", "\"rows\": -96"), "no size");
  refused(with(sample, "\"k\": 1024,", "\"k\": 1024, \"batch\": 0,"), "no size");
  refused(with(sample, "\"k\": 1024,", "\"k\": 1024, \"batch\": 2147483647,"), "larger than any");
  refused(with(sample, "[1, -1, 14, 1, 0]", "[7, -1, 14, 1, 0]"), "menu does not have");
  refused(with(sample, "[1, -1, 14, 1, 0]", "[1, -1]"), "incomplete");
  for (const char* waves : {"7", "-2", "100", "-1e300", "1e300", "NaN"})
    refused(with(sample, "[1, -1, 14", "[1, " + std::string(waves) + ", 14"),
            "--waves from -1 to 6");
  refused(with(sample, "\"tall\": 2, \"wide\": 1", "\"tall\": 65536, \"wide\": 65536"),
          "no cluster");
  // Sides that overflow, and would be divided by.
  refused(with(sample, "\"rows\": 128, \"columns\": 256, \"tall\": 2",
               "\"rows\": 1073741824, \"columns\": 256, \"tall\": 4"),
          "no size");
  refused(with(sample, "\"columns\": 256, \"tall\": 2, \"wide\": 1",
               "\"columns\": 2147483647, \"tall\": 1, \"wide\": 2"),
          "no size");
  refused(with(sample, "\"m\": 1024, \"n\": 1000, \"k\": 1024",
               "\"m\": 2147483647, \"n\": 2147483647, \"k\": 2147483647"),
          "larger than any");
  for (const char* layouts : {"\\\"\\n", "xy", "n", "ntn", ""})
    refused(with(sample, "\"layouts\": \"nt\",\n  \"ours\": [[0",
                 "\"layouts\": \"" + std::string(layouts) + "\",\n  \"ours\": [[0"),
            "no layouts: there are nn, nt, tn and tt");
  for (const char* us : {"-1", "NaN", "Infinity", "1e-320", "1e-5"})
    refused(with(sample, "12.5", us), "is none");
  refused(with(sample, "\"m\": 1024", "\"m\": \"x\""), "no size");
  support::expect_error(loops::errc::parse, "no products of type f64",
                        [] { static_cast<void>(read(sample, "f64")); });
  support::expect_error(loops::errc::parse, "with layouts nn",
                        [] { static_cast<void>(read(sample, "bf16", "nn")); });
  support::expect_error(loops::errc::parse, "another machine", [] {
    static_cast<void>(
        read_gemm_results({{"x", parse_json(sample, "x")},
                           {"y", parse_json(with(sample, "NVIDIA H200", "NVIDIA H100"), "y")}},
                          "bf16", ""));
  });
}

TEST(gemm_results, unites_menus) {
  // A younger file, whose menu has another tile at the second place, and a third.
  std::string younger = with(sample, "\"rows\": 96", "\"rows\": 32");
  younger = with(younger, "\"workers\": 0}]",
                 "\"workers\": 0}, {\"name\": \"96x96t\", \"rows\": 96, "
                 "\"columns\": 96, \"tall\": 1, \"wide\": 1, \"split\": 1, \"stages\": 5, "
                 "\"teams\": 2, \"depth\": 64}]");
  younger = with(younger, "\"m\": 1024", "\"m\": 2048");
  younger = with(younger, "[1, -1, 14, 1, 0]", "[1, -1, 14, 1, 0], [2, 0, 15, 1, 0]");
  const gemm_results r = read_gemm_results(
      {{"x", parse_json(sample, "x")}, {"y", parse_json(younger, "y")}}, "bf16", "");
  ASSERT_EQ(r.tiles.size(), 4U);
  EXPECT_EQ(r.like.costs.size(), 4U);
  EXPECT_EQ(r.tiles[2].tiling.rows, 32);
  EXPECT_EQ(r.tiles[3].tiling.teams, 2);
  EXPECT_EQ(r.tiles[1].tiling.teams, 1);
  EXPECT_EQ(r.names[3], "96x96t");
  ASSERT_EQ(r.products.size(), 2U);
  EXPECT_EQ(r.products[0].ours[1].first, (loops::select::gemm_candidate{1, -1}));
  EXPECT_EQ(r.products[1].ours[0].first, (loops::select::gemm_candidate{0, 0}));
  EXPECT_EQ(r.products[1].ours[1].first, (loops::select::gemm_candidate{2, -1}));
  EXPECT_EQ(r.products[1].ours[2].first, (loops::select::gemm_candidate{3, 0}));
}

TEST(gemm_results, leaves_out_tiles_that_nobody_measured) {
  const gemm_results r = read(with(sample, "[0, 0, 12.5, 5, 0.01], ", ""));
  ASSERT_EQ(r.tiles.size(), 1U);
  EXPECT_EQ(r.names, std::vector<std::string>{"96x96"});
  EXPECT_EQ(r.tiles[0].tiling.split, 3);
  EXPECT_EQ(r.like.costs.size(), 1U);
  ASSERT_EQ(r.products.size(), 1U);
  ASSERT_EQ(r.products[0].ours.size(), 1U);
  EXPECT_EQ(r.products[0].ours[0].first, (loops::select::gemm_candidate{0, -1}));
}

TEST(gemm_write, takes_texts_that_would_end_others) {
  gemm_results r;
  r.machine = "My \"fast\"\nmachine\\";
  r.type = "bf16";
  r.commit = "\n#error";
  r.layouts = "\"\n";
  const std::string text = loops::train::gemm_header(r, {}, "loops tune gemm \n#error\\");
  for (const char* part :
       {".machine = \"My \\\"fast\\\"\\012machine\\134\",\n", "\\012#error measured",
        "gemm \\012#error\\134\n", "gemm_my__fast__machine__bf16___{", "that lie \\\"\\012: fitted",
        ".layouts = \"\\\"\\012\"}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

/// Results of the simulated machine, as if a peer were always a tenth slower than our best.
gemm_results simulated(int products) {
  const support::gemm_machine m(0.01);
  gemm_results r;
  r.machine = "NVIDIA H200";
  r.type = "bf16";
  r.commit = "none";
  r.tiles = m.costs;
  for (std::size_t i = 0; i < r.tiles.size(); ++i) r.names.push_back("tile" + std::to_string(i));
  r.like = loops::select::tables::gemm_h200_bf16;
  r.like.costs = r.tiles;
  for (const auto& s : m.samples(products, 3)) {
    if (r.products.empty() ||
        !(loops::select::key_of(r.products.back().size) == loops::select::key_of(s.size))) {
      r.products.push_back({s.size, "nt", {}, {HUGE_VAL}, 0});
    }
    auto& p = r.products.back();
    p.ours.emplace_back(s.candidate, s.us);
    p.peers.front() = std::min(p.peers.front(), 1.1 * s.us);
  }
  return r;
}

TEST(gemm_judge, tells_how_good_the_choice_is) {
  const gemm_results r = simulated(120);
  int training = 0;
  for (const auto& p : r.products) training += loops::train::for_training(p);
  EXPECT_NEAR(training, 60, 20);
  const std::string text = loops::train::judge_gemm(r, 0.01);
  EXPECT_NE(text.find("our best against the peer's first choice | 120 | 1.100 | 1.100"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("true negatives 100.0%"), std::string::npos) << text;
  const auto at = text.find("model against our best, unseen products | ");
  ASSERT_NE(at, std::string::npos);
  const auto mean = text.find("| 0.9", at);
  EXPECT_LT(mean - at, 60U) << text;
}

TEST(gemm_judge, blocks_that_share_steps_are_not_data_parallel) {
  gemm_results r = simulated(40);
  r.tiles[0].tiling.split = 2;
  for (auto& p : r.products) p.ours = {{{0, 0}, 5.}, {{1, 0}, 10.}};
  const std::string text = loops::train::judge_gemm(r, 0.01);
  const auto at = text.find("our best against our best data-parallel, unseen | ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_LT(text.find("| 2.000 | 2.000 |", at) - at, 60U) << text;
  EXPECT_NE(text.find("best policies: split 40"), std::string::npos) << text;
}

TEST(gemm_write, writes_a_table_that_names_its_source) {
  gemm_results r = simulated(40);
  r.tiles[0].tiling = {128, 256, 2, 1, 1, 4};
  r.tiles[0].workers = 66;
  r.tiles[0].paired = 1;
  r.tiles[1].tiling = {128, 192, 1, 2, 1, 4, false, 2};
  r.tiles[2].tiling = {128, 160, 2, 1, 1, 5, true, 2};
  const auto fit = loops::train::fit_gemm(r.like, r.samples([](const auto&) { return true; }));
  const std::string text = loops::train::gemm_header(r, fit, "loops tune gemm x.json");
  EXPECT_NE(text.find("inline constexpr gemm_table gemm_h200_bf16{"), std::string::npos);
  EXPECT_NE(text.find("loops tune gemm x.json"), std::string::npos);
  EXPECT_NE(text.find("{{128, 256, 2, 1, 1, 4}, 66, 1, {"), std::string::npos);
  EXPECT_NE(text.find("{{128, 192, 1, 2, 1, 4, false, 2}, "), std::string::npos);
  EXPECT_NE(text.find("{{128, 160, 2, 1, 1, 5, true, 2}, "), std::string::npos);
  EXPECT_EQ(text.find(".layouts"), std::string::npos);
  r.layouts = "nn";
  const std::string turned = loops::train::gemm_header(r, fit, "loops tune gemm x.json");
  EXPECT_NE(turned.find("inline constexpr gemm_table gemm_h200_bf16_nn{"), std::string::npos);
  EXPECT_NE(turned.find(".layouts = \"nn\"};"), std::string::npos);
  EXPECT_EQ(loops::train::gemm_table_name("AMD Instinct MI300X", "f16", "nt"), "gemm_mi300x_f16");
  EXPECT_EQ(loops::train::gemm_table_name("host", "f32", ""), "gemm_host_f32");
  EXPECT_EQ(loops::train::gemm_table_name("NVIDIA H200", "bf16", "tn"), "gemm_h200_bf16_tn");
}

}  // namespace
