// SPDX-License-Identifier: Apache-2.0
/// What tests of schedules in large blocks share: exact sums of tiles of given sizes.
#pragma once

#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace large_blocks {

template <class Value>
struct value_of_atom {
  using pure = std::true_type;
  LOOPS_HD Value operator()(std::int64_t a) const { return static_cast<Value>(a % 7 - 3); }
};

template <class Value>
struct store {
  Value* out;
  LOOPS_HD void operator()(std::int64_t t, Value v) const { out[t] = v; }
};

template <class Exec>
class on : public support::on_executor<Exec> {
 public:
  /// Tiles of these sizes are summed twice by one plan, each time what the CPU says.
  template <class Value, class Schedule>
  void sums(const std::string& name, const Exec& exec, const Schedule& s,
            const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> offsets{0};
    std::vector<Value> want;
    for (const std::int64_t n : sizes) {
      Value sum = 0;
      for (std::int64_t a = offsets.back(); a < offsets.back() + n; ++a)
        sum += value_of_atom<Value>{}(a);
      want.push_back(sum);
      offsets.push_back(offsets.back() + n);
    }
    const loops::array<std::int64_t> there(offsets, exec.memory());
    const loops::segments<std::int64_t> w(there.data(), static_cast<std::int64_t>(sizes.size()),
                                          offsets.back());
    auto p = loops::plan<Value>(exec, s, w);
    for (int turn = 0; turn < 2; ++turn) {
      loops::array<Value> out(
          std::vector<Value>(sizes.size(), std::numeric_limits<Value>::quiet_NaN()), exec.memory());
      loops::reduce_tiles<Value>(p, value_of_atom<Value>{}, loops::plus{},
                                 store<Value>{out.data()});
      EXPECT_EQ(out.to_vector(), want)
          << name << " " << sizes.size() << " tiles, " << offsets.back() << " atoms, turn " << turn;
    }
    p.check();
  }
};

}  // namespace large_blocks
