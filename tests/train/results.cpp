// SPDX-License-Identifier: Apache-2.0
/// Benchmark results become measurements: new ones and old ones, and nothing that is neither.
#include "train/results.hpp"

#include "loops/core/error.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

using namespace loops;
using namespace loops::train;

std::string entry(const std::string& name, double us, const std::string& more = "") {
  return "{\"name\": \"spmv/" + name +
         "/iterations:1/manual_time\", \"real_time\": " + std::to_string(us) +
         ", \"time_unit\": \"us\", \"rows\": 10, \"nonzeros\": 50, "
         "\"longest_row\": 9" +
         more + "}";
}
const std::string statistics =
    ", \"empty_rows\": 1, \"crowded\": 18, \"padded\": 90, \"gather_us\": 11, \"plan_us\": 3";

results read(const std::string& entries, const statistics_finder& find, bool twice = false) {
  const std::string whole = R"({"context": {"machine": "M", "backend": "CUDA", "commit": "c",
    "copy_gb_per_s": "4000.5"}, "benchmarks": [)" +
                            entries + "]}";
  std::vector<std::pair<std::string, json>> files{{"a.json", parse_json(whole, "a.json")}};
  if (twice) {
    std::string other = whole;
    other.replace(other.find("\"M\""), 3, "\"N\"");
    files.emplace_back("b.json", parse_json(other, "b.json"));
  }
  return read_results(files, find);
}
std::optional<tile_statistics> nobody(const std::string&) {
  return std::nullopt;
}

TEST(results, AreMediansOfRounds) {
  const auto plan = [](int us) {
    return statistics.substr(0, statistics.rfind(' ') + 1) + std::to_string(us);
  };
  const auto round = [&](double merge_path, double lanes, int us) {
    return entry("HB__x/f32/merge_path", merge_path, plan(us)) + "," +
           entry("HB__x/f32/group_mapped:8", lanes, plan(us));
  };
  const results three =
      read(round(8, 5, 3) + "," + round(60, 4, 70) + "," + round(7, 50, 2), nobody);
  ASSERT_EQ(three.rows.size(), 1u);
  EXPECT_EQ(three.rows[0].us.at("merge_path"), 8);
  EXPECT_EQ(three.rows[0].us.at("group_mapped:8"), 5);
  EXPECT_EQ(three.rows[0].halves[0].at("group_mapped:8"), 50);
  EXPECT_EQ(three.rows[0].halves[1].at("group_mapped:8"), 4);
  EXPECT_EQ(three.rows[0].plan_us.at("merge_path"), 3);
  const results two = read(round(8, 5, 3) + "," + round(6, 4, 5), nobody);
  EXPECT_EQ(two.rows[0].us.at("merge_path"), 8);
  EXPECT_EQ(two.rows[0].plan_us.at("group_mapped:8"), 5);
}

TEST(results, HoldWhatWasMeasuredOfTheLibrarysSchedules) {
  const results r = read(entry("HB__x/f64/merge_path", 8, statistics) + "," +
                             entry("HB__x/f64/group_mapped:8", 5, statistics) + "," +
                             entry("HB__x/f64/automatic", 4, statistics) + "," +
                             entry("HB__x/f64/cusparse_csr_alg1", 3, statistics),
                         nobody);
  EXPECT_EQ(r.machine, "M");
  EXPECT_EQ(r.copy_gb_per_s, 4000.5);
  ASSERT_EQ(r.rows.size(), 1u);
  const measured& x = r.rows[0];
  EXPECT_EQ(x.matrix, "HB__x");
  EXPECT_EQ(x.group, "HB");
  EXPECT_FALSE(x.generated);
  EXPECT_EQ(x.given.value_bytes, 8);
  EXPECT_EQ(x.given.seen, (tile_statistics{10, 50, 9, 1, 18, 90}));
  EXPECT_EQ(x.us.size(), 2u);
  EXPECT_EQ(x.us.at("group_mapped:8"), 5);
  EXPECT_EQ(x.plan_us.at("merge_path"), 3);
  EXPECT_EQ(x.gather_us.value_or(0), 11);
}

