// SPDX-License-Identifier: Apache-2.0
/// How the portable GEMM cuts a tile among waves, which instruction it uses, how tiles are stored.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/core/numeric.hpp"
#include "loops/tile/atoms_wave32.hpp"
#include "loops/tile/atoms_wave64.hpp"
#include "loops/tile/mma.hpp"
#include "loops/tile/shared_tile.hpp"

#include <cstdint>
#include <type_traits>

#if LOOPS_CUDA
#include "loops/backend/cuda/mma.hpp"
#elif LOOPS_HIP
#include "loops/backend/hip/mma.hpp"
#endif

namespace loops {

/// Sizes of a GEMM program: a tile of M x N, steps of `KBytes` bytes of each operand along k,
/// `WavesM` x `WavesN` waves of `Wave` lanes, `Stages` steps in flight. `Generation` names the
/// matrix instructions; 0: those of the device the code is compiled for. `Whole`: operands are
/// aligned to 16 bytes and their rows end at multiples of it, so that copies need not look.
template <int M, int N, int KBytes, int WavesM, int WavesN, int Wave, int Stages,
          int Generation = 0, bool Whole = false>
struct gemm_blocking {
  static constexpr int m = M;
  static constexpr int n = N;
  static constexpr int k_bytes = KBytes;
  static constexpr int waves_m = WavesM;
  static constexpr int waves_n = WavesN;
  static constexpr int wave = Wave;
  static constexpr int stages = Stages;
  static constexpr bool whole = Whole;
  /// The same for operands that are whole.
  using for_whole = gemm_blocking<M, N, KBytes, WavesM, WavesN, Wave, Stages, Generation, true>;
  static constexpr int lanes = WavesM * WavesN * Wave;
#if LOOPS_CUDA || LOOPS_HIP
  static constexpr int generation = Generation > 0 ? Generation : gpu::types_generation;
#else
  static constexpr int generation = Generation;
#endif
};

namespace gemm_detail {

template <class T>
inline constexpr bool is_float8 = std::is_same_v<T, float8_e4m3> || std::is_same_v<T, float8_e5m2>;

/// The instruction for a pair of types; lanes multiply by themselves where there is none.
template <class TA, class TB, int Wave, int Generation>
struct atom_for {
  static constexpr bool same = std::is_same_v<TA, TB>;
  static constexpr bool doubles = same && std::is_same_v<TA, double>;
  static constexpr bool eights = is_float8<TA> && is_float8<TB>;
  static constexpr bool integers = same && std::is_same_v<TA, std::int8_t>;
  static auto choose() {
    using sum = accumulator_t<TA>;
    if constexpr (Wave == 64 && Generation >= 90) {
      if constexpr (doubles) {
        return tile::mfma_16x16_f64{};
      } else if constexpr (eights || integers) {
        return tile::mfma_32x32<TA, TB, 16>{};  // gfx90a multiplies floats of 8 bits as bfloat16
      } else if constexpr (same && sizeof(TA) == 2) {
        return tile::mfma_32x32<TA, TB, 8>{};
      } else if constexpr (std::is_same_v<sum, float>) {
        return tile::mfma_32x32<float, float, 4>{};
      } else {
        return tile::lane_products<sum, Wave>{};
      }
    } else if constexpr (Wave == 32 && Generation >= 80) {
      if constexpr (doubles && Generation >= 90) {
        return tile::mma_m16n8k8_f64{};
      } else if constexpr (doubles) {
        return tile::mma_m8n8k4_f64{};
      } else if constexpr (eights && Generation >= 89) {
        return tile::mma_m16n8<TA, TB>{};
      } else if constexpr (same && (sizeof(TA) == 2 || integers || std::is_same_v<TA, tfloat32>)) {
        return tile::mma_m16n8<TA>{};
      } else {
        return tile::lane_products<sum, Wave>{};
      }
    } else {
      return tile::lane_products<sum, Wave>{};
    }
  }
  using type = decltype(choose());
};

/// How a tile of an operand is stored, so that neither copies nor the reads of `Atom` meet a bank
/// twice. `tests/tile/banks.cpp` proves it for every case.
template <class Atom, class T, tile::major Major, int Width>
struct swizzle_for {
  static constexpr int row_chunks = Width * int(sizeof(T)) / 16;
  static constexpr bool doubles = std::is_same_v<typename Atom::sum, double>;
  static auto choose() {
    if constexpr (Major == tile::major::k) {
      if constexpr (row_chunks >= 8) {
        if constexpr (Atom::wave == 64) {
          return tile::xor_swizzle<1, 3>{};  // rows of 128 bytes, two to the 64 banks
        } else if constexpr (doubles && Atom::k == 8) {
          return tile::xor_swizzle<0, 1, 2>{};  // four neighbouring chunks of two rows at a time
        } else {
          return tile::xor_swizzle<0, 3>{};
        }
      } else if constexpr (row_chunks == 4) {
        if constexpr (Atom::wave == 64 || tile::in_lane<Atom>) {
          return tile::xor_swizzle<2, 2>{};
        } else {
          return tile::xor_swizzle<1, 2>{};
        }
      } else {
        return tile::no_swizzle{};
      }
    } else if constexpr (tile::in_lane<Atom>) {
      return tile::no_swizzle{};
    } else if constexpr (doubles) {
      // A lane's steps of k are neighbours: rows as far apart are read together.
      if constexpr (Atom::k == 8) {
        return tile::xor_swizzle<1, 2, 1>{};
      } else {
        return tile::xor_swizzle<0, 2, 1>{};
      }
    } else if constexpr (row_chunks == 2) {
      return tile::xor_swizzle<2, 1>{};  // eight rows of 32 bytes
    } else if constexpr (row_chunks < 2) {
      return tile::no_swizzle{};
    } else if constexpr (sizeof(T) == 4 && row_chunks == 4) {
      return tile::xor_swizzle<1, 1, 1>{};
    } else if constexpr (sizeof(T) == 4) {
      return tile::xor_swizzle<0, 2, 1>{};
    } else if constexpr (row_chunks >= 8) {
      return tile::xor_swizzle<0, 3>{};
    } else {
      return tile::xor_swizzle<1, 2>{};
    }
  }
  using type = decltype(choose());
};

/// Everything about one operand in a program.
template <class Blocking, class Atom, class T, tile::operand Which, layout Order>
struct operand_plan {
  static constexpr int k = Blocking::k_bytes / int(sizeof(T));
  static constexpr int outer = Which == tile::operand::a ? Blocking::m : Blocking::n;
  static constexpr bool k_contiguous =
      Order == (Which == tile::operand::a ? layout::row_major : layout::column_major);
  /// Whether tiles keep the direction of memory. AMD's waves read runs along k; 8-bit elements
  /// have no instruction that reads them across.
  static constexpr bool direct =
      k_contiguous || (Blocking::wave == 32 && (sizeof(T) > 1 || tile::in_lane<Atom>));
  static constexpr tile::major order =
      k_contiguous || !direct ? tile::major::k : tile::major::outer;
  using swizzle = typename swizzle_for<Atom, T, order, order == tile::major::k ? k : outer>::type;
  using tile_type = tile::shared_tile<T, outer, k, order, swizzle>;
  using fragment = tile::operand_fragment<Atom, Which>;
};

}  // namespace gemm_detail

}  // namespace loops
