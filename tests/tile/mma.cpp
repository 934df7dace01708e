// SPDX-License-Identifier: Apache-2.0
/// Every instruction computes the product, from tiles in both directions: instruction by lane map.
#include "loops/tile/mma.hpp"

#include "algorithms/gemm/blocking.hpp"
#include "algorithms/gemm/hopper_waves_config.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include "tile/on_waves.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

/// One wave loads A and B into shared memory, multiplies once, and stores what its lanes hold.
template <class Atom, class A, class B>
struct multiply_once {
  const typename A::element* a;
  const typename B::element* b;
  typename Atom::sum* c;

  template <class Block>
  struct storage {
    A a;
    B b;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (Block::wave == Atom::wave) {
      const int lane = block.lane();
      for (int i = lane; i < A::outer * A::k; i += Atom::wave)
        shared.a.data()[A::index({i / A::k, i % A::k})] = a[i];
      for (int i = lane; i < B::outer * B::k; i += Atom::wave)
        shared.b.data()[B::index({i / B::k, i % B::k})] = b[i];
      block.sync();
      operand_fragment<Atom, operand::a> x;
      operand_fragment<Atom, operand::b> y;
      load(x, shared.a, lane, 0, 0);
      load(y, shared.b, lane, 0, 0);
      result_fragment<Atom> sums;
      for (int i = 0; i < Atom::c_count; ++i) sums.at[i] = typename Atom::sum(i);
      mma(block, sums, x, y);
      for (int i = 0; i < Atom::c_count; ++i) c[i * Atom::wave + lane] = sums.at[i];
    }
  }
};

template <class Atom, class TA, class TB, major Major>
void check() {
  if (!waves::ready<Atom::wave>()) GTEST_SKIP() << "no such waves here";
  // Tiles are as wide as a swizzle needs.
  constexpr int wide_a = Major == major::k ? Atom::m : (Atom::m < 64 ? 64 : Atom::m);
  constexpr int wide_b = Major == major::k ? Atom::n : (Atom::n < 64 ? 64 : Atom::n);
  constexpr int k = Atom::k * int(sizeof(TA)) >= 16 ? Atom::k : 16 / int(sizeof(TA));
  using a_swizzle =
      typename gemm_detail::swizzle_for<Atom, TA, Major, Major == major::k ? k : wide_a>::type;
  using b_swizzle =
      typename gemm_detail::swizzle_for<Atom, TB, Major, Major == major::k ? k : wide_b>::type;
  using a_tile = shared_tile<TA, wide_a, k, Major, a_swizzle>;
  using b_tile = shared_tile<TB, wide_b, k, Major, b_swizzle>;
  using sum = typename Atom::sum;

  std::mt19937 random(7);
  std::uniform_int_distribution<int> some(-8, 8);  // exact in every type
  std::vector<TA> a(a_tile::outer * k);
  std::vector<TB> b(b_tile::outer * k);
  for (TA& v : a) v = TA(sum(some(random)));
  for (TB& v : b) v = TB(sum(some(random)));
  const waves::executor<Atom::wave> exec;
  const array<TA> da(a, exec.memory());
  const array<TB> db(b, exec.memory());
  array<sum> dc(Atom::c_count * Atom::wave, exec.memory());
  exec.template launch<team<Atom::wave>>(
      1, multiply_once<Atom, a_tile, b_tile>{da.data(), db.data(), dc.data()});
  exec.synchronize();
  const std::vector<sum> c = dc.to_vector();
  for (int lane = 0; lane < Atom::wave; ++lane)
    for (int i = 0; i < Atom::c_count; ++i) {
      const result_place p = Atom::c(lane, i);
      double expected = i;
      for (int q = 0; q < Atom::k; ++q)
        expected += double(sum(a[static_cast<std::size_t>(p.row * k + q)])) *
                    double(sum(b[static_cast<std::size_t>(p.col * k + q)]));
      ASSERT_EQ(double(c[static_cast<std::size_t>(i * Atom::wave + lane)]), expected)
          << "lane " << lane << ", element " << i << " at (" << p.row << ", " << p.col << ")";
    }
}

/// One wave multiplies a step of doubles as Hopper's copy unit lays them, half by half.
template <class A, class B>
struct multiply_copied {
  const double* a;
  const double* b;
  double* c;

