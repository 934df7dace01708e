// SPDX-License-Identifier: Apache-2.0
/// Waves that hold sums of the same elements: each ends with all of its share, and the shares are
/// all there is, each in its place.
#include "algorithms/gemm/wave_share.hpp"

#include "loops/tile/mma.hpp"

#include <cstddef>
#include <vector>

#include "tile/on_waves.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

/// Wave w of `Waves` holds (w + 1) times the number of every element, twice.
template <class Sums, int Waves>
struct add_up {
  using atom = typename Sums::atom;
  using element = typename Sums::element;
  static constexpr int lanes = Waves * atom::wave;
  float* to;
  template <class Block>
  struct storage {
    alignas(16) element shared[(Waves - 1) * Sums::rows * Sums::cols];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (Block::wave == atom::wave) {
      const int wave = block.lane() / atom::wave;
      const int lane = block.lane() % atom::wave;
      gemm_detail::wave_share<Sums, Waves> share;
      for (int time = 0; time < 2; ++time) {  // one after the other in the same memory
        Sums sums;
        for (int i = 0; i < Sums::count; ++i) {
          const result_place p = Sums::place(lane, i);
          sums.flat(i) = element((wave + 1) * (p.row * Sums::cols + p.col));
        }
        share = gemm_detail::add_shares<Waves, atom::wave>(sums, shared.shared, wave, lane,
                                                           [&] { block.sync(); });
      }
      for (int i = 0; i < share.count; ++i) {
        const result_place p = share.place(lane, i);
        to[p.row * Sums::cols + p.col] += float(share.flat(i));
      }
    }
  }
};

template <class Atom, int Rows, int Cols, int Waves>
void check() {
  if (!waves::ready<Atom::wave>()) GTEST_SKIP() << "no such waves here";
  using sums = register_tile<Atom, Rows, Cols>;
  const waves::executor<Atom::wave> exec;
  array<float> result(std::vector<float>(std::size_t{Rows} * Cols, 0.5F), exec.memory());
  exec.template launch<team<Waves * Atom::wave>>(1, add_up<sums, Waves>{result.data()});
  exec.synchronize();
  const std::vector<float> got = result.to_vector();
  for (int i = 0; i < Rows * Cols; ++i)
    ASSERT_EQ(got[static_cast<std::size_t>(i)], 0.5F + float(i * Waves * (Waves + 1) / 2));
}

TEST(wave_share, is_all_of_a_part) {
#if !LOOPS_HIP
  check<lane_products<float>, 32, 32, 2>();
  check<lane_products<float>, 32, 32, 4>();
  check<lane_products<float>, 32, 32, 8>();
  check<mma_m8n8k4_f64, 16, 16, 2>();
  check<mma_m16n8<loops::half>, 32, 16, 4>();
#endif
#if !LOOPS_CUDA
  check<mfma_16x16_f64, 32, 16, 2>();
#endif
}

/// Lanes' vectors are whole where shares are smaller than them.
TEST(wave_share, has_neighbours_as_far_as_it_goes) {
  using sums = register_tile<lane_products<float>, 32, 16>;
  static_assert(sums::count == 16 && sums::span() == 4);
  static_assert(gemm_detail::wave_share<sums, 4>::span() == 4);
  static_assert(gemm_detail::wave_share<sums, 8>::span() == 2);
  static_assert(gemm_detail::wave_share<sums, 16>::span() == 1);
}

}  // namespace
