// SPDX-License-Identifier: Apache-2.0
/// Chooses tile and schedule of a GEMM: what was tuned exactly, else what passes the sieve, else
/// all, judged by the cost model.
#pragma once

#include "algorithms/gemm/select/model.hpp"
#include "loops/select/bloom.hpp"
#include "loops/select/sieve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace loops::select {

/// The key of a product in sieves and tables of tuned products.
constexpr std::uint64_t key_of(const gemm_size& p) noexcept {
  return key_of(p.m, p.n, p.k, p.batch,
                static_cast<int>(p.a) + 3 * static_cast<int>(p.b) + 9 * static_cast<int>(p.c));
}

/// The number of a candidate in a sieve, and back. Requires: `is_gemm_policy(c.waves)`.
constexpr std::size_t number_of(gemm_candidate c) noexcept {
  return static_cast<std::size_t>(c.config) * 8 + static_cast<std::size_t>(c.waves + 1);
}
constexpr gemm_candidate candidate_of(std::size_t number) noexcept {
  return {static_cast<int>(number / 8), static_cast<int>(number % 8) - 1};
}

/// What was measured to be best for one product.
struct tuned_gemm {
  std::uint64_t key = 0;
  gemm_candidate best;
};

/// What was tuned on a machine, for a plan to choose by: lines have their numbers in the whole
/// menu, as `bench_gemm` writes them. In place of a schedule, a product that was tuned gets the
/// line that is known to be best, else the best of what the sieve leaves, and any other what
/// `schedule::automatic` finds in the whole menu.
struct gemm_tuning {
  /// Of the machine, the type and the layouts, with lines: `gemm_table_for` finds those listed.
  const gemm_table* costs = nullptr;
  std::vector<tuned_gemm> best = {};
  /// Such as `loops tune gemm --sieve` writes, or null.
  std::shared_ptr<const sieve> filters = nullptr;
};

/// A table of costs, and what was tuned beyond it. Choosing allocates nothing and takes
/// microseconds. The tables outlive the selector.
class gemm_selector {
 public:
  explicit gemm_selector(const gemm_table& table) : table_(&table) {}
  /// Also with a sieve, and with products whose best candidate is known. Throws: invalid_argument
  /// when these name tiles that the table does not have.
  gemm_selector(const gemm_table& table, std::vector<tuned_gemm> tuned,
                std::shared_ptr<const sieve> filters)
      : table_(&table), tuned_(std::move(tuned)), sieve_(std::move(filters)) {
    std::sort(tuned_.begin(), tuned_.end(), by_key);
    const std::size_t numbers = table.costs.size() * 8;
    require(!sieve_ || sieve_->size() <= numbers, errc::invalid_argument,
            "the sieve was made for more tiles than the table has: tune again");
    for (const tuned_gemm& t : tuned_)
      require(t.best.config >= 0 && is_gemm_policy(t.best.waves) && number_of(t.best) < numbers,
              errc::invalid_argument,
              "a tuned product names a tile that the table does not have: tune again");
  }

  [[nodiscard]] const gemm_table& table() const noexcept { return *table_; }

  /// The candidate for a product, and what it should take.
  [[nodiscard]] gemm_forecast choose(const gemm_size& p) const {
    const std::optional<gemm_forecast> known = tuned(p);
    return known ? *known : cheapest(*table_, p);
  }
  /// The same where something was tuned for the product: what is known to be best, else the best of
  /// what the sieve leaves.
  [[nodiscard]] std::optional<gemm_forecast> tuned(const gemm_size& p) const {
    const std::uint64_t key = select::key_of(p);
    const auto found = std::lower_bound(tuned_.begin(), tuned_.end(), tuned_gemm{key, {}}, by_key);
    if (found != tuned_.end() && found->key == key)
      return gemm_forecast{found->best, predict(*table_, p, found->best)};
    gemm_forecast best{{}, HUGE_VAL};
    if (sieve_) {
      sieve_->for_each_candidate(key, [&](std::size_t number) {
        const gemm_candidate c = candidate_of(number);
        if (const double us = predict(*table_, p, c); us < best.us) best = {c, us};
      });
    }
    return best.us < HUGE_VAL ? std::optional(best) : std::nullopt;
  }
  /// What is worth a trial, at most so many: the candidate for a product, then the likeliest.
  [[nodiscard]] std::vector<gemm_forecast> several(const gemm_size& p, std::size_t most) const {
    std::vector<gemm_forecast> out = likeliest(*table_, p, most);
    const gemm_forecast first = choose(p);
    const auto same = std::find_if(
        out.begin(), out.end(), [&](const gemm_forecast& f) { return f.choice == first.choice; });
    if (same == out.end() && !out.empty()) {
      out.back() = first;
      std::rotate(out.begin(), out.end() - 1, out.end());
    } else if (same != out.end()) {
      std::rotate(out.begin(), same, same + 1);
    }
    return out;
  }

 private:
  static bool by_key(const tuned_gemm& a, const tuned_gemm& b) { return a.key < b.key; }

  const gemm_table* table_;
  std::vector<tuned_gemm> tuned_;
  std::shared_ptr<const sieve> sieve_;
};

}  // namespace loops::select
