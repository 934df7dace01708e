// SPDX-License-Identifier: Apache-2.0
/// How finished sums of Hopper's matrix units become elements of C.
#pragma once

#include "algorithms/gemm/hopper_source.hpp"
#include "algorithms/gemm/turned_square.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/mma.hpp"
#include "loops/tile/atom_wgmma.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace loops::hopper {

/// Stores 64 rows of sums, as wgmma leaves them (`tile::wgmma_result`): a lane of a warpgroup
/// holds, in sum[4 j + 2 h + i], one of its two rows h and column i of its pair in columns 8 j on;
/// rows of an A that came through registers are where `square_fragment` says. Where the operands
/// swapped roles, these are column and row of C.
template <class Config, class Epilogue>
class tile_output {
  using out = typename Epilogue::output;
  using result = tile_result<Epilogue>;
  using sum_type = typename Config::sum_type;
  static constexpr int bytes = static_cast<int>(sizeof(out));
  static constexpr int per_line = 128 / bytes;

 public:
  /// Whether sums go through shared memory, from where C can be stored in boxes.
  static constexpr bool can_stage =
      Config::deepest == 1 && (Config::swapped ? bytes == 2 : bytes >= 2 && bytes <= 4);
  /// Columns and rows of C in a box. Where roles are swapped, rows are a divisor of the tile's.
  static constexpr int box_columns = per_line;
  static constexpr int box_rows = !Config::swapped            ? 64
                                  : Config::columns % 64 == 0 ? 64
                                  : Config::columns % 32 == 0 ? 32
                                  : Config::columns % 16 == 0 ? 16
                                                              : 8;
  /// Where C waits to be stored.
  struct staging {
    unsigned char staged[Config::consumers][2][64 * 128];
  };

  template <class Shared>
  __device__ __forceinline__ tile_output(Shared& shared, int lane, int group)
      : lane_(lane & 127), group_(group) {
    if constexpr (can_stage) staged_ = group >= 0 ? shared.staged[group] : nullptr;
  }

  /// 64 rows from `row` on and the tile's columns from `column` on, as far as they are the tile's.
  /// Sync: the warpgroup's lanes.
  __device__ __forceinline__ void store(const result& to, const corner& from,
                                        const sum_type (&sum)[Config::per_lane], int row,
                                        int column) {
    if (row + 64 <= from.row || column + Config::columns <= from.column) return;
    if constexpr (can_stage) {
      // Whole tiles pass by no code for the others, which they would wait for.
      if (to.boxes && row >= from.row && column >= from.column) {
        store_staged<true>(to, from, sum, row, column);
      } else {
        store_staged<false>(to, from, sum, row, column);
      }
    } else {
      store_elements<0>(to, from, sum, row, column);
    }
  }

  /// A lane's pair of neighbours, `half` of 64 rows from `row` on, in 8 columns from `column` on.
  __device__ __forceinline__ void store_pair(const result& to, const corner& from, int row,
                                             int half, int column, sum_type first,
                                             sum_type second) const {
    const int y = row + line(half);
    const int x = column + pair_column();
    if (y < from.row || x < from.column || y >= rows(to)) return;
    if constexpr (Config::swapped) {
      if (x < columns(to)) to.epilogue.store(x, y, first);
      if (x + 1 < columns(to)) to.epilogue.store(x + 1, y, second);
    } else {
      store_two(to, y, x, first, second);
    }
  }
  /// Rows and columns of C as the matrix units see it.
  [[nodiscard]] __device__ __forceinline__ static int rows(const result& of) {
    return Config::swapped ? of.n : of.m;
  }
  [[nodiscard]] __device__ __forceinline__ static int columns(const result& of) {
    return Config::swapped ? of.m : of.n;
  }

