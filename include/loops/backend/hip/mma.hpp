// SPDX-License-Identifier: Apache-2.0
/// AMD's matrix instructions, and what orders them against memory; mirrors backend/cuda/mma.hpp.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

namespace loops::gpu {

/// The generation of matrix instructions this pass generates code for: 90 for gfx90a, 94 for
/// gfx942, 95 for gfx950; 0 where there are none, and in the host pass.
#if defined(__gfx950__)
inline constexpr int matrix_generation = 95;
#elif defined(__gfx942__)
inline constexpr int matrix_generation = 94;
#elif defined(__gfx90a__)
inline constexpr int matrix_generation = 90;
#else
inline constexpr int matrix_generation = 0;
#endif

/// The generation that types are made for. The host pass has no instructions, but has to know how
/// large programs and their shared memory are; any of CDNA's will do, they agree
/// (`tests/gemm/program.cpp`).
#if LOOPS_DEVICE_PASS
inline constexpr int types_generation = matrix_generation;
#else
inline constexpr int types_generation = 90;
#endif

namespace mma_detail {

using short4 = short __attribute__((ext_vector_type(4)));
using half4 = _Float16 __attribute__((ext_vector_type(4)));
using half8 = _Float16 __attribute__((ext_vector_type(8)));
using bfloat8 = __bf16 __attribute__((ext_vector_type(8)));
using float4 = float __attribute__((ext_vector_type(4)));
using float16 = float __attribute__((ext_vector_type(16)));
using int4 = int __attribute__((ext_vector_type(4)));
using int16 = int __attribute__((ext_vector_type(16)));
using double4 = double __attribute__((ext_vector_type(4)));

template <class V>
__device__ __forceinline__ V read(const void* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}

/// gfx942 reads 8-bit floats with the exponent's bias one higher than OCP's: the same bits are half
/// the value, minus zero's pattern is its only NaN, and it has no infinities. Four bytes at once;
/// infinities become NaN.
template <class T>
__device__ __forceinline__ std::uint32_t to_fnuz(std::uint32_t w) {
  constexpr std::uint32_t largest = std::is_same_v<T, float8_e4m3> ? 0x7e7e7e7eu : 0x7b7b7b7bu;
  const std::uint32_t magnitude = w & 0x7f7f7f7fu;
  // A byte above the largest finite one sets its top bit; one that is zero clears it below.
  const std::uint32_t special =
      (magnitude + (0x7f7f7f7fu - largest)) & 0x80808080u;  // no carry leaves a byte
  const std::uint32_t nonzero = (magnitude + 0x7f7f7f7fu) & 0x80808080u;
  const std::uint32_t spread = (special >> 7) * 0xffu;
  const std::uint32_t fixed = (w & 0x7f7f7f7fu) | (w & nonzero);
  return (fixed & ~spread) | special;
}

template <class T>
__device__ __forceinline__ long eight_bytes(const void* from) {
  auto w = read<std::uint64_t>(from);
  if constexpr (matrix_generation == 94)
    w = std::uint64_t(to_fnuz<T>(std::uint32_t(w))) |
        std::uint64_t(to_fnuz<T>(std::uint32_t(w >> 32))) << 32;
  return static_cast<long>(w);
}

/// Four 8-bit floats as bfloat16, which holds them exactly and whose multipliers, unlike those of
/// binary16, meet nothing that is too small for them.
template <class T>
__device__ __forceinline__ short4 as_bfloats(const char* from) {
  short4 v;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = short(__builtin_bit_cast(std::uint32_t, float(read<T>(from + i))) >> 16);
  return v;
}

}  // namespace mma_detail

/// What sums of products of 8-bit floats have to be multiplied with.
inline constexpr float float8_sum_scale = matrix_generation == 94 ? 4.0f : 1.0f;

namespace mma_detail {

/// One instruction or a few of the same kind: a lane's elements along k, in the order of memory.
template <class TA, class TB, int PerLane>
__device__ __forceinline__ float16 mma_32x32(const char* a, const char* b, float16 c) {
  if constexpr (matrix_generation == 0) {
    return c;
  } else if constexpr (sizeof(TA) == 4) {
    const auto x = read<float4>(a);
    const auto y = read<float4>(b);
#pragma unroll
    for (int i = 0; i < 4; ++i) c = __builtin_amdgcn_mfma_f32_32x32x2f32(x[i], y[i], c, 0, 0, 0);
    return c;
  }
#if defined(__gfx950__)
  else if constexpr (std::is_same_v<TA, half> && PerLane == 8) {
    return __builtin_amdgcn_mfma_f32_32x32x16_f16(read<half8>(a), read<half8>(b), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<TA, bfloat16> && PerLane == 8) {
    return __builtin_amdgcn_mfma_f32_32x32x16_bf16(read<bfloat8>(a), read<bfloat8>(b), c, 0, 0, 0);
  }
#endif
#if defined(__gfx942__) || defined(__gfx950__)
  else if constexpr (sizeof(TA) == 1 && PerLane == 8) {
    const long x = eight_bytes<TA>(a);
    const long y = eight_bytes<TB>(b);
    constexpr bool a4 = std::is_same_v<TA, float8_e4m3>;
    constexpr bool b4 = std::is_same_v<TB, float8_e4m3>;
    if constexpr (a4 && b4) {
      return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(x, y, c, 0, 0, 0);
    } else if constexpr (a4) {
      return __builtin_amdgcn_mfma_f32_32x32x16_fp8_bf8(x, y, c, 0, 0, 0);
    } else if constexpr (b4) {
      return __builtin_amdgcn_mfma_f32_32x32x16_bf8_fp8(x, y, c, 0, 0, 0);
    } else {
      return __builtin_amdgcn_mfma_f32_32x32x16_bf8_bf8(x, y, c, 0, 0, 0);
    }
  }
#endif
  else if constexpr (std::is_same_v<TA, half> && PerLane == 4) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(read<half4>(a), read<half4>(b), c, 0, 0, 0);
  } else if constexpr (std::is_same_v<TA, bfloat16> && PerLane == 4) {
#if defined(__GFX9__)
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(read<short4>(a), read<short4>(b), c, 0, 0, 0);
#else
    return c;
#endif
  } else if constexpr (sizeof(TA) == 1 && PerLane == 4) {
#if defined(__GFX9__)
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(as_bfloats<TA>(a), as_bfloats<TB>(b), c, 0, 0,
                                                    0);
#else
    return c;
#endif
  } else {
    static_assert(PerLane >= 8, "there is no such instruction");
    constexpr int half_bytes = PerLane / 2 * int(sizeof(TA));
    c = mma_32x32<TA, TB, PerLane / 2>(a, b, c);
    return mma_32x32<TA, TB, PerLane / 2>(a + half_bytes, b + half_bytes, c);
  }
}

/// The same for integers of 8 bits, sums in 32.
template <int PerLane>
__device__ __forceinline__ int16 mma_32x32_of_bytes(const char* a, const char* b, int16 c) {
  if constexpr (matrix_generation == 0) {
    return c;
  }
#if defined(__gfx950__)
  else if constexpr (PerLane == 16) {
    return __builtin_amdgcn_mfma_i32_32x32x32_i8(read<int4>(a), read<int4>(b), c, 0, 0, 0);
  }
#endif
#if defined(__gfx942__) || defined(__gfx950__)
  else if constexpr (PerLane == 8) {
    return __builtin_amdgcn_mfma_i32_32x32x16_i8(read<long>(a), read<long>(b), c, 0, 0, 0);
  }
#endif
#if defined(__gfx90a__)
  else if constexpr (PerLane == 4) {
    return __builtin_amdgcn_mfma_i32_32x32x8i8(read<int>(a), read<int>(b), c, 0, 0, 0);
  }
#endif
  else {
    static_assert(PerLane >= 8, "there is no such instruction");
    c = mma_32x32_of_bytes<PerLane / 2>(a, b, c);
    return mma_32x32_of_bytes<PerLane / 2>(a + PerLane / 2, b + PerLane / 2, c);
  }
}

}  // namespace mma_detail

/// c += a b, 32 x 32, `PerLane` elements along k in a lane.
template <class TA, class TB, int PerLane>
__device__ __forceinline__ void mma_32x32(float* sums, const void* a, const void* b) {
  const auto c = mma_detail::mma_32x32<TA, TB, PerLane>(
      static_cast<const char*>(a), static_cast<const char*>(b),
      mma_detail::read<mma_detail::float16>(sums));
  __builtin_memcpy(sums, &c, sizeof(c));
}

template <class TA, class TB, int PerLane>
__device__ __forceinline__ void mma_32x32(std::int32_t* sums, const void* a, const void* b) {
  static_assert(std::is_same_v<TA, std::int8_t> && std::is_same_v<TB, std::int8_t>);
  const auto c = mma_detail::mma_32x32_of_bytes<PerLane>(static_cast<const char*>(a),
                                                         static_cast<const char*>(b),
                                                         mma_detail::read<mma_detail::int16>(sums));
  __builtin_memcpy(sums, &c, sizeof(c));
}

/// c += a b for doubles, 16 x 16, two steps of 4 along k.
__device__ __forceinline__ void mma_16x16_f64([[maybe_unused]] double* sums,
                                              [[maybe_unused]] const double* a,
                                              [[maybe_unused]] const double* b) {
  using namespace mma_detail;
  if constexpr (matrix_generation != 0) {
    auto c = read<double4>(sums);
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(a[0], b[0], c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(a[1], b[1], c, 0, 0, 0);
#endif
    __builtin_memcpy(sums, &c, sizeof(c));
  }
}

/// A stretch of memory that answers reads beyond its end with zeros.
using buffer = __amdgpu_buffer_rsrc_t;
/// An offset that lies beyond the end of every buffer.
inline constexpr int beyond_buffer = 0x7ffffff8;

/// The buffer that begins at `start`, the same on all lanes.
__device__ __forceinline__ buffer buffer_at(const void* start) {
  const auto address = reinterpret_cast<std::uint64_t>(start);
  const auto low = std::uint32_t(__builtin_amdgcn_readfirstlane(int(address)));
  const auto high = std::uint32_t(__builtin_amdgcn_readfirstlane(int(address >> 32)));
  // No stride, raw 32-bit data: the last word is what every GFX9 processor takes for that.
  return __builtin_amdgcn_make_buffer_rsrc(reinterpret_cast<void*>(std::uint64_t(high) << 32 | low),
                                           0, beyond_buffer - 8, 0x00020000);
}
/// Reads 16 bytes at `offset` bytes.
__device__ __forceinline__ void read_16(std::uint32_t* to, buffer from, int offset) {
  const auto v = __builtin_amdgcn_raw_buffer_load_b128(from, offset, 0, 0);
  __builtin_memcpy(to, &v, 16);
}

/// Ends a phase of eight-wave ping-pong: a bare barrier that nothing moves across. Unlike
/// `block_sync` it waits for no memory access; `settle` does.
__device__ __forceinline__ void phase_barrier() {
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_sched_barrier(0);
}
/// Waits for this wave's accesses to shared memory.
__device__ __forceinline__ void settle_shared() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
}
/// The wave goes first on its execution unit (1), or like the others (0).
template <int Priority>
__device__ __forceinline__ void priority() {
  __builtin_amdgcn_s_setprio(Priority);
}

}  // namespace loops::gpu
