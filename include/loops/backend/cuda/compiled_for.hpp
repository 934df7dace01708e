// SPDX-License-Identifier: Apache-2.0
/// What the kernels of a program were compiled for, which the device alone does not say.
#pragma once

#include "loops/backend/cuda/runtime.hpp"
#include "loops/backend/cuda/target.hpp"

namespace loops::gpu {

namespace detail {

/// A kernel whose shared memory says what it was compiled for, in units that no compiler rounds.
/// Nobody launches it.
inline constexpr int unit_of_room = 16;
inline constexpr int units_with_wgmma = 1024;
template <int>
__global__ void room_by_target(char* values) {
  constexpr int units = 1 + matrix_generation + (has_wgmma ? units_with_wgmma : 0);
  constexpr int bytes = unit_of_room * units;
  __shared__ char room[bytes];
  const int i = static_cast<int>(threadIdx.x);
  room[i] = values[i];
  __syncthreads();
  values[i] = room[bytes - 1 - i];
}

inline int units_of_room(int device) {
  const on_device here(device);
  cudaFuncAttributes kernel{};
  check(cudaFuncGetAttributes(&kernel, room_by_target<0>), "asking what kernels were compiled for");
  return static_cast<int>(kernel.sharedSizeBytes) / unit_of_room;
}

}  // namespace detail

/// Whether the code that `device` runs has Hopper's matrix instructions: code for sm_90 runs on
/// Hopper, too, and only that for sm_90a has them.
inline bool code_has_wgmma(int device) {
  return detail::units_of_room(device) > detail::units_with_wgmma;
}

/// Whether its kernels wait for the one before them where they have to, when they are launched
/// early: those for older GPUs run on newer ones, too, and know no such wait.
inline bool code_starts_early(int device) {
  return detail::units_of_room(device) % detail::units_with_wgmma > early_generation;
}

}  // namespace loops::gpu
