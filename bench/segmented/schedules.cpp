// SPDX-License-Identifier: Apache-2.0
/// Some of the library's schedules as contenders.
#include "algorithms/segmented/segmented.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/schedule/merge_path.hpp"

#include <memory>
#include <type_traits>

#include "segmented/contenders.hpp"

namespace loops::bench {

namespace {

/// `use(plan, problem)`, with a plan that `make` makes of an executor and segments.
template <class V, class Make, class Use>
std::function<void()> planned(problem<V>& p, const Make& make, const Use& use) {
  const auto made =
      std::make_shared<decltype(make(p.exec, p.segments_of))>(make(p.exec, p.segments_of));
  return [&p, made, use] { use(*made, p); };
}

template <class V, class Schedule>
contender<V> under(const char* name, operation o, const Schedule& how) {
  using placed = arg_max_value<V, segments<std::int32_t>>;
  switch (o) {
    case operation::sum:
      return {name, [how](problem<V>& p) {
                return planned(
                    p, [how](const auto& exec, const auto& w) { return plan<V>(exec, how, w); },
                    [](const auto& plan, problem<V>& of) {
                      segmented_reduce<V>(plan, of.values, of.sums);
                    });
              }};
    case operation::arg_max:
      // On CDNA the kernel of pieces keeps some of a value of 16 bytes in scratch memory.
      if constexpr (LOOPS_HIP && std::is_same_v<Schedule, schedule::long_first> &&
                    sizeof(placed) > 8) {
        return {name, [](problem<V>&) -> std::function<void()> {
                  throw error(errc::unsupported, "not for values of more than 8 bytes here");
                }};
      } else {
        return {name, [how](problem<V>& p) {
                  p.local = false;
                  return planned(
                      p,
                      [how](const auto& exec, const auto& w) { return plan<placed>(exec, how, w); },
                      [](const auto& plan, problem<V>& of) {
                        segmented_arg_max<V>(plan, of.values, of.places);
                      });
                }};
      }
    default:
      return {name, [how](problem<V>& p) {
                return planned(
                    p,
                    [how](const auto& exec, const auto& w) { return plan_scan<V>(exec, how, w); },
                    [](const auto& plan, problem<V>& of) {
                      segmented_scan<V, scan::inclusive>(plan, of.values, of.scanned);
                    });
              }};
  }
}

}  // namespace

template <class V>
std::vector<contender<V>> schedules(operation o) {
  return {under<V>("automatic", o, schedule::automatic{}),
          under<V>("merge_path", o, schedule::merge_path{}),
          under<V>("long_first", o, schedule::long_first{}),
          under<V>("group_mapped:8", o, schedule::group_mapped{8})};
}

template std::vector<contender<float>> schedules<float>(operation o);
template std::vector<contender<double>> schedules<double>(operation o);

}  // namespace loops::bench
