// SPDX-License-Identifier: Apache-2.0
/// Fragments are read in as few pieces as memory allows, and ldmatrix's rows are the fragment's.
#include "loops/tile/load.hpp"

#include "tile/lanes.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

template <class T, int Outer, int K, major Major>
using plain = shared_tile<T, Outer, K, Major, no_swizzle>;

TEST(load, takes_as_much_at_once_as_there_is) {
  using doubles = operand_fragment<mma_m16n8k8_f64, operand::a>;
  static_assert(read_plan<plain<double, 64, 16, major::k>, doubles>::run() == 2);
  static_assert(read_plan<plain<double, 64, 16, major::outer>, doubles>::run() == 1);
  using lanes_own = operand_fragment<lane_products<float>, operand::a>;
  static_assert(read_plan<plain<float, 32, 16, major::k>, lanes_own>::run() == 4);
  static_assert(read_plan<plain<float, 32, 16, major::outer>, lanes_own>::run() == 4);
  using amd = operand_fragment<mfma_32x32<loops::half, loops::half, 8>, operand::b>;
  static_assert(read_plan<plain<loops::half, 32, 32, major::k>, amd>::run() == 8);
  static_assert(read_plan<plain<loops::half, 32, 32, major::k>, amd>::whole_words());
}

/// Register r of lane l holds what lies in row l / 4 of matrix r, words l % 4: the manual's
/// definition of ldmatrix, applied to the addresses that we give it.
template <class Tile, class Fragment>
void check_matrices() {
  using matrices = by_matrices<Tile, Fragment>;
  constexpr int in_word = 4 / int(sizeof(typename Tile::element));
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < Fragment::count; ++i) {
      const int matrix = i / in_word;
      int at = 0;
      if (Tile::order == major::k) {
        at = matrices::row_index(8 * matrix + lane / 4, 0, 0) + in_word * (lane % 4) + i % in_word;
      } else {  // transposed: the lane's pair is column lane / 4 of two rows
        at = matrices::row_index(8 * matrix + 2 * (lane % 4) + i % 2, 0, 0) + lane / 4;
      }
      ASSERT_EQ(at, Tile::index(Fragment::place(lane, i))) << "lane " << lane << ", element " << i;
    }
}

TEST(load, gives_ldmatrix_the_rows_it_needs) {
  using a16 = operand_fragment<mma_m16n8<loops::half>, operand::a>;
  using b16 = operand_fragment<mma_m16n8<loops::half>, operand::b>;
  check_matrices<shared_tile<loops::half, 64, 32, major::k, xor_swizzle<1, 2>>, a16>();
  check_matrices<shared_tile<loops::half, 64, 32, major::k, xor_swizzle<1, 2>>, b16>();
  check_matrices<shared_tile<loops::half, 64, 32, major::outer, xor_swizzle<0, 3>>, a16>();
  check_matrices<shared_tile<loops::half, 64, 32, major::outer, xor_swizzle<0, 3>>, b16>();
  using a32 = operand_fragment<mma_m16n8<tfloat32>, operand::a>;
  check_matrices<shared_tile<tfloat32, 64, 16, major::k, xor_swizzle<1, 2>>, a32>();
  using b8 = operand_fragment<mma_m16n8<float8_e4m3>, operand::b>;
  check_matrices<shared_tile<float8_e4m3, 64, 64, major::k, xor_swizzle<1, 2>>, b8>();
}

/// Every run of a fragment begins, and goes on, where the tile has its elements.
template <class Tile, class Fragment>
void check_reads() {
  using plan = read_plan<Tile, Fragment>;
  constexpr auto order = plan::sorted();
  for (int outer = 0; outer < Tile::outer; outer += Fragment::outer)
    for (int k = 0; k < Tile::k; k += Fragment::atom::k)
      for (int lane = 0; lane < Fragment::atom::wave; ++lane)
        for (int i = 0; i < plan::count; ++i) {
          const operand_place p = Fragment::place(lane, order.at[i]);
          const int at = read_index<Tile, Fragment>(lane, i / plan::run(), outer, k);
          ASSERT_EQ(at + i % plan::run(), Tile::index({p.outer + outer, p.k + k}))
              << "lane " << lane << ", element " << i << " of (" << outer << ", " << k << ")";
        }
}

TEST(load, reads_where_a_swizzle_has_put_things) {
  using a16 = operand_fragment<mma_m16n8<loops::half>, operand::a>;
  using b16 = operand_fragment<mma_m16n8<loops::half>, operand::b>;
  check_reads<shared_tile<loops::half, 64, 32, major::k, xor_swizzle<1, 2>>, a16>();
  check_reads<shared_tile<loops::half, 64, 32, major::k, xor_swizzle<1, 2>>, b16>();
  check_reads<shared_tile<loops::half, 64, 32, major::outer, xor_swizzle<0, 3>>, a16>();
  using amd = operand_fragment<mfma_32x32<loops::half, loops::half, 8>, operand::b>;
  check_reads<shared_tile<loops::half, 64, 32, major::k, xor_swizzle<1, 2>>, amd>();
}

}  // namespace
