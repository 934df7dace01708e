// SPDX-License-Identifier: Apache-2.0
/// The fit finds the costs of a simulated machine, and chooses as one who knows them would.
#include "train/gemm_fit.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "train/gemm_machine.hpp"

namespace {

using namespace loops::select;
using loops::train::fit_gemm;
using loops::train::gemm_fit;
using loops::train::gemm_sample;

const gemm_table& like = support::gemm_machine::like();

/// Time of the best candidate over that of the chosen one, on products that the fit has not seen:
/// geometric mean.
double regret(const support::gemm_machine& m, const gemm_table& fitted) {
  std::mt19937 random(99);
  double logs = 0;
  for (int i = 0; i < 500; ++i) {
    const gemm_size p = support::gemm_machine::draw(random);
    const gemm_candidate chosen = cheapest(fitted, p).choice;
    logs += std::log(cheapest(m.table, p).us / predict(m.table, p, chosen));
  }
  return std::exp(logs / 500);
}

TEST(gemm_fit, finds_the_costs_of_a_machine_without_noise) {
  const support::gemm_machine m;
  const auto samples = m.samples(300, 5);
  const gemm_fit fit = fit_gemm(like, samples);
  EXPECT_LT(fit.typical_error, 0.01);
  EXPECT_LT(fit.wide_error, 0.06);  // costs that hardly matter stay near the common ones
  EXPECT_GT(regret(m, fit.table(like)), 0.995);
  EXPECT_LT(regret(m, like), 0.99) << "the costs it begins with are no challenge";
}

TEST(gemm_fit, bears_noise_and_outliers) {
  const support::gemm_machine m(0.03);
  auto samples = m.samples(300, 6);
  std::mt19937 random(1);
  for (gemm_sample& s : samples)
    if (random() % 50 == 0) s.us *= 2.5;  // somebody else was using the machine
  const gemm_fit fit = fit_gemm(like, samples);
  EXPECT_LT(fit.typical_error, 0.04);
  EXPECT_GT(regret(m, fit.table(like)), 0.985);
}

TEST(gemm_fit, unmeasured_tiles_get_costs_in_proportion) {
  const support::gemm_machine m;
  auto samples = m.samples(200, 7);
  std::erase_if(samples, [](const gemm_sample& s) { return s.candidate.config == 6; });
  const gemm_fit fit = fit_gemm(like, samples);
  constexpr auto step = static_cast<std::size_t>(gemm_unit::full_step);
  EXPECT_GT(fit.costs[6].us[step], 0.6F * m.costs[6].us[step]);
  EXPECT_LT(fit.costs[6].us[step], 1.8F * m.costs[6].us[step]);
}

TEST(gemm_fit, few_samples_make_no_free_partials) {
  const support::gemm_machine m;
  auto samples = m.samples(100, 8);
  // Stream-K was measured with one tile only: the one that it suits most often.
  std::vector<int> shares(m.costs.size());
  for (const gemm_sample& s : samples)
    shares[static_cast<std::size_t>(s.candidate.config)] += s.candidate.waves != 0;
  const auto most = std::max_element(shares.begin(), shares.end()) - shares.begin();
  ASSERT_GT(shares[static_cast<std::size_t>(most)], 10);
  std::erase_if(samples, [most](const gemm_sample& s) {
    return s.candidate.waves != 0 && s.candidate.config != most;
  });
  const gemm_fit fit = fit_gemm(like, samples);
  for (const gemm_costs& c : fit.costs)
    EXPECT_GT(c.us[static_cast<std::size_t>(gemm_unit::partial)] +
                  c.us[static_cast<std::size_t>(gemm_unit::peer)],
              0);
}

TEST(gemm_fit, refuses_what_cannot_be) {
  support::expect_error(loops::errc::invalid_argument, "no measurement",
                        [] { static_cast<void>(fit_gemm(like, {})); });
  const gemm_sample bad[] = {{{128, 128, 128}, {static_cast<int>(like.costs.size()), 0}, 5}};
  support::expect_error(loops::errc::invalid_argument, "there are",
                        [&] { static_cast<void>(fit_gemm(like, bad)); });
  const gemm_sample negative[] = {{{128, 128, 128}, {0, 0}, -5}};
  support::expect_error(loops::errc::invalid_argument, "cannot be",
                        [&] { static_cast<void>(fit_gemm(like, negative)); });
}

}  // namespace
