// SPDX-License-Identifier: Apache-2.0
/// info, draw, generate, train, fetch and devices do what they say.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "support.hpp"

namespace {

using cli_support::has;
using cli_support::loops;

/// That these pictures are XML. All at once, as starting Python takes longer than reading them.
void expect_well_formed(const std::vector<std::string>& files) {
  std::string line =
      "python3 -c 'import sys, xml.parsers.expat as xml\nfor f in sys.argv[1:]:\n  try: "
      "xml.ParserCreate(None, \" \").ParseFile(open(f, \"rb\"))\n"
      "  except xml.ExpatError as e: sys.exit(f + \": \" + str(e))'";
  for (const std::string& file : files) line += " " + file;
  const auto parsed = cli_support::shell(line);
  EXPECT_EQ(parsed.code, 0) << parsed.out;
}

TEST(info, tells_what_is_known_of_the_tiny_matrices) {
  const auto petersen = loops("info petersen");
  EXPECT_EQ(petersen.code, 0);
  for (const char* part : {"10 rows, 10 columns, 30 nonzeros", "shortest 3, mean 3.00, longest 3",
                           "Gini 0.000", "symmetric", "suggested", "imbalance"})
    EXPECT_TRUE(has(petersen.out, part)) << part << "\n" << petersen.out;
  EXPECT_FALSE(has(petersen.out, "not symmetric"));
  const auto holes = loops("info empty_rows");
  EXPECT_TRUE(has(holes.out, "4 empty")) << holes.out;
  EXPECT_TRUE(has(holes.out, "not square")) << holes.out;
  EXPECT_TRUE(has(loops("info hermitian_4").out, "complex"));
  EXPECT_EQ(loops("info zero").code, 0);
  EXPECT_EQ(loops("info datasets/tiny").code, 0);
}

TEST(info, judges_for_the_device_that_is_asked_for) {
  const auto even = loops("info banded:rows=2000 --device emulation32");
  EXPECT_TRUE(has(even.out, "group_mapped")) << even.out;
  const auto uneven = loops("info dense_row:rows=20k --device emulation32");
  EXPECT_TRUE(has(uneven.out, "suggested   merge_path")) << uneven.out;
}

TEST(info, explains_the_choice_in_words) {
  const auto often =
      loops("info power_law:rows=20k,nonzeros=200k --device emulation32 --uses 100000");
  for (const char* part : {"by the size alone", "a pass over the tiles saves", ": done",
                           "expected us per use", "merge_path", "trained for h200", "used 100000"})
    EXPECT_TRUE(has(often.out, part)) << part << "\n" << often.out;
  const auto once = loops("info power_law:rows=20k,nonzeros=200k --device emulation32 --uses 1");
  EXPECT_TRUE(has(once.out, ": left out")) << once.out;
  EXPECT_TRUE(has(loops("info petersen --device emulation64").out, "unproved"));
  EXPECT_EQ(loops("info petersen --uses 0").code, 2);
}

TEST(info, says_which_numbers_an_option_takes) {
  for (const char* wrong : {"16", "33", "040", "0x20", "x", "''"}) {
    const auto index = loops(std::string("spmv petersen --index ") + wrong);
    EXPECT_TRUE(has(index.out, "is neither 32 nor 64")) << index.out;
    const auto bytes = loops(std::string("info petersen --bytes ") + wrong);
    EXPECT_TRUE(has(bytes.out, "is neither 4 nor 8")) << bytes.out;
  }
}

TEST(info, takes_no_octal_numbers) {
  EXPECT_EQ(loops("info petersen --bytes 04").code, 0);
  for (const char* wrong : {"--bytes 010", "--bytes 0x8", "--bytes 5"})
    EXPECT_EQ(loops(std::string("info petersen ") + wrong).code, 2) << wrong;
  for (const char* wrong : {"--index 040", "--index 0x20", "--index 0100", "--index 33"})
    EXPECT_EQ(loops(std::string("spmv petersen --device emulation32 ") + wrong).code, 2) << wrong;
}

TEST(draw, draws_every_schedule) {
  const auto all = loops("draw petersen --schedule nosuch -o -").out;
  ASSERT_TRUE(has(all, "there are:"));
  std::string names = all.substr(all.find("there are:") + 10);
  const cli_support::folder in;
  int drawn = 0;
  while (true) {
    const auto from = names.find_first_not_of(" \n");
    if (from == std::string::npos) break;
    const auto to = std::min(names.find_first_of(" \n", from), names.size());
    const std::string name = names.substr(from, to - from);
    names = names.substr(to);
    const auto r = loops("draw empty_rows --schedule " + name + " -o " + (in / "out.svg"));
    EXPECT_EQ(r.code, 0) << name << r.out;
    const std::string picture = cli_support::bytes_of(in / "out.svg");
    EXPECT_EQ(picture.rfind("<svg", 0), 0U) << name;
    EXPECT_TRUE(has(picture, "</svg>")) << name;
    EXPECT_TRUE(has(picture, name)) << name;
    EXPECT_FALSE(has(picture, "nan")) << name;
    EXPECT_FALSE(has(picture, "inf")) << name;
    ++drawn;
  }
  EXPECT_GE(drawn, 15);
}

TEST(draw, a_block_has_at_least_the_lanes_of_a_wave) {
  const cli_support::folder in;
  EXPECT_EQ(loops("draw petersen --wave 64 -o " + (in / "wave.svg")).code, 0);
  EXPECT_TRUE(has(cli_support::bytes_of(in / "wave.svg"), "1 block of 64 lanes"));
  EXPECT_EQ(loops("draw petersen --lanes 2 -o " + (in / "lanes.svg")).code, 0);
  EXPECT_TRUE(has(cli_support::bytes_of(in / "lanes.svg"), "blocks of 2 lanes"));
  const auto r = loops("draw petersen --wave 64 --lanes 4 -o -");
  EXPECT_TRUE(has(r.out, "at least as many --lanes")) << r.out;
}

TEST(draw, is_well_formed_and_small_even_for_large_matrices) {
  const cli_support::folder in;
  std::vector<std::string> drawn;
  for (const char* matrix :
       {"zero", "arrow:rows=24", "rmat:scale=14", "short_wide:rows=3,cols=9k,per_row=5k"})
    for (const char* schedule : {"merge_path", "thread_mapped", "lrb", "queue"}) {
      drawn.push_back(in / (std::to_string(drawn.size()) + ".svg"));
      const auto r =
          loops(std::string("draw ") + matrix + " --schedule " + schedule + " -o " + drawn.back());
      EXPECT_EQ(r.code, 0) << r.out;
      EXPECT_LT(cli_support::bytes_of(drawn.back()).size(), 6'000'000U) << matrix;
    }
  expect_well_formed(drawn);
}

TEST(draw, draws_products_under_every_dense_schedule) {
  const auto all = loops("draw gemm 1 1 1 --schedule nosuch -o -").out;
  ASSERT_TRUE(has(all, "there are:")) << all;
  std::istringstream names(all.substr(all.find("there are:") + 10));
  const cli_support::folder in;
  std::vector<std::string> drawn;
  int schedules = 0;
  for (std::string name; names >> name; ++schedules)
    for (const char* what : {"896 384 1024", "1 1 1", "4632 1808 8168 --tile 128x256x64",
                             "384 384 1024 --workers 3", "128 128 16384 --workers 8"}) {
      drawn.push_back(in / (std::to_string(drawn.size()) + ".svg"));
      const auto r =
          loops(std::string("draw gemm ") + what + " --schedule " + name + " -o " + drawn.back());
      EXPECT_EQ(r.code, 0) << name << ": " << r.out;
      const std::string picture = cli_support::bytes_of(drawn.back());
      EXPECT_TRUE(has(picture, name) && !has(picture, "nan") && !has(picture, "inf")) << name;
    }
  EXPECT_GE(schedules, 11);
  expect_well_formed(drawn);
  // The numbers of the paper's Figure 3: 21 tiles on four processors.
  const auto hybrid =
      loops("draw gemm 896 384 1024 --schedule stream_k:2 -o " + (in / "hybrid.svg"));
  EXPECT_TRUE(has(hybrid.out, "21 tiles on 4 blocks, last done after 168 k-steps, 3 parts"))
      << hybrid.out;
  const auto whole =
      loops("draw gemm 896 384 1024 --schedule data_parallel -o " + (in / "whole.svg"));
  EXPECT_TRUE(has(whole.out, "last done after 192 k-steps, 0 parts")) << whole.out;
}

TEST(generate, writes_what_reads_back) {
  const cli_support::folder in;
  auto r = loops("generate stencil5:nx=10,ny=10 --out " + (in / "s.mtx.gz"));
  EXPECT_EQ(r.code, 0) << r.out;
  r = loops("info " + (in / "s.mtx.gz"));
  EXPECT_TRUE(has(r.out, "100 rows, 100 columns, 460 nonzeros")) << r.out;
  r = loops("generate banded:rows=20 arrow:rows=30 --out " + (in / "many"));
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_EQ(loops("spmv " + (in / "many") + " --repeat 1").code, 0);
  EXPECT_TRUE(has(loops("generate --list").out, "rmat"));
}

TEST(generate, goes_on_after_a_matrix_that_is_too_large) {
  const cli_support::folder in;
  const auto r = loops(
      "generate "
      "short_wide:rows=1,cols=200000G,per_row=100000G banded:rows=20 --out " +
      (in / "many"));
  EXPECT_EQ(r.code, 4) << r.out;
  EXPECT_TRUE(has(r.out, "loops: short_wide:rows=1,")) << r.out;
  EXPECT_TRUE(cli_support::fs::exists(in / "many/banded-rows-20.mtx")) << r.out;
}

TEST(generate, writes_no_folder_that_is_called_like_standard_output) {
  const auto r = loops("generate banded:rows=20 -o -");
  EXPECT_EQ(r.code, 2) << r.out;
  EXPECT_TRUE(has(r.out, "name a folder")) << r.out;
  EXPECT_FALSE(cli_support::fs::exists("-"));
}

TEST(generate, refuses_what_it_cannot_write) {
  const cli_support::folder in;
  for (const char* out : {"x.txt", "x.mtx.bz2", "x.gz"}) {
    const auto r = loops("generate banded:rows=20 --out " + (in / out));
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_TRUE(has(r.out, "is neither a .mtx or .mtx.gz file nor a folder")) << r.out;
    EXPECT_FALSE(cli_support::fs::exists(in / out));
  }
  EXPECT_EQ(loops("generate banded:rows=20 --out " + (in / "x.y/")).code, 0);
  EXPECT_TRUE(cli_support::fs::exists(in / "x.y/banded-rows-20.mtx"));
  EXPECT_EQ(loops("generate arrow:rows=20 --out " + (in / "x.y")).code, 0);
  const auto twice = loops("generate banded:rows=9 arrow:rows=9 banded:rows=9 --out " + (in / "z"));
  EXPECT_EQ(twice.code, 2) << twice.out;
  EXPECT_TRUE(has(twice.out, "two matrices would be ") && has(twice.out, "banded-rows-9.mtx"))
      << twice.out;
  EXPECT_FALSE(cli_support::fs::exists(in / "z"));
}

TEST(draw, writes_no_svg_under_another_ending) {
  const cli_support::folder in;
  for (const char* what : {"petersen", "gemm 100 100 100"}) {
    const auto r = loops("draw " + std::string(what) + " -o " + (in / "p.png"));
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_TRUE(has(r.out, "let its name end in .svg")) << r.out;
    EXPECT_FALSE(cli_support::fs::exists(in / "p.png"));
  }
}

/// Results of products with two kernels more than the safe one.
std::string results_of(const std::vector<std::string>& matrices) {
  std::string entries;
  for (const std::string& matrix : matrices)
    for (const char* schedule : {"merge_path", "group_mapped:8", "nonzero_split"})
      entries += std::string(entries.empty() ? "" : ",") + R"({"name": "spmv/)" + matrix + "/f32/" +
                 schedule + R"(/iterations:1/manual_time", "real_time": 8,
        "time_unit": "us", "rows": 10, "nonzeros": 50, "longest_row": 9, "empty_rows": 1,
        "crowded": 18, "padded": 90, "gather_us": 11, "plan_us": 3})";
  return R"({"context": {"machine": "M", "backend": "CUDA", "commit": "c",
    "copy_gb_per_s": 4000}, "benchmarks": [)" +
         entries + "]}";
}

