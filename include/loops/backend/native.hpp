// SPDX-License-Identifier: Apache-2.0
/// Operations that some machine has an instruction for, and what others do instead.
#pragma once

#include "loops/backend/config.hpp"

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if LOOPS_CUDA
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace loops {

namespace portable {

/// IEEE binary16 to binary32; exact, subnormals and NaN included.
LOOPS_HD constexpr float half_to_float(std::uint16_t h) {
  const std::uint32_t sign = std::uint32_t(h & 0x8000u) << 16;
  const std::uint32_t magnitude = h & 0x7fffu;
  if (magnitude >= 0x7c00u)  // infinity or NaN
    return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  if (magnitude >= 0x0400u)  // normal: move the exponent from bias 15 to bias 127
    return std::bit_cast<float>(sign | ((magnitude << 13) + ((127u - 15u) << 23)));
  const float value = float(magnitude) * 0x1p-24f;  // subnormal: a multiple of 2^-24
  return sign ? -value : value;
}

/// binary32 to binary16, to nearest even.
LOOPS_HD constexpr std::uint16_t float_to_half(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return std::uint16_t(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);  // rounds to infinity
  if (magnitude < 0x38800000u) {  // subnormal half: adding 0.5 lets the FPU round to 2^-24
    const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
    return std::uint16_t(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3f000000u));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return std::uint16_t(sign | ((magnitude - ((127u - 15u) << 23) + 0xfffu + odd) >> 13));
}

/// binary32 to bfloat16, to nearest even.
LOOPS_HD constexpr std::uint16_t float_to_bfloat(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return std::uint16_t((bits >> 16) | 0x40u);
  return std::uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace portable

namespace native {

/// IEEE binary16 to binary32.
LOOPS_HD float half_to_float(std::uint16_t bits) {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
  return __half2float(__ushort_as_half(bits));
#elif LOOPS_HIP && LOOPS_DEVICE_PASS
  return float(std::bit_cast<_Float16>(bits));
#else
  return portable::half_to_float(bits);
#endif
}

/// binary32 to binary16, to nearest even; which NaN a NaN becomes is the machine's.
LOOPS_HD std::uint16_t float_to_half(float f) {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
  return __half_as_ushort(__float2half_rn(f));
#elif LOOPS_HIP && LOOPS_DEVICE_PASS
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(f));
#else
  return portable::float_to_half(f);
#endif
}

/// binary32 to bfloat16, to nearest even; which NaN a NaN becomes is the machine's.
LOOPS_HD std::uint16_t float_to_bfloat(float f) {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
  return __bfloat16_as_ushort(__float2bfloat16_rn(f));
#elif LOOPS_HIP && LOOPS_DEVICE_PASS
  return std::bit_cast<std::uint16_t>(static_cast<__bf16>(f));
#else
  return portable::float_to_bfloat(f);
#endif
}

/// `yes` or `no`, value by value: an expression that chooses one of two objects chooses its
/// address, and what has an address among several is kept in memory instead of registers.
template <class T>
LOOPS_HD constexpr T pick(bool first, const T& yes, const T& no) {
  T r = no;
  if (first) r = yes;
  return r;
}

/// Whether the machine converts 16-bit floats by an instruction, so that narrower ones may take
/// them for a step on the way.
#if LOOPS_HIP && LOOPS_DEVICE_PASS
inline constexpr bool converts_halves = true;
#else
inline constexpr bool converts_halves = false;
#endif

/// The number of the lowest set bit of a word that is not zero.
LOOPS_HD int lowest_bit(std::uint64_t word) {
#if LOOPS_DEVICE_PASS
  return __ffsll(static_cast<long long>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

/// How many bits of a word are set.
LOOPS_HD int count_bits(std::uint32_t word) {
#if LOOPS_DEVICE_PASS
  return __popc(word);
#else
  return std::popcount(word);
#endif
}

/// The number of the highest set bit of a word that is not zero.
LOOPS_HD int highest_bit(std::uint64_t word) {
#if LOOPS_DEVICE_PASS
  return 63 - __clzll(static_cast<long long>(word));
#else
  return 63 - std::countl_zero(word);
#endif
}

/// Keeps a host compiler from making vectors of what stands before and after: for gathers it would
/// spend more on shuffling than the arithmetic costs (GCC 12, measured on SpMV: 0.6 of the speed).
LOOPS_HD void keep_scalar() {
#if !LOOPS_DEVICE_PASS
  asm volatile("");
#endif
}

/// The same number, about which the compiler knows nothing: what depends on it is computed where it
/// is used, instead of far ahead in registers that are needed in between.
LOOPS_HD int recomputed(int v) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
  asm volatile("" : "+v"(v));
#elif LOOPS_DEVICE_PASS
  asm volatile("" : "+r"(v));
#endif
  return v;
}

/// The same value, computed here in any case, in a register of its own. AMD's compiler otherwise
/// moves what one choice alone needs behind a branch, loads included, which then wait for each
/// other; a host's makes vectors of neighbours.
template <class T>
LOOPS_HD T computed_here(T v) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
  if constexpr (std::is_arithmetic_v<T>) asm volatile("" : "+v"(v));
#elif !LOOPS_DEVICE_PASS && defined(__x86_64__)
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8) asm volatile("" : "+x"(v));
#elif !LOOPS_DEVICE_PASS && defined(__aarch64__)
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8) asm volatile("" : "+w"(v));
#endif
  return v;
}

/// Whether loads that are each behind a test of their own overlap: where the machine has predicates
/// they do. AMD's compiler makes a branch of every test and waits in it for what was loaded, one
/// round trip to memory after another; there, what may be asked about twice is asked without tests.
/// Emulated waves of 64 do as AMD's.
template <class Block>
inline constexpr bool tested_loads_overlap = !LOOPS_HIP && (LOOPS_CUDA || Block::wave != 64);

/// Whether lanes of a wave exchange values fastest over distances that are known when compiled:
/// AMD's then read each other's registers. Emulated waves of 64 do as AMD's.
template <class Block>
inline constexpr bool fixed_distances = LOOPS_HIP || (!LOOPS_CUDA && Block::wave == 64);

/// Whether 16 bytes are read at once from any address: AMD's GPUs do, NVIDIA's want a multiple
/// of 16. Emulated waves of 64 do as AMD's.
template <class Block>
inline constexpr bool reads_unaligned = LOOPS_HIP || (!LOOPS_CUDA && Block::wave == 64);

/// Reads 16 bytes at once. Requires: an address that is a multiple of 16, or `reads_unaligned`.
template <class T>
LOOPS_HD T read_16(const void* at) {
  static_assert(sizeof(T) == 16);
#if LOOPS_HIP && LOOPS_DEVICE_PASS
  // As one vector: of words that memcpy moves, the compiler makes bytes where it later takes bytes.
  using words = std::uint32_t __attribute__((vector_size(16), aligned(1), may_alias));
  return std::bit_cast<T>(*static_cast<const words*>(at));
#elif LOOPS_CUDA
  return *static_cast<const T*>(at);
#else
  T v;
  std::memcpy(&v, at, sizeof(T));
  return v;
#endif
}

/// Whether `fetch_ahead` does anything on the GPU that this is compiled for. CDNA has no
/// instruction for it: a load would need a register, which nothing else may use until it has come,
/// and where every die has a second cache of its own, what another die's lanes asked for is not in
/// it.
inline constexpr bool fetches_ahead = LOOPS_CUDA;

/// Asks for the line that holds `at`, and does not wait: a GPU its last-level cache, a CPU all.
LOOPS_HD void fetch_ahead([[maybe_unused]] const void* at) {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
  asm volatile("prefetch.global.L2 [%0];" : : "l"(at));
#elif !LOOPS_DEVICE_PASS
  __builtin_prefetch(at);
  asm volatile("");  // or GCC takes a function that does nothing else for one without effect
#endif
}

/// Reads what nobody will read again: it should not push reused data out of the caches.
template <class T>
LOOPS_HD T load_once(const T* at) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
  if constexpr (sizeof(T) <= 8 && sizeof(T) > 1 && alignof(T) == sizeof(T)) {
    using word =
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> >;
    return std::bit_cast<T>(__builtin_nontemporal_load(reinterpret_cast<const word*>(at)));
  } else {
    return *at;
  }
#else
  return *at;
#endif
}

