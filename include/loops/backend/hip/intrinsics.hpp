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
/// Over distances that are known when compiled, lanes of CDNA read each other's registers (DPP): in
/// the addition itself where `v` has 32 bits. Any other way leads through the unit of shared
/// memory.
__device__ __forceinline__ std::uint32_t shuffle_xor(std::uint32_t v, int d) {
#if defined(__GFX9__)
  const int word = static_cast<int>(v);
  constexpr int all = 0xf;  // rows of 16 lanes, or banks of four in a row
  if (__builtin_constant_p(d)) {
    int got = word;
    switch (d) {
      case 1:
        got = __builtin_amdgcn_mov_dpp(word, 0xb1, all, all, true);
        break;  // quads: 1 0 3 2
      case 2:
        got = __builtin_amdgcn_mov_dpp(word, 0x4e, all, all, true);
        break;  // quads: 2 3 0 1
      case 4:   // even banks from four lanes on, odd ones from four lanes back
        got = __builtin_amdgcn_update_dpp(word, word, 0x104, all, 0x5, false);
        got = __builtin_amdgcn_update_dpp(got, word, 0x114, all, 0xa, false);
        break;
      case 8:
        got = __builtin_amdgcn_mov_dpp(word, 0x128, all, all, true);
        break;  // rows in a circle
      case 16:
        got = __builtin_amdgcn_ds_swizzle(word, 0x401f);
        break;  // no address needed
      default:
        return shuffle(v, wave_lane() ^ d);
    }
    return static_cast<std::uint32_t>(got);
  }
#endif
  return shuffle(v, wave_lane() ^ d);
}
__device__ __forceinline__ std::uint64_t ballot(bool p) {
  return __ballot(p);
}
/// The lanes of a wave that come here together, and what one of them has.
__device__ __forceinline__ std::uint64_t lanes_here() {
  return __ballot(true);
}
__device__ __forceinline__ int first_lane(std::uint64_t lanes) {
  return __ffsll(static_cast<unsigned long long>(lanes)) - 1;
}
__device__ __forceinline__ std::uint32_t shuffle_here(std::uint64_t, std::uint32_t v, int lane) {
  return shuffle(v, lane);
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

/// Adds in the last cache, from gfx90a on; nobody waits for what was there. The compiler takes a
/// loop instead unless it is told that the memory is the device's own and coarse-grained, as
/// hipMalloc's is: there, and only there, the instruction adds.
template <class T>
__device__ __forceinline__ void accumulate(T* at, T v) {
  unsafeAtomicAdd(at, v);
}

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
__device__ __forceinline__ void answer(T* at, T v) {
  __hip_atomic_store(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
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
