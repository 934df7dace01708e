// SPDX-License-Identifier: Apache-2.0
/// `loops gemm` runs, judges and says what it was asked wrongly.
#include "support.hpp"

namespace {

using cli_support::has;
using cli_support::loops;

TEST(gemm_command, judges_every_schedule) {
  const auto r = loops("gemm 300 200 400 --device host --schedule all --repeat 1");
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(has(r.out, "stream_k:2")) << r.out;
  EXPECT_TRUE(has(r.out, "split_k:4")) << r.out;
  EXPECT_TRUE(has(r.out, "right, as stream_k:2")) << r.out;
  EXPECT_TRUE(has(r.out, "\nmeasured ")) << r.out;
  EXPECT_FALSE(has(r.out, "WRONG")) << r.out;
}

TEST(gemm_command, lets_a_trial_choose_beside_others) {
  const auto r = loops("gemm 60 70 80 --device host --schedule measured,auto,stream_k --repeat 1");
  EXPECT_EQ(r.code, 0) << r.out;
  for (const char* name : {"\nmeasured ", "\nauto ", "\nstream_k "})
    EXPECT_TRUE(has(r.out, name)) << r.out;
  EXPECT_TRUE(has(r.out, "right, as ")) << r.out;
  const auto wrong = loops("gemm 60 70 80 --device host --schedule auto,foo");
  EXPECT_EQ(wrong.code, 2) << wrong.out;
}

TEST(gemm_command, knows_every_type_and_layout) {
  for (const char* type : {"f32", "f64", "f16", "bf16", "tf32", "e4m3", "i8"})
    for (const char* layout : {"nn", "nt"}) {
      const auto r = loops(std::string("gemm 65 130 257 --device host --repeat 1 --type ") + type +
                           " --layout " + layout);
      EXPECT_EQ(r.code, 0) << type << " " << r.out;
      EXPECT_TRUE(has(r.out, "right")) << r.out;
    }
}

TEST(gemm_command, says_what_it_computes) {
  const std::string line = "gemm 8 8 8 --device host --repeat 1 ";
  EXPECT_TRUE(has(loops(line).out, " = A B over k = 8,"));
  EXPECT_TRUE(has(loops(line + "--alpha 0.5 --beta 1").out, " = 0.5 A B + C over k = 8,"));
  EXPECT_TRUE(has(loops(line + "--beta -1.75").out, " = A B - 1.75 C over k = 8,"));
}

TEST(gemm_command, judges_what_is_added_to_c) {
  for (const char* type : {"f32", "f64", "f16", "bf16", "tf32", "e4m3", "i8"}) {
    const auto r = loops(std::string("gemm 65 70 57 --device host --repeat 1 --alpha 0.5 ") +
                         "--beta -1.75 --schedule stream_k,split_k:2 --type " + type);
    EXPECT_EQ(r.code, 0) << type << " " << r.out;
    EXPECT_FALSE(has(r.out, "WRONG")) << r.out;
  }
}

/// Elements of C that do not fit their type, or come near to zero.
TEST(gemm_command, judges_results_at_the_ends_of_a_type) {
  for (const char* rest :
       {"f32 --alpha 1e38", "f32 --alpha -3e38 --beta 3e38", "f32 --alpha 1e-44",
        "f64 --alpha 1e308 --beta -1e308", "f64 --alpha 1e-320", "f16 --alpha 30000",
        "f16 --alpha 1e-7", "bf16 --alpha 1e38", "bf16 --alpha 1e-39", "i8 --alpha 1e6",
        "i8 --beta 1e9", "i8 --alpha 3e38 --beta 3e38"}) {
    const auto r = loops(
        std::string("gemm 33 40 60 --device host --schedule stream_k --repeat 1 --type ") + rest);
    EXPECT_EQ(r.code, 0) << rest << " " << r.out;
  }
}

TEST(gemm_command, refuses_factors_that_are_no_numbers_of_the_type) {
  for (const char* name : {"--alpha", "--beta"}) {
    for (const char* value : {"nan", "inf", "-inf", "1e400", "''", "1x"}) {
      const auto r = loops(std::string("gemm 10 20 30 ") + name + " " + value);
      EXPECT_EQ(r.code, 2) << value << " " << r.out;
      EXPECT_TRUE(has(r.out, name) && has(r.out, "is not a finite number")) << r.out;
    }
    for (const char* type : {"f32", "f16", "i8"}) {
      const auto r = loops(std::string("gemm 10 20 30 --type ") + type + " " + name + " 1e39");
      EXPECT_EQ(r.code, 2) << r.out;
      EXPECT_TRUE(has(r.out, std::string(name) + " 1e+39 does not fit 32 bits")) << r.out;
    }
  }
}

TEST(gemm_command, refuses_more_than_the_machine_holds) {
  for (const char* sizes : {"2147483648 1 2147483648", "2000000000 2000000000 1"}) {
    const auto r = loops(std::string("gemm ") + sizes + " --device host");
    EXPECT_EQ(r.code, 4) << r.out;
    EXPECT_TRUE(has(r.out, "this product, with copies to judge it by, takes more than")) << r.out;
  }
}

TEST(gemm_command, writes_json) {
  const auto r = loops("gemm 10 20 30 --device host --repeat 2 --json -");
  EXPECT_EQ(r.code, 0) << r.out;
  for (const char* part : {"\"format_version\":1,", "\"m\":10", "\"correct\":true",
                           "\"repeatable\":true", "\"flops\":", "\"cold\":false"})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
}

TEST(gemm_command, the_report_is_one_page_with_a_picture_of_every_schedule) {
  const cli_support::folder in;
  const auto r =
      loops("gemm 500 300 600 --device host --schedule data_parallel,stream_k,split_k:8 " +
            ("--repeat 2 --report " + (in / "report.html")));
  ASSERT_EQ(r.code, 0) << r.out;
  const std::string page = cli_support::bytes_of(in / "report.html");
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_TRUE(has(page, "</html>"));
  EXPECT_FALSE(has(page, "{{"));
  for (const char* name : {"data_parallel", "stream_k", "split_k:8"})
    EXPECT_TRUE(has(page, std::string("<summary>") + name + "</summary><figure><svg")) << name;
  for (const char* part : {"\"used_share\":", "\"parts\":", "\"tile\":["})
    EXPECT_TRUE(has(page, part)) << part;
  for (const char* outside : {"<link", "src=\"http", "url(http", "@import", "fetch("})
    EXPECT_FALSE(has(page, outside)) << outside;
}

TEST(gemm_command, a_report_of_nothing_or_of_too_much_has_no_pictures) {
  const cli_support::folder in;
  for (const char* sizes : {"0 300 600", "2 1000000 1"}) {
    const auto r = loops(std::string("gemm ") + sizes + " --device host --repeat 1 --report " +
                         (in / "report.html"));
    ASSERT_EQ(r.code, 0) << r.out;
    EXPECT_TRUE(has(cli_support::bytes_of(in / "report.html"), "no pictures")) << sizes;
  }
}

TEST(gemm_command, refuses_what_cannot_be_meant) {
  EXPECT_EQ(loops("gemm 10 20").code, 2);
  EXPECT_EQ(loops("gemm 10 20 -5").code, 2);
  EXPECT_EQ(loops("gemm 10 20 30 --schedule nosuch").code, 2);
  EXPECT_EQ(loops("gemm 10 20 30 --schedule split_k:0").code, 2);
  const auto three = loops("gemm 10 20 30 --schedule split_k:3,stream_k:9 --repeat 1");
  EXPECT_EQ(three.code, 0) << three.out;
  EXPECT_NE(three.out.find("split_k:3"), std::string::npos) << three.out;
  EXPECT_EQ(loops("gemm 10 20 30 --type int3").code, 2);
  EXPECT_EQ(loops("gemm 10 20 30 --device emulation32").code, 2);
  for (const char* device : {"gpux", "gpu1", "gpu:", "gpu:x", "gpu:1x", "gpu:-1"}) {
    const auto r = loops(std::string("gemm 10 20 30 --device ") + device);
    EXPECT_EQ(r.code, 2) << device;
    EXPECT_NE(r.out.find("runs on host, gpu and gpu:N"), std::string::npos) << r.out;
  }
}

}  // namespace
