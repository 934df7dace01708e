// SPDX-License-Identifier: Apache-2.0
/// Errors say what kind they are, what happened, and where.
#include "loops/core/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

TEST(error, names_code_message_and_the_line_that_threw) {
  const int line = __LINE__ + 1;
  const loops::error e(loops::errc::overflow, "7 rows do not fit");
  EXPECT_EQ(e.code(), loops::errc::overflow);
  EXPECT_EQ(e.message(), "7 rows do not fit");
  EXPECT_EQ(e.where().line, line);
  EXPECT_EQ(std::string(e.what()), std::string("overflow: 7 rows do not fit (") + __FILE__ + ":" +
                                       std::to_string(line) + ")");
}

TEST(error, every_code_has_a_name_of_its_own) {
  using loops::errc;
  std::set<std::string> names;
  for (const errc c : {errc::invalid_argument, errc::overflow, errc::out_of_memory, errc::parse,
                       errc::io, errc::unsupported, errc::device})
    names.insert(to_string(c));
  EXPECT_EQ(names.size(), 7U);
  EXPECT_FALSE(names.count("error"));
}

TEST(require, throws_only_when_the_condition_fails_and_names_the_caller) {
  EXPECT_NO_THROW(loops::require(true, loops::errc::io, "fine"));
  const int line = __LINE__ + 2;
  try {
    loops::require(false, loops::errc::io, "broken");
    FAIL();
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::io);
    EXPECT_EQ(e.where().line, line);
  }
}

}  // namespace
