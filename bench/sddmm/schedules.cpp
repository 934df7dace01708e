// SPDX-License-Identifier: Apache-2.0
/// What the library chooses as a contender, and a schedule over rows and nonzeros.
#include "algorithms/sddmm/sddmm.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/merge_path.hpp"

#include <memory>
#include <string>

#include "sddmm/contenders.hpp"

namespace loops::bench {

namespace {

template <class Schedule>
contender under(const std::string& name, const Schedule& how) {
  return {name, [how](const problem& p) -> std::function<void()> {
            using plan_type = decltype(plan_sddmm(p.exec, how, p.pattern.view(), p.a, p.b));
            auto plan = std::make_shared<plan_type>(p.exec, how, p.pattern.view(), p.a, p.b);
            return [&p, plan] { (*plan)(p.a, p.b, p.pattern.values.data()); };
          }};
}

}  // namespace

std::vector<contender> schedules() {
  return {under("automatic", schedule::automatic{}), under("merge_path", schedule::merge_path{})};
}

}  // namespace loops::bench