TEST(train, says_when_all_groups_are_held_out) {
  const cli_support::folder in;
  const std::string held = in.put("held.json", results_of({"HB__x"}));
  for (const char* more : {"", " --predict", " --report"}) {
    const auto r = loops("train " + held + more);
    EXPECT_EQ(r.code, 3) << r.out;
    EXPECT_TRUE(has(r.out, "held out (HB); add results of other groups")) << r.out;
  }
  EXPECT_EQ(loops("train " + in.put("more.json", results_of({"HB__x", "banded:rows=9"}))).code, 0);
}

TEST(train, refuses_kernels_without_the_safe_one) {
  const cli_support::folder in;
  const std::string file = in.put("a.json", results_of({"banded:rows=9"}));
  for (const char* kernels : {"nonzero_split", "group_mapped", "group_mapped,nonzero_split"}) {
    const auto r = loops("train " + file + " --schedules " + kernels + " -o " + (in / "a.hpp"));
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_TRUE(has(r.out, "lack merge_path")) << r.out;
    EXPECT_FALSE(cli_support::fs::exists(in / "a.hpp"));
  }
  EXPECT_EQ(loops("train " + file + " --schedules merge_path,nonzero_split").code, 0);
}

TEST(train, is_judged_by_another_run_of_the_same_class) {
  const cli_support::folder in;
  const std::string own = in.put("own.json", results_of({"banded:rows=9"}));
  const std::string other = in.put("other.json", results_of({"HB__x", "banded:rows=9"}));
  const auto r = loops("train " + own + " --judge " + other);
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(has(r.out, "other.json: held-out groups, a plan used 1000 times")) << r.out;
  EXPECT_TRUE(has(r.out, "other.json: all rows, a plan used 100 times")) << r.out;
  std::string host = results_of({"banded:rows=9"});
  host.replace(host.find("CUDA"), 4, "HOST");
  const auto wrong = loops("train " + own + " --judge " + in.put("host.json", host));
  EXPECT_EQ(wrong.code, 2) << wrong.out;
  EXPECT_TRUE(has(wrong.out, "is of another class than what was trained on")) << wrong.out;
  const auto typo = loops("train " + own + " --judge nosuch.json -o " + (in / "a.hpp"));
  EXPECT_EQ(typo.code, 3) << typo.out;
  EXPECT_FALSE(has(typo.out, "to train on")) << "found too late: " << typo.out;
  EXPECT_FALSE(cli_support::fs::exists(in / "a.hpp"));
}

