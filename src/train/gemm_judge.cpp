// SPDX-License-Identifier: Apache-2.0
/// Ratios, and the lines that tell them.
#include "train/gemm_judge.hpp"

#include "loops/execution/stopwatch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace loops::train {

namespace {

using select::gemm_table;

std::size_t best_of(const gemm_measured& p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < p.ours.size(); ++i)
    if (p.ours[i].second < p.ours[best].second) best = i;
  return best;
}

/// Blocks that share the steps of a tile inside a cluster.
int sharers(const gemm_results& r, select::gemm_candidate c) {
  return r.tiles[static_cast<std::size_t>(c.config)].tiling.split;
}

/// The fastest candidate whose tiles nobody shares, neither among workers nor inside a cluster; as
/// many as there are when none was measured.
std::size_t best_data_parallel(const gemm_results& r, const gemm_measured& p) {
  std::size_t best = p.ours.size();
  for (std::size_t i = 0; i < p.ours.size(); ++i)
    if (p.ours[i].first.waves == 0 && sharers(r, p.ours[i].first) == 1 &&
        (best == p.ours.size() || p.ours[i].second < p.ours[best].second))
      best = i;
  return best;
}

/// How full the last wave of a tile's data-parallel schedule is.
double last_wave(const gemm_results& r, const gemm_measured& p, int config) {
  const select::gemm_costs& c = r.tiles[static_cast<std::size_t>(config)];
  const select::gemm_grid grid(c, p.size, r.like.depth);
  const std::int64_t rest = grid.work.tiles() % grid.workers;
  return rest == 0 ? 1 : static_cast<double>(rest) / static_cast<double>(grid.workers);
}

/// One line of the table.
class ratios {
 public:
  void add(double ratio) {
    if (std::isfinite(ratio)) all_.push_back(ratio);
  }
  [[nodiscard]] std::string line(const std::string& name) {
    char text[256];
    if (all_.empty()) {
      std::snprintf(text, sizeof text, "| %s | 0 | – | – | – | – | – |\n", name.c_str());
      return text;
    }
    std::sort(all_.begin(), all_.end());
    double logs = 0;
    for (const double x : all_) logs += std::log(x);
    const auto at = [this](double q) {
      return all_[static_cast<std::size_t>(q * static_cast<double>(all_.size() - 1))];
    };
    std::snprintf(text, sizeof text, "| %s | %zu | %.3f | %.3f | %.3f | %.3f | %.3f |\n",
                  name.c_str(), all_.size(), std::exp(logs / static_cast<double>(all_.size())),
                  all_.front(), at(0.05), at(0.5), all_.back());
    return text;
  }

 private:
  std::vector<double> all_;
};

std::string label(const gemm_results& r, select::gemm_candidate c) {
  return r.names[static_cast<std::size_t>(c.config)] + "/" +
         (c.waves == 0    ? sharers(r, c) > 1 ? "split" : "dp"
          : c.waves == -1 ? "sk"
                          : "sk" + std::to_string(c.waves));
}

std::string product_name(const gemm_measured& p) {
  return std::to_string(p.size.m) + "x" + std::to_string(p.size.n) + "x" +
         std::to_string(p.size.k) + (p.size.batch > 1 ? "x" + std::to_string(p.size.batch) : "") +
         " " + p.layouts;
}

/// The products on which a choice loses most.
std::string worst(const gemm_results& r, const gemm_table& table, bool against_peer) {
  struct loss {
    double ratio;
    std::string text;
  };
  std::vector<loss> all;
  for (const gemm_measured& p : r.products) {
    if (for_training(p) || (against_peer && p.peers.empty())) continue;
    const auto& mine = p.ours[chosen_of(p, table)];
    const auto& best = p.ours[best_of(p)];
    const double other = against_peer ? p.peers.front() : best.second;
    char text[256];
    std::snprintf(text, sizeof text, "| %s | %s | %.2f | %s | %.2f | %.3f |\n",
                  product_name(p).c_str(), label(r, mine.first).c_str(), mine.second,
                  against_peer ? "its first" : label(r, best.first).c_str(), other,
                  other / mine.second);
    all.push_back({other / mine.second, text});
  }
  std::sort(all.begin(), all.end(), [](const loss& a, const loss& b) { return a.ratio < b.ratio; });
  std::string out = "\n| product | chosen | µs | ";
  out += against_peer ? "peer" : "best";
  out += " | µs | ratio |\n|---|---|--:|---|--:|--:|\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(8, all.size()); ++i) out += all[i].text;
  return out;
}

double choosing_ns(const gemm_results& r, const select::gemm_selector& s) {
  double best = 1;
  double sink = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const double from = seconds_now();
    for (const gemm_measured& p : r.products) sink += s.choose(p.size).us;
    best = std::min(best, (seconds_now() - from) / static_cast<double>(r.products.size()));
  }
  return sink > 0 ? 1e9 * best : 0;
}

}  // namespace

bool for_training(const gemm_measured& p) {
  return (select::key_of(p.size.m, p.size.n, p.size.k) & 1) != 0;
}

std::size_t chosen_of(const gemm_measured& p, const gemm_table& table) {
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < p.ours.size(); ++i)
    if (const double us = select::predict(table, p.size, p.ours[i].first); us < least) {
      least = us;
      best = i;
    }
  return best;
}

