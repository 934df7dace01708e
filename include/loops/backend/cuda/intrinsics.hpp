// SPDX-License-Identifier: Apache-2.0
/// What a lane does on NVIDIA GPUs; mirrored by backend/hip/intrinsics.hpp. Device code only.
#pragma once

#include "loops/backend/cuda/target.hpp"

#include <cstdint>

namespace loops::gpu {

inline constexpr int wave = 32;
/// The second argument of __launch_bounds__: blocks per processor.
constexpr int blocks_wanted(int lanes, int threads) {
  return lanes / threads;
}
inline constexpr unsigned all_lanes = 0xffffffffu;

__device__ __forceinline__ void block_sync() {
  __syncthreads();
}
__device__ __forceinline__ bool block_sync_any(bool p) {
  return __syncthreads_or(p) != 0;
}
__device__ __forceinline__ void wave_sync() {
  __syncwarp();
}
__device__ __forceinline__ std::uint32_t shuffle(std::uint32_t v, int lane) {
  return __shfl_sync(all_lanes, v, lane);
}
__device__ __forceinline__ std::uint32_t shuffle_up(std::uint32_t v, int d) {
  return __shfl_up_sync(all_lanes, v, static_cast<unsigned>(d));
}
__device__ __forceinline__ std::uint32_t shuffle_down(std::uint32_t v, int d) {
  return __shfl_down_sync(all_lanes, v, static_cast<unsigned>(d));
}
__device__ __forceinline__ std::uint32_t shuffle_xor(std::uint32_t v, int d) {
  return __shfl_xor_sync(all_lanes, v, d);
}
__device__ __forceinline__ std::uint64_t ballot(bool p) {
  return __ballot_sync(all_lanes, p);
}
/// The lanes of a wave that come here together, and what one of them has.
__device__ __forceinline__ unsigned lanes_here() {
  return __activemask();
}
__device__ __forceinline__ int first_lane(unsigned lanes) {
  return __ffs(static_cast<int>(lanes)) - 1;
}
__device__ __forceinline__ std::uint32_t shuffle_here(unsigned here, std::uint32_t v, int lane) {
  return __shfl_sync(here, v, lane);
}
__device__ __forceinline__ int wave_lane() {
  return static_cast<int>(threadIdx.x) % wave;
}
__device__ __forceinline__ void relax() {
  __nanosleep(40);
}
/// A value that all lanes of a wave agree on, so that the compiler knows it.
__device__ __forceinline__ std::uint32_t uniform(std::uint32_t v) {
  return __shfl_sync(0xffffffffu, v, 0);
}
__device__ __forceinline__ void await_previous() {
  if constexpr (matrix_generation >= early_generation) cudaGridDependencySynchronize();
}
__device__ __forceinline__ void let_next_start() {
  if constexpr (matrix_generation >= early_generation) cudaTriggerProgrammaticLaunchCompletion();
}

/// Adds in the last cache; nobody waits for what was there. In `float`, numbers too small to be
/// normal count as zero there.
template <class T>
__device__ __forceinline__ void accumulate(T* at, T v) {
  atomicAdd(at, v);
}

template <class T>
__device__ __forceinline__ T load_relaxed(T* at) {
  return *static_cast<volatile T*>(at);
}
template <class T>
__device__ __forceinline__ void store_relaxed(T* at, T v) {
  *static_cast<volatile T*>(at) = v;
}
/// Memory of the host is reached without a cache in between.
template <class T>
__device__ __forceinline__ void answer(T* at, T v) {
  store_relaxed(at, v);
}
template <class T>
__device__ __forceinline__ T load_acquire(T* at) {
  const T v = load_relaxed(at);
  __threadfence();
  return v;
}
template <class T>
__device__ __forceinline__ bool reached(T* at, T v) {
  if (load_relaxed(at) != v) return false;
  __threadfence();
  return true;
}
template <class T>
__device__ __forceinline__ void store_release(T* at, T v) {
  __threadfence();
  store_relaxed(at, v);
}

}  // namespace loops::gpu
