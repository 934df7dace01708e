// SPDX-License-Identifier: Apache-2.0
/// Hopper's program for operands of 8 bits, both contiguous along k: integers, and unlike floats.
#include "gemm/hopper_layouts.hpp"

#if LOOPS_CUDA

#include <cstdint>

namespace {

using products::col;
using products::row;

template <class T, class TC, class U = T>
class hopper_bytes : public products::hopper_layouts<T, TC, U> {
 protected:
  static void check(const products::sizes& s, const char* engine = "hopper") {
    products::hopper_layouts<T, TC, U>::template check<row, col>(s, {0, 1, 2, -1}, engine);
  }
  /// Of less than three processors in four, of as many with tiles of 128 x 128, and of 128 x 256;
  /// tails, single rows, batches, rows with gaps, and few tiles of many steps.
  static void check_sizes() {
    check({256, 384, 192});
    check({1288, 1416, 400});
    check({2184, 1288, 272});
    check({16, 16, 16});
    check({132, 260, 144});
    check({1, 520, 2064});
    check({1301, 3, 112});
    check({68, 132, 208, 3, 16, 0});
    check({68, 132, 208, 2, 16, 16});
    check({200, 264, 8208});
    check({70, 45, 151}, "portable");
  }
};

class hopper_integers : public hopper_bytes<std::int8_t, std::int32_t> {};
TEST_F(hopper_integers, are_exact) {
  check_sizes();
}

class hopper_small_integers : public hopper_bytes<std::int8_t, std::int16_t> {};
TEST_F(hopper_small_integers, are_held_to_what_results_can_be) {
  check({256, 392, 192});
  check({131, 77, 4112});
}

class hopper_integers_as_floats : public hopper_bytes<std::int8_t, loops::bfloat16> {};
TEST_F(hopper_integers_as_floats, are_rounded_once) {
  check({256, 392, 192});
  check({131, 77, 4112});
}

class hopper_unlike_floats : public hopper_bytes<loops::float8_e4m3, float, loops::float8_e5m2> {};
TEST_F(hopper_unlike_floats, are_multiplied_in_either_role) {
  check_sizes();
}
class hopper_unlike_floats_turned
    : public hopper_bytes<loops::float8_e5m2, loops::half, loops::float8_e4m3> {};
TEST_F(hopper_unlike_floats_turned, are_multiplied_in_either_role) {
  check({256, 392, 192});
  check({131, 77, 4112});
}

}  // namespace

#endif
