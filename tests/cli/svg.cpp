// SPDX-License-Identifier: Apache-2.0
/// What is written into pictures is XML, whatever the texts in it are.
#include "cli/svg.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using loops::cli::escaped;

TEST(svg, keeps_characters) {
  for (const char* text :
       {"", "a b\t\r\n", "\x7f", "gr\xc3\xb6\xc3\x9f", "\xef\xbf\xbd", "\xf0\x90\x80\x80"})
    EXPECT_EQ(escaped(text), text);
}

TEST(svg, escapes_what_would_end_a_text) {
  EXPECT_EQ(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
}

TEST(svg, replaces_what_no_xml_may_hold) {
  const std::string none = "\xef\xbf\xbd";
  for (const char* text : {"\xff", "\x01", "\x1b", "\xef\xbf\xbe", "\xef\xbf\xbf"})
    EXPECT_EQ(escaped(text), none);
  EXPECT_EQ(escaped("\xe2<\xac"), none + "&lt;" + none);
  EXPECT_EQ(escaped({"\0", 1}), none);
}

}  // namespace
