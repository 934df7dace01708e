// SPDX-License-Identifier: Apache-2.0
/// Random numbers that are the same on every platform and for any number of threads.
#pragma once

#include "loops/core/wide.hpp"

#include <cstdint>

namespace loops {

/// A bijection of 64 bits that leaves no visible trace of its input (the splitmix64 finaliser).
constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// A sequence of random bits named by (seed, stream): whoever asks for the same names gets the
/// same bits, so each row of a matrix has its own stream and rows can be made in any order.
class random_stream {
 public:
  constexpr random_stream(std::uint64_t seed, std::uint64_t stream) noexcept
      : state_(mix_bits(mix_bits(seed + step) ^ (stream * 0xd1342543de82ef95U + step))) {}

  /// The next 64 bits.
  constexpr std::uint64_t next() noexcept {
    state_ += step;
    return mix_bits(state_);
  }

  /// An integer in [0, bound), each with probability 1/bound up to bound / 2^64.
  constexpr std::int64_t below(std::int64_t bound) noexcept {
    return static_cast<std::int64_t>(multiply_high(next(), static_cast<std::uint64_t>(bound)));
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
  std::uint64_t state_;
};

/// A number in (-1, 1), never zero, exact in `float`: an odd multiple of 2^-24.
constexpr double random_value(std::uint64_t bits) noexcept {
  const auto odd = static_cast<std::int64_t>(bits >> 40) * 2 + 1 - (std::int64_t{1} << 24);
  return static_cast<double>(odd) / static_cast<double>(std::int64_t{1} << 24);
}

}  // namespace loops
