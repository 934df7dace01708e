// SPDX-License-Identifier: Apache-2.0
/// The cost model counts what a simulated machine does, and chooses what is least.
#include "algorithms/gemm/select/model.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "loops/execution/stopwatch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace loops::select;

float of(const gemm_effort& e, gemm_unit u) {
  return e[static_cast<std::size_t>(u)];
}

/// A table of one tile of 128 x 128 on 4 workers, with costs that are easy to tell apart.
struct one_tile {
  gemm_costs costs[1];
  gemm_table table;
  one_tile() : costs{{{128, 128, 1, 1}, 4, 1, {}}} {
    costs[0].us = {10, 1, 2, 100, 3, 0.5, 5, 7, 0, 0, 0, 0};
    table.depth = 64;
    table.costs = costs;
  }
  [[nodiscard]] double us(const gemm_size& p, int waves) const {
    return predict(table, p, {0, waves});
  }
};

TEST(gemm_model, data_parallel_counts_waves) {
  const one_tile t;
  // 8 tiles on 4 workers: two full waves of 4 steps.
  EXPECT_DOUBLE_EQ(t.us({1024, 128, 256}, 0), 10 + 8 * 2 + 2 * 3.5);
  // 6 tiles: the second wave is half full, so that a step costs half of either, and
  // so does what busy processors add to the end of a tile.
  EXPECT_DOUBLE_EQ(t.us({768, 128, 256}, 0), 10 + 4 * 2 + 4 * 1.5 + 2 * 3 + 1.5 * 0.5);
  // One tile, and sides that are not whole tiles.
  EXPECT_DOUBLE_EQ(t.us({1, 1, 1}, 0), 10 + 1 * (0.25 * 2 + 0.75) + 3 + 0.25 * 0.5);
  EXPECT_DOUBLE_EQ(t.us({129, 1, 65}, 0), 10 + 2 * (0.5 * 2 + 0.5) + 3 + 0.5 * 0.5);
}

TEST(gemm_model, stream_k_counts_shares_and_partials) {
  one_tile t;
  // 6 tiles of 4 steps: 6 steps each, one and a half tiles.
  EXPECT_DOUBLE_EQ(t.us({768, 128, 256}, -1), 10 + 6 * 2 + 2.5 * 3.5 + 5 + 7);
  // 2 tiles of 16 steps on 4 workers: half a tile each, and an owner reads one peer.
  EXPECT_DOUBLE_EQ(t.us({256, 128, 1024}, -1), 10 + 8 * 2 + 1.5 * 3.5 + 5 + 7);
  // 1 tile of 64 steps: a quarter each, three peers.
  EXPECT_DOUBLE_EQ(t.us({128, 128, 4096}, -1), 10 + 16 * 2 + 1.25 * 3.5 + 5 + 3 * 7);
  // The hybrids of one and two tiles: 9 tiles of 16 steps.
  EXPECT_DOUBLE_EQ(t.us({9 * 128, 128, 1024}, 1), 10 + (32 + 4) * 2 + (2 + 1.25) * 3.5 + 5 + 3 * 7);
  EXPECT_DOUBLE_EQ(t.us({9 * 128, 128, 1024}, 2), 10 + (16 + 20) * 2 + (1 + 2.25) * 3.5 + 5 + 7);
  // 1 tile of 4 steps, of which no worker gets less than two: half of them are busy.
  t.table.least = 2;
  EXPECT_DOUBLE_EQ(t.us({128, 128, 256}, -1), 10 + 2 * 1.5 + 1.5 * (3 + 0.5 * 0.5) + 5 + 7);
}

TEST(gemm_model, shared_steps_and_rows) {
  gemm_effort e;
  const gemm_size p{1024, 1024, 1024};
  const gemm_costs split{{128, 128, 1, 1, 4}, 29, 1, {}};
  EXPECT_FALSE(effort_of({split, p, 64}, split, p, 0, 8, e));
  EXPECT_FLOAT_EQ(of(e, gemm_unit::full_step) + of(e, gemm_unit::lone_step), 3 * 4);
  for (const gemm_tiling t : {gemm_tiling{128, 256, 2}, gemm_tiling{128, 256, 1, 2}}) {
    const gemm_costs pairs{t, 66, 1, {}};
    EXPECT_FALSE(effort_of({pairs, p, 64}, pairs, p, 0, 8, e));
    EXPECT_FLOAT_EQ(of(e, gemm_unit::full_step), 16 * 16 / 66.F);
  }
  // A cluster of two by two of which each block takes half of the steps.
  const gemm_costs all{{128, 64, 2, 2, 2}, 16, 1, {}};
  EXPECT_EQ((gemm_grid{all, {1000, 1000, 1000}, 64}.work.tiles()), 4 * 8);
  EXPECT_EQ(all.tiling.blocks(), 8);
}

