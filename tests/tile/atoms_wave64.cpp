// SPDX-License-Identifier: Apache-2.0
/// MFMA's lanes hold what AMD's matrix calculator prints, written out here a second time.
#include "loops/tile/atoms_wave64.hpp"

#include "tile/lanes.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

TEST(atoms_wave64, hold_every_element) {
  lanes::cover<mfma_32x32<loops::half, loops::half, 4>>();
  lanes::cover<mfma_32x32<bfloat16, bfloat16, 8>>();
  lanes::cover<mfma_32x32<float8_e4m3, float8_e5m2, 8>>();
  lanes::cover<mfma_32x32<float8_e4m3, float8_e4m3, 16>>();
  lanes::cover<mfma_32x32<std::int8_t, std::int8_t, 16>>();
  lanes::cover<mfma_32x32<float, float, 4>>();
  lanes::cover<mfma_16x16_f64>();
}

TEST(atoms_wave64, agree_with_the_matrix_calculator) {
  using wide = mfma_32x32<bfloat16, bfloat16, 4>;
  for (int lane = 0; lane < 64; ++lane) {
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(wide::a(lane, i), (operand_place{lane & 31, 4 * (lane >> 5) + i}));
      // The only one whose registers lie four rows apart.
      EXPECT_EQ(mfma_16x16_f64::c(lane, i), (result_place{4 * i + (lane >> 4), lane & 15}));
    }
    for (int i = 0; i < 16; ++i) {
      const int row = 8 * (i >> 2) + 4 * (lane >> 5) + (i & 3);
      EXPECT_EQ(wide::c(lane, i), (result_place{row, lane & 31}));
    }
  }
}

}  // namespace