TEST(train, refuses_what_is_not_there_and_no_backend) {
  const cli_support::folder in;
  const std::string own = in.put("own.json", results_of({"banded:rows=9"}));
  for (const std::string& none : {in / "nosuch", in / "no.mtx"}) {
    const auto r = loops("train " + own + " --matrices " + none);
    EXPECT_EQ(r.code, 3) << r.out;
    EXPECT_TRUE(has(r.out, none + ": there is no such file or folder")) << r.out;
  }
  std::string other = results_of({"banded:rows=9"});
  other.replace(other.find("CUDA"), 4, "SYCL");
  const auto r = loops("train " + in.put("other.json", other));
  EXPECT_EQ(r.code, 3) << r.out;
  EXPECT_TRUE(has(r.out, "backend 'SYCL'")) << r.out;
}

TEST(train, learns_no_tree_from_results_for_limits) {
  const cli_support::folder in;
  const std::string own = in.put("own.json", results_of({"banded:rows=9"}));
  const std::string more = in.put("more.json", results_of({"banded:rows=9", "banded:rows=8"}));
  const auto r = loops("train " + own + " --limits " + more + " -o -");
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(has(r.out, "loops train own.json --limits more.json --name h200")) << r.out;
  // A leaf tells how many matrices it has seen.
  EXPECT_TRUE(has(r.out, "1 matrices of 1 groups")) << r.out;
  EXPECT_FALSE(has(r.out, "2 matrices of 1 groups")) << r.out;
  EXPECT_TRUE(has(loops("train " + own + " " + more + " -o -").out, "2 matrices of 1 groups"));
}

