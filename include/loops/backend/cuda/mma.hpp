// SPDX-License-Identifier: Apache-2.0
/// NVIDIA's matrix instructions and asynchronous copies; mirrored by backend/hip/mma.hpp.
#pragma once

#include "loops/backend/cuda/target.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::gpu {

/// The generation that types are made for; on the CPU's side, the oldest.
inline constexpr int types_generation = matrix_generation > 0 ? matrix_generation : 80;

namespace mma_detail {

/// Reads the registers of a fragment.
template <int N>
struct words {
  std::uint32_t at[N];
  __device__ __forceinline__ explicit words(const void* from) { __builtin_memcpy(at, from, N * 4); }
};

/// Rounds binary32 in a register to tf32; without it the hardware would cut bits off.
__device__ __forceinline__ std::uint32_t rounded(std::uint32_t bits) {
  std::uint32_t r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(__uint_as_float(bits)));
  return r;
}

}  // namespace mma_detail

/// c += a b, m16n8 with 32 bytes of k, sums in binary32.
template <class TA, class TB>
__device__ __forceinline__ void mma_m16n8(float* c, const void* a_fragment,
                                          const void* b_fragment) {
  const mma_detail::words<4> a(a_fragment);
  const mma_detail::words<2> b(b_fragment);
  if constexpr (std::is_same_v<TA, half> && std::is_same_v<TB, half>) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
  } else if constexpr (std::is_same_v<TA, bfloat16> && std::is_same_v<TB, bfloat16>) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
  } else if constexpr (std::is_same_v<TA, tfloat32> && std::is_same_v<TB, tfloat32>) {
    using mma_detail::rounded;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(rounded(a.at[0])), "r"(rounded(a.at[1])), "r"(rounded(a.at[2])),
          "r"(rounded(a.at[3])), "r"(rounded(b.at[0])), "r"(rounded(b.at[1])));
  } else {
    static_assert(sizeof(TA) == 1 && sizeof(TB) == 1, "there is no such instruction");
    if constexpr (matrix_generation >= 89 || matrix_generation == 0) {
      constexpr bool a4 = std::is_same_v<TA, float8_e4m3>;
      constexpr bool b4 = std::is_same_v<TB, float8_e4m3>;
      if constexpr (a4 && b4) {
        asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
      } else if constexpr (a4) {
        asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
      } else if constexpr (b4) {
        asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
      } else {
        asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
      }
    }
  }
}

/// The same for integers of 8 bits, sums in 32.
template <class TA, class TB>
__device__ __forceinline__ void mma_m16n8(std::int32_t* c, const void* a_fragment,
                                          const void* b_fragment) {
  static_assert(std::is_same_v<TA, std::int8_t> && std::is_same_v<TB, std::int8_t>);
  const mma_detail::words<4> a(a_fragment);
  const mma_detail::words<2> b(b_fragment);
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]));
}

/// c += a b for doubles, m16n8k8 (sm_90).
__device__ __forceinline__ void mma_m16n8k8(double* c, const double* a, const double* b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/// c += a b for doubles, m8n8k4 (sm_80).
__device__ __forceinline__ void mma_m8n8k4(double* c, const double* a, const double* b) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a[0]), "d"(b[0]));
}

/// `Count` 8 x 8 matrices of 16-bit elements, 2 or 4, one row address per lane (of the first 8
/// `Count`); transposed when `Transposed`.
template <int Count, bool Transposed>
__device__ __forceinline__ void load_matrices(std::uint32_t* to, const void* row) {
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Count == 4 && Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
  } else if constexpr (Count == 4) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at)
                 : "memory");
  } else if constexpr (Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(at)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(at)
                 : "memory");
  }
}

/// Stores as many as `load_matrices` loads: each eight lanes name the rows of one.
template <int Count, bool Transposed>
__device__ __forceinline__ void store_matrices(void* row, const std::uint32_t* from) {
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Count == 4 && Transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at),
                 "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
                 : "memory");
  } else if constexpr (Count == 4) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at),
                 "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
                 : "memory");
  } else if constexpr (Transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(at),
                 "r"(from[0]), "r"(from[1])
                 : "memory");
  } else {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(at), "r"(from[0]),
                 "r"(from[1])
                 : "memory");
  }
}

/// Begins to copy `bytes` of 16 from global to shared memory; the others become zero.
__device__ __forceinline__ void copy_async_16(void* to, const void* from, int bytes) {
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(bytes)
               : "memory");
}
/// The same of 4 or 8 bytes, for what is not aligned to more. Of none nothing is read, wherever
/// `from` points.
template <int Size>
__device__ __forceinline__ void copy_async(std::uint32_t to, const void* from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Size),
               "r"(bytes)
               : "memory");
}
template <int Size>
__device__ __forceinline__ void copy_async(void* to, const void* from, int bytes) {
  copy_async<Size>(static_cast<std::uint32_t>(__cvta_generic_to_shared(to)), from, bytes);
}
/// Closes a group of copies.
__device__ __forceinline__ void close_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most `Open` groups of this lane are under way.
template <int Open>
__device__ __forceinline__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Open) : "memory");
}

}  // namespace loops::gpu