TEST(gemm_model, few_lines_are_asked_for_by_one_cluster_after_another) {
  const auto queue = [](const gemm_tiling& t, const gemm_size& p) {
    const gemm_costs c{t, 132, 1, {}};
    gemm_effort e;
    effort_of({c, p, 64}, c, p, 0, 8, e);
    return of(e, gemm_unit::queue);
  };
  // 12 rows, a quarter of many: three quarters of 8 clusters wait at each of 10 steps.
  EXPECT_FLOAT_EQ(queue({64, 128}, {12, 1024, 640}), 0.06F);
  EXPECT_FLOAT_EQ(queue({64, 128, 1, 4}, {12, 1024, 640}), 0.015F);
  EXPECT_FLOAT_EQ(queue({64, 128, 4, 1}, {12, 1024, 640}), 0.06F);
  EXPECT_FLOAT_EQ(queue({64, 128}, {1024, 12, 640}), 0.12F);
  // Rows of a swapped tile are columns of C.
  EXPECT_FLOAT_EQ(queue({128, 64, 2, 1, 1, 1, true}, {12, 1024, 640}), 0.03F);
  EXPECT_FLOAT_EQ(queue({128, 64, 1, 2, 1, 1, true}, {1024, 12, 640}), 0.06F);
  // Nobody waits for many, be they of a batch.
  EXPECT_EQ(queue({64, 128}, {12, 1024, 640, 4}), 0);
  EXPECT_EQ(queue({64, 128}, {48, 1024, 640}), 0);
  one_tile t;
  t.costs[0].us[static_cast<std::size_t>(gemm_unit::queue)] = 1000;
  const double without = one_tile().us({12, 1024, 640}, 0);
  EXPECT_NEAR(t.us({12, 1024, 640}, 0), without + 60, 1e-4);
  // Loading does not hide it.
  t.table.bytes_per_us = 1;
  one_tile slow;
  slow.table.bytes_per_us = 1;
  EXPECT_NEAR(t.us({12, 1024, 640}, 0), slow.us({12, 1024, 640}, 0) + 60, 1e-4);
}

TEST(gemm_model, blocks_that_share_a_processor) {
  one_tile t;
  t.costs[0].paired = 2;  // 4 workers on 2 processors; 100 µs for each step of a pair
  // 1 tile of 4 steps: half of the processors are busy. 2 tiles: each has a processor.
  EXPECT_DOUBLE_EQ(t.us({128, 128, 256}, 0), 10 + 4 * 1.5 + 3 + 0.5 * 0.5);
  EXPECT_DOUBLE_EQ(t.us({256, 128, 256}, 0), 10 + 4 * 2 + 3.5);
  EXPECT_DOUBLE_EQ(t.us({384, 128, 256}, 0), 10 + 4 * 2 + 3.5 + 4 * 100);
  // 6 tiles: a wave in pairs, and two tiles, which may be on one processor: a launch that fills the
  // machine begins early, where the one before left processors idle.
  EXPECT_DOUBLE_EQ(t.us({768, 128, 256}, 0), 10 + 4 * 2 + 4 * 2 + 2 * 3.5 + 2 * 4 * 100);
  EXPECT_DOUBLE_EQ(t.us({768, 128, 256}, -1), 10 + 6 * 2 + 2.5 * 3.5 + 5 + 7 + 6 * 100);
}

TEST(gemm_model, slanted_rows_cost_what_they_touch) {
  gemm_effort e;
  gemm_size p{1024, 1024, 1024, 1, row_starts::sectors, row_starts::lines, row_starts::anywhere};
  const gemm_costs t{{128, 128, 1, 1}, 64, 1, {}};
  effort_of({t, p, 64}, t, p, 0, 8, e);
  EXPECT_FLOAT_EQ(of(e, gemm_unit::slanted_a), 16);
  EXPECT_FLOAT_EQ(of(e, gemm_unit::slanted_b), 0);
  EXPECT_FLOAT_EQ(of(e, gemm_unit::slanted_c), 3);
  // Where the operands swap roles, B is what the rows of the tile come from.
  gemm_costs w = t;
  w.tiling.swapped = true;
  effort_of({w, p, 64}, w, p, 0, 8, e);
  EXPECT_FLOAT_EQ(of(e, gemm_unit::slanted_a), 0);
  EXPECT_FLOAT_EQ(of(e, gemm_unit::slanted_b), 16);
  w.tiling = {128, 64, 1, 1, 1, 1, true};
  p.n = 100;
  EXPECT_EQ((gemm_grid{w, p, 64}.work.tiles()), 1024 / 64);
}

