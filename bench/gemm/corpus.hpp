// SPDX-License-Identifier: Apache-2.0
/// The corpus of Stream-K's paper, drawn again: 32,824 products of all proportions.
#pragma once

#include "loops/select/bloom.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace loops::bench {

/// Sizes of a product, or of a batch of them.
struct shape_mnk {
  int m = 0;
  int n = 0;
  int k = 0;
  int batch = 1;  ///< products of these sizes, whose matrices follow each other in memory
  friend constexpr bool operator==(const shape_mnk&, const shape_mnk&) = default;
};

inline constexpr int corpus_size = 32824;
inline constexpr std::uint64_t corpus_seed = 2301'03598;  // the paper's number

/// Product `i` of the corpus: m, n and k drawn independently, uniform in their logarithm, from 128
/// to 8192, and rounded down to multiples of `multiple`. The paper prints the domain and the number
/// of products, not the products; and rows of 8 elements of 16 bits are the 16 bytes that every
/// fast kernel, ours and others', wants rows to be a multiple of.
inline shape_mnk corpus_shape(int i, int multiple = 8, std::uint64_t seed = corpus_seed) {
  const auto side = [&](std::uint64_t which) {
    const std::uint64_t bits = select::key_of(seed, i, which) >> 11;
    const double uniform = static_cast<double>(bits) * 0x1p-53;
    return static_cast<int>(std::exp2(7 + 6 * uniform)) / multiple * multiple;
  };
  return {side(0), side(1), side(2)};
}

/// Products `from` … `from + count - 1` of the corpus, fewer at its end. Products are independent,
/// so any run of them is a random sample.
inline std::vector<shape_mnk> corpus_sample(int count, int from = 0, int multiple = 8) {
  std::vector<shape_mnk> out;
  for (int i = from; i < corpus_size && i - from < count; ++i)
    out.push_back(corpus_shape(i, multiple));
  return out;
}

}  // namespace loops::bench
