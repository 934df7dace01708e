// SPDX-License-Identifier: Apache-2.0
/// mma.sync's lanes hold what the PTX manual says, written out here a second time.
#include "loops/tile/atoms_wave32.hpp"

#include "tile/lanes.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

TEST(atoms_wave32, hold_every_element) {
  lanes::cover<mma_m16n8<loops::half>>();
  lanes::cover<mma_m16n8<tfloat32>>();
  lanes::cover<mma_m16n8<float8_e4m3, float8_e5m2>>();
  lanes::cover<mma_m16n8k8_f64>();
  lanes::cover<mma_m8n8k4_f64>();
  lanes::cover<lane_products<float>>();
  lanes::cover<lane_products<double, 64>>();
}

/// The manual's words: groupID = lane >> 2, threadID_in_group = lane % 4.
TEST(atoms_wave32, agree_with_the_manual) {
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2;
    const int thread = lane % 4;
    // m16n8k16, 16-bit: rows of a are groupID for a0 a1 a4 a5, else groupID + 8; columns
    // threadID * 2 + (i & 1), plus 8 from a4 on.
    for (int i = 0; i < 8; ++i) {
      const int row = i == 0 || i == 1 || i == 4 || i == 5 ? group : group + 8;
      const int col = thread * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      EXPECT_EQ(mma_m16n8<loops::half>::a(lane, i), (operand_place{row, col}));
    }
    for (int i = 0; i < 4; ++i) {
      const int k = thread * 2 + (i & 1) + (i >= 2 ? 8 : 0);
      EXPECT_EQ(mma_m16n8<bfloat16>::b(lane, i), (operand_place{group, k}));
      const int row = i < 2 ? group : group + 8;
      EXPECT_EQ(mma_m16n8<loops::half>::c(lane, i), (result_place{row, thread * 2 + (i & 1)}));
    }
    // m16n8k8, tf32.
    for (int i = 0; i < 4; ++i) {
      const int row = i == 0 || i == 2 ? group : group + 8;
      EXPECT_EQ(mma_m16n8<tfloat32>::a(lane, i), (operand_place{row, thread + (i >= 2 ? 4 : 0)}));
    }
    // m16n8k32, 8-bit: four to a register.
    for (int i = 0; i < 16; ++i) {
      const bool upper = (i >= 4 && i < 8) || i >= 12;
      const int col = thread * 4 + (i & 3) + (i >= 8 ? 16 : 0);
      EXPECT_EQ((mma_m16n8<float8_e4m3>::a(lane, i)),
                (operand_place{upper ? group + 8 : group, col}));
    }
    // m16n8k8, f64: the instruction contracts threadID + 4 j; memory's k, 2 threadID + j, is a
    // permutation of it that A and B share.
    for (int i = 0; i < 4; ++i) {
      const operand_place p = mma_m16n8k8_f64::a(lane, i);
      EXPECT_EQ(p.outer, i % 2 == 0 ? group : group + 8);
      EXPECT_EQ(p.k % 2 * 4 + p.k / 2, thread + 4 * (i / 2));
    }
    for (int i = 0; i < 2; ++i) {
      const operand_place p = mma_m16n8k8_f64::b(lane, i);
      EXPECT_EQ(p.outer, group);
      EXPECT_EQ(p.k % 2 * 4 + p.k / 2, thread + 4 * i);
    }
  }
}

}  // namespace
