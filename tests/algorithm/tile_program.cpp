// SPDX-License-Identifier: Apache-2.0
/// Programs with lanes that only load, and with workers of several blocks.
#include "loops/algorithm/tile_program.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include "programs.hpp"

namespace {

using programs::speller;

template <class Exec>
class tile_program : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(tile_program, support::executors, support::executor_name);

TYPED_TEST(tile_program, producers_are_told_the_same_segments) {
  for (const auto& m : programs::machines<TypeParam>())
    programs::everywhere<speller<192, 64>>(m, true);
}

TYPED_TEST(tile_program, finders_tell_all_others) {
  for (const auto& m : programs::machines<TypeParam>())
    programs::everywhere<speller<384, 128, 1, 64>>(m, true);
}

TYPED_TEST(tile_program, blocks_of_a_worker_hand_their_own_parts_on) {
#if LOOPS_HIP
  GTEST_SKIP() << "AMD GPUs have no clusters of blocks";
#else
  for (const auto& m : programs::machines<TypeParam>()) programs::everywhere<speller<32, 0, 2>>(m);
#endif
}

using block_of_384 = loops::executor::block<loops::team<384>>;
static_assert(block_of_384::threads == 1 ||
              loops::finding_agent<speller<384, 128, 1, 64>::agent<block_of_384>>);
static_assert(
    loops::producing_agent<speller<96, 32>::agent<loops::executor::block<loops::team<96>>>>);

}  // namespace
