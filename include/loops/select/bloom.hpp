// SPDX-License-Identifier: Apache-2.0
/// Bloom filters: sets that may claim too much, and never forget what they were told.
#pragma once

#include "loops/core/error.hpp"
#include "loops/core/wide.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace loops::select {

/// Spreads every bit of a number over all 64 (the finalizer of SplitMix64, a bijection).
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// One key of several numbers; their order counts.
template <class... Numbers>
constexpr std::uint64_t key_of(Numbers... numbers) noexcept {
  std::uint64_t key = 0;
  ((key = mix(key ^ static_cast<std::uint64_t>(numbers))), ...);
  return key;
}

/// A key as filters look for it, mixed once however many filters are asked.
struct bloom_key {
  std::uint64_t first;
  std::uint64_t step;  ///< odd, so that it never stands still
  constexpr bloom_key(std::uint64_t key) noexcept : first(mix(key)), step(mix(first) | 1) {}
};

/// A set of 64-bit keys. `may_hold` is true for every key that was inserted, and for a share of the
/// others that the number of bits decides. Query: as many looks as hash functions, fewer when the
/// answer is no.
class bloom_filter {
 public:
  bloom_filter() : bloom_filter(0, 0.5) {}
  /// For `keys` keys, of which a share `rate` of all others is to be claimed in error: 1.44 log2(1
  /// / rate) bits per key. Throws: invalid_argument when the rate is not between 0 and 1; overflow
  /// when the filter would have 2^40 words or more; out_of_memory.
  bloom_filter(std::size_t keys, double rate) {
    require(rate > 0 && rate < 1, errc::invalid_argument,
            "a Bloom filter's false-positive rate lies between 0 and 1");
    const double per_key = -std::log2(rate);
    hashes_ = std::clamp(static_cast<int>(std::lround(per_key)), 1, most_hashes);
    const double bits = std::ceil(1.4427 * per_key * static_cast<double>(keys));
    const double words = std::floor(bits / 64) + 1;
    if (words >= 0x1p40)
      throw error(errc::overflow, "a Bloom filter of " + std::to_string(keys) +
                                      " keys is too large at this rate: take fewer keys");
    try {
      words_.assign(static_cast<std::size_t>(words), 0);
    } catch (const std::bad_alloc&) {
      throw error(errc::out_of_memory, "there is no room for a Bloom filter of " +
                                           std::to_string(keys) + " keys: take fewer keys");
    }
  }
  /// A filter as it was stored. Throws: invalid_argument when it cannot be one.
  bloom_filter(std::vector<std::uint64_t> words, int hashes, std::size_t inserted)
      : words_(std::move(words)), hashes_(hashes), inserted_(inserted) {
    require(!words_.empty() && hashes >= 1 && hashes <= most_hashes, errc::invalid_argument,
            "a Bloom filter has at least one word and 1 to 32 hash functions");
  }

  void insert(bloom_key key) {
    each_place(key, [this](std::size_t word, std::uint64_t bit) {
      words_[word] |= bit;
      return true;
    });
    ++inserted_;
  }
  /// False: the key was never inserted.
  [[nodiscard]] bool may_hold(bloom_key key) const noexcept {
    return each_place(
        key, [this](std::size_t word, std::uint64_t bit) { return (words_[word] & bit) != 0; });
  }

  [[nodiscard]] std::size_t bits() const noexcept { return 64 * words_.size(); }
  [[nodiscard]] int hashes() const noexcept { return hashes_; }
  [[nodiscard]] std::size_t inserted() const noexcept { return inserted_; }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const noexcept { return words_; }
  /// The share of keys that were never inserted and yet are claimed, from the bits that are set.
  [[nodiscard]] double false_positive_rate() const noexcept {
    std::size_t set = 0;
    for (const std::uint64_t w : words_) set += static_cast<std::size_t>(__builtin_popcountll(w));
    return std::pow(static_cast<double>(set) / static_cast<double>(bits()), hashes_);
  }

 private:
  static constexpr int most_hashes = 32;

  /// Calls `f(word, bit)` for the places of a key until it says false; whether it never did.
  template <class F>
  bool each_place(bloom_key key, const F& f) const noexcept {
    // Two hashes give them all (Kirsch and Mitzenmacher).
    std::uint64_t at = key.first;
    const auto count = static_cast<std::uint64_t>(bits());
    for (int i = 0; i < hashes_; ++i, at += key.step) {
      const std::uint64_t place = multiply_high(at, count);  // no division
      if (!f(static_cast<std::size_t>(place / 64), std::uint64_t{1} << (place % 64))) return false;
    }
    return true;
  }

  std::vector<std::uint64_t> words_;
  int hashes_ = 1;
  std::size_t inserted_ = 0;
};

}  // namespace loops::select