/// Whether `load_past` does anything else than `load_once`.
inline constexpr bool reads_past = LOOPS_CUDA;

/// Reads what nobody will read again, and what lies beside it neither: nothing of it stays in a
/// processor's own cache. A wave should read whole lines of memory.
template <class T>
LOOPS_HD T load_past(const T* at) {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
  if constexpr (sizeof(T) == 2) {
    std::uint16_t word;
    asm("ld.global.L1::no_allocate.b16 %0, [%1];" : "=h"(word) : "l"(at));
    return std::bit_cast<T>(word);
  } else if constexpr (sizeof(T) == 4) {
    std::uint32_t word;
    asm("ld.global.L1::no_allocate.b32 %0, [%1];" : "=r"(word) : "l"(at));
    return std::bit_cast<T>(word);
  } else if constexpr (sizeof(T) == 8) {
    std::uint64_t word;
    asm("ld.global.L1::no_allocate.b64 %0, [%1];" : "=l"(word) : "l"(at));
    return std::bit_cast<T>(word);
  } else {
    return load_once(at);
  }
#else
  return load_once(at);
#endif
}

/// Reads what other lanes may be changing by atomics: some value that was there, never half of one.
template <class T>
LOOPS_HD T load_relaxed(const T* at) {
#if LOOPS_DEVICE_PASS
  return *static_cast<const volatile T*>(at);
#else
  return std::atomic_ref<T>(*const_cast<T*>(at)).load(std::memory_order_relaxed);
#endif
}

/// Writes what other lanes may be writing to the same place without a barrier between: the same.
template <class T>
LOOPS_HD void store_same(T* at, T v) {
#if LOOPS_DEVICE_PASS
  *at = v;
#else
  std::atomic_ref<T>(*at).store(v, std::memory_order_relaxed);
#endif
}

}  // namespace native

}  // namespace loops
