// SPDX-License-Identifier: Apache-2.0
/// The header that is written says what the model does: compiled and asked, it decides the same.
#include "train/write.hpp"

#include "loops/select/cdna.hpp"
#include "loops/select/h200.hpp"
#include "loops/select/host.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "support.hpp"

namespace {

using namespace loops;
using namespace loops::train;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

table some_table() {
  const table all = tabulate(train_support::world(20), device_class_named("h200"));
  return with_columns(all, columns_of(all, {"group_mapped", "merge_path"}));
}

TEST(header, SaysWhereItComesFromAndWhetherItIsProved) {
  const table t = some_table();
  model m = fit(t, {});
  const std::string text = to_header(m, "loops train a.json", {"A remark."});
  for (const char* part : {"SPDX-License-Identifier", "/// loops train a.json", "/// A remark.",
                           "made up, commit 0123456789ab", ".proved = true", "static_assert"})
    EXPECT_TRUE(has(text, part)) << part;
  m.proved = false;
  EXPECT_TRUE(has(to_header(m, "", {}), ".proved = false"));
}

TEST(header, NamesWhatTakesThePlaceOfACandidateOfLargeWorks) {
  model m = fit(some_table(), {});
  select::candidate& cut = m.schedules[std::size_t(m.numbers.safe)];
  EXPECT_TRUE(has(to_header(m, "", {}), "{\"merge_path\", 0, 0, 1},"));
  using select::placing;
  cut.instead[0] = {"nonzero_split", placing::near, 9'700'000};
  const std::string near = "{.name = \"nonzero_split\", .where = placing::near, .from = 9700000";
  EXPECT_TRUE(has(to_header(m, "", {}), "{\"merge_path\", 0, 0, 1, {{" + near + "}}}},"));
  cut.instead[0].mean = 11;
  EXPECT_TRUE(has(to_header(m, "", {}), near + ", .mean = 11}}}},"));
  cut.instead[1] = {"merge_path", placing::far, 2'600'000, 7};
  const std::string far =
      "{.name = \"merge_path\", .where = placing::far, .from = 2600000, .mean = 7";
  EXPECT_TRUE(has(to_header(m, "", {}), near + ", .mean = 11}, " + far + "}}}},"));
  cut.instead[1].most = 40;
  EXPECT_TRUE(has(to_header(m, "", {}), far + ", .most = 40}}}},"));
  cut.instead[0].crowded = 20'000'000;
  EXPECT_TRUE(has(to_header(m, "", {}), near + ", .mean = 11, .crowded = 20000000}, "));
  cut.instead[4] = {"wide_groups", placing::band, 30'000'000, 0, 0, 0, 60'000'000, true};
  EXPECT_TRUE(has(to_header(m, "", {}),
                  ", .most = 40}, {.name = \"wide_groups\", .where = placing::band, .from = "
                  "30000000, .large = 60000000, .by_lanes = true}}}},"));
  cut.instead[0] = {};
  EXPECT_TRUE(has(to_header(m, "", {}), "{\"merge_path\", 0, 0, 1, {{" + far + ", .most = 40}, "));
}

/// Compiles a program with the header and compares what it decides, row by row. Its texts are such
/// that they could end a comment or a text of C++.
TEST(header, DecidesAsTheModelDoes) {
  namespace fs = std::filesystem;
  const fs::path in = fs::temp_directory_path() / ("loops-header-" + std::to_string(getpid()));
  fs::create_directories(in);
  const table t = some_table();
  model m = fit(t, tune(t, {}));
  m.device = "made_up";
  m.basis = "My \"fast\"\nmachine\\";
  std::ofstream(in / "made_up.hpp") << to_header(m, "a\ntest\\", {m.basis, "a\rremark\\"});
  std::string program =
      "#include \"made_up.hpp\"\n#include <cstdio>\nusing namespace loops;\n"
      "static_assert(select::made_up.basis == \"My \\\"fast\\\"\\nmachine\\\\\");\n"
      "int main() {\n  select::facts x;\n";
  std::string want;
  const select::selector s = m.view();
  for (const row& r : t.rows)
    for (const std::int64_t uses : {1, 30, 1000000}) {
      select::facts x = r.given;
      x.uses = uses;
      const auto d = select::decide(s, x, [&] { return x.seen; });
      want += std::to_string(d.choice) + std::to_string(d.lanes) + (d.gathered ? "g" : "k") + "\n";
      const tile_statistics& n = x.seen;
      std::string numbers;
      for (const std::int64_t i :
           {n.tiles, n.atoms, n.longest, n.empty, n.crowded, n.padded, n.sampled, n.strewn, n.span})
        numbers += std::to_string(i) + ",";
      program += "  x.seen = {" + numbers + "}; x.columns = " + std::to_string(x.columns) +
                 "; x.uses = " + std::to_string(uses) +
                 "; { auto d = select::decide(select::made_up, x, [&] { return x.seen; });"
                 " std::printf(\"%d%d%c\\n\", d.choice, d.lanes, d.gathered ? 'g' : 'k'); }\n";
    }
  std::ofstream(in / "main.cpp") << program << "}\n";
  const std::string where = in.string();
  const std::string compile = "c++ -std=c++20 -Wall -Wextra -Werror -Iinclude -I'" + where + "' '" +
                              where + "/main.cpp' -o '" + where + "/main' && '" + where +
                              "/main' > '" + where + "/got'";
  ASSERT_EQ(std::system(compile.c_str()), 0);
  std::ifstream file(in / "got");
  const std::string got{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(got, want);
  fs::remove_all(in);
}

TEST(header, OfTheTreeAreWellFormedAndSmallEnoughToRead) {
  for (const select::selector* s : {&select::h200, &select::host, &select::cdna}) {
    EXPECT_TRUE(select::well_formed(*s));
    EXPECT_LE(s->known.nodes.size(), 40u);
    EXPECT_LE(s->gathered.nodes.size(), 40u);
    EXPECT_EQ(s->proved, s->device != "cdna");
  }
}

TEST(picture, ShowsEveryLeafAndQuestion) {
  const table t = some_table();
  const model m = fit(t, tune(t, {}));
  const std::string picture = to_picture(m);
  EXPECT_TRUE(has(picture, "<svg"));
  EXPECT_TRUE(has(picture, "</svg>"));
  EXPECT_FALSE(has(picture, "nan"));
  std::size_t leaves = 0;
  for (std::size_t at = 0; (at = picture.find(" groups", at)) != std::string::npos; ++at) ++leaves;
  EXPECT_EQ(leaves, m.known.leaves.size() + m.gathered.leaves.size());
  EXPECT_TRUE(has(picture, "merge_path"));
}

TEST(text, HasALinePerPolicy) {
  const table t = some_table();
  const std::string text = to_text(judge(fit(t, {}), t, 100, {"merge_path"}));
  for (const char* part :
       {"oracle", "selector", "known only", "gathered only", "always merge_path"})
    EXPECT_TRUE(has(text, part)) << part;
}

}  // namespace
