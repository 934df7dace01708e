// SPDX-License-Identifier: Apache-2.0
/// `loops spmv` judges, times, prints and ends as its help says.
#include <sstream>

#include "support.hpp"

namespace {

using cli_support::has;
using cli_support::loops;

TEST(spmv, every_schedule_is_right_on_a_folder) {
  const auto r = loops("spmv datasets/tiny --schedule all --repeat 1");
  EXPECT_EQ(r.code, 0) << r.out;
  for (const char* name : {"petersen", "hermitian_4", "zero", "empty_rows"})
    EXPECT_TRUE(has(r.out, name)) << r.out;
  EXPECT_FALSE(has(r.out, "WRONG")) << r.out;
}

TEST(spmv, the_table_holds_numbers_that_fit_each_other) {
  const auto r = loops("spmv stencil5:nx=200,ny=200 --schedule merge_path --repeat 3");
  ASSERT_EQ(r.code, 0) << r.out;
  std::istringstream lines(r.out);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string schedule, unit, percent, repeatable, verdict;
    double time = 0, rate = 0, imbalance = 0;
    if (!(words >> schedule) || schedule != "merge_path") continue;
    ASSERT_TRUE(words >> time >> unit >> rate >> percent >> imbalance >> repeatable >> verdict)
        << line;
    found = true;
    const double seconds = time * (unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1);
    // 40000 rows, 199200 nonzeros: 8 bytes each, 4 per offset, x and y.
    const double bytes = 199200 * 8 + 40001 * 4 + 2 * 40000 * 4;
    EXPECT_NEAR(rate * 1e9 * seconds / bytes, 1, 0.05) << line;
    EXPECT_GE(imbalance, 1) << line;
    EXPECT_EQ(percent.back(), '%') << line;
    EXPECT_EQ(repeatable, "yes") << line;
    EXPECT_EQ(verdict, "right") << line;
  }
  EXPECT_TRUE(found) << r.out;
}

TEST(spmv, a_trial_may_choose) {
  const auto r = loops("spmv arrow:rows=300 --device emulation32 --schedule measured,auto,lrb");
  EXPECT_EQ(r.code, 0) << r.out;
  for (const char* part : {"measured ", "auto ", "lrb ", "in a trial"})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
  EXPECT_FALSE(has(r.out, "WRONG")) << r.out;
  const auto wrong = loops("spmv petersen --device host --schedule auto,foo");
  EXPECT_EQ(wrong.code, 2) << wrong.out;
  EXPECT_TRUE(has(wrong.out, "there are: all auto measured thread_mapped")) << wrong.out;
}

TEST(spmv, takes_every_name_that_it_prints) {
  const auto r = loops(
      "spmv petersen --device emulation32 --schedule "
      "automatic,group_mapped:1,long_first:8,auto,group_mapped:1");
  EXPECT_EQ(r.code, 0) << r.out;
  for (const char* name : {"auto ", "group_mapped:1 ", "long_first:8 "}) {
    const auto at = r.out.find("\n  " + std::string(name));
    EXPECT_NE(at, std::string::npos) << name << "\n" << r.out;
    EXPECT_EQ(r.out.find("\n  " + std::string(name), at + 1), std::string::npos)
        << name << " twice\n"
        << r.out;
  }
}

TEST(spmv, all_may_be_one_of_several) {
  const auto r = loops("spmv petersen --device host --schedule wave_mapped,all,auto,measured");
  EXPECT_EQ(r.code, 0) << r.out;
  for (const char* name : {"wave_mapped ", "merge_path ", "auto ", "measured "})
    EXPECT_TRUE(has(r.out, "\n  " + std::string(name))) << name << "\n" << r.out;
  EXPECT_EQ(r.out.find("\n  auto "), r.out.rfind("\n  auto ")) << r.out;
  const auto gemm =
      loops("gemm 8 8 8 --device host --schedule stream_k:2,all,automatic --repeat 1");
  EXPECT_EQ(gemm.code, 0) << gemm.out;
  for (const char* name : {"stream_k:2 ", "split_k:8 ", "auto ", "measured "})
    EXPECT_EQ(gemm.out.find("\n" + std::string(name)), gemm.out.rfind("\n" + std::string(name)))
        << gemm.out;
}

