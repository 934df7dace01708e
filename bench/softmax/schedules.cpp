// SPDX-License-Identifier: Apache-2.0
/// Some of the library's schedules as contenders.
#include "algorithms/softmax/softmax.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/schedule/merge_path.hpp"

#include <memory>

#include "softmax/contenders.hpp"

namespace loops::bench {

namespace {

template <class Schedule>
contender under(const char* name, const Schedule& how) {
  return {name, [how](problem& p) -> std::function<void()> {
            using plan_type = decltype(plan_softmax(p.exec, how, p.mask.view()));
            auto plan = std::make_shared<plan_type>(p.exec, how, p.mask.view());
            return [&p, plan] { (*plan)(p.mask.values, p.weights, p.scale); };
          }};
}

}  // namespace

std::vector<contender> schedules() {
  return {under("automatic", schedule::automatic{}), under("merge_path", schedule::merge_path{}),
          under("long_first", schedule::long_first{}),
          under("group_mapped:8", schedule::group_mapped{8})};
}

}  // namespace loops::bench