TEST(results, SayWhichFileHasNoRate) {
  for (const char* text : {"n/a", "", "4000 GB/s", "inf", "nan"}) {
    const std::string whole = R"({"context": {"machine": "M", "copy_gb_per_s": ")" +
                              std::string(text) + R"("}, "benchmarks": []})";
    try {
      (void)read_results({{"a.json", parse_json(whole, "a.json")}}, nobody);
      ADD_FAILURE() << text;
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::parse);
      EXPECT_EQ(e.message(),
                "a.json: \"copy_gb_per_s\" is \"" + std::string(text) + "\", which is no number");
    }
  }
}

TEST(results, refuse_a_rate_without_end) {
  const char* const whole = R"({"context": {"copy_gb_per_s": Infinity}, "benchmarks": []})";
  support::expect_error(errc::parse, R"(a.json: "copy_gb_per_s" is "inf")", [&] {
    static_cast<void>(read_results({{"a.json", parse_json(whole, "a.json")}}, nobody));
  });
}

TEST(results, refuse_a_rate_that_no_memory_has) {
  for (const char* rate : {"1e-320", "1e-9", "0", "-5", "1e9"})
    support::expect_error(errc::parse, "copy_gb_per_s, or none that can be", [&] {
      const std::string whole = R"({"context": {"machine": "M", "copy_gb_per_s": ")" +
                                std::string(rate) + R"("}, "benchmarks": [)" +
                                entry("HB__x/f32/merge_path", 8) + "]}";
      static_cast<void>(read_results({{"a.json", parse_json(whole, "a.json")}}, [](const auto&) {
        return std::optional<tile_statistics>(tile_statistics{10, 50, 9, 2, 3, 4});
      }));
    });
}

TEST(results, OfOldAskForStatisticsAndTakePlansFromSingleUses) {
  int asked = 0;
  const results r =
      read(entry("HB__x/f32/merge_path", 8) + "," + entry("HB__x/f32/merge_path,once", 20.5) + "," +
               entry("HB__y/f32/merge_path", 8),
           [&](const std::string& name) -> std::optional<tile_statistics> {
             ++asked;
             if (name == "HB__y") return std::nullopt;
             return tile_statistics{10, 50, 9, 2, 3, 4};
           });
  EXPECT_EQ(asked, 2);
  ASSERT_EQ(r.rows.size(), 1u);
  EXPECT_EQ(r.rows[0].given.seen.empty, 2);
  EXPECT_EQ(r.rows[0].us.at("merge_path"), 8);
  EXPECT_EQ(r.rows[0].plan_us.at("merge_path"), 12.5);
  EXPECT_FALSE(r.rows[0].gather_us.has_value());
}

TEST(results, TellWhichColumnsAreStrewnOrAskForThat) {
  const auto asked = [](const std::string& name) -> std::optional<tile_statistics> {
    if (name == "HB__new") throw std::logic_error("asked in vain");
    if (name == "HB__lost") return std::nullopt;
    return tile_statistics{1, 2, 3, 4, 5, 6, 70, 7, 8};
  };
  const std::string columns = ", \"columns\": 60, \"sampled\": 40, \"strewn\": 30";
  const results r =
      read(entry("HB__lost/f32/merge_path", 8, statistics) + "," +
               entry("HB__new/f32/merge_path", 8, statistics + columns) + "," +
               entry("HB__old/f32/merge_path", 8, statistics) + "," +
               entry("HB__with/f32/merge_path", 8, statistics + columns + ", \"span\": 50"),
           asked);
  ASSERT_EQ(r.rows.size(), 4u);
  EXPECT_EQ(r.rows[0].given.seen, (tile_statistics{10, 50, 9, 1, 18, 90, 0, 0}));
  EXPECT_EQ(r.rows[1].given.seen, (tile_statistics{10, 50, 9, 1, 18, 90, 40, 30, 40 * 60}))
      << "as many as there are";
  EXPECT_EQ(r.rows[2].given.seen, (tile_statistics{10, 50, 9, 1, 18, 90, 70, 7, 8}));
  EXPECT_EQ(r.rows[3].given.seen, (tile_statistics{10, 50, 9, 1, 18, 90, 40, 30, 50}));
}

TEST(results, LeaveOutWhatFailed) {
  const results r = read(entry("HB__x/f32/merge_path", 8, statistics) + "," +
                             entry("HB__x/f32/lrb", 0, statistics) + "," +
                             entry("HB__x/f32/queue", 1, statistics + ", \"error_occurred\": true"),
                         nobody);
  EXPECT_EQ(r.rows[0].us.size(), 1u);
}

