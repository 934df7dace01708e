// SPDX-License-Identifier: Apache-2.0
/// Which schedules are worth a trial, where one can be made.
#pragma once

#include "loops/select/selector.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loops::select {

/// The decision `d`, then what else might be faster: every other schedule of the selector, then
/// groups of as many lanes as fit, of half and twice as many, a quarter and four times, and so on.
/// None that can go wrong, each schedule with each number of lanes once; at most `most`. Each says
/// how many there are.
[[nodiscard]] inline std::vector<decision> several(const selector& s, const decision& d, int most) {
  std::vector<decision> out;
  const auto add = [&](int choice, int lanes) {
    if (static_cast<int>(out.size()) >= most) return;
    const auto name = [&](int k) {
      return kernels_of(s.schedules[static_cast<std::size_t>(k)], d.given);
    };
    const bool known = std::any_of(out.begin(), out.end(), [&](const decision& o) {
      return o.lanes == lanes && name(o.choice) == name(choice);
    });
    const bool risky = !out.empty() && can_take_too_long(s, lanes, d.given, d.gathered);
    if (known || risky) return;
    decision other = d;
    other.choice = choice;
    other.lanes = lanes;
    out.push_back(other);
  };
  add(d.choice, d.lanes);
  const int schedules = static_cast<int>(s.schedules.size());
  int group = -1;
  for (int k = 0; k < schedules; ++k) {
    const candidate& c = s.schedules[static_cast<std::size_t>(k)];
    const int lanes = lanes_of(c, d.given, d.gathered);
    if (lanes > 0) group = k;
    add(k, lanes);
  }
  if (group >= 0) {
    const int fit = fitting_lanes(d.given, d.gathered);
    for (int times = 1; times <= d.given.block_lanes; times *= 2) {
      if (fit / times > 0) add(group, fit / times);
      if (fit <= d.given.block_lanes / times) add(group, fit * times);
    }
  }
  for (decision& o : out) o.tried = static_cast<int>(out.size());
  return out;
}

}  // namespace loops::select
