// SPDX-License-Identifier: Apache-2.0
/// The rounds.
#include "gemm/meter.hpp"

#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "gemm/verify.hpp"

namespace loops::bench {

namespace {

constexpr int most_sets = 32;
constexpr double turn_seconds = 300e-6;  ///< of products in a turn, where there are enough sets
constexpr double close = 1.25;           ///< times the best of its side: stays in the running
constexpr int most_rounds = 15;
constexpr int calls_in_a_flush = 4;  ///< that the host certainly makes meanwhile

}  // namespace

/// A contender in the running.
struct meter::runner {
  std::unique_ptr<prepared> product;
  std::vector<double> seconds;
};

double meter::turn(prepared& p, int products) {
  // All products of the turn are to be in the queue before the first begins: a call of a library
  // may take the host longer than a small product takes the device.
  const auto fill = [this, products] {
    for (int i = 0; i < products; i += calls_in_a_flush) flush_();
  };
  const auto seconds = clock_.sample(1, sample_when::queued, fill, [&] {
    for (int i = 0; i < products; ++i) p.start(i);
  });
  return seconds.front() / products;
}

std::vector<lap> meter::measure(const product& what,
                                const std::vector<select::gemm_candidate>& candidates,
                                const options& settings) {
  // Rotated sets exceed three times the cache, or as many as run in a turn, before which the cache
  // is emptied.
  const double wanted = 3.0 * static_cast<double>(cache_) / what.bytes() + 2;
  const int sets = std::clamp(static_cast<int>(wanted), 2, most_sets);
  const operand_sets operands(exec_, what, sets);
  const reference right(operands);

  std::vector<named_peer> peers;
  if (settings.offers > 0) peers = prepare_peers(operands, settings.offers, settings.fast_sums);
  std::vector<lap> laps(candidates.size() + peers.size());
  std::vector<runner> runners(laps.size());
  double best[2] = {HUGE_VAL, HUGE_VAL};  // peers, ours

  const double begin = seconds_now();
  // What the selector and the peer's own heuristics would take: measured whatever it takes.
  const auto asked_for = [&](std::size_t i) {
    return i == 0 || i == candidates.size() || (laps[i].ours && is_plan(laps[i].choice));
  };
  const auto look = [&](std::size_t i) {
    lap& l = laps[i];
    runner& r = runners[i];
    if (l.ours) {
      exec_.synchronize();
      const double from = seconds_now();
      r.product = prepare_ours(operands, l.choice);
      exec_.synchronize();
      l.plan_ms = 1e3 * (seconds_now() - from);
    }
    operands.poison(reference::set);
    r.product->start(reference::set);
    r.product->check();
    l.failed = right.complaint();
    if (!l.failed.empty()) {
      r.product.reset();
      return;
    }
    const double first = turn(*r.product, 2);
    r.seconds = {turn(*r.product, first > turn_seconds ? 1 : std::min(4, sets))};
    l.us = 1e6 * r.seconds.front();
    l.rounds = 1;
    best[l.ours] = std::min(best[l.ours], r.seconds.front());
    // A first look may be off by more than those that follow.
    if (!asked_for(i) && r.seconds.front() > 1.2 * close * best[l.ours]) r.product.reset();
  };
  for (std::size_t i = 0; i < laps.size(); ++i) {
    const bool ours = i < candidates.size();
    laps[i].ours = ours;
    if (ours) {
      laps[i].choice = candidates[i];
    } else {
      laps[i].peer = peers[i - candidates.size()].name;
      runners[i].product = std::move(peers[i - candidates.size()].product);
    }
    try {
      look(i);
    } catch (const error& e) {
      // A tile that is not for such operands is no contender.
      if (!ours || e.code() != errc::unsupported) laps[i].failed = e.what();
      runners[i].product.reset();
    } catch (const std::exception& e) {
      laps[i].failed = e.what();
      runners[i].product.reset();
    }
  }

  for (std::size_t i = 0; i < laps.size(); ++i) {
    if (!runners[i].product) continue;
    if (!asked_for(i) && runners[i].seconds.front() > close * best[laps[i].ours])
      runners[i].product.reset();
    runners[i].seconds.clear();
  }
  for (int round = 0; round < most_rounds; ++round) {
    // Five rounds at least, and an odd number of them.
    if (round >= 5 && round % 2 == 1 && seconds_now() - begin > settings.seconds) break;
    for (std::size_t i = 0; i < laps.size(); ++i) {
      if (!runners[i].product) continue;
      const double expected = 1e-6 * laps[i].us;
      const int products =
          std::clamp(static_cast<int>(std::ceil(turn_seconds / expected)), 2, sets);
      runners[i].seconds.push_back(turn(*runners[i].product, products));
    }
  }
  for (std::size_t i = 0; i < laps.size(); ++i) {
    if (!runners[i].product) continue;
    const summary s = summarise(runners[i].seconds);
    laps[i].us = 1e6 * s.median;
    laps[i].spread = (s.upper_quartile - s.lower_quartile) / s.median;
    laps[i].rounds = static_cast<int>(runners[i].seconds.size());
    try {
      runners[i].product->check();
    } catch (const std::exception& e) {
      laps[i].failed = e.what();
    }
  }
  std::erase_if(laps, [](const lap& l) { return l.rounds == 0 && l.failed.empty(); });
  return laps;
}

}  // namespace loops::bench
