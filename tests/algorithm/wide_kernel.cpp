// SPDX-License-Identifier: Apache-2.0
/// Emitters that want neighbours: who calls them, and that no tile is lost where many end at once.
#include "loops/algorithm/wide_kernel.hpp"

#include "loops/algorithm/reduce_wide.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using value = loops::row_sums<double, 8>;
using shape = loops::shape<64, 32>;
using work_type = loops::segments<std::int32_t>;

struct map_atom {
  struct read {
    std::int64_t number;
  };
  LOOPS_HD read common(std::int64_t atom) const { return {atom * 3}; }
  LOOPS_HD value operator()(int share, const read& r) const {
    value v{};
    v.at[7] = static_cast<double>(r.number + share);
    return v;
  }
};

struct store {
  using neighbours = std::true_type;
  double* sums;
  int* calls;
  int shares;
  LOOPS_HD void operator()(int share, std::int64_t tile, const value& v) const {
    sums[tile * shares + share] = v.at[7];
    support::count_up(calls + tile * shares + share);
  }
};

template <class Exec>
class wide_kernel : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(wide_kernel, support::executors, support::executor_name);

TYPED_TEST(wide_kernel, tiles_beyond_the_room_for_neighbours) {
  constexpr int width = TypeParam::template block<shape>::threads == 1 ? 1 : 4;
  const auto exec = this->any();
  // More tiles in a round than shared memory holds values of 64 bytes, and a long tile among them.
  std::vector<std::int32_t> offsets{0};
  for (int t = 0; t < 1500; ++t)
    offsets.push_back(offsets.back() + (t % 97 == 5) + (t == 700 ? 900 : 0));
  const loops::array<std::int32_t> there(offsets, exec.memory());
  const auto tiles = static_cast<std::int64_t>(offsets.size()) - 1;
  const work_type work(there.data(), tiles, offsets.back());
  const loops::wide_plan<TypeParam, loops::schedule::merge_path, work_type, value, width, shape>
      plan(exec, {}, work, 2);
  const int shares = plan.shares();
  loops::array<double> sums(static_cast<std::size_t>(tiles * shares), exec.memory());
  loops::array<int> calls(sums.size(), exec.memory());
  sums.fill(0x5a);
  calls.fill(0);
  loops::reduce_wide(plan, map_atom{}, loops::plus{}, store{sums.data(), calls.data(), shares});
  const auto got = sums.to_vector();
  const auto called = calls.to_vector();
  for (std::int64_t t = 0; t < tiles; ++t)
    for (int share = 0; share < shares; ++share) {
      double wanted = 0;
      for (auto a = offsets[static_cast<std::size_t>(t)];
           a < offsets[static_cast<std::size_t>(t) + 1]; ++a)
        wanted += static_cast<double>(a * 3 + share);
      const auto at = static_cast<std::size_t>(t * shares + share);
      ASSERT_EQ(called[at], 1) << "tile " << t << ", share " << share;
      ASSERT_EQ(got[at], wanted) << "tile " << t << ", share " << share;
    }
}

}  // namespace