TEST(fetch, lists_the_catalogue_and_says_when_nobody_answers) {
  const auto list = loops("fetch --list");
  EXPECT_EQ(list.code, 0);
  EXPECT_TRUE(has(list.out, "Williams/cant")) << list.out.substr(0, 400);
  EXPECT_EQ(loops("fetch no_such_matrix_anywhere").code, 2);
}

TEST(fetch, goes_on_after_a_name_that_is_none) {
  const cli_support::folder in;
  cli_support::fs::create_directory(in / "Group");
  cli_support::shell("cp datasets/tiny/petersen.mtx " + (in / "Group/there.mtx"));
  const auto r = loops("fetch no_such_matrix_anywhere Group/there --out " + (in / "."));
  EXPECT_EQ(r.code, 2) << r.out;
  EXPECT_TRUE(has(r.out, "loops: no_such_matrix_anywhere: ")) << r.out;
  EXPECT_TRUE(has(r.out, "Group/there.mtx (was there already)")) << r.out;
  EXPECT_EQ(loops("fetch Williams/cant -o -").code, 2);
}

TEST(devices, are_listed_as_json) {
  const cli_support::folder in;
  for (const std::string& how :
       {std::string("--json 2> /dev/null"), std::string("--json - 2> /dev/null")}) {
    const auto r = loops("devices " + how);
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.out.rfind("{\"format_version\":1,", 0), 0U) << r.out;
    for (const char* part : {"\"name\":\"host\"", "\"wave\":64", "\"default\":true"})
      EXPECT_TRUE(has(r.out, part)) << r.out;
  }
  const auto file = loops("devices --json " + (in / "d.json"));
  EXPECT_TRUE(has(file.out, "emulation32")) << file.out;
  EXPECT_EQ(cli_support::shell("python3 -m json.tool " + (in / "d.json")).code, 0);
}

TEST(devices, are_listed) {
  const auto r = loops("devices");
  EXPECT_EQ(r.code, 0);
  for (const char* name : {"host", "emulation32", "emulation64", "default"})
    EXPECT_TRUE(has(r.out, name)) << r.out;
}

TEST(command, refuses_empty_texts_of_variables_that_were_not_set) {
  for (const char* what :
       {"spmv petersen --json ''", "spmv petersen --report ''", "spmv ''", "spmv petersen ''",
        "spmv petersen --device ''", "gemm 8 8 8 --json ''", "draw petersen --out ''",
        "info petersen --device ''", "generate stencil5:nx=3,ny=3 --out ''"}) {
    const auto r = loops(what);
    EXPECT_EQ(r.code, 2) << what << "\n" << r.out;
    EXPECT_TRUE(has(r.out, "the text is empty")) << what << "\n" << r.out;
  }
}

}  // namespace