TEST(gemm_model, memory_is_a_floor) {
  one_tile t;
  t.table.bytes_per_us = 1000;
  t.table.overlap = 0.5;
  const double bytes = 2.0 * (768 + 128) * 256 + 2.0 * 768 * 128;
  EXPECT_DOUBLE_EQ(loading_us(t.table, {768, 128, 256}), bytes / 1000);
  // Behind the loading goes on what there is until the end of the last tile.
  const double end = 3 + 0.75 * 0.5;  // one of two, whose processors are three in four busy
  EXPECT_DOUBLE_EQ(t.us({768, 128, 256}, 0),
                   10 + bytes / 1000 + 0.5 * (4 * 2 + 4 * 1.5 + end) + end);
  // Neither partials: half a tile more each, of which one peer has a part.
  EXPECT_DOUBLE_EQ(t.us({768, 128, 256}, -1),
                   10 + bytes / 1000 + 0.5 * (6 * 2 + 1.5 * 3.5) + 3.5 + 5 + 7);
}

TEST(gemm_model, teams_hide_the_ends_of_tiles) {
  one_tile t;
  t.costs[0].tiling.teams = 2;
  EXPECT_DOUBLE_EQ(t.us({128, 128, 256}, 0), 10 + 4 * (0.25 * 2 + 0.75) + 3 + 0.25 * 0.5);
  EXPECT_DOUBLE_EQ(t.us({1024, 128, 512}, 0), 10 + 16 * 2 + 3.5);
  EXPECT_DOUBLE_EQ(t.us({2048, 128, 1024}, 0), 10 + 64 * 2 + 3.5);
  // As far as a tile's steps last: half of the end of the first of two tiles, then more of it.
  EXPECT_DOUBLE_EQ(t.us({1024, 128, 256}, 0), 10 + 8 * 2 + 1.5 * 3.5);
  EXPECT_DOUBLE_EQ(t.us({1024, 128, 128}, 0), 10 + 4 * 2 + 1.75 * 3.5);
  // They take whole tiles, whatever they are asked.
  gemm_effort e;
  const gemm_size p{768, 128, 256};
  EXPECT_FALSE(effort_of({t.costs[0], p, 64}, t.costs[0], p, -1, 1, e));
  EXPECT_FLOAT_EQ(of(e, gemm_unit::partial), 0);
  EXPECT_EQ(cheapest(t.table, p).choice, (gemm_candidate{0, 0}));
}

/// Counts steps, ends and partials of every worker, tile by tile, from the schedule's own slices.
gemm_effort walked(const gemm_grid& g, int waves, std::int64_t least) {
  using measure = loops::measure::shares_then_tiles;
  const measure cut = measure{.waves = waves}.dealt_to(g.work, g.workers, least);
  const auto slices = cut.total(g.work);
  gemm_effort worst{};
  double most = -1;
  for (std::int64_t x = 0; x < g.workers; ++x) {
    double steps = 0;
    for (std::int64_t s = x; s < slices; s += g.workers) {
      const auto from = cut.place(g.work, s).atom;
      const auto to = s + 1 < slices ? cut.place(g.work, s + 1).atom : g.work.atoms();
      steps += static_cast<double>(to - from);
    }
    if (steps > most) {
      most = steps;
      worst[1] = static_cast<float>(steps);
    }
  }
  return worst;
}

TEST(gemm_model, steps_are_those_of_the_schedule) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 3000; ++turn) {
    gemm_costs t{{64 << (random() % 2), 64 << (random() % 3), 1, 1}, 0, 1, {}};
    const gemm_size p{static_cast<int>(1 + random() % 3000), static_cast<int>(1 + random() % 1500),
                      static_cast<int>(1 + random() % 4000)};
    t.workers = static_cast<int>(1 + random() % 40);
    const gemm_grid g(t, p, 64);
    for (const int waves : gemm_policies) {
      gemm_effort e;
      effort_of(g, t, p, waves, 8, e);
      EXPECT_NEAR(of(e, gemm_unit::lone_step) + of(e, gemm_unit::full_step), walked(g, waves, 8)[1],
                  1e-2)
          << p.m << " " << p.n << " " << p.k << " waves " << waves << " workers " << t.workers;
    }
  }
}

std::vector<gemm_size> sizes(int count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<> log_size(7, 13);
  std::vector<gemm_size> out;
  for (int i = 0; i < count; ++i) {
    const auto side = [&] { return static_cast<int>(std::exp2(log_size(random))) / 8 * 8; };
    gemm_size p{side(), side(), side()};
    p.a = p.b = row_starts_of(2 * p.k);
    p.c = row_starts_of(2 * p.n);
    out.push_back(p);
  }
  return out;
}

