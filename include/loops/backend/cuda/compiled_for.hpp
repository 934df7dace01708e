// SPDX-License-Identifier: Apache-2.0
/// What the kernels of a program were compiled for, which the device alone does not say.
#pragma once

#include "loops/backend/cuda/runtime.hpp"
#include "loops/backend/cuda/wgmma.hpp"

namespace loops::gpu {

namespace detail {

/// A kernel whose shared memory says what it was compiled for. Nobody launches it.
inline constexpr int bytes_without_wgmma = 128;
template <int>
__global__ void room_by_wgmma(char* values) {
  constexpr int bytes = has_wgmma ? 2 * bytes_without_wgmma : bytes_without_wgmma;
  __shared__ char room[bytes];
  const int i = static_cast<int>(threadIdx.x);
  room[i] = values[i];
  __syncthreads();
  values[i] = room[bytes - 1 - i];
}

}  // namespace detail

/// Whether the code that `device` runs has Hopper's matrix instructions: code for sm_90 runs on
/// Hopper, too, and only that for sm_90a has them.
inline bool code_has_wgmma(int device) {
  const on_device here(device);
  cudaFuncAttributes kernel{};
  check(cudaFuncGetAttributes(&kernel, detail::room_by_wgmma<0>),
        "asking what kernels were compiled for");
  return kernel.sharedSizeBytes > detail::bytes_without_wgmma;
}

}  // namespace loops::gpu
