// SPDX-License-Identifier: Apache-2.0
/// JSON is read as its grammar says, and what is none is refused by line.
#include "train/json.hpp"

#include "loops/core/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using loops::train::json;
using loops::train::parse_json;

TEST(json, ReadsEveryKindOfValue) {
  const json v =
      parse_json(R"( {"a": [1, -2.5e3, true, false, null, "x\n\"\u0041/"], "b": {}} )", "it");
  const auto& list = v["a"].list;
  ASSERT_EQ(list.size(), 6u);
  EXPECT_EQ(list[0].number, 1);
  EXPECT_EQ(list[1].number, -2500);
  EXPECT_TRUE(list[2].truth);
  EXPECT_EQ(list[3].is, json::kind::truth);
  EXPECT_FALSE(list[3].truth);
  EXPECT_EQ(list[4].is, json::kind::null);
  EXPECT_EQ(list[5].text, "x\n\"A/");
  EXPECT_EQ(v["b"].is, json::kind::object);
  EXPECT_TRUE(v.has("b"));
  EXPECT_FALSE(v.has("c"));
  EXPECT_EQ(v["c"]["d"].number_or(7), 7);
}

TEST(json, RefusesWhatIsNoneAndSaysWhere) {
  const std::string deep(100, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[1,]"), std::string("{\"a\" 1}"),
        std::string("{a: 1}"), std::string("\"open"), std::string("\"\\u12\""), std::string("1 2"),
        std::string("nul"), deep}) {
    try {
      static_cast<void>(parse_json("\n" + text, "file.json"));
      ADD_FAILURE() << text;
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), loops::errc::parse);
      EXPECT_NE(e.message().find("file.json, line 2"), std::string::npos) << e.message();
    }
  }
}

}  // namespace
