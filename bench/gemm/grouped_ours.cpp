// SPDX-License-Identifier: Apache-2.0
/// The library's products of different sizes, one launch.
#include "algorithms/gemm/grouped.hpp"
#include "loops/schedule/dense_schedules.hpp"

#include <variant>

#include "gemm/grouped.hpp"

namespace loops::bench {

namespace {

using operand = elements<grouped_kind>::operand;
using result = elements<grouped_kind>::result;
using group = gemm_group<operand, operand, result, layout::row_major, layout::column_major>;

/// A plan for each set of operands.
template <class Plan>
class our_groups final : public prepared {
 public:
  explicit our_groups(std::vector<Plan> plans) : plans_(std::move(plans)) {}
  void start(int set) override { plans_[static_cast<std::size_t>(set) % plans_.size()](); }
  void check() override {
    for (Plan& p : plans_) p.check();
  }
  [[nodiscard]] std::size_t bytes() const override { return plans_.front().bytes(); }

 private:
  std::vector<Plan> plans_;
};

std::vector<group> groups_of(const grouped_operands& operands, int set) {
  std::vector<group> out;
  for (std::size_t g = 0; g < operands.groups(); ++g) {
    const operand_sets& s = operands.of(g);
    const shape_mnk& size = s.what().size;
    group one;
    one.a = {static_cast<const operand*>(s.a(set)), size.m, size.k};
    one.b = {static_cast<const operand*>(s.b(set)), size.k, size.n};
    one.c = {static_cast<result*>(s.c(set)), size.m, size.n};
    out.push_back(one);
  }
  return out;
}

template <class Schedule>
std::unique_ptr<prepared> by(const grouped_operands& operands, const Schedule& schedule) {
  using plan = decltype(plan_grouped_gemm(operands.exec(), schedule, groups_of(operands, 0)));
  std::vector<plan> plans;
  for (int set = 0; set < operands.sets(); ++set)
    plans.push_back(plan_grouped_gemm(operands.exec(), schedule, groups_of(operands, set)));
  return std::make_unique<our_groups<plan>>(std::move(plans));
}

}  // namespace

std::unique_ptr<prepared> prepare_grouped(const grouped_operands& operands,
                                          const std::string& name) {
  if (name == "automatic") return by(operands, schedule::automatic{});
  const any_dense_schedule named = dense_schedule_named(name);
  // One type of schedule serves for all that share tiles, or none: each is minutes of compiling.
  if (std::holds_alternative<schedule::data_parallel>(named))
    return by(operands, schedule::stream_k{.waves = 0});
  if (const auto* shared = std::get_if<schedule::stream_k>(&named)) return by(operands, *shared);
  throw error(errc::unsupported, "groups are not measured by " + name);
}

}  // namespace loops::bench
