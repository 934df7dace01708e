// SPDX-License-Identifier: Apache-2.0
/// What a lane does on AMD GPUs; mirrored by backend/cuda/intrinsics.hpp. Device code only.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

namespace loops::gpu {

// GCN and CDNA have waves of 64 lanes, RDNA of 32. The host pass compiles kernels too, and only
// has to agree with itself.
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__GFX9__)
inline constexpr int wave = 32;
#else
inline constexpr int wave = 64;
#endif

/// The second argument of __launch_bounds__: waves per execution unit. CDNA has registers to
/// spare, so the compiler is left alone.
constexpr int blocks_wanted(int, int) {
  return 1;
}
__device__ __forceinline__ void block_sync() {
  __syncthreads();
}
__device__ __forceinline__ bool block_sync_any(bool p) {
  return __syncthreads_or(p) != 0;
}
__device__ __forceinline__ void wave_sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
__device__ __forceinline__ std::uint32_t shuffle(std::uint32_t v, int lane) {
  return static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(lane << 2, static_cast<int>(v)));
}
__device__ __forceinline__ int wave_lane() {
  return static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u))) &
         (wave - 1);
}
__device__ __forceinline__ std::uint32_t shuffle_up(std::uint32_t v, int d) {
  const int l = wave_lane();
  return shuffle(v, l >= d ? l - d : l);
}
__device__ __forceinline__ std::uint32_t shuffle_down(std::uint32_t v, int d) {
  const int l = wave_lane();
  return shuffle(v, l + d < wave ? l + d : l);
}
__device__ __forceinline__ std::uint32_t shuffle_xor(std::uint32_t v, int d) {
  return shuffle(v, wave_lane() ^ d);
}
__device__ __forceinline__ std::uint64_t ballot(bool p) {
  return __ballot(p);
}
__device__ __forceinline__ void relax() {
  __builtin_amdgcn_s_sleep(1);
}
/// A value that all lanes of a wave agree on, in a scalar register.
__device__ __forceinline__ std::uint32_t uniform(std::uint32_t v) {
  return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(v)));
}
__device__ __forceinline__ void await_previous() {}
__device__ __forceinline__ void let_next_start() {}

template <class T>
__device__ __forceinline__ T load_acquire(T* at) {
  return __hip_atomic_load(at, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ T load_relaxed(T* at) {
  return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ void store_relaxed(T* at, T v) {
  __hip_atomic_store(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ __forceinline__ bool reached(T* at, T v) {
  if (load_relaxed(at) != v) return false;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  return true;
}
template <class T>
__device__ __forceinline__ void store_release(T* at, T v) {
  __hip_atomic_store(at, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

}  // namespace loops::gpu
