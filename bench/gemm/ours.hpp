// SPDX-License-Identifier: Apache-2.0
/// The library's products of one type and layouts; compiled in files of their own.
#pragma once

#include "algorithms/gemm/gemm.hpp"
#if LOOPS_CUDA
#include "algorithms/gemm/hopper_choice.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gemm/contenders.hpp"

namespace loops::bench {

/// The products of all sets of operands under one plan.
template <class Plan, class Problem>
class our_product final : public prepared {
 public:
  template <class... Arguments>
  our_product(std::vector<Problem> problems, const Arguments&... arguments)
      : problems_(std::move(problems)), plan_(arguments...) {}
  void start(int set) override {
    plan_(problems_[static_cast<std::size_t>(set) % problems_.size()]);
  }
  void check() override { plan_.check(); }
  [[nodiscard]] std::size_t bytes() const override { return plan_.bytes(); }

 private:
  std::vector<Problem> problems_;
  Plan plan_;
};

namespace detail {

/// The product of one set of operands.
template <operand_kind Kind, bool ATurned, bool BTurned>
auto problem_of(const operand_sets& sets, int set) {
  using operand = typename elements<Kind>::operand;
  using result = typename elements<Kind>::result;
  constexpr layout a_order = ATurned ? layout::column_major : layout::row_major;
  constexpr layout b_order = BTurned ? layout::column_major : layout::row_major;
  const shape_mnk& size = sets.what().size;
  const auto batched = [&](auto one) {
    one.batch = size.batch;
    one.batch_stride = size.batch > 1 ? one.rows * one.cols : 0;
    return one;
  };
  return make_gemm_problem(
      batched(
          matrix<const operand, a_order>(static_cast<const operand*>(sets.a(set)), size.m, size.k)),
      batched(
          matrix<const operand, b_order>(static_cast<const operand*>(sets.b(set)), size.k, size.n)),
      batched(matrix<result, layout::row_major>(static_cast<result*>(sets.c(set)), size.m, size.n)),
      gemm_detail::chain());
}
template <operand_kind Kind, bool ATurned, bool BTurned>
using problem_type =
    decltype(problem_of<Kind, ATurned, BTurned>(std::declval<const operand_sets&>(), 0));

template <class Problem>
constexpr bool on_hopper() {
#if LOOPS_CUDA
  return hopper::takes_types<Problem>();
#else
  return false;
#endif
}

#if LOOPS_CUDA
template <class Problem>
std::vector<menu_line> hopper_menu(const executor& exec) {
  std::vector<menu_line> out;
  for (const select::gemm_costs& c : hopper::menu_of<Problem>(exec)) {
    std::string name = std::to_string(c.tiling.rows) + "x" + std::to_string(c.tiling.columns);
    if (c.tiling.swapped) name += "w";
    if (c.tiling.teams > 1) name += "t";
    if (c.tiling.tall * c.tiling.wide > 1)
      name += "c" + std::to_string(c.tiling.tall) + "x" + std::to_string(c.tiling.wide);
    if (c.tiling.split > 1) name += "s" + std::to_string(c.tiling.split);
    name += "q" + std::to_string(c.tiling.stages);
    out.push_back(
        {name, c.tiling, 128 / int(sizeof(typename Problem::a_type)), c.paired, c.workers});
  }
  return out;
}
#endif

template <class Problem, class... Engines>
std::vector<menu_line> portable_menu(const executor& exec, engine_list<Engines...> list) {
  const gemm_tile_shape tiles[] = {Engines::template tile_shape<Problem>(-1)...};
  const std::vector<int> lines = gemm_detail::lines_of<Problem>(list);
  std::vector<menu_line> out;
  for (const select::gemm_costs& c : gemm_detail::menu_of<Problem>(list, exec)) {
    const auto first = std::find(lines.begin(), lines.end(), static_cast<int>(out.size()));
    const gemm_tile_shape& tile = tiles[first - lines.begin()];
    std::string name = std::to_string(tile.m) + "x" + std::to_string(tile.n);
    if (c.tiling.stages > 1) name += "q" + std::to_string(c.tiling.stages);
    out.push_back({name, c.tiling, tile.k, c.paired, c.workers});
  }
  return out;
}

}  // namespace detail

template <operand_kind Kind, bool ATurned, bool BTurned>
std::vector<menu_line> menu_of(const executor& exec) {
  using problem = detail::problem_type<Kind, ATurned, BTurned>;
  (void)exec;
  if constexpr (detail::on_hopper<problem>()) {
#if LOOPS_CUDA
    return detail::hopper_menu<problem>(exec);
#endif
  } else {
    using engines = typename gemm_engines<executor, problem>::template list<gemm_breadth::all>;
    return detail::portable_menu<problem>(exec, engines{});
  }
}

template <operand_kind Kind, bool ATurned, bool BTurned>
std::unique_ptr<prepared> prepare_of(const operand_sets& sets, select::gemm_candidate choice) {
  using problem = detail::problem_type<Kind, ATurned, BTurned>;
  std::vector<problem> problems;
  for (int set = 0; set < sets.sets(); ++set)
    problems.push_back(detail::problem_of<Kind, ATurned, BTurned>(sets, set));
  const problem first = problems.front();
  const auto under = [&]<class Schedule>(const Schedule& s) {
    using plan = gemm_plan<executor, Schedule, problem>;
    return std::make_unique<our_product<plan, problem>>(std::move(problems), sets.exec(), s, first);
  };
  if (choice == automatic) return under(schedule::automatic{});
  if (choice == measured) return under(schedule::measured{});
  if (choice == measured_menu) return under(schedule::among_all(schedule::measured{}));
  return under(choice);
}

}  // namespace loops::bench
