// SPDX-License-Identifier: Apache-2.0
/// The library's schedules as contenders; one source per value type, because this is most of the
/// time that the program takes to compile.
#pragma once

#include "algorithms/spmv/csr_hops.hpp"
#include "algorithms/spmv/narrow_columns.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/catalogue.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "spmv/contenders.hpp"

namespace loops::bench {

namespace detail {

/// Enqueues one product by a plan of its own.
template <class V, class Schedule>
std::function<void()> planned(problem<V>& p, const Schedule& schedule) {
  using plan_type = decltype(plan_spmv(p.exec, schedule, p.a.view()));
  auto plan = std::make_shared<plan_type>(p.exec, schedule, p.a.view());
  return [&p, plan] { (*plan)(p.x, p.y); };
}

/// Enqueues one product by a plan that keeps 16-bit columns. Throws: unsupported when these do not
/// suffice.
template <class V>
std::function<void()> with_narrow_columns(problem<V>& p, const std::string& name) {
  const narrow_columns a(p.a.view());
  const auto planned_for = [&](const auto& s) -> std::function<void()> {
    using plan_type = decltype(plan_spmv(p.exec, s, a));
    auto plan = std::make_shared<plan_type>(p.exec, s, a);
    return [&p, plan] { (*plan)(p.x, p.y); };
  };
  const std::size_t colon = name.find(':');
  if (colon != std::string::npos)
    return planned_for(schedule::group_mapped{std::stoi(name.substr(colon + 1))});
  if (name == schedule::nonzero_split::name()) return planned_for(schedule::nonzero_split{});
  if (name == schedule::merge_path::name()) return planned_for(schedule::merge_path{});
  return planned_for(schedule::automatic{});
}

/// Plans anew for every product.
template <class V, class Schedule>
std::function<void()> unplanned(problem<V>& p, const Schedule& schedule) {
  return [&p, schedule] { spmv(p.exec, schedule, p.a.view(), p.x, p.y); };
}

}  // namespace detail

template <class V>
std::vector<contender<V>> schedules() {
  std::vector<contender<V>> out;
  out.push_back({"automatic", false,
                 [](problem<V>& p) { return detail::planned(p, schedule::automatic{}); }});
  std::vector<named_schedule> all = all_schedules();
  // What `automatic` takes for thread_mapped: the same kernels as other groups.
  all.push_back({"group_mapped:1", schedule::group_mapped{1}});
  for (const named_schedule& named : all)
    out.push_back({named.name, false, [named](problem<V>& p) {
                     return std::visit([&p](const auto& s) { return detail::planned(p, s); },
                                       named.schedule);
                   }});
  for (const char* name : {"automatic", "merge_path", "nonzero_split", "group_mapped:1",
                           "group_mapped:2", "group_mapped:4", "group_mapped:8"})
    out.push_back({std::string("narrow_") + name, false,
                   [name](problem<V>& p) { return detail::with_narrow_columns(p, name); }});
  out.push_back({"in_hops", false, [](problem<V>& p) -> std::function<void()> {
                   using plan_type = decltype(plan_spmv(p.exec, p.a.view(), in_hops{}));
                   auto plan = std::make_shared<plan_type>(p.exec, p.a.view());
                   return [&p, plan] { (*plan)(p.x, p.y); };
                 }});
  out.push_back({"automatic,once", true,
                 [](problem<V>& p) { return detail::unplanned(p, schedule::automatic{1}); }});
  for (const char* name : {"thread_mapped", "nonzero_split", "merge_path"})
    out.push_back(
        {std::string(name) + ",once", true, [named = schedule_named(name)](problem<V>& p) {
           return std::visit([&p](const auto& s) { return detail::unplanned(p, s); }, named);
         }});
  return out;
}

}  // namespace loops::bench
