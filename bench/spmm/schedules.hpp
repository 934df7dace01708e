// SPDX-License-Identifier: Apache-2.0
/// The library's schedules as contenders; one source per value type, because this is most of the
/// time that the program takes to compile.
#pragma once

#include "algorithms/spmm/spmm.hpp"
#include "loops/schedule/catalogue.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "spmm/contenders.hpp"

namespace loops::bench {

namespace detail {

/// Enqueues one product by a plan of its own.
template <class V, class Schedule>
std::function<void()> planned(const problem<V>& p, const Schedule& schedule) {
  using plan_type = decltype(plan_spmm(p.exec, schedule, p.a.view(), p.b));
  auto plan = std::make_shared<plan_type>(p.exec, schedule, p.a.view(), p.b);
  return [&p, plan] { (*plan)(p.b, p.c); };
}

/// The schedules that are worth it where lanes are bundles: a type each, so few.
using some_schedule =
    std::variant<schedule::automatic, schedule::group_mapped, schedule::nonzero_split,
                 schedule::merge_path, schedule::work_oriented, schedule::lrb>;

}  // namespace detail

template <class V>
std::vector<contender<V>> schedules() {
  const struct {
    const char* name;
    detail::some_schedule schedule;
  } all[] = {{"automatic", schedule::automatic{}},
             {"thread_mapped", schedule::group_mapped{1}},
             {"group_mapped:2", schedule::group_mapped{2}},
             {"group_mapped:4", schedule::group_mapped{4}},
             {"group_mapped:16", schedule::group_mapped{16}},
             {"nonzero_split", schedule::nonzero_split{}},
             {"merge_path", schedule::merge_path{}},
             {"work_oriented", schedule::work_oriented{}},
             {"lrb", schedule::lrb{}}};
  std::vector<contender<V>> out;
  for (const auto& one : all)
    out.push_back({one.name, [s = one.schedule](const problem<V>& p) {
                     return std::visit([&p](const auto& t) { return detail::planned(p, t); }, s);
                   }});
  return out;
}

}  // namespace loops::bench
