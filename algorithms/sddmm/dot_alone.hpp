// SPDX-License-Identifier: Apache-2.0
/// How a CPU multiplies a row of A by a column of B: what a nonzero comes to stays in vectors.
#pragma once

#include "algorithms/sddmm/pack_times_pack.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace loops::sddmm_detail {

/// `pack_times_pack` for who takes the packs of a nonzero alone. It reads no elements that A and B
/// do not have, so their rows may lie as they like.
template <class V, class I, int Columns>
struct dot_alone : pack_times_pack<V, I, Columns> {
  using sum = accumulator_t<V>;
  std::int64_t depth;     ///< elements of a row
  std::int64_t nonzeros;  ///< of the pattern

  [[nodiscard]] sum of_stretch(std::int64_t nonzero, std::int64_t first, std::int64_t last) const {
    const std::int64_t from = (first - nonzero * this->packs) * Columns;
    const std::int64_t to = (last - nonzero * this->packs) * Columns;
    const std::int64_t size = (to < depth ? to : depth) - from;
    const V* const x = this->a.data + this->row_of[nonzero] * this->a.stride + from;
    const V* const y = column(nonzero) + from;
    // Columns of B lie anywhere, and no processor foresees which is next.
    const V* const soon = column(nonzero + ahead < nonzeros ? nonzero + ahead : nonzero) + from;
    if constexpr (std::is_arithmetic_v<V> && std::is_same_v<V, sum>) {
      return in_vectors(x, y, soon, size);
    } else {
      sum s{};
      for (std::int64_t i = 0; i < size; ++i) s = s + sum(x[i]) * sum(y[i]);
      return s;
    }
  }

 private:
  static constexpr std::int64_t ahead = 4;
  static constexpr int lanes = 16 / int(sizeof(V));

  [[nodiscard]] const V* column(std::int64_t nonzero) const {
    return this->b.data + this->col_of[nonzero] * this->b.stride;
  }
  /// Four sums overlap, each of as many elements as a vector has.
  static sum in_vectors(const V* x, const V* y, const V* soon, std::int64_t size) {
    using vector [[gnu::vector_size(16)]] = V;
    const auto product = [&](std::int64_t i) {
      vector l;
      vector r;
      std::memcpy(&l, x + i, sizeof l);
      std::memcpy(&r, y + i, sizeof r);
      return l * r;
    };
    vector sums[4] = {};
    std::int64_t i = 0;
    for (; i + 4 * lanes <= size; i += 4 * lanes) {
      native::fetch_ahead(soon + i);
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) sums[k] += product(i + k * lanes);
    }
    for (; i + lanes <= size; i += lanes) sums[0] += product(i);
    const vector all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    sum s{};
    LOOPS_UNROLL
    for (int k = 0; k < lanes; ++k) s += all[k];
    for (; i < size; ++i) s += x[i] * y[i];
    return s;
  }
};

}  // namespace loops::sddmm_detail
