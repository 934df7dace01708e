// SPDX-License-Identifier: Apache-2.0
/// Hopper's program for tf32 operands, which the matrix units do not turn, in all layouts.
#include "gemm/hopper_layouts.hpp"

#if LOOPS_CUDA

namespace {

using products::col;
using products::row;

class hopper_tf32 : public products::hopper_layouts<loops::tfloat32, float> {
 protected:
  static void all(const products::sizes& s) { check_layouts(s, "hopper"); }
};

/// Of less than three processors in four, of as many with tiles of 128 x 128, and of 128 x 256.
TEST_F(hopper_tf32, multiplies_in_all_layouts) {
  all({256, 384, 96});
  all({1288, 1416, 200});
  all({2184, 1288, 136});
}

TEST_F(hopper_tf32, has_tails_and_single_rows) {
  all({4, 4, 4});
  all({132, 260, 36});
  all({4, 520, 1032});
  all({1300, 1412, 28});
}

TEST_F(hopper_tf32, takes_batches_and_rows_with_gaps) {
  all({68, 132, 52, 3, 4, 0});
  all({68, 132, 52, 2, 4, 4});
}

TEST_F(hopper_tf32, shares_the_steps_of_few_tiles) {
  all({200, 264, 4100});
}

TEST_F(hopper_tf32, leaves_unaligned_operands_to_others) {
  check<row, row>({70, 45, 151}, {2}, "portable");
  check<col, col>({70, 45, 151}, {2}, "portable");
}

}  // namespace

#endif
