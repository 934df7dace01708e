// SPDX-License-Identifier: Apache-2.0
/// How a CPU adds up a row of C: what a share comes to stays in vectors.
#pragma once

#include "algorithms/spmm/functors.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace loops::spmm_detail {

/// `nonzero_times_row` for who goes along a row of A alone. A share reads no columns that B does
/// not have, so rows of B may lie as they like.
template <class V, class I, int Columns>
class row_alone : public nonzero_times_row<V, I, Columns> {
 public:
  using sum = typename nonzero_times_row<V, I, Columns>::sum;
  using scalar = typename nonzero_times_row<V, I, Columns>::scalar;

  template <class View>
  row_alone(const View& a, const dense_view<const V>& b)
      : nonzero_times_row<V, I, Columns>(a, b), cols_(b.cols), apart_(b.stride) {}

  /// Goes along rows for one share.
  class walk {
   public:
    walk(const row_alone& map, std::int64_t first)
        : map_(map),
          first_(first),
          width_(map.cols_ - first < Columns ? map.cols_ - first : Columns) {}

    [[nodiscard]] sum of_stretch(std::int64_t, std::int64_t first, std::int64_t last) const {
      constexpr int part =
          128 / int(sizeof(scalar)) < Columns ? 128 / int(sizeof(scalar)) : Columns;
      sum s;
      int from = 0;
      for (; from + part <= width_; from += part) add<part>(s, from, first, last);
      if (width_ < Columns) {
        // What is left of the columns, as wide as vectors can be.
        add_rest<part / 2>(s, from, first, last);
        for (auto i = static_cast<int>(width_); i < Columns; ++i) s.at[i] = scalar(0);
      }
      return s;
    }

   private:
    template <int N>
    void add_rest(sum& s, int from, std::int64_t first, std::int64_t last) const {
      if constexpr (N > 0) {
        if ((width_ & N) != 0) {
          add<N>(s, from, first, last);
          from += N;
        }
        add_rest<N / 2>(s, from, first, last);
      }
    }
    /// The sums of N columns, as many as registers hold beside what is read.
    template <int N>
    void add(sum& s, int from, std::int64_t first, std::int64_t last) const {
      constexpr int bytes = N * int(sizeof(V)) < 16 ? N * int(sizeof(V)) : 16;
      if constexpr (std::is_arithmetic_v<V> && std::is_same_v<V, scalar> &&
                    bytes > int(sizeof(V))) {
        using vector [[gnu::vector_size(bytes)]] = V;
        constexpr int lanes = bytes / int(sizeof(V));
        vector sums[N / lanes] = {};
        const bool more = from + N < width_;
        for (std::int64_t a = first; a < last; ++a) {
          const V* const row = at(a) + from;
          fetch<N>(more ? row + N : row_soon(a, last - first));
          const V value = map_.values_[a];
          LOOPS_UNROLL
          for (int i = 0; i < N / lanes; ++i) {
            vector of_b;
            std::memcpy(&of_b, row + i * lanes, sizeof of_b);
            sums[i] += value * of_b;
          }
        }
        std::memcpy(s.at + from, sums, sizeof sums);
      } else {
        scalar sums[N] = {};
        for (std::int64_t a = first; a < last; ++a) {
          const V* const row = at(a) + from;
          const scalar value(map_.values_[a]);
          LOOPS_UNROLL
          for (int i = 0; i < N; ++i) sums[i] += value * scalar(row[i]);
        }
        std::memcpy(s.at + from, sums, sizeof sums);
      }
    }
    /// Rows of B lie anywhere, and no processor foresees which is next.
    template <int N>
    static void fetch(const V* at) {
      constexpr int line = 64 / int(sizeof(V));
      LOOPS_UNROLL
      for (int i = 0; i < N; i += line) native::fetch_ahead(at + i);
    }
    /// A row of B that is needed when the next row of A, perhaps as long, is gone along.
    [[nodiscard]] const V* row_soon(std::int64_t a, std::int64_t length) const {
      return at(a + length < map_.count_ ? a + length : a);
    }
    [[nodiscard]] const V* at(std::int64_t a) const {
      return map_.rows_.begin() + static_cast<std::int64_t>(map_.columns_[a]) * map_.apart_ +
             first_;
    }

    row_alone map_;
    std::int64_t first_;
    std::int64_t width_;
  };

  [[nodiscard]] walk walker(int share) const { return {*this, std::int64_t{share} * Columns}; }

 private:
  std::int64_t cols_;   ///< of B
  std::int64_t apart_;  ///< rows of B, in elements
};

}  // namespace loops::spmm_detail