TEST(gemm_model, cheapest_is_the_least_of_all) {
  for (const gemm_table* table : gemm_tables)
    for (const gemm_size& p : sizes(300)) {
      double least = HUGE_VAL;
      for (int c = 0; c < static_cast<int>(table->costs.size()); ++c)
        for (const int waves : gemm_policies)
          least = std::min(least, predict(*table, p, {c, waves}));
      const gemm_forecast f = cheapest(*table, p);
      EXPECT_DOUBLE_EQ(f.us, least);
      EXPECT_DOUBLE_EQ(f.us, predict(*table, p, f.choice));
    }
}

TEST(gemm_model, the_likeliest_are_the_least_of_their_lines) {
  const gemm_table& table = tables::gemm_h200_bf16;
  const std::size_t lines = table.costs.size();
  for (const gemm_size& p : sizes(100)) {
    std::vector<double> least(lines, HUGE_VAL);
    for (std::size_t c = 0; c < lines; ++c)
      for (const int waves : gemm_policies)
        least[c] = std::min(least[c], predict(table, p, {static_cast<int>(c), waves}));
    const std::vector<gemm_forecast> some = likeliest(table, p, 8);
    ASSERT_EQ(some.size(), 8U);
    EXPECT_DOUBLE_EQ(some[0].us, cheapest(table, p).us);
    for (const gemm_forecast& f : some) {
      EXPECT_DOUBLE_EQ(f.us, least[static_cast<std::size_t>(f.choice.config)]);
      EXPECT_DOUBLE_EQ(f.us, predict(table, p, f.choice));
      least[static_cast<std::size_t>(f.choice.config)] = HUGE_VAL;  // no line twice
    }
    // What is left out is no less than the last.
    EXPECT_GE(*std::min_element(least.begin(), least.end()), some.back().us);
    EXPECT_TRUE(std::is_sorted(some.begin(), some.end(),
                               [](const auto& a, const auto& b) { return a.us < b.us; }));
  }
  EXPECT_EQ(likeliest(table, {64, 64, 64}, lines + 9).size(), lines);
  EXPECT_TRUE(likeliest(table, {64, 64, 64}, 0).empty());
}

TEST(gemm_model, shares_nothing_where_tiles_fill_the_last_wave) {
  const gemm_table& table = tables::gemm_h200_bf16;
  int shared = 0;
  for (const gemm_size& p : sizes(2000)) {
    const gemm_forecast f = cheapest(table, p);
    const gemm_costs& c = table.costs[static_cast<std::size_t>(f.choice.config)];
    if (gemm_grid(c, p, table.depth).even()) {
      EXPECT_EQ(f.choice.waves, 0);
    }
    shared += f.choice.waves != 0;
  }
  EXPECT_GT(shared, 0) << "the test would see nothing";
}

TEST(gemm_model, more_work_never_takes_less_time) {
  for (const gemm_table* table : gemm_tables) {
    for (gemm_size p : sizes(100)) {
      p.a = p.b = p.c = row_starts::lines;
      const auto [choice, us] = cheapest(*table, p);
      // Whole tiles and whole steps more: at least as much of everything for every candidate.
      gemm_size larger = p;
      larger.k += 64 * table->depth;
      EXPECT_GE(cheapest(*table, larger).us, 0.999 * us);
      larger = p;
      larger.batch = 2;
      // More steps may divide evenly among workers that get a least number each: then the busiest
      // has one step less.
      const double step = table->costs[static_cast<std::size_t>(choice.config)]
                              .us[static_cast<std::size_t>(gemm_unit::full_step)];
      EXPECT_GE(cheapest(*table, larger).us, 0.999 * us - step);
    }
    for (int c = 0; c < static_cast<int>(table->costs.size()); ++c) {
      double before = 0;
      for (int k = 64; k <= 8192; k += 64) {
        const double us = predict(*table, {1000, 1000, k}, {c, 0});
        EXPECT_GE(us, before);
        before = us;
      }
    }
  }
}

TEST(gemm_model, takes_microseconds) {
  const auto all = sizes(1000);
  double best = 1;
  double sum = 0;
  for (int turn = 0; turn < 10; ++turn) {
    const double from = loops::seconds_now();
    for (const gemm_size& p : all) sum += cheapest(tables::gemm_h200_bf16, p).us;
    best = std::min(best, (loops::seconds_now() - from) / static_cast<double>(all.size()));
  }
  EXPECT_GT(sum, 0);
  // Tests are compiled with little optimization.
  EXPECT_LT(best, 0.5e-6 * static_cast<double>(tables::gemm_h200_bf16.costs.size()));
  RecordProperty("nanoseconds", int(1e9 * best));
}

}  // namespace