TEST(results, leave_out_times_that_are_no_numbers) {
  std::string never = entry("HB__x/f32/lrb", 8, statistics);
  never.replace(never.find(": 8."), 3, ": Infinity, \"was\": ");
  std::string unplanned = statistics;
  unplanned.replace(unplanned.find(": 11"), 4, ": NaN");
  unplanned.replace(unplanned.find("_us\": 3"), 7, "_us\": -Infinity");
  const results r = read(never + "," + entry("HB__x/f32/merge_path", 8, unplanned), nobody);
  EXPECT_EQ(r.rows[0].us.size(), 1u);
  EXPECT_TRUE(r.rows[0].plan_us.empty());
  EXPECT_FALSE(r.rows[0].gather_us.has_value());
}

TEST(results, leave_out_times_that_nobody_can_have_measured) {
  for (const double us : {1e300, 1e-300}) {
    std::string no_plan = statistics;
    no_plan.replace(no_plan.find(": 11"), 4, ": -11");
    no_plan.replace(no_plan.find("_us\": 3"), 7, "_us\": 1e300");
    char real_time[32];
    std::snprintf(real_time, sizeof real_time, "%g, \"was\"", us);
    std::string never = entry("HB__x/f32/lrb", 8, statistics);
    never.replace(never.find(" 8."), 3, real_time + std::string(": "));
    const results r = read(never + "," + entry("HB__x/f32/merge_path", 8, no_plan), nobody);
    EXPECT_EQ(r.rows[0].us.size(), 1u) << us;
    EXPECT_TRUE(r.rows[0].plan_us.empty());
    EXPECT_FALSE(r.rows[0].gather_us.has_value());
  }
}

TEST(results, refuse_numbers_of_things_that_cannot_be) {
  const auto refused = [](const std::string& what, const std::string& more) {
    support::expect_error(
        errc::parse, "a.json: \"" + what + "\" of spmv/HB__x/f32/merge_path", [&] {
          static_cast<void>(read(entry("HB__x/f32/merge_path", 8, statistics + more), nobody));
        });
  };
  for (const char* number : {"1e300", "-1", "NaN", "Infinity", "9007199254740994"})
    for (const char* what : {"columns", "sampled", "strewn", "span"})
      refused(what, ", \"" + std::string(what) + "\": " + number);
  refused("columns", ", \"sampled\": 1e9, \"columns\": 1e9");
}

TEST(results, RefuseWhatIsNoneAndMixedMachines) {
  EXPECT_THROW(static_cast<void>(read("", nobody)), error);
  support::expect_error(errc::parse, "nothing to learn or to judge by: in a.json no matrix has",
                        [] { static_cast<void>(read(entry("HB__x/f32/merge_path", 8), nobody)); });
  EXPECT_THROW(static_cast<void>(read(entry("HB__x/f32/merge_path", 8, statistics), nobody, true)),
               error);
  EXPECT_THROW(static_cast<void>(read_results({{"n.json", parse_json("{}", "n.json")}}, nobody)),
               error);
}

TEST(results, say_which_file_is_of_another_program) {
  std::string other = entry("HB__x/f32/rows/1/merge_path", 8, statistics);
  other.replace(other.find("spmv/"), 5, "spmm/");
  support::expect_error(
      errc::parse, "a.json: this is no result of bench_spmv: it has the time of \"spmm/HB__x/",
      [&] {
        static_cast<void>(read(entry("HB__x/f32/merge_path", 8, statistics) + "," + other, nobody));
      });
}

TEST(results, KnowGroupsAndGenerators) {
  EXPECT_EQ(group_of("HB__bcsstk13"), "HB");
  EXPECT_EQ(group_of("rmat:scale=4,edges=8"), "rmat");
  EXPECT_EQ(group_of("mine"), "mine");
  EXPECT_TRUE(is_generated("rmat:scale=4"));
  EXPECT_FALSE(is_generated("mine"));
  EXPECT_FALSE(is_generated("HB__x"));
}

TEST(results, HashIsThatOfThePublishedAlgorithm) {
  EXPECT_EQ(hash_of(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash_of("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash_of("foobar"), 0x85944171f73967e8u);
}

}  // namespace
