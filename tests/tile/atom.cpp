// SPDX-License-Identifier: Apache-2.0
/// Fragments say what their instruction says.
#include "loops/tile/atom.hpp"

#include "tile/lanes.hpp"

namespace {

using namespace loops;

TEST(atom, fragments_follow_their_instruction) {
  using atom = tile::mma_m16n8<loops::half>;
  using a = tile::operand_fragment<atom, tile::operand::a>;
  using b = tile::operand_fragment<atom, tile::operand::b>;
  static_assert(a::count == 8 && b::count == 4 && a::outer == 16 && b::outer == 8);
  static_assert(sizeof(a) == 16 && alignof(a) == 16 && sizeof(b) == 8);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(a::place(lane, 3), atom::a(lane, 3));
    EXPECT_EQ(b::place(lane, 3), atom::b(lane, 3));
  }
  static_assert(!tile::mma_atom<int>);
}

}  // namespace
