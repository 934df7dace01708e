// SPDX-License-Identifier: Apache-2.0
/// A plan that multiplies parts of k side by side, and adds their sums in a second launch.
#pragma once

#include "algorithms/gemm/planned.hpp"
#include "algorithms/gemm/split_product.hpp"
#include "loops/algorithm/early.hpp"
#include "loops/core/error.hpp"
#include "loops/core/fast_division.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/cache_flush.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/data_parallel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace loops::gemm_detail {

/// Adds the sums of all parts, in their order, and does what the epilogue does with them. A lane
/// takes `Pack` neighbours, and asks for those of `Together` parts at once.
template <class Problem, int Pack, int Together>
struct add_parts {
  using sum = typename Problem::sum;
  typename Problem::epilogue_type epilogue;
  const sum* sums;
  std::int32_t parts;
  std::int32_t n;
  fast_divisor packs;      ///< of a row
  std::int64_t of_a_part;  ///< elements
  std::int64_t count;      ///< packs in all

  template <class Block>
  struct storage {};
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    loops::detail::for_each_index(block, count, [&](std::int64_t i) {
      const std::int32_t row = packs.quotient(static_cast<std::int32_t>(i));
      finish(row, (static_cast<std::int32_t>(i) - row * packs.value()) * Pack, sums + i * Pack);
    });
  }

 private:
  struct alignas(Pack * sizeof(sum)) pack {
    sum at[Pack];
  };
  LOOPS_CALLS_USER
  LOOPS_HD void finish(std::int32_t row, std::int32_t col, const sum* at) const {
    sum all[Pack] = {};
    for (std::int32_t first = 0; first < parts; first += Together) {
      pack some[Together];
      LOOPS_UNROLL
      for (int j = 0; j < Together; ++j)
        if (first + j < parts)
          some[j] = *reinterpret_cast<const pack*>(at + (first + j) * of_a_part);
      LOOPS_UNROLL
      for (int j = 0; j < Together; ++j)
        if (first + j < parts) {
          LOOPS_UNROLL
          for (int x = 0; x < Pack; ++x) all[x] += some[j].at[x];
        }
    }
    if (col + Pack <= n) {
      epilogue.template store_span<Pack>(row, col, all);
    } else {
      for (int x = 0; col + x < n; ++x) epilogue.store(row, col + x, all[x]);
    }
  }
};

/// A plan for a problem in parts.
template <class Exec, class Problem>
class split_plan final : public planned<Problem> {
  using parts_type = parts_problem<Problem>;
  using list = typename gemm_engines<Exec, parts_type>::template list<gemm_breadth::parts>;
  using lanes = shape<256, 1>;

 public:
  /// `choice`: of an engine for the parts. Requires: `can_split(p, choice.parts)`.
  split_plan(const Exec& exec, const Problem& p, raster order, const engine_choice& choice)
      : exec_(exec),
        parts_(choice.parts),
        problem_(p),
        room_(static_cast<std::size_t>(parts_ * p.m() * row_of_sums(p)), exec.memory()),
        multiply_(plan_by<list>(exec, schedule::data_parallel{}, split(p), order, choice)) {}

  void start() const override {
    multiply_->start();
    add(problem_);
  }
  void start(const Problem& p) const override {
    multiply_->start(split(p));
    add(p);
  }
  void check() override { multiply_->check(); }
  [[nodiscard]] const gemm_tiles& tiles() const override { return multiply_->tiles(); }
  [[nodiscard]] std::size_t bytes() const override {
    return room_.size() * sizeof(typename Problem::sum) + multiply_->bytes();
  }
  [[nodiscard]] std::int64_t workers() const override { return multiply_->workers(); }
  [[nodiscard]] std::int64_t resident() const override { return multiply_->resident(); }
  [[nodiscard]] const char* engine() const override { return multiply_->engine(); }
  [[nodiscard]] std::int64_t parts() const override { return parts_; }

 private:
  [[nodiscard]] parts_type split(const Problem& p) const {
    return split_along_k(p, parts_, const_cast<typename Problem::sum*>(room_.data()));
  }
  /// Many parts are many loads at once for a lane: then these are smaller, and lanes more.
  void add(const Problem& p) const {
    constexpr int wide = sums_at_once<Problem>;
    if (parts_ <= 4)
      add<wide, 4>(p);
    else
      add<wide / 2, 8>(p);
  }
  template <int Pack, int Together>
  void add(const Problem& p) const {
    constexpr int per_block = Exec::template block<lanes>::threads;
    const std::int64_t packs = row_of_sums(p) / Pack;
    const std::int64_t count = p.m() * packs;
    const std::int64_t blocks =
        per_block > 1 ? ceil_div(count, per_block) : exec_.template describe<lanes>().blocks;
    exec_.template launch_early<lanes>(
        blocks,
        loops::detail::early{add_parts<Problem, Pack, Together>{
            p.epilogue, room_.data(), static_cast<std::int32_t>(parts_),
            static_cast<std::int32_t>(p.n()), fast_divisor(static_cast<std::int32_t>(packs)),
            p.m() * row_of_sums(p), count}});
  }

  Exec exec_;
  std::int64_t parts_;
  Problem problem_;
  array<typename Problem::sum> room_;
  std::unique_ptr<planned<parts_type>> multiply_;
};

/// What a choice comes to: a plan for one engine, or for parts. Without memory for these it is the
/// engine that suits the problem otherwise.
template <class List, bool MaySplit, class Exec, class Schedule, class Problem>
std::unique_ptr<planned<Problem>> plan_choice(const Exec& exec, const Schedule& schedule,
                                              const Problem& p, raster order,
                                              engine_choice choice) {
  if constexpr (MaySplit) {
    if (choice.parts > 1) {
      auto split = if_it_fits(
          [&] { return std::make_unique<split_plan<Exec, Problem>>(exec, p, order, choice); });
      if (split) return std::move(*split);
      choice = {};
    }
  }
  return plan_by<List>(exec, schedule, p, order, choice);
}

}  // namespace loops::gemm_detail
