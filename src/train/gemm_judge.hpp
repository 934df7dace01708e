// SPDX-License-Identifier: Apache-2.0
/// Judges a choice of tiles and schedules on measured products.
#pragma once

#include "algorithms/gemm/select/selector.hpp"

#include <string>
#include <vector>

#include "train/gemm_results.hpp"

namespace loops::train {

/// Whether a product's measurements are for fitting; the others judge what was fitted. Decided by
/// the product's sizes alone, about half and half.
[[nodiscard]] bool for_training(const gemm_measured& p);

/// The measured candidate that the table finds cheapest. What was not measured is passed over.
[[nodiscard]] std::size_t chosen_of(const gemm_measured& p, const select::gemm_table& table);

/// Which candidates were within `tolerance` of the best, product by product: what a sieve is made
/// of, numbered by `select::number_of`.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> winners_of(const gemm_results& r,
                                                                 double tolerance);

/// The table of all comparisons, as Markdown: fitted on one half, judged on the other. Above one,
/// the first of the two that a line names is faster.
[[nodiscard]] std::string judge_gemm(const gemm_results& r, double sieve_rate);

}  // namespace loops::train
