// SPDX-License-Identifier: Apache-2.0
/// What is written as JSON is JSON, whatever the texts in it are.
#include "cli/json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

std::string quoted(const std::string& text) {
  return loops::cli::json_writer().value(text).text();
}

TEST(json, keeps_characters) {
  for (const char* text :
       {"", "a b", "\x7f", "\xc2\x80",
        "gr\xc3\xb6\xc3\x9f"
        "er",
        "\xe2\x82\xac", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(quoted(text), '"' + std::string(text) + '"');
}

TEST(json, escapes_what_would_end_it) {
  EXPECT_EQ(quoted("a\"b\\c\n<"), R"("a\"b\\c\u000a\u003c")");
  EXPECT_EQ(quoted(std::string("\0", 1)), R"("\u0000")");
}

TEST(json, replaces_bytes_that_are_no_characters) {
  const std::string none = "\\ufffd";
  EXPECT_EQ(quoted("a\xff"
                   "b"),
            '"' + ("a" + none + "b") + '"');
  EXPECT_EQ(quoted("\xe2\x82"), '"' + (none + none) + '"');
  EXPECT_EQ(quoted("\xe2\"\xac"), '"' + (none + "\\\"" + none) + '"');
  for (const char* two : {"\xc0\x80", "\xc1\xbf"})
    EXPECT_EQ(quoted(two), '"' + (none + none) + '"');
  for (const char* three : {"\xe0\x9f\xbf", "\xed\xa0\x80"})
    EXPECT_EQ(quoted(three), '"' + (none + none + none) + '"');
  for (const char* four : {"\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(quoted(four), '"' + (none + none + none + none) + '"');
}

}  // namespace