TEST(spmv, every_type_is_right) {
  for (const char* type : {"f32", "f64", "f16", "bf16", "c32", "c64"}) {
    const auto r = loops(std::string("spmv banded:rows=500 power_law:rows=500,nonzeros=4k "
                                     "--device host --schedule merge_path,lrb,thread_mapped "
                                     "--repeat 1 --alpha 0.5 --beta -2 --type ") +
                         type);
    EXPECT_EQ(r.code, 0) << r.out;
    EXPECT_TRUE(has(r.out, type)) << r.out;
  }
}

TEST(spmv, refuses_factors_that_are_no_numbers_of_the_type) {
  for (const char* name : {"--alpha", "--beta"}) {
    for (const char* value : {"nan", "inf", "1e400"}) {
      const auto r = loops(std::string("spmv petersen --type f64 ") + name + " " + value);
      EXPECT_EQ(r.code, 2) << value << " " << r.out;
      EXPECT_TRUE(has(r.out, name) && has(r.out, "is not a finite number")) << r.out;
    }
    const auto r = loops(std::string("spmv petersen ") + name + " 1e39");
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_TRUE(has(r.out, std::string(name) + " 1e+39 does not fit 32 bits")) << r.out;
    EXPECT_EQ(loops(std::string("spmv petersen --type c64 ") + name + " 1e39").code, 0);
  }
}

TEST(spmv, every_format_is_right) {
  for (const char* type : {"f32", "f64"})
    for (const char* format : {"csr", "coo", "csc", "ell", "dia", "bcsr2", "bcsr4"}) {
      const auto r = loops(std::string("spmv stencil9:nx=20,ny=21 --device host --schedule "
                                       "merge_path,queue,thread_mapped --repeat 1 --format ") +
                           format + " --type " + type);
      EXPECT_EQ(r.code, 0) << r.out;
    }
}

TEST(spmv, wide_indices_are_right) {
  EXPECT_EQ(loops("spmv rmat:scale=8 --index 64 --type f64 --repeat 1").code, 0);
}

TEST(spmv, emulated_gpus_are_right) {
  for (const char* device : {"emulation32", "emulation64"}) {
    const auto r = loops(std::string("spmv petersen empty_rows zero arrow:rows=300 "
                                     "--schedule all --full --device ") +
                         device);
    EXPECT_EQ(r.code, 0) << r.out;
    EXPECT_TRUE(has(r.out, "group_mapped:8")) << r.out;
  }
}

TEST(spmv, json_has_its_schema) {
  const cli_support::folder in;
  const std::string broken = in.put("broken.mtx", "%%MatrixMarket matrix\n");
  auto r = loops("spmv petersen hermitian_4 " + broken + " --schedule all --repeat 3 --json " +
                 (in / "run.json"));
  EXPECT_EQ(r.code, 3) << r.out;
  r = cli_support::shell("python3 tests/cli/schema.py " + (in / "run.json"));
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(has(r.out, "matrices 3")) << r.out;
  r = cli_support::shell("'" + cli_support::command() + "' spmv zero --device emulation32 --json " +
                         (in / "zero.json") + " && python3 tests/cli/schema.py " +
                         (in / "zero.json"));
  EXPECT_EQ(r.code, 0) << r.out;
}

TEST(spmv, the_report_is_one_page_that_needs_nothing_else) {
  const cli_support::folder in;
  const auto r = loops("spmv petersen rmat:scale=8 --schedule all --repeat 1 --report " +
                       (in / "report.html"));
  ASSERT_EQ(r.code, 0) << r.out;
  const std::string page = cli_support::bytes_of(in / "report.html");
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_TRUE(has(page, "</html>"));
  EXPECT_TRUE(has(page, "rmat:scale=8"));
  EXPECT_FALSE(has(page, "{{"));
  for (const char* outside : {"<link", "src=\"http", "url(http", "@import", "fetch("})
    EXPECT_FALSE(has(page, outside)) << outside;
}

TEST(spmv, names_in_the_page_cannot_end_its_script) {
  const cli_support::folder in;
  const std::string file = in / "x<b>.mtx";
  cli_support::shell("cp datasets/tiny/petersen.mtx '" + file + "'");
  const auto r = loops("spmv '" + file + "' --repeat 1 --report " + (in / "report.html"));
  ASSERT_EQ(r.code, 0) << r.out;
  EXPECT_FALSE(has(cli_support::bytes_of(in / "report.html"), "x<b>"));
}

}  // namespace
