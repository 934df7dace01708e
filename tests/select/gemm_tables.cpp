// SPDX-License-Identifier: Apache-2.0
/// Tables can be found, and hold what can be a cost.
#include "algorithms/gemm/select/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>

namespace {

using namespace loops::select;

TEST(gemm_tables, every_line_can_be_one) {
  std::set<std::string> tables;
  for (const gemm_table* t : gemm_tables) {
    EXPECT_TRUE(tables.insert(std::string(t->machine) + t->type + t->layouts).second);
    EXPECT_EQ(gemm_table_for(t->machine, t->type, t->layouts), t);
    EXPECT_GT(t->depth, 0);
    EXPECT_GT(t->bytes_per_us, 0);
    EXPECT_GE(t->overlap, 0);
    EXPECT_LE(t->overlap, 1);
    EXPECT_FALSE(t->costs.empty());
    std::set<std::tuple<int, int, int, int, int, int, bool, int>> tilings;
    for (const gemm_costs& c : t->costs) {
      EXPECT_TRUE(tilings
                      .emplace(c.tiling.rows, c.tiling.columns, c.tiling.tall, c.tiling.wide,
                               c.tiling.split, c.tiling.stages, c.tiling.swapped, c.tiling.teams)
                      .second);
      EXPECT_GT(c.workers, 0);
      EXPECT_GT(c.paired, 0);
      for (const float us : c.us) EXPECT_TRUE(std::isfinite(us) && us >= 0);
      EXPECT_GT(c.us[static_cast<std::size_t>(gemm_unit::full_step)], 0);
    }
  }
}

TEST(gemm_tables, types_that_cost_the_same_share_one) {
  EXPECT_EQ(gemm_table_for("NVIDIA H200", "f16"), &tables::gemm_h200_bf16);
  EXPECT_EQ(gemm_table_for("NVIDIA H200", "e5m2"), &tables::gemm_h200_e4m3);
  EXPECT_EQ(gemm_table_for("another", "tf32"), &tables::gemm_h200_tf32);
  EXPECT_EQ(gemm_table_for("NVIDIA H200", "f128"), nullptr);
}

TEST(gemm_tables, operands_that_nobody_measured_as_they_lie_cost_what_others_do) {
  EXPECT_EQ(gemm_table_for("NVIDIA H200", "tf32", "tn"), &tables::gemm_h200_tf32_tn);
  EXPECT_EQ(gemm_table_for("NVIDIA H200", "e4m3", "tn"), &tables::gemm_h200_e4m3);
  EXPECT_EQ(gemm_table_of("NVIDIA H200", "bf16"), &tables::gemm_h200_bf16);
  EXPECT_EQ(gemm_table_of("another", "bf16", "nn"), nullptr);
}

TEST(gemm_tables, a_menu_gets_the_costs_of_its_tiles) {
  const gemm_table& like = tables::gemm_h200_bf16;
  const gemm_costs& first = like.costs[0];
  gemm_costs menu[] = {{like.costs[3].tiling, 0, 0, {}}, {first.tiling, 7, 2, {}}, {}};
  menu[2].tiling = first.tiling;
  menu[2].tiling.columns *= 2;
  menu[2].workers = 5;
  const menu_table table(menu, like);
  ASSERT_EQ(table->costs.size(), 3U);
  EXPECT_EQ(table->costs[0].us, like.costs[3].us);
  EXPECT_EQ(table->costs[0].workers, like.costs[3].workers);
  EXPECT_EQ(table->costs[1].us, first.us);
  EXPECT_EQ(table->costs[1].workers, 7);
  EXPECT_EQ(table->costs[1].paired, 2);
  EXPECT_EQ(table->costs[2].tiling, menu[2].tiling);
  // Scaled from a tile that is alike; but a launch costs what that one's costs.
  EXPECT_TRUE(std::any_of(like.costs.begin(), like.costs.end(),
                          [&](const gemm_costs& c) { return c.us[0] == table->costs[2].us[0]; }));
  EXPECT_GT(table->costs[2].us[2], 1.2F * first.us[2]);
  EXPECT_EQ(table->depth, like.depth);
}

TEST(gemm_tables, a_listed_menu_leaves_out_what_was_never_the_best) {
  const gemm_table& like = tables::gemm_h200_bf16;
  gemm_costs other{};
  other.tiling = like.costs[0].tiling;
  other.tiling.columns += 1;
  const std::vector<gemm_costs> menu{other, like.costs[4], other, like.costs[1]};
  const listed_menu listed(menu, like);
  ASSERT_EQ((*listed).costs.size(), 2U);
  EXPECT_EQ((*listed).costs[0].us, like.costs[4].us);
  EXPECT_EQ((*listed).costs[1].tiling, like.costs[1].tiling);
  EXPECT_EQ(listed.in_menu({0, -1}), (gemm_candidate{1, -1}));
  EXPECT_EQ(listed.in_menu({1, 2}), (gemm_candidate{3, 2}));
}

TEST(gemm_tables, a_menu_of_which_nothing_is_listed_is_listed_whole) {
  const gemm_table& like = tables::gemm_h200_bf16;
  gemm_costs other{};
  other.tiling = like.costs[0].tiling;
  other.tiling.columns += 1;
  const listed_menu listed({other, other}, like);
  ASSERT_EQ((*listed).costs.size(), 2U);
  EXPECT_EQ(listed.in_menu({1, 0}), (gemm_candidate{1, 0}));
}

TEST(gemm_tables, what_a_device_cannot_run_is_not_listed) {
  const gemm_table& like = tables::gemm_h200_bf16;
  std::vector<gemm_costs> menu{like.costs[4], like.costs[1], like.costs[2]};
  menu[0].workers = menu[2].workers = -1;
  const listed_menu listed(menu, like);
  ASSERT_EQ((*listed).costs.size(), 1U);
  EXPECT_EQ((*listed).costs[0].tiling, like.costs[1].tiling);
  EXPECT_EQ(listed.in_menu({0, 3}), (gemm_candidate{1, 3}));
  // A tile that no table lists is no way around it.
  gemm_costs other = like.costs[0];
  other.tiling.columns += 1;
  other.workers = 0;
  menu = {menu[0], other};
  const listed_menu rest(menu, like);
  ASSERT_EQ((*rest).costs.size(), 1U);
  EXPECT_EQ(rest.in_menu({0, 0}), (gemm_candidate{1, 0}));
}

TEST(gemm_tables, clusters_larger_than_any_that_was_measured_have_a_worker) {
  const gemm_table& like = tables::gemm_h200_bf16;
  std::vector<gemm_costs> menu{like.costs[0]};
  menu[0].tiling.tall = menu[0].tiling.wide = 64;
  menu[0].workers = 0;
  EXPECT_EQ(menu_table(menu, like)->costs[0].workers, 1);
}

}  // namespace