std::vector<std::vector<std::uint64_t>> winners_of(const gemm_results& r, double tolerance) {
  std::vector<std::vector<std::uint64_t>> out(r.tiles.size() * 8);
  for (const gemm_measured& p : r.products) {
    const double limit = (1 + tolerance) * p.ours[best_of(p)].second;
    for (const auto& [candidate, us] : p.ours)
      if (us <= limit) out[select::number_of(candidate)].push_back(select::key_of(p.size));
  }
  return out;
}

std::string judge_gemm(const gemm_results& r, double sieve_rate) {
  auto samples = r.samples([](const auto& p) { return for_training(p); });
  // So few products that none is for training: then there is nothing to judge fairly either.
  if (samples.empty()) samples = r.samples([](const auto&) { return true; });
  const gemm_fit half = fit_gemm(r.like, samples);
  const gemm_table table = half.table(r.like);
  const auto winners = winners_of(r, 0.01);
  const auto filters = std::make_shared<select::sieve>(winners, sieve_rate);
  const select::gemm_selector sieved(table, {}, filters);

  ratios seen, unseen, seen_peer_first, seen_peer_best, peer_first, peer_best, oracle_first,
      oracle_best, with_sieve, in_run, in_run_first, in_run_best, split_tail, split_tail_oracle,
      parallel_oracle;
  std::map<std::string, int> policies;
  int unmeasured = 0;
  int failures = 0;
  for (const gemm_measured& p : r.products) {
    failures += p.failures;
    const double best = p.ours[best_of(p)].second;
    const double mine = p.ours[chosen_of(p, table)].second;
    const double first = p.peers.empty() ? NAN : p.peers.front();
    const double peers_best =
        p.peers.empty() ? NAN : *std::min_element(p.peers.begin(), p.peers.end());
    in_run.add(best / p.ours.front().second);
    in_run_first.add(first / p.ours.front().second);
    in_run_best.add(peers_best / p.ours.front().second);
    oracle_first.add(first / best);
    oracle_best.add(peers_best / best);
    const auto policy = label(r, p.ours[best_of(p)].first);
    ++policies[policy.substr(policy.find('/') + 1)];
    const auto pick = sieved.choose(p.size).choice;
    for (const auto& [candidate, us] : p.ours)
      if (candidate == pick) with_sieve.add(best / us);
    if (for_training(p)) {
      seen.add(best / mine);
      continue;
    }
    unseen.add(best / mine);
    peer_first.add(first / mine);
    peer_best.add(peers_best / mine);
    const auto free_pick = select::cheapest(table, p.size).choice;
    unmeasured += std::none_of(p.ours.begin(), p.ours.end(),
                               [&](const auto& o) { return o.first == free_pick; });
    const std::size_t dp = best_data_parallel(r, p);
    if (dp == p.ours.size()) continue;
    parallel_oracle.add(p.ours[dp].second / best);
    if (last_wave(r, p, p.ours[dp].first.config) < 0.5) {
      split_tail.add(p.ours[dp].second / mine);
      split_tail_oracle.add(p.ours[dp].second / best);
    }
  }
  char head[512];
  std::snprintf(head, sizeof head,
                "%s, %s, commit %s: %zu products; fitted on one half, judged on the other\n"
                "model: median error %.1f%%, nine in ten below %.1f%%; memory %.2f TB/s, overlap "
                "%.2f\n\n| | products | geometric mean | least | 5th percentile | median | most "
                "|\n|---|--:|--:|--:|--:|--:|--:|\n",
                r.machine.c_str(), r.type.c_str(), r.commit.c_str(), r.products.size(),
                100 * half.typical_error, 100 * half.wide_error, 1e-6 * half.bytes_per_us,
                half.overlap);
  std::string out = head;
  out += unseen.line("model against our best, unseen products");
  out += seen.line("model against our best, products it was fitted to");
  out += with_sieve.line("sieve, then model, against our best, tuned products");
  out += peer_first.line("model against the peer's first choice, unseen");
  out += peer_best.line("model against the peer's best, unseen");
  out += oracle_first.line("our best against the peer's first choice");
  out += oracle_best.line("our best against the peer's best");
  out += split_tail.line(
      "last wave less than half full: model against our best data-parallel, unseen");
  out += split_tail_oracle.line("the same: our best against our best data-parallel, unseen");
  out += parallel_oracle.line("our best against our best data-parallel, unseen");
  out += in_run.line("as chosen in the run against our best");
  out += in_run_first.line("as chosen in the run against the peer's first choice");
  out += in_run_best.line("as chosen in the run against the peer's best");
  const select::sieve_report report = select::report_of(*filters, winners);
  char tail[512];
  std::snprintf(
      tail, sizeof tail,
      "\nsieve: %.1f%% of the unsuitable candidates eliminated, true negatives %.1f%%, "
      "%.2f of %zu candidates left, %zu bits; choosing takes %.0f ns with it, %.0f ns "
      "without\n%d unseen products whose cheapest candidate was not measured; %d failures\n",
      100 * report.eliminated, 100 * report.true_negatives, report.left, filters->size(),
      filters->bits(), choosing_ns(r, sieved), choosing_ns(r, select::gemm_selector(table)),
      unmeasured, failures);
  out += tail;
  out += "best policies:";
  for (const auto& [name, count] : policies) out += " " + name + " " + std::to_string(count);
  out += "\n\nWhere the model loses most against our best, unseen products\n";
  out += worst(r, table, false);
  out += "\nWhere it loses most against the peer's first choice\n";
  out += worst(r, table, true);
  return out;
}

}  // namespace loops::train
