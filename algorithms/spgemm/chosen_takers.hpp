// SPDX-License-Identifier: Apache-2.0
/// Who takes rows of C where the schedule leaves it open: equal groups for even rows, else bins.
#pragma once

#include "algorithms/spgemm/takers.hpp"
#include "loops/core/machine.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/lrb.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace loops::spgemm_detail {

/// Schedules that decide in a plan: they want to see the rows first.
template <class Schedule>
concept looks_first = !requires(const Schedule& s) {
  s.compose();
};

/// The least group that rows are given alike.
inline constexpr int fewest_lanes = 4;

/// Whether a look at the rows pays: so many that such groups fill the machine. It costs a wait,
/// which small products feel more than bins.
[[nodiscard]] constexpr bool worth_a_look(std::int64_t rows, const machine& m) {
  return m.wave >= fewest_lanes && rows >= m.blocks * m.threads / fewest_lanes;
}

/// Lanes for every row alike, as many as have room for the longest; 0 where that is more than a
/// wave, or four times what a row has on average. Equal groups need no bins, and keep the order of
/// rows. Also 0 where nobody has looked.
[[nodiscard]] constexpr int lanes_for_even_rows(const row_sizes& s, std::int64_t rows, int wave) {
  if (s.room < 1) return 0;
  int lanes = fewest_lanes;
  while (lanes < wave && lanes * s.room < s.longest) lanes *= 2;
  if (lanes > wave || lanes * s.room < s.longest) return 0;
  const auto taken = static_cast<double>(lanes * s.room) * static_cast<double>(rows);
  return lanes == fewest_lanes || taken <= 4 * static_cast<double>(s.products) ? lanes : 0;
}

/// Equal groups, or bins.
template <class Exec, looks_first Schedule, class O>
class row_takers<Exec, Schedule, O> {
  using groups = row_takers<Exec, schedule::group_mapped, O>;
  using bins = row_takers<Exec, schedule::lrb, O>;

 public:
  row_takers(const Exec& exec, const Schedule&, const segments<O>& rows, const std::int64_t* sizes,
             std::int64_t per_lane, const row_sizes& looked)
      : takers_(chosen(exec, rows, sizes, per_lane, looked)) {}

  template <class Agent>
  void take(const Agent& agent) const {
    std::visit([&](const auto& t) { t.take(agent); }, takers_);
  }
  template <class Agent>
  void take(const array<piece>& list, const std::int64_t* count, const Agent& agent) const {
    std::visit([&](const auto& t) { t.take(list, count, agent); }, takers_);
  }
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& t) { return t.bytes(); }, takers_);
  }

 private:
  static std::variant<groups, bins> chosen(const Exec& exec, const segments<O>& rows,
                                           const std::int64_t* sizes, std::int64_t per_lane,
                                           const row_sizes& looked) {
    const int wave = exec.template describe<row_shape>().wave;
    if (const int lanes = lanes_for_even_rows(looked, rows.tiles(), wave); lanes > 0)
      return groups(exec, {lanes}, rows, sizes, per_lane);
    return bins(exec, {}, rows, sizes, per_lane);
  }

  std::variant<groups, bins> takers_;
};

}  // namespace loops::spgemm_detail
