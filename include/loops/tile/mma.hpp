// SPDX-License-Identifier: Apache-2.0
/// C += A B on fragments: the instruction where there is one, the same lane maps where there is
/// not.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/tile/atom.hpp"
#include "loops/tile/atoms_wave32.hpp"
#include "loops/tile/atoms_wave64.hpp"

#if LOOPS_CUDA
#include "loops/backend/cuda/mma.hpp"
#elif LOOPS_HIP
#include "loops/backend/hip/mma.hpp"
#endif

namespace loops::tile {

/// Whether an atom is plain arithmetic of each lane.
template <class Atom>
inline constexpr bool in_lane = false;
template <class T, int Wave>
inline constexpr bool in_lane<lane_products<T, Wave>> = true;

/// What the multiplier sees of a value: its exact value in the type of the sums.
template <class Sum, class T>
LOOPS_HD constexpr Sum multiplied_as(const T& v) {
  if constexpr (std::is_same_v<T, tfloat32>) {
    return Sum(v.rounded());
  } else {
    return Sum(v);
  }
}

/// The instruction carried out by exchanging fragments among the lanes of a wave, by its lane maps:
/// fragments that were filled otherwise give a wrong product. For the emulation.
template <mma_atom Atom, class Block>
LOOPS_HD void mma_by_exchange(Block& block, result_fragment<Atom>& c,
                              const operand_fragment<Atom, operand::a>& a,
                              const operand_fragment<Atom, operand::b>& b) {
  using sum = typename Atom::sum;
  struct both {
    operand_fragment<Atom, operand::a> a;
    operand_fragment<Atom, operand::b> b;
  };
  static_assert(Block::wave == Atom::wave, "this instruction is for another wave");
  sum rows[Atom::m][Atom::k];
  sum cols[Atom::n][Atom::k];
  const both mine{a, b};
  for (int lane = 0; lane < Atom::wave; ++lane) {
    const both other = block.shuffle(mine, lane);
    for (int i = 0; i < Atom::a_count; ++i) {
      const operand_place p = Atom::a(lane, i);
      rows[p.outer][p.k] = multiplied_as<sum>(other.a.at[i]);
    }
    for (int i = 0; i < Atom::b_count; ++i) {
      const operand_place p = Atom::b(lane, i);
      cols[p.outer][p.k] = multiplied_as<sum>(other.b.at[i]);
    }
  }
  const int lane = block.lane() % Atom::wave;
  for (int i = 0; i < Atom::c_count; ++i) {
    const result_place p = Atom::c(lane, i);
    for (int k = 0; k < Atom::k; ++k) c.at[i] += rows[p.row][k] * cols[p.col][k];
  }
}

#if LOOPS_DEVICE_PASS
namespace mma_detail {

#if LOOPS_CUDA
template <class TA, class TB>
LOOPS_HD void native(mma_m16n8<TA, TB>, accumulator_t<TA>* c, const TA* a, const TB* b) {
  gpu::mma_m16n8<TA, TB>(c, a, b);
}
LOOPS_HD void native(mma_m16n8k8_f64, double* c, const double* a, const double* b) {
  gpu::mma_m16n8k8(c, a, b);
}
LOOPS_HD void native(mma_m8n8k4_f64, double* c, const double* a, const double* b) {
  gpu::mma_m8n8k4(c, a, b);
}
#elif LOOPS_HIP
template <class TA, class TB, int PerLane>
LOOPS_HD void native(mfma_32x32<TA, TB, PerLane>, accumulator_t<TA>* c, const TA* a, const TB* b) {
  gpu::mma_32x32<TA, TB, PerLane>(c, a, b);
}
LOOPS_HD void native(mfma_16x16_f64, double* c, const double* a, const double* b) {
  gpu::mma_16x16_f64(c, a, b);
}
#endif

}  // namespace mma_detail
#endif

/// C += A B by the lanes of a wave together. Lanes: all of the wave.
template <mma_atom Atom, class Block>
LOOPS_HD void mma([[maybe_unused]] Block& block, result_fragment<Atom>& c,
                  const operand_fragment<Atom, operand::a>& a,
                  const operand_fragment<Atom, operand::b>& b) {
  if constexpr (in_lane<Atom>) {
    LOOPS_UNROLL
    for (int k = 0; k < 4; ++k) LOOPS_UNROLL
    for (int i = 0; i < 16; ++i) c.at[i] += a.at[i / 4 * 4 + k] * b.at[i % 4 * 4 + k];
  } else {
#if LOOPS_DEVICE_PASS
    mma_detail::native(Atom{}, c.at, a.at, b.at);
#else
    mma_by_exchange(block, c, a, b);
#endif
  }
}

}  // namespace loops::tile
