// SPDX-License-Identifier: Apache-2.0
/// Hopper's program of waves that multiply from registers, doubles and floats, in all layouts,
/// under every kind of schedule, with all tails.
#include "gemm/hopper_layouts.hpp"

#if LOOPS_CUDA

namespace {

using products::col;
using products::row;

class hopper_doubles : public products::hopper_layouts<double, double> {
 protected:
  static void all(const products::sizes& s) { check_layouts(s, "hopper, doubles"); }
};

TEST_F(hopper_doubles, multiplies_in_all_layouts) {
  all({256, 384, 96});
  all({328, 456, 200});
}

TEST_F(hopper_doubles, has_tails_and_single_rows) {
  all({2, 2, 2});
  all({130, 262, 38});
  all({2, 520, 1030});
}

TEST_F(hopper_doubles, takes_batches_and_rows_with_gaps) {
  all({66, 130, 50, 3, 4, 0});
  all({66, 130, 50, 2, 2, 2});
}

TEST_F(hopper_doubles, shares_the_steps_of_few_tiles) {
  all({200, 264, 2060});
}

TEST_F(hopper_doubles, takes_operands_that_units_cannot_address) {
  all({70, 45, 151});
  all({129, 259, 37, 3, 1, 0});
  all({200, 264, 2060, 1, 0, 1});
}

class hopper_floats : public products::hopper_layouts<float, float> {
 protected:
  static void all(const products::sizes& s) { check_layouts(s, "hopper, floats"); }
};

TEST_F(hopper_floats, multiplies_in_all_layouts) {
  all({2560, 1408, 96});
  all({1288, 1416, 200});
  all({128, 64, 32});
}

TEST_F(hopper_floats, has_tails_and_single_rows) {
  all({4, 4, 4});
  all({2564, 1412, 36});
  all({1284, 1028, 1032});
  all({8452, 4, 12});
}

TEST_F(hopper_floats, takes_batches_and_rows_with_gaps) {
  all({516, 260, 52, 8, 4, 0});
  all({68, 132, 52, 2, 4, 4});
}

TEST_F(hopper_floats, shares_the_steps_of_few_tiles) {
  all({200, 264, 2060});
  all({64, 64, 8192});
}

TEST_F(hopper_floats, leaves_unaligned_operands_to_others) {
  check<row, row>({1290, 1417, 151}, {2}, "portable");
}

}  // namespace

#endif
