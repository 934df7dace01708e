// SPDX-License-Identifier: Apache-2.0
/// Values that know the order in which they were combined.
#pragma once

#include "loops/backend/config.hpp"

#include <cstdint>

namespace support {

/// A word over atoms: combining is associative and not commutative, and exact.
template <class Number>
struct word {
  Number hash = 0;
  Number power = 1;
  friend constexpr bool operator==(const word&, const word&) = default;
};
/// One that takes more registers than slices keep for a lane.
struct long_word : word<std::uint64_t> {
  std::uint64_t letters = 0;
  friend constexpr bool operator==(const long_word&, const long_word&) = default;
};

struct chain {
  template <class Word>
  LOOPS_HD constexpr Word operator()(const Word& a, const Word& b) const {
    Word both{};
    using number = decltype(both.hash);
    both.hash = static_cast<number>(std::uint64_t{a.hash} * b.power + b.hash);
    both.power = static_cast<number>(std::uint64_t{a.power} * b.power);
    if constexpr (requires { a.letters; }) both.letters = a.letters + b.letters;
    return both;
  }
  template <class Word>
  LOOPS_HD constexpr Word identity() const {
    return {};
  }
};

template <class Word>
struct letter {
  LOOPS_HD Word operator()(std::int64_t atom) const {
    using number = decltype(Word::hash);
    const auto mix = static_cast<std::uint64_t>(atom * 7919 + 1);
    Word one{};
    one.hash = static_cast<number>(mix * 0x9E3779B97F4A7C15u >> 5);
    one.power = static_cast<number>(0xE4E5B9u + 2 * mix);
    if constexpr (requires { one.letters; }) one.letters = 1;
    return one;
  }
};
}  // namespace support
