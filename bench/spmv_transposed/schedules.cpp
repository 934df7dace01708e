// SPDX-License-Identifier: Apache-2.0
/// Some of the library's schedules as contenders.
#include "algorithms/spmv_transposed/spmv_transposed.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/schedule/merge_path.hpp"

#include <memory>
#include <string>
#include <variant>

#include "spmv_transposed/contenders.hpp"

namespace loops::bench {

namespace {

template <class V, class Schedule>
contender<V> under(const char* name, const Schedule& how) {
  return {name, [how](problem<V>& p) -> std::function<void()> {
            using plan_type = decltype(plan_spmv_transposed(p.exec, how, p.a.view()));
            auto plan = std::make_shared<plan_type>(plan_spmv_transposed(p.exec, how, p.a.view()));
            return [&p, plan] { (*plan)(p.x, p.y); };
          }};
}

/// In one pass, where more might be chosen.
template <class V>
contender<V> in_one_pass(const char* name) {
  return {name, [](problem<V>& p) -> std::function<void()> {
            const auto make = [&p] {
              return plan_spmv_transposed(p.exec, schedule::automatic{}, p.a.view(), passes{1});
            };
            auto plan = std::make_shared<decltype(make())>(make());
            return [&p, plan] { (*plan)(p.x, p.y); };
          }};
}

/// In two hops.
template <class V>
contender<V> in_two_hops(const char* name) {
  return {name, [](problem<V>& p) -> std::function<void()> {
            const auto make = [&p] { return plan_spmv_transposed(p.exec, p.a.view(), in_hops{}); };
            auto plan = std::make_shared<decltype(make())>(make());
            return [&p, plan] { (*plan)(p.x, p.y); };
          }};
}

/// By a transposed copy; `refreshed`: which is made up to date before each product.
template <class V>
contender<V> by_copy(const char* name, bool refreshed) {
  return {name, [refreshed](problem<V>& p) -> std::function<void()> {
            const schedule::automatic how;
            using plan_type = decltype(plan_spmv_transposed_copy(p.exec, how, p.a.view()));
            auto plan =
                std::make_shared<plan_type>(plan_spmv_transposed_copy(p.exec, how, p.a.view()));
            return [&p, plan, refreshed] {
              if (refreshed) plan->refresh();
              (*plan)(p.x, p.y);
            };
          }};
}

template <class V, class Schedule>
std::function<void()> adding(problem<V>& p, const Schedule& how) {
  const auto make = [&] { return plan_spmv_transposed(p.exec, how, p.a.view(), by_atomics{}); };
  auto plan = std::make_shared<decltype(make())>(make());
  return [&p, plan] { (*plan)(p.x, p.y); };
}

/// By atomics, under every schedule.
template <class V>
void add_by_atomics(std::vector<contender<V>>& out) {
  out.push_back(
      {"automatic,by_atomics", [](problem<V>& p) { return adding(p, schedule::automatic{}); }});
  for (const named_schedule& named : all_schedules())
    out.push_back({named.name + ",by_atomics", [how = named.schedule](problem<V>& p) {
                     return std::visit([&p](const auto& s) { return adding(p, s); }, how);
                   }});
}

}  // namespace

template <class V>
std::vector<contender<V>> schedules() {
  std::vector<contender<V>> out{under<V>("automatic", schedule::automatic{}),
                                in_one_pass<V>("automatic,one_pass"),
                                in_two_hops<V>("automatic,hops"),
                                under<V>("merge_path", schedule::merge_path{}),
                                by_copy<V>("automatic,copy", false),
                                by_copy<V>("automatic,refreshed", true)};
  add_by_atomics(out);
  return out;
}

template std::vector<contender<float>> schedules<float>();
template std::vector<contender<double>> schedules<double>();

}  // namespace loops::bench
