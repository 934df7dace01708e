// SPDX-License-Identifier: Apache-2.0
/// Tables of many products say what is wrong when there are too many.
#include "algorithms/gemm/tabled_plan.hpp"

#include "support/executors.hpp"

#include <new>

namespace {

using namespace loops;
using gemm_detail::group_tables;
using gemm_detail::tables_of;

TEST(tabled_plan, says_when_there_is_no_room_for_tables) {
  EXPECT_EQ(tables_of(3, [] { return 7; }), 7);
  support::expect_error(errc::out_of_memory, "tables of 3 groups: compute them in parts",
                        [] { tables_of(3, []() -> int { throw std::bad_alloc(); }); });
  support::expect_error(errc::overflow, "group 2", [] {
    tables_of(3, []() -> int { throw error(errc::overflow, "group 2"); });
  });
}

TEST(tabled_plan, counts_tiles_in_31_bits) {
  group_tables<int, int> made;
  made.check_room(INT32_MAX);
  made.tiles.push_back(0);
  made.check_room(INT32_MAX - 1);
  support::expect_error(errc::overflow, "2^31 tiles or more", [&] { made.check_room(INT32_MAX); });
}

}  // namespace
