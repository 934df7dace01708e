// SPDX-License-Identifier: Apache-2.0
/// The library's schedules as contenders; one source per value type, because this is most of the
/// time that the program takes to compile.
#pragma once

#include "algorithms/spmv/spmv.hpp"
#include "loops/schedule/catalogue.hpp"

#include <memory>
#include <variant>

#include "spmv/contenders.hpp"

namespace loops::bench {

template <class V>
std::vector<contender<V>> schedules() {
  std::vector<contender<V>> out;
  for (const named_schedule& named : all_schedules()) {
    out.push_back({named.name, false, [named](problem<V>& p) -> std::function<void()> {
                     return std::visit(
                         [&p](const auto& schedule) -> std::function<void()> {
                           using plan_type = decltype(plan_spmv(p.exec, schedule, p.a.view()));
                           auto plan = std::make_shared<plan_type>(p.exec, schedule, p.a.view());
                           return [&p, plan] { (*plan)(p.x, p.y); };
                         },
                         named.schedule);
                   }});
  }
  for (const char* name : {"thread_mapped", "nonzero_split", "merge_path"}) {
    out.push_back({std::string(name) + ",once", true,
                   [named = schedule_named(name)](problem<V>& p) -> std::function<void()> {
                     return std::visit(
                         [&p](const auto& schedule) -> std::function<void()> {
                           return [&p, schedule] { spmv(p.exec, schedule, p.a.view(), p.x, p.y); };
                         },
                         named);
                   }});
  }
  return out;
}

}  // namespace loops::bench
