// SPDX-License-Identifier: Apache-2.0
/// What the command repeats of its command line and of file names moves nothing on a terminal.
#include "cli/printable.hpp"

#include <string>
#include <vector>

#include "support.hpp"

namespace {

using cli_support::has;
using cli_support::loops;

TEST(printable, text_stays_and_control_characters_are_spelt) {
  using loops::cli::printable;
  EXPECT_EQ(printable("a b\\c 'd' \u00e4\u20ac\U0001f600"), "a b\\c 'd' \u00e4\u20ac\U0001f600");
  EXPECT_EQ(printable("\x1b[2J\n\r\t\x7f"), "\\x1b[2J\\x0a\\x0d\\x09\\x7f");
  EXPECT_EQ(printable("\u0085\u009b\u00a0"), "\\xc2\\x85\\xc2\\x9b\u00a0");
  EXPECT_EQ(printable("\x9b"
                      "A\xe2\x82"),
            "\\x9bA\\xe2\\x82");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable(std::string_view("\u0085", 1)), "\\xc2");
  EXPECT_EQ(printable(""), "");
}

TEST(printable, is_cut_after_a_character_and_filled_to_a_width) {
  using loops::cli::printable;
  EXPECT_EQ(printable("abc", 2), "ab");
  EXPECT_EQ(printable("abc", 5), "abc");
  EXPECT_EQ(printable("\u00e4\u20ac\U0001f600x", 3), "\u00e4\u20ac\U0001f600");
  EXPECT_EQ(printable("\u00e4\u20ac", 4, true), "\u00e4\u20ac  ");
  EXPECT_EQ(printable("", 2, true), "  ");
}

TEST(printable, names_of_a_table_are_cut_after_a_character) {
  const cli_support::folder in;
  const std::string good = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n";
  std::string letters;
  for (int i = 0; i < 30; ++i) letters += "\u00e4";
  for (const std::string name : {"a", "b", "c", "d\u20ac"}) in.put(name + letters + ".mtx", good);
  const auto r = loops("spmv '" + (in / ".") + "' --schedule merge_path,lrb --repeat 1");
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_TRUE(has(r.out, "\na" + letters.substr(0, 54) + "           1 ")) << r.out;
  EXPECT_TRUE(has(r.out, "\nd\u20ac" + letters.substr(0, 52) + "           1 ")) << r.out;
}

TEST(printable, is_whatever_a_command_line_says) {
  const cli_support::folder in;
  const std::string good = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n";
  const std::string name = in.put("red\x1b[31m\n.mtx", good);
  in.put("bad\x1b[31m.mtx", "none");
  const std::vector<std::string> lines{
      "info '" + name + "'",
      "spmv '" + name + "'",
      "spmv '" + (in / "") + "' --schedule all",
      "spmv '" + name + "' 'no\x1bne' '" + name + "' petersen --schedule merge_path,lrb",
      "spmv petersen --schedule 'no\x1bne'",
      "info 'no\x1bne'",
      "spmv petersen --repeat 'no\x1bne'",
      "'no\x1bne'",
      "info petersen '--no\x1bne'",
      "gemm 1 1 1 --type 'no\x1bne'",
      "spmv petersen --device 'no\x1bne'",
      "fetch 'no\x1bne/x' --url file:///nowhere",
      "generate 'no\x1bne'",
      "generate arrow:rows=4 --out '" + (in / "a\x1b/b.mtx") + "'",
      "draw petersen -o '" + (in / "a\x1b.svg") + "'",
      "draw gemm 8 8 8 -o '" + (in / "b\x1b.svg") + "'",
      "draw gemm 8 '8\x1b' 8 -o '" + (in / "b.svg") + "'",
      "train 'no\x1bne'",
      "tune gemm 'no\x1bne'",
      "devices --json '" + (in / "no\x1b/x") + "'"};
  for (const std::string& line : lines) {
    const auto r = loops(line);
    EXPECT_FALSE(has(r.out, "\x1b")) << r.out;
    EXPECT_TRUE(has(r.out, "\\x1b")) << r.out;
  }
  const auto r =
      cli_support::shell("LOOPS_THREADS='\x1b' '" + cli_support::command() + "' devices");
  EXPECT_FALSE(has(r.out, "\x1b")) << r.out;
  EXPECT_TRUE(has(r.out, "LOOPS_THREADS is '\\x1b'")) << r.out;
}

}  // namespace
