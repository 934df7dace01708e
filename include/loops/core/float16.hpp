// SPDX-License-Identifier: Apache-2.0
/// 16-bit floating-point storage types; arithmetic is done in `float`.
#pragma once

#include "loops/backend/config.hpp"

#include <bit>
#include <cstdint>

#if LOOPS_CUDA
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace loops {

namespace detail {

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

}  // namespace detail

/// IEEE binary16, stored; converts to and from `float`.
struct half {
  std::uint16_t bits = 0;
  half() = default;
  LOOPS_HD constexpr half(float f) : bits(detail::float_to_half(f)) {}
  LOOPS_HD operator float() const {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
    return __half2float(__ushort_as_half(bits));
#elif LOOPS_HIP && LOOPS_DEVICE_PASS
    return float(std::bit_cast<_Float16>(bits));
#else
    return detail::half_to_float(bits);
#endif
  }
};

/// bfloat16 (the upper half of a binary32), stored; converts to and from `float`.
struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  LOOPS_HD constexpr bfloat16(float f) : bits(detail::float_to_bfloat(f)) {}
  LOOPS_HD constexpr operator float() const {
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
  }
};

}  // namespace loops
