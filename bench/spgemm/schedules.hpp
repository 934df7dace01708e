// SPDX-License-Identifier: Apache-2.0
/// The library's schedules as contenders; one source per value type, because this is most of the
/// time that the program takes to compile.
#pragma once

#include "algorithms/spgemm/spgemm.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"

#include <memory>
#include <string>
#include <vector>

#include "spgemm/contenders.hpp"

namespace loops::bench {

namespace detail {

/// Values by a plan that was made before; `keeps`: with a list of products.
template <class V, class Schedule>
attempt<V> planned(const problem<V>& p, const Schedule& schedule, bool keeps) {
  using plan_type = spgemm_plan<executor, Schedule, csr_view<V>>;
  auto plan = std::make_shared<plan_type>(p.exec, schedule, p.a.view(), p.b.view());
  if (keeps) plan->keep_products();
  auto c = std::make_shared<csr<V>>(plan->pattern());
  c->values.fill(0xff);
  return {[&p, plan, c] { (*plan)(p.a.values.data(), p.b.values.data(), c->values.data()); },
          [c] { return c->view(); }, plan->bytes()};
}

/// Everything, every time.
template <class V, class Schedule>
attempt<V> whole(const problem<V>& p, const Schedule& schedule) {
  auto c = std::make_shared<csr<V>>();
  return {[&p, c, schedule] { *c = spgemm(p.exec, schedule, p.a.view(), p.b.view()); },
          [c] { return c->view(); }, 0};
}

template <class V, class Schedule>
void add(std::vector<contender<V>>& out, const std::string& name, const Schedule& schedule) {
  out.push_back({name, false, [=](const problem<V>& p) { return planned(p, schedule, false); }});
  out.push_back(
      {name + ",kept", false, [=](const problem<V>& p) { return planned(p, schedule, true); }});
  out.push_back({name + ",once", true, [=](const problem<V>& p) { return whole(p, schedule); }});
}

}  // namespace detail

template <class V>
std::vector<contender<V>> schedules() {
  std::vector<contender<V>> out;
  detail::add(out, "automatic", schedule::automatic{});
  detail::add(out, "lrb", schedule::lrb{});
  detail::add(out, "lrb:16", schedule::lrb{16});
  detail::add(out, "group_mapped:8", schedule::group_mapped{8});
  detail::add(out, "group_mapped:32", schedule::group_mapped{32});
  detail::add(out, "merge_path", schedule::merge_path{});
  return out;
}

}  // namespace loops::bench
