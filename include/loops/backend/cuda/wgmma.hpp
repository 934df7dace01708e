// SPDX-License-Identifier: Apache-2.0
/// Hopper's matrix instruction for a warpgroup: 64 rows, both operands in shared memory.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/backend/cuda/target.hpp"

#include <cstdint>

namespace loops::gpu {

/// What an instruction multiplies: depth and type of sums, and, as its name spells them, depth,
/// accumulator, operands.
template <int Depth, class Sum = float>
struct wgmma_kind {
  using sum = Sum;
  static constexpr int depth = Depth;
};
struct wgmma_bf16 : wgmma_kind<16> {
  static constexpr char name[] = "k16.f32.bf16.bf16";
};
struct wgmma_f16 : wgmma_kind<16> {
  static constexpr char name[] = "k16.f32.f16.f16";
};
struct wgmma_tf32 : wgmma_kind<8> {
  static constexpr char name[] = "k8.f32.tf32.tf32";
};
struct wgmma_e4m3 : wgmma_kind<32> {
  static constexpr char name[] = "k32.f32.e4m3.e4m3";
};
struct wgmma_e5m2 : wgmma_kind<32> {
  static constexpr char name[] = "k32.f32.e5m2.e5m2";
};
struct wgmma_e4m3_e5m2 : wgmma_kind<32> {
  static constexpr char name[] = "k32.f32.e4m3.e5m2";
};
struct wgmma_e5m2_e4m3 : wgmma_kind<32> {
  static constexpr char name[] = "k32.f32.e5m2.e4m3";
};
struct wgmma_s8 : wgmma_kind<32, std::int32_t> {
  static constexpr char name[] = "k32.s32.s8.s8";
};

/// What follows the operands: both as they are, not negated, and which of them lie with their rows
/// (or columns) contiguous instead of their depth; the instruction can turn 16-bit operands only,
/// and negate no integers.
template <bool a, bool b>
struct wgmma_turned {
  static constexpr char tail[] = {',', ' ',           '1', ',', ' ',           '1', ',',
                                  ' ', a ? '1' : '0', ',', ' ', b ? '1' : '0', 0};
};
struct wgmma_straight {
  static constexpr char tail[] = ", 1, 1";
};
struct wgmma_integers {
  static constexpr char tail[] = "";
};

/// Four sums side by side, as they travel.
template <class Sum>
struct four_of;
template <>
struct four_of<float> {
  using type = float4;
};
template <>
struct four_of<std::int32_t> {
  using type = int4;
};

/// Where an operand lies in shared memory, for tiles with the 128-byte swizzle: `leading` bytes
/// between blocks of 64 contiguous rows (turned operands only), `stride` bytes between groups of
/// eight rows.
__device__ __forceinline__ std::uint64_t wgmma_operand(std::uint32_t address, int leading,
                                                       int stride) {
  const auto field = [](int bytes) { return static_cast<std::uint64_t>((bytes & 0x3ffff) >> 4); };
  return field(static_cast<int>(address)) | field(leading) << 16 | field(stride) << 32 |
         std::uint64_t{1} << 62;
}

/// The operand so many bytes further on. Addresses do not run over: they are the lowest 14 bits.
__device__ __forceinline__ std::uint64_t wgmma_advanced(std::uint64_t operand, int bytes) {
  return (operand & ~std::uint64_t{0xffffffff}) |
         (static_cast<std::uint32_t>(operand) + static_cast<std::uint32_t>(bytes >> 4));
}

/// Before the first instruction that uses registers written otherwise.
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Tells the compiler that these registers change here: it may not move what reads or writes them
/// across, which waiting alone, an instruction that names no registers, does not say.
template <int n>
__device__ __forceinline__ void wgmma_hold(float (&d)[n]) {
#pragma unroll
  for (int i = 0; i < n; ++i) asm volatile("" : "+f"(d[i])::"memory");
}
template <int n>
__device__ __forceinline__ void wgmma_hold(std::int32_t (&d)[n]) {
#pragma unroll
  for (int i = 0; i < n; ++i) asm volatile("" : "+r"(d[i])::"memory");
}
/// Waits until at most `open` groups are under way.
template <int open>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(open) : "memory");
}

}  // namespace loops::gpu
