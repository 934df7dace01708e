// SPDX-License-Identifier: Apache-2.0
/// How the emulation multiplies dense matrices.
#pragma once

#include "algorithms/gemm/gemm.hpp"

#if !LOOPS_CUDA && !LOOPS_HIP
#include "loops/execution/emulation.hpp"

/// Small tiles, so that the emulation meets many of them; the instructions of sm_90 and gfx942.
template <class T>
struct loops::portable_blocking<loops::emulation_executor<32>, T> {
  using type = loops::gemm_blocking<64, 32, sizeof(T) == 8 ? 128 : 64, 2, 1, 32, 3, 90>;
  using whole = typename type::for_whole;
};
template <class T>
struct loops::portable_blocking<loops::emulation_executor<64>, T> {
  using type = loops::gemm_blocking<64, 64, sizeof(T) == 8 ? 128 : 64, 2, 1, 64, 2, 94>;
  using whole = typename type::for_whole;
};
#endif