 private:
  /// Through shared memory, 64 lines of 128 bytes of C at a time, the swizzle as boxes have it; a
  /// rest of columns that is no whole line, element by element. Lanes outside C compute something
  /// for its last row or column; boxes end where C does. `Whole`: by boxes, all rows and columns
  /// are the tile's.
  template <bool Whole>
  __device__ __forceinline__ void store_staged(const result& to, const corner& from,
                                               const sum_type (&sum)[Config::per_lane], int row,
                                               int column) {
    constexpr int width = Config::swapped ? 64 : per_line;  // columns of the matrix units
    constexpr int chunks = Config::swapped ? (Config::columns + 63) / 64 : Config::columns / width;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      const int x = column + c * width;
      if (!Whole && x + width <= from.column) continue;
      unsigned char* const staged = staged_[turn_++ & 1u];
      if (lane_ == 0) gpu::await_store_reads<1>();
      gpu::named_sync(2 + group_, 128);
#pragma unroll
      for (int j = 0; j < width / 8; j += 2) {
        const int i = c * width / 8 + j;
        if (i + 1 < Config::groups) {
          stage_groups<2>(to, staged, row, x, j, sum + 4 * i);
        } else if (i < Config::groups) {
          stage_groups<1>(to, staged, row, x, j, sum + 4 * i);
        }
      }
      gpu::publish_to_async();
      gpu::named_sync(2 + group_, 128);
      const bool whole = Whole || (to.boxes && row >= from.row && x >= from.column);
      if (!whole) {
        const int wide = min(width, Config::columns - c * width);
        if (to.boxes) {
          store_part(to, from, staged, row, x, wide);
        } else {
          store_words(to, from, staged, row, x, wide);
        }
      }
      if (lane_ == 0) {
        if (whole) {
          if constexpr (Config::swapped) {
#pragma unroll
            for (int y = 0; y < 64 && c * 64 + y < Config::columns; y += box_rows)
              gpu::store_box(*to.boxes, staged + y * 128, row, x + y, to.layer);
          } else {
            gpu::store_box(*to.boxes, staged, x, row, to.layer);
          }
        }
        gpu::commit_stores();
      }
    }
    if constexpr (!Config::swapped) store_elements<chunks * width / 8>(to, from, sum, row, column);
  }

  /// Of a staged box of 64 rows and `width` columns what is the tile's, 16 bytes at a time. A
  /// lane's lines are 16 apart, so that they share a swizzle.
  __device__ __forceinline__ void store_part(const result& to, const corner& from,
                                             const unsigned char* staged, int row, int column,
                                             int width) const {
    const auto& c = to.epilogue.c();
    const int first = lane_ / 8;
    // In rows and columns of C.
    const int y = (Config::swapped ? column : row) + first;
    const int x = (Config::swapped ? row : column) + lane_ % 8 * (16 / bytes);
    if (x < (Config::swapped ? from.row : from.column) || x >= to.n) return;
    const int begin = (Config::swapped ? from.column : from.row) - y;
    const int end = min(to.m - y, (Config::swapped ? width : 64) - first);
    const unsigned char* const at = staged + first * 128 + ((lane_ ^ first) & 7) * 16;
    out* const target = c.data + c.offset(y, x);
    uint4 packs[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) packs[i] = *reinterpret_cast<const uint4*>(at + i * 16 * 128);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (i * 16 >= begin && i * 16 < end)
        *reinterpret_cast<uint4*>(target + i * 16 * c.leading) = packs[i];
  }

  /// The same where rows of C begin anywhere: a wave takes every fourth row, by words of 4 bytes as
  /// they lie in C. Its rows are 8 bytes or a multiple apart, so that all have the same words, and
  /// the same elements that have none for themselves: one at either end, for which there are lanes
  /// enough at once.
  __device__ __forceinline__ void store_words(const result& to, const corner& from,
                                              const unsigned char* staged, int row, int column,
                                              int width) const {
    constexpr int each = 4 / bytes;
    struct alignas(4) word {
      out at[each];
    };
    const auto& c = to.epilogue.c();
    const int lane = lane_ & 31;
    const int first = lane_ / 32;
    // In rows and columns of C.
    const int y = (Config::swapped ? column : row) + first;
    const int left = Config::swapped ? row : column;
    const int top = (Config::swapped ? from.column : from.row) - y;
    const int bottom = min(to.m - y, (Config::swapped ? width : 64) - first);
    const int begin = max((Config::swapped ? from.row : from.column) - left, 0);
    const int end = min(to.n - left, per_line);
    const auto takes = [&](int i) { return i * 4 >= top && i * 4 < bottom; };
    // Of row i of this wave: every second has the other half of the swizzle's chunks.
    const auto at = [&](int i, int x) {
      const int place = first * 128 + (x * bytes ^ first << 4);
      return *reinterpret_cast<const out*>(staged + i * 512 + (place ^ (i & 1) << 6));
    };
    out* target = c.data + c.offset(y, left);
    const int late =
        each == 1 ? 0 : static_cast<int>(reinterpret_cast<std::uintptr_t>(target) >> 1 & 1);
    if constexpr (each == 2) {
      const int i = lane & 15;
      const int x = lane < 16 ? begin : end - 1;
      if (begin < end && (lane < 16) == ((x ^ late) & 1) && takes(i))
        target[4 * i * c.leading + x] = at(i, x);
    }
    const int x = each * lane - late;
    const bool whole = x >= begin && x + each <= end;
    const int inside = max(x, 0);
    target += x;
#pragma unroll 1
    for (int i = 0; i < 16; i += 4) {
      word w[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        w[j].at[0] = at(i + j, inside);
        w[j].at[each - 1] = at(i + j, x + each - 1);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j, target += 4 * c.leading)
        if (whole && takes(i + j)) *reinterpret_cast<word*>(target) = w[j];
    }
  }

  struct alignas(2 * sizeof(out)) pair {
    out first, second;
  };
  /// The elements of C for this lane's pair at (row, column), in 8 columns from column x on.
  __device__ __forceinline__ pair pair_of(const result& to, int row, int half, int column,
                                          sum_type first, sum_type second) const {
    const int x = column + pair_column();
    const int last = columns(to) - 1;
    const int in_row = min(row + line(half), rows(to) - 1);
    return {value(to.epilogue, in_row, min(x, last), first),
            value(to.epilogue, in_row, min(x + 1, last), second)};
  }
  /// Whether eight lanes' pairs in eight rows are a matrix that one instruction stores.
  static constexpr bool by_matrices = bytes == 2 && !(Config::swapped && Config::a_in_registers);

  /// Groups of 8 columns of the box at (row, column), from its group `first` on. An even number.
  template <int Groups>
  __device__ __forceinline__ void stage_groups(const result& to, unsigned char* staged, int row,
                                               int column, int first, const sum_type* sum) const {
    pair pairs[2 * Groups];
#pragma unroll
    for (int i = 0; i < 2 * Groups; ++i)
      pairs[i] = pair_of(to, row, i % 2, column + 8 * (first + i / 2), sum[2 * i], sum[2 * i + 1]);
    if constexpr (by_matrices) {
      unsigned matrices[2 * Groups];
#pragma unroll
      for (int i = 0; i < 2 * Groups; ++i) matrices[i] = std::bit_cast<unsigned>(pairs[i]);
      gpu::store_matrices<2 * Groups, Config::swapped>(staged + matrix_row(first), matrices);
    } else {
#pragma unroll
      for (int i = 0; i < 2 * Groups; ++i) {
        const int y = line(i % 2);
        const int x = 8 * (first + i / 2) + pair_column();
        if constexpr (Config::swapped) {
          *place_of(staged, x, y) = pairs[i].first;
          *place_of(staged, x + 1, y) = pairs[i].second;
        } else {
          *reinterpret_cast<pair*>(place_of(staged, y, x)) = pairs[i];
        }
      }
    }
  }
  /// Where an element of a box is.
  static __device__ __forceinline__ out* place_of(unsigned char* staged, int row, int column) {
    return reinterpret_cast<out*>(staged + row * 128 + (column * bytes ^ (row & 7) << 4));
  }
  /// Where the row lies that this lane names of the matrices which begin with group `first`: each
  /// eight lanes have one, the halves of a group and then those of the next.
  [[nodiscard]] __device__ __forceinline__ int matrix_row(int first) const {
    const int in_matrix = lane_ & 7;
    const int half = lane_ >> 3 & 1;
    const int group = lane_ >> 4 & 1;
    if constexpr (Config::swapped) {
      const int chunk = 2 * (lane_ / 32) + half;
      return (8 * (first + group) + in_matrix) * 128 + ((chunk ^ in_matrix) << 4);
    } else {
      const int y = line((lane_ & ~31) + 4 * in_matrix, half);
      return y * 128 + ((group ^ (y & 7)) << 4 ^ first << 4);
    }
  }

  /// The columns from group `First` of eight on.
  template <int First>
  __device__ __forceinline__ void store_elements(const result& to, const corner& from,
                                                 const sum_type (&sum)[Config::per_lane], int row,
                                                 int column) const {
#pragma unroll
    for (int j = First; j < Config::columns / 8; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if constexpr (Config::swapped && Config::a_in_registers) {
          store_rows(to, from, row, column + 8 * j + h, sum[4 * j + h], sum[4 * j + 2 + h]);
        } else {
          store_pair(to, from, row, h, column + 8 * j, sum[4 * j + 2 * h], sum[4 * j + 2 * h + 1]);
        }
  }
  /// A lane's two rows in the first of its columns from `column` on, where these are neighbours in
  /// a row of C.
  __device__ __forceinline__ void store_rows(const result& to, const corner& from, int row,
                                             int column, sum_type first, sum_type second) const {
    const int y = row + line(0);
    const int x = column + pair_column();
    if (y >= from.row && x >= from.column && x < columns(to)) store_two(to, x, y, first, second);
  }
  /// Two neighbours in a row of C, as far as they are inside.
  static __device__ __forceinline__ void store_two(const result& to, int row, int column,
                                                   sum_type first, sum_type second) {
    const sum_type sums[2] = {first, second};
    if (column + 1 < to.n) {
      to.epilogue.template store_span<2>(row, column, sums);
    } else if (column < to.n) {
      to.epilogue.store(row, column, first);
    }
  }

  /// This lane's rows, of 64, and the first of its columns, of 8.
  [[nodiscard]] __device__ __forceinline__ int line(int half) const {
    return line(lane_, half);
  }
  [[nodiscard]] __device__ __forceinline__ static int line(int lane, int half) {
    if constexpr (Config::a_in_registers) return square_fragment::row(lane, half);
    return tile::wgmma_result<8>::c(lane, 2 * half).row;
  }
  [[nodiscard]] __device__ __forceinline__ int pair_column() const {
    return tile::wgmma_result<8>::c(lane_, 0).col;
  }
  [[nodiscard]] __device__ __forceinline__ static out value(const Epilogue& epilogue, int row,
                                                            int column, sum_type sum) {
    return Config::swapped ? epilogue.value(column, row, sum) : epilogue.value(row, column, sum);
  }

  unsigned char (*staged_)[64 * 128] = nullptr;
  int lane_;           ///< of the warpgroup
  int group_;          ///< number of the warpgroup
  unsigned turn_ = 0;  ///< boxes take turns in two places
};

}  // namespace loops::hopper
