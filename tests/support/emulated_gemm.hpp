// SPDX-License-Identifier: Apache-2.0
/// How the emulation multiplies dense matrices.
#pragma once

#include "algorithms/gemm/gemm.hpp"

#if !LOOPS_CUDA && !LOOPS_HIP
#include "loops/execution/emulation.hpp"

#include <tuple>
#include <type_traits>

/// Small tiles, so that the emulation meets many of them; the instructions of sm_90 and gfx942.
template <class T>
struct loops::portable_blocking<loops::emulation_executor<32>, T> {
  static constexpr int k_bytes = sizeof(T) == 8 ? 128 : 64;
  using type = loops::gemm_blocking<64, 32, k_bytes, 2, 1, 32, 3, 90>;
  using whole = typename type::for_whole;
  /// Floats are multiplied by lanes, in blocks of 32 x 16.
  static constexpr int least = std::is_same_v<T, float> ? 32 : 16;
  using small =
      std::tuple<loops::small_tile<loops::gemm_blocking<least, 16, k_bytes, 1, 1, 32, 4, 90>, 32>,
                 loops::small_tile<loops::gemm_blocking<32, 32, k_bytes, 1, 1, 32, 3, 90>, 2>>;
};
template <class T>
struct loops::portable_blocking<loops::emulation_executor<64>, T> {
  static constexpr int k_bytes = sizeof(T) == 8 ? 128 : 64;
  using type = loops::gemm_blocking<64, 64, k_bytes, 2, 1, 64, 2, 94>;
  using whole = typename type::for_whole;
  using small =
      std::tuple<loops::small_tile<loops::gemm_blocking<32, 32, k_bytes, 1, 1, 64, 2, 94>>>;
};
#endif
