// SPDX-License-Identifier: Apache-2.0
/// What is known exactly comes first, then what passes the sieve, then the model.
#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace loops::select;
const gemm_table& table = tables::gemm_h200_bf16;

TEST(gemm_selector, asks_the_model_when_nothing_was_tuned) {
  const gemm_selector s(table);
  for (const gemm_size p : {gemm_size{4096, 4096, 4096}, gemm_size{512, 512, 8192}})
    EXPECT_EQ(s.choose(p).choice, cheapest(table, p).choice);
}

TEST(gemm_selector, knows_what_was_tuned) {
  const gemm_size p{4096, 4096, 4096};
  const gemm_candidate odd{7, 3};
  const gemm_selector s(table, {{key_of(p), odd}, {key_of(gemm_size{8, 8, 8}), {1, 0}}}, nullptr);
  EXPECT_EQ(s.choose(p).choice, odd);
  EXPECT_EQ(s.choose(p).us, predict(table, p, odd));
  gemm_size slanted = p;
  slanted.a = row_starts::anywhere;
  EXPECT_EQ(s.choose(slanted).choice, cheapest(table, slanted).choice);
}

TEST(gemm_selector, a_sieve_leaves_the_rest_to_the_model) {
  const gemm_size p{4096, 4096, 4096};
  std::vector<std::vector<std::uint64_t>> winners(table.costs.size() * 8);
  const gemm_candidate a{4, 0};
  const gemm_candidate b{11, 2};
  winners[number_of(a)].push_back(key_of(p));
  winners[number_of(b)].push_back(key_of(p));
  const gemm_selector s(table, {}, std::make_shared<sieve>(winners, 1e-6));
  EXPECT_EQ(s.choose(p).choice, predict(table, p, a) < predict(table, p, b) ? a : b);
  const gemm_size other{4096, 4096, 4104};
  EXPECT_EQ(s.choose(other).choice, cheapest(table, other).choice);
}

TEST(gemm_selector, several_begin_with_the_choice) {
  const gemm_size p{4096, 4096, 4096};
  const auto names = [](const std::vector<gemm_forecast>& all) {
    std::vector<std::size_t> out;
    for (const gemm_forecast& f : all) out.push_back(number_of(f.choice));
    return out;
  };
  const std::vector<std::size_t> likely = names(likeliest(table, p, 4));
  EXPECT_EQ(names(gemm_selector(table).several(p, 4)), likely);
  // What was tuned comes first, once, and the others keep their order.
  const auto tuned = [&](gemm_candidate best) {
    return names(gemm_selector(table, {{key_of(p), best}}, nullptr).several(p, 4));
  };
  EXPECT_EQ(tuned(candidate_of(likely[2])),
            (std::vector{likely[2], likely[0], likely[1], likely[3]}));
  const gemm_candidate odd{7, 3};
  EXPECT_EQ(tuned(odd), (std::vector{number_of(odd), likely[0], likely[1], likely[2]}));
  EXPECT_TRUE(gemm_selector(table).several(p, 0).empty());
}

TEST(gemm_selector, numbers_of_candidates_lead_back) {
  for (int config = 0; config < 20; ++config)
    for (const int waves : gemm_policies)
      EXPECT_EQ(candidate_of(number_of({config, waves})), (gemm_candidate{config, waves}));
}

TEST(gemm_selector, refuses_what_is_not_in_the_table) {
  support::expect_error(loops::errc::invalid_argument, "tune again", [] {
    gemm_selector(table, {{1, {static_cast<int>(table.costs.size()), 0}}}, nullptr);
  });
  support::expect_error(loops::errc::invalid_argument, "tune again", [] {
    gemm_selector(table, {{1, {-1, 0}}}, nullptr);
  });
  support::expect_error(loops::errc::invalid_argument, "tune again", [] {
    gemm_selector(table, {{1, {0, 7}}}, nullptr);
  });
  const std::vector<std::vector<std::uint64_t>> many(table.costs.size() * 8 + 1);
  support::expect_error(loops::errc::invalid_argument, "tune again",
                        [&] { gemm_selector(table, {}, std::make_shared<sieve>(many, 0.1)); });
}

}  // namespace