  template <class Block>
  struct storage {
    A a;
    B b;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    using atom = mma_m16n8k8_f64;
    if constexpr (Block::wave == atom::wave) {
      const int lane = block.lane();
      for (int i = lane; i < 16 * 16; i += atom::wave) {
        shared.a.at[A::index({i / 16, i % 16})] = a[i];
        shared.b.at[B::index({i / 16, i % 16})] = b[i];
      }
      block.sync();
      for (int column = 0; column < 2; ++column) {
        result_fragment<atom> sums{};
        for (int half = 0; half < 2; ++half) {
          operand_fragment<atom, operand::a> x;
          operand_fragment<atom, operand::b> y;
          shared.a.load(x, lane, 0, half);
          shared.b.load(y, lane, 8 * column, half);
          mma(block, sums, x, y);
        }
        for (int i = 0; i < atom::c_count; ++i) {
          const result_place p = atom::c(lane, i);
          c[16 * p.row + 8 * column + p.col] = sums.at[i];
        }
      }
    }
  }
};

template <bool ATurned, bool BTurned>
void check_copied() {
  if (!waves::ready<32>()) GTEST_SKIP() << "no such waves here";
  std::mt19937 random(7);
  std::uniform_int_distribution<int> some(-8, 8);
  std::vector<double> a(16 * 16);
  std::vector<double> b(16 * 16);
  for (double& v : a) v = some(random);
  for (double& v : b) v = some(random);
  const waves::executor<32> exec;
  const array<double> da(a, exec.memory());
  const array<double> db(b, exec.memory());
  array<double> dc(16 * 16, exec.memory());
  exec.launch<team<32>>(
      1, multiply_copied<hopper::copied_doubles<16, ATurned>, hopper::copied_doubles<16, BTurned>>{
             da.data(), db.data(), dc.data()});
  exec.synchronize();
  const std::vector<double> c = dc.to_vector();
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j) {
      double expected = 0;
      for (std::size_t k = 0; k < 16; ++k) expected += a[16 * i + k] * b[16 * j + k];
      ASSERT_EQ(c[16 * i + j], expected) << "element (" << i << ", " << j << ")";
    }
}

#if !LOOPS_HIP
TEST(mma, of_doubles_as_hopper_copies_them) {
  check_copied<false, false>();
  check_copied<false, true>();
  check_copied<true, false>();
  check_copied<true, true>();
}

TEST(mma, of_waves_of_32) {
  check<mma_m16n8<loops::half>, loops::half, loops::half, major::k>();
  check<mma_m16n8<loops::half>, loops::half, loops::half, major::outer>();
  check<mma_m16n8<bfloat16>, bfloat16, bfloat16, major::k>();
  check<mma_m16n8<tfloat32>, tfloat32, tfloat32, major::k>();
  check<mma_m16n8<tfloat32>, tfloat32, tfloat32, major::outer>();
  check<mma_m16n8<float8_e4m3, float8_e5m2>, float8_e4m3, float8_e5m2, major::k>();
  check<mma_m16n8<float8_e5m2, float8_e4m3>, float8_e5m2, float8_e4m3, major::k>();
  check<mma_m16n8<std::int8_t>, std::int8_t, std::int8_t, major::k>();
  check<lane_products<std::int32_t>, std::int8_t, std::int8_t, major::k>();
  check<mma_m16n8k8_f64, double, double, major::k>();
  check<mma_m16n8k8_f64, double, double, major::outer>();
  check<mma_m8n8k4_f64, double, double, major::k>();
  check<lane_products<float>, float, float, major::k>();
  check<lane_products<float>, float, float, major::outer>();
  check<lane_products<float>, loops::half, loops::half, major::k>();
}
#endif

#if !LOOPS_CUDA
TEST(mma, of_waves_of_64) {
  check<mfma_32x32<loops::half, loops::half, 4>, loops::half, loops::half, major::k>();
  check<mfma_32x32<bfloat16, bfloat16, 8>, bfloat16, bfloat16, major::k>();
  check<mfma_32x32<loops::half, loops::half, 8>, float8_e4m3, float8_e5m2, major::k>();
  check<mfma_32x32<float, float, 4>, float, float, major::k>();
  check<mfma_16x16_f64, double, double, major::k>();
  check<mfma_32x32<std::int8_t, std::int8_t, 16>, std::int8_t, std::int8_t, major::k>();
#if !LOOPS_HIP
  check<mfma_32x32<float8_e4m3, float8_e4m3, 8>, float8_e4m3, float8_e4m3, major::k>();
  check<mfma_32x32<float8_e5m2, float8_e4m3, 16>, float8_e5m2, float8_e4m3, major::k>();
#endif
}
#endif

}  // namespace
