// SPDX-License-Identifier: Apache-2.0
/// What Hopper's copy unit can address is taken, and nothing else.
#include "gemm/products.hpp"

#if LOOPS_CUDA

#include "algorithms/gemm/hopper_problem.hpp"

namespace {

using namespace loops;

/// 128 x 64 times 64 x 128 where operands lie as said; nobody looks at their elements.
bool takes(std::int64_t leading, std::int64_t batch = 1, std::int64_t batch_stride = 0) {
  const auto at = [](std::uintptr_t place) { return reinterpret_cast<bfloat16*>(place << 20); };
  const auto p = make_gemm_problem(
      matrix<const bfloat16>(at(1), 128, 64, leading, batch, batch_stride),
      matrix<const bfloat16, layout::column_major>(at(2), 64, 128),
      matrix<bfloat16>(at(3), 128, 128, 128, batch, 128 * 128), gemm_detail::chain());
  return hopper::takes(p);
}

TEST(hopper_problem, takes_strides_of_16_bytes_below_2_to_the_40) {
  constexpr std::int64_t limit = std::int64_t{1} << 39;  // elements
  EXPECT_TRUE(takes(64));
  EXPECT_TRUE(takes(limit - 8));
  EXPECT_FALSE(takes(limit));
  EXPECT_FALSE(takes(65));
  EXPECT_TRUE(takes(64, 2, limit - 8));
  EXPECT_FALSE(takes(64, 2, limit));
  EXPECT_FALSE(takes(64, 2, 64 * 128 + 1));
  EXPECT_TRUE(takes(64, 2, 0));
  EXPECT_TRUE(takes(64, 1, limit));  // of a single matrix it means nothing
}

}  // namespace

#endif
