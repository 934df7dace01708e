// SPDX-License-Identifier: Apache-2.0
/// Kernels that come in early do what they do otherwise, behind what is in front of them.
#include "loops/algorithm/early.hpp"

#include "loops/algorithm/for_each_atom.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

template <class Exec>
class early : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(early, support::executors, support::executor_name);

/// Every atom's number of visits, if every one found that of the visit before.
struct count_visits {
  static constexpr bool starts_early = true;
  int* visits;
  int before;
  LOOPS_HD void operator()(std::int64_t, std::int64_t atom) const {
    if (visits[atom] == before) visits[atom] = before + 1;
  }
};

template <class Exec, class Schedule>
void check_chain(const Exec& exec, const Schedule& schedule) {
  constexpr int launches = 20;
  const loops::uniform work(500, 37);
  loops::array<int> visits(static_cast<std::size_t>(work.atoms()), exec.memory());
  visits.fill(0);
  const auto plan = loops::plan(exec, schedule, work, loops::reuse::many_times);
  for (int i = 0; i < launches; ++i) loops::for_each_atom(plan, count_visits{visits.data(), i});
  const std::vector<int> got = visits.to_vector();
  EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](int v) { return v == launches; }))
      << "a visit did not see what the launch before had written";
}

TYPED_TEST(early, atoms_are_visited_behind_the_launch_before) {
  check_chain(this->any(), loops::schedule::group_mapped{16});
  check_chain(this->any(), loops::schedule::merge_path{});
}

/// Sums what its lanes left in the block's storage.
struct sum_lanes {
  int* to;
  template <class Block>
  struct storage {
    int lanes[Block::threads];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    shared.lanes[block.lane()] = block.lane() + 1;
    block.sync();
    if (block.lane() != 0) return;
    int sum = 0;
    for (int i = 0; i < Block::threads; ++i) sum += shared.lanes[i];
    to[block.id()] = sum;
  }
};

TYPED_TEST(early, kernels_keep_their_storage) {
  using shape = loops::shape<64, 1>;
  const auto exec = this->any();
  constexpr int threads = TypeParam::template block<shape>::threads;
  loops::array<int> sums(3, exec.memory());
  exec.template launch_early<shape>(3, loops::detail::early{sum_lanes{sums.data()}});
  EXPECT_EQ(sums.to_vector(), std::vector<int>(3, threads * (threads + 1) / 2));
}

}  // namespace
