// SPDX-License-Identifier: Apache-2.0
/// A product of one row, or of one column: every element of the other operand is multiplied once,
/// so it is a reduction, not tiles. So are a few rows or columns where tiles are much larger.
#pragma once

#include "algorithms/gemm/one_line_across.hpp"
#include "algorithms/gemm/one_line_along.hpp"
#include "algorithms/gemm/planned.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/core/error.hpp"
#include "loops/core/machine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace loops::gemm_detail {

/// Such a problem planned, as `Sums` adds it up.
template <class Exec, class Problem, class Sums>
class one_line_plan final : public planned<Problem> {
 public:
  /// Requires: `Sums::takes(p)`.
  one_line_plan(const Exec& exec, const Problem& p)
      : problem_(p),
        tiles_(p.tiles(Sums::tile_shape(p))),
        sums_(exec, p),
        at_once_(exec.template describe<shape_for<sizeof(typename Problem::sum)>>().blocks) {}

  void start() const override { sums_.start(problem_); }
  void start(const Problem& p) const override {
    if (!Sums::takes(p) || Sums::row(p) != Sums::row(problem_))
      throw error(errc::unsupported,
                  "the plan is for lines that lie otherwise: these are not aligned to what it "
                  "reads at once, or the only line is another; plan this product too");
    sums_.start(p);
  }
  void check() override { sums_.check(); }
  [[nodiscard]] const gemm_tiles& tiles() const override { return tiles_; }
  [[nodiscard]] std::size_t bytes() const override { return sums_.bytes(); }
  [[nodiscard]] std::int64_t workers() const override { return sums_.blocks(); }
  [[nodiscard]] std::int64_t resident() const override { return std::min(workers(), at_once_); }
  [[nodiscard]] const char* engine() const override { return Sums::name(); }
  [[nodiscard]] std::int64_t parts() const override { return sums_.parts(); }

 private:
  Problem problem_;
  gemm_tiles tiles_;
  Sums sums_;
  std::int64_t at_once_;
};

/// The plan for a problem of one line by the first of `Sums` that takes it; null where there is
/// none, or tiles are faster.
template <class... Sums, class Exec, class Problem>
std::unique_ptr<planned<Problem>> plan_one_line_by(const Exec& exec, const Problem& p) {
  std::unique_ptr<planned<Problem>> plan;
  const auto try_one = [&]<class S>(std::type_identity<S>) {
    if constexpr (S::possible) {
      if (plan || !S::takes(p)) return;
      if (S::faster_than_units(p) || !gemm_engines<Exec, Problem>::tiles_by_units(exec, p))
        plan = std::make_unique<one_line_plan<Exec, Problem, S>>(exec, p);
    }
  };
  (try_one(std::type_identity<Sums>{}), ...);
  return plan;
}

/// The plan for a problem of one line, or of few, where lanes add it up; else null. On a CPU the
/// portable program takes such problems as well.
template <class Exec, class Problem>
std::unique_ptr<planned<Problem>> plan_one_line(const Exec& exec, const Problem& p) {
  return plan_one_line_by<sums_along<Exec, Problem>, sums_across<Exec, Problem>,
                          sums_along<Exec, Problem, false>, sums_across<Exec, Problem, false>,
                          sums_along<Exec, Problem, true, 2>, sums_along<Exec, Problem, true, 4>,
                          sums_along<Exec, Problem, true, 8>>(exec, p);
}

}  // namespace loops::gemm_detail
