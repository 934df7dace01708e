// SPDX-License-Identifier: Apache-2.0
/// The command ends with the codes that its help promises, and says why.
#include "loops/version.hpp"

#include "support.hpp"

namespace {

using cli_support::has;
using cli_support::loops;

TEST(endings, help_is_the_manual) {
  const auto r = loops("--help");
  EXPECT_EQ(r.code, 0);
  for (const char* part :
       {"spmv", "info", "draw", "generate", "fetch", "devices", "Exit codes", "  3  "})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
  for (const char* name : {"spmv", "info", "draw", "generate", "fetch", "devices"})
    EXPECT_EQ(loops(std::string(name) + " --help").code, 0) << name;
  const auto spmv = loops("spmv --help");
  for (const char* part : {"--schedule", "--type", "--format", "--index", "--device", "--repeat",
                           "--alpha", "--beta", "--json", "--report", "bf16", "bcsr4"})
    EXPECT_TRUE(has(spmv.out, part)) << part << "\n" << spmv.out;
}

TEST(endings, help_and_the_version_are_found_under_their_usual_names) {
  EXPECT_EQ(loops("help").out, loops("--help").out);
  EXPECT_EQ(loops("help spmv").out, loops("spmv --help").out);
  EXPECT_EQ(loops("help tune gemm").code, 0);
  EXPECT_EQ(loops("help nosuch").code, 2);
  const auto version = loops("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind(std::string("loops ") + loops::version_string + " (", 0), 0U)
      << version.out;
  EXPECT_EQ(loops("-v").out, version.out);
}

TEST(endings, a_command_that_cannot_be_meant_ends_with_2) {
  for (const char* line :
       {"",
        "frobnicate",
        "spmv",
        "spmv petersen --schedule nosuch",
        "spmv petersen --type f8",
        "spmv petersen --format jds",
        "spmv petersen --index 16",
        "spmv petersen --repeat 0",
        "spmv petersen --repeat x",
        "spmv petersen --device tpu",
        "spmv petersen --device gpu:x",
        "spmv petersen --device hostx",
        "spmv petersen --nosuch",
        "spmv petersen --type f16 --format ell",
        "spmv banded:rows=ten",
        "spmv rmat:scale=8,nosuch=1",
        "train bench/results/spmv-host-f32-f64.json --schedules merge_path,merge_pathh",
        "generate nosuch",
        "fetch",
        "draw petersen",
        "draw petersen --schedule nosuch -o -",
        "draw datasets/tiny -o -",
        "draw petersen --lanes 3 -o -",
        "draw petersen --wave 64 --lanes 4 -o -",
        "draw petersen petersen -o -",
        "draw petersen --tile 1x1x1 -o -",
        "draw gemm 10 10 -o -",
        "draw gemm 10 10 0 -o -",
        "draw gemm 10 10 ten -o -",
        "draw gemm 10 10 10 --tile 128x128 -o -",
        "draw gemm 10 10 10 --lanes 4 -o -",
        "draw gemm 10 10 10 --schedule merge_path -o -",
        "draw gemm 100000 100000 10 -o -",
        "draw gemm 8 8 1000000000 --tile 8x8x1 --schedule split_k:1000000000 -o -",
        "draw gemm 10 10 10 --workers 20001 -o -",
        "info",
        "generate banded stencil5 --out one.mtx",
        "generate --list banded",
        "fetch --list Williams/cant"}) {
    const auto r = loops(line);
    EXPECT_EQ(r.code, 2) << line << "\n" << r.out;
    EXPECT_FALSE(r.out.empty()) << line;
  }
  const auto r = loops("spmv petersen --schedule nosuch");
  EXPECT_TRUE(has(r.out, "merge_path")) << "the names there are: " << r.out;
}

TEST(endings, a_word_or_number_that_cannot_be_meant_is_repeated) {
  const auto stray = loops("frobnicate");
  EXPECT_TRUE(has(stray.out, "'frobnicate'") && has(stray.out, " spmv")) << stray.out;
  const auto below = loops("tune frobnicate");
  EXPECT_EQ(below.code, 2);
  EXPECT_TRUE(has(below.out, "'frobnicate'") && has(below.out, " gemm")) << below.out;
  EXPECT_FALSE(has(loops("spmv").out, "subcommand")) << loops("spmv").out;
  for (const char* number : {"1e3", "1000001", "0", "-1", "2x"}) {
    const auto r = loops("spmv petersen --repeat=" + std::string(number));
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_TRUE(has(r.out, "'" + std::string(number) + "' is not a whole number from 1 to 1000000"))
        << r.out;
  }
  EXPECT_EQ(loops("spmv petersen --repeat=1000000").code, 0);
  EXPECT_EQ(loops("gemm 2147483649 1 1").code, 2);
}

TEST(endings, numbers_that_begin_with_zero_are_decimal) {
  const cli_support::folder in;
  const auto r = loops("gemm 010 08 0012 --repeat 010 --json " + (in / "run.json"));
  EXPECT_EQ(r.code, 0) << r.out;
  const std::string json = cli_support::bytes_of(in / "run.json");
  for (const char* part : {"\"m\":10,", "\"n\":8,", "\"k\":12,"})
    EXPECT_TRUE(has(json, part)) << part << json;
  EXPECT_TRUE(has(loops("info petersen --uses 0100").out, "used 100"));
  EXPECT_EQ(loops("gemm 0x10 8 8").code, 2);
}

TEST(endings, what_cannot_be_read_ends_with_3_and_the_rest_is_done) {
  const cli_support::folder in;
  const std::string cut =
      in.put("cut.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n");
  const std::string outside =
      in.put("outside.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n4 1 1\n");
  const std::string garbage = in.put("garbage.mtx.gz", std::string("\x1f\x8b garbage", 10));
  const std::string empty = in.put("empty.mtx", "");
  for (const std::string& file : {cut, outside, garbage, empty, in / "absent.mtx"})
    for (const char* what : {"spmv", "info"}) {
      const auto r = loops(std::string(what) + " " + file);
      EXPECT_EQ(r.code, 3) << what << " " << file << "\n" << r.out;
      EXPECT_TRUE(has(r.out, "loops: ")) << r.out;
    }
  const auto r = loops("spmv " + outside + " petersen --repeat 1");
  EXPECT_EQ(r.code, 3) << r.out;
  EXPECT_TRUE(has(r.out, "outside.mtx:3")) << "file and line: " << r.out;
  EXPECT_TRUE(has(r.out, "right")) << "petersen all the same: " << r.out;
  EXPECT_EQ(loops("spmv neither_this_nor_that").code, 3);
  EXPECT_EQ(loops("draw " + cut + " -o -").code, 3);
  const auto folder = loops("spmv " + (in / "nosuch/"));
  EXPECT_EQ(folder.code, 3);
  EXPECT_TRUE(has(folder.out, "loops: nosuch: ")) << folder.out;
  for (const std::string& file : {in / "absent.json", in / "."})
    for (const char* what : {"train", "tune gemm"}) {
      const auto results = loops(std::string(what) + " " + file);
      EXPECT_EQ(results.code, 3) << results.out;
      EXPECT_TRUE(has(results.out, "check the path")) << results.out;
    }
}

TEST(endings, nothing_is_measured_where_nothing_can_be_run) {
  const cli_support::folder in;
  const auto none = loops("spmv --device host " + (in / "absent.mtx") + " neither_this_nor_that");
  EXPECT_EQ(none.code, 3) << none.out;
  EXPECT_FALSE(has(none.out, "GB/s")) << none.out;
  const auto some = loops("spmv --device host petersen --repeat 1 " + (in / "absent.mtx"));
  EXPECT_EQ(some.code, 3) << some.out;
  EXPECT_TRUE(has(some.out, "GB/s, read plus written")) << some.out;
}

TEST(endings, one_is_singular) {
  const cli_support::folder in;
  const std::string one =
      in.put("one.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n");
  EXPECT_TRUE(has(loops("spmv --device host --repeat 1 " + one).out, "1 x 1, 1 nonzero, f32"));
  EXPECT_TRUE(has(loops("info " + one).out, "1 row, 1 column, 1 nonzero\n"));
  EXPECT_TRUE(has(loops("draw " + one + " -o " + (in / "one.svg")).out, ", 1 slice, "));
  EXPECT_TRUE(has(loops("devices").out, "blocks of 1 lane,")) << loops("devices").out;
}

TEST(endings, a_folder_without_matrices_ends_with_3) {
  const cli_support::folder in;
  EXPECT_EQ(loops("spmv " + (in / ".")).code, 3);
  EXPECT_EQ(loops("draw " + (in / ".") + " -o -").code, 3);
}

TEST(endings, arguments_that_are_nothing_leave_the_others_alone) {
  const cli_support::folder in;
  cli_support::fs::create_directory(in / "empty");
  cli_support::fs::create_directory(in / "circle");
  cli_support::fs::create_symlink("a.mtx", in / "circle/a.mtx");
  for (const std::string& nothing : {std::string("nosuch"), in / "empty", in / "circle"})
    for (const char* what : {"spmv ", "info "}) {
      const auto r = loops(what + nothing + " petersen");
      EXPECT_EQ(r.code, 3) << r.out;
      EXPECT_TRUE(has(r.out, nothing)) << r.out;
      EXPECT_TRUE(has(r.out, "30 nonzeros")) << r.out;
    }
}

TEST(endings, what_the_machine_cannot_hold_ends_with_4_and_the_rest_is_done) {
  const cli_support::folder in;
  const std::string wide = in.put("wide.mtx",
                                  "%%MatrixMarket matrix coordinate real general\n"
                                  "1 9223372036854775807 1\n1 9223372036854775807 1\n");
  const std::string line = "petersen " + wide + " zero --index 64 --repeat 1";
  const auto r =
      loops("spmv " + line + " --json " + (in / "run.json") + " --report " + (in / "run.html"));
  EXPECT_EQ(r.code, 4) << r.out;
  EXPECT_TRUE(has(r.out, "loops: wide: this matrix, with x and y and copies")) << r.out;
  for (const char* file : {"run.json", "run.html"})
    for (const char* part :
         {"\"correct\":true", "\"error\":\"this matrix, with x and y", "\"name\":\"zero\""})
      EXPECT_TRUE(has(cli_support::bytes_of(in / file), part)) << part;
  EXPECT_EQ(loops("spmv " + wide + " " + (in / "absent.mtx") + " --index 64").code, 4);
  const auto info = loops("info " + wide);
  EXPECT_EQ(info.code, 0) << info.out;
  EXPECT_TRUE(has(info.out, "1 diagonal used")) << info.out;
}

TEST(endings, a_type_that_one_matrix_chooses_is_not_the_end_of_the_others) {
  const auto r = loops("spmv petersen hermitian_4 zero --device emulation32");
  EXPECT_EQ(r.code, 2) << r.out;
  for (const char* part : {"loops: hermitian_4: emulation32 has no c32", "\nzero: "})
    EXPECT_TRUE(has(r.out, part)) << r.out;
}

TEST(endings, what_a_type_cannot_hold_ends_with_3) {
  const cli_support::folder in;
  const std::string large = in.put(
      "large.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e6\n2 2 1e300\n");
  EXPECT_EQ(loops("spmv " + large + " --type f64").code, 0);
  EXPECT_EQ(loops("spmv " + large + " --type f32").code, 3);
  EXPECT_EQ(loops("spmv " + large + " --type f16").code, 3);
  const auto r = loops("spmv hermitian_4 --type f32");
  EXPECT_EQ(r.code, 3) << r.out;
  EXPECT_TRUE(has(r.out, "complex")) << r.out;
}

TEST(endings, what_cannot_be_written_ends_with_3) {
  EXPECT_EQ(loops("spmv petersen --repeat 1 --json /nosuch/folder/x.json").code, 3);
  EXPECT_EQ(loops("spmv petersen --repeat 1 --report /nosuch/folder/x.html").code, 3);
  EXPECT_EQ(loops("draw petersen -o /nosuch/folder/x.svg").code, 3);
}

TEST(endings, outputs_are_tried_before_anything_is_measured) {
  for (const char* what : {"spmv petersen", "gemm 8 8 8"})
    for (const char* output : {"--json", "--report"}) {
      const auto r = loops(std::string(what) + " --repeat 1 " + output + " /nosuch/folder/x");
      EXPECT_EQ(r.code, 3) << r.out;
      EXPECT_FALSE(has(r.out, "right")) << r.out;
    }
  const cli_support::folder in;
  const std::string kept = in.put("kept.json", "as it was");
  EXPECT_EQ(loops("gemm 8 8 8 --report /nosuch/folder/x --json " + kept).code, 3);
  EXPECT_EQ(cli_support::bytes_of(kept), "as it was");
  EXPECT_EQ(loops("gemm 8 8 8 --json " + (in / "new.json") + " --report /nosuch/folder/x").code, 3);
  EXPECT_FALSE(cli_support::fs::exists(in / "new.json"));
}

TEST(endings, an_output_may_be_a_link_to_what_is_not_there_yet) {
  const cli_support::folder in;
  cli_support::fs::create_directory(in / "real");
  cli_support::fs::create_symlink("real/run.json", in / "link.json");
  EXPECT_EQ(loops("gemm 8 8 8 --json " + (in / "link.json") + " --report /nosuch/folder/x").code,
            3);
  EXPECT_TRUE(cli_support::fs::is_symlink(in / "link.json"));
  EXPECT_FALSE(cli_support::fs::exists(in / "real/run.json"));
  EXPECT_EQ(loops("spmv petersen --repeat 1 --json " + (in / "link.json")).code, 0);
  EXPECT_TRUE(cli_support::fs::is_symlink(in / "link.json"));
  EXPECT_EQ(cli_support::bytes_of(in / "real/run.json").substr(0, 1), "{");
}

TEST(endings, outputs_are_files_of_their_own) {
  const cli_support::folder in;
  const std::string kept = in.put("kept", "as it was");
  for (const char* other : {"kept", "./kept", "../kept"}) {
    cli_support::fs::create_directory(in / "below");
    const std::string path = (in / (other[1] == '.' ? "below/" : "")) + other;
    const auto r = loops("spmv petersen --json " + kept + " --report " + path);
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_TRUE(has(r.out, "two outputs are ")) << r.out;
  }
  EXPECT_EQ(cli_support::bytes_of(kept), "as it was");
  EXPECT_EQ(loops("spmv petersen --json " + (in / "new") + " --report " + (in / "new")).code, 2);
  EXPECT_EQ(loops("spmv petersen --repeat 1 --json /dev/null --report /dev/null").code, 0);
}

TEST(endings, a_pattern_after_an_output_costs_no_input) {
  const cli_support::folder in;
  const std::string matrix = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
  for (const char* name : {"a.mtx", "b.mtx", "c.json", "d.json"}) in.put(name, matrix);
  const std::string at = "cd " + (in / "") + " && '" + cli_support::command() + "' ";
  for (const char* line : {"spmv --json *.mtx", "spmv --report *.mtx", "train -o *.json",
                           "tune gemm -o *.json", "tune gemm --sieve *.json"}) {
    const auto r = cli_support::shell(at + line);
    EXPECT_EQ(r.code, 2) << line << "\n" << r.out;
    EXPECT_TRUE(has(r.out, " cannot be an output")) << r.out;
  }
  for (const char* name : {"a.mtx", "b.mtx", "c.json", "d.json"})
    EXPECT_EQ(cli_support::bytes_of(in / name), matrix) << name;
}

TEST(endings, standard_output_that_is_lost_ends_with_3) {
  if (!cli_support::fs::exists("/dev/full")) GTEST_SKIP() << "NOT TESTED: no /dev/full";
  for (const char* line : {"info petersen", "generate --list", "devices", "--help"}) {
    const auto r = loops(std::string(line) + " > /dev/full");
    EXPECT_EQ(r.code, 3) << line << "\n" << r.out;
    EXPECT_TRUE(has(r.out, "is there room?")) << r.out;
  }
}

TEST(endings, standard_output_belongs_to_one_output) {
  for (const char* what : {"spmv petersen", "gemm 8 8 8"}) {
    const std::string line = std::string(what) + " --repeat 1 --json - ";
    const auto alone = loops(line + "2> /dev/null");
    EXPECT_EQ(alone.code, 0);
    EXPECT_EQ(alone.out.substr(0, 1), "{") << alone.out;
    EXPECT_TRUE(has(loops(line + "> /dev/null").out, "right")) << "the table goes beside";
    EXPECT_EQ(loops(line + "--report -").code, 2);
  }
}

TEST(endings, a_gpu_that_is_not_there_is_not_replaced_by_something_else) {
  const auto r = loops("spmv petersen --device gpu:99");
  EXPECT_EQ(r.code, 2) << r.out;
}

TEST(endings, nothing_is_coloured_or_animated_when_nobody_looks) {
  const auto r = loops("spmv petersen rmat:scale=8 --schedule all --repeat 1");
  EXPECT_FALSE(has(r.out, "\x1b")) << r.out;
  EXPECT_FALSE(has(r.out, "\r")) << r.out;
}

}  // namespace
