// SPDX-License-Identifier: Apache-2.0
/// What a pass of the compiler makes code for.
#pragma once

namespace loops::gpu {

/// The generation of GPUs this pass makes code for, which is that of their matrix instructions: 80,
/// 90; 0 in the host pass.
#if defined(__CUDA_ARCH__)
inline constexpr int matrix_generation = __CUDA_ARCH__ / 10;
#else
inline constexpr int matrix_generation = 0;
#endif

/// The first whose kernels may start while the one before them drains.
inline constexpr int early_generation = 90;

/// Whether it makes code for a device with Hopper's own matrix instructions: sm_90a.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool has_wgmma = true;
#else
inline constexpr bool has_wgmma = false;
#endif

}  // namespace loops::gpu
