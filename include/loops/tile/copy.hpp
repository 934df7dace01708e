// SPDX-License-Identifier: Apache-2.0
/// Copies a window of a matrix into a shared tile: asynchronously, or through registers.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/tile/shared_tile.hpp"

#include <cstdint>

#if LOOPS_CUDA
#include "loops/backend/cuda/mma.hpp"
#elif LOOPS_HIP
#include "loops/backend/hip/mma.hpp"
#endif

namespace loops::tile {

/// A window of a matrix in memory: rows `leading` elements apart, of which `rows` x `width`
/// elements exist; what a tile covers beyond that counts as zero. `wide`: every multiple of 16
/// bytes along a row is aligned to 16 bytes.
template <class T>
struct window {
  const T* corner;
  std::int64_t leading;
  int rows;
  int width;
  bool wide;
};

namespace copy_detail {

/// 16 bytes of elements.
template <class T>
struct alignas(16) chunk_of {
  static constexpr int size = 16 / int(sizeof(T));
  T at[size];
};

/// Elements [at, at + 16 bytes) of row `row`, zeros where the window ends.
template <class T>
LOOPS_HD chunk_of<T> read_chunk(const window<T>& w, int row, int at) {
  chunk_of<T> c{};
  if (row >= w.rows || at >= w.width) return c;
  const T* from = w.corner + row * w.leading + at;
  if (w.wide && at + chunk_of<T>::size <= w.width)
    return *reinterpret_cast<const chunk_of<T>*>(from);
  LOOPS_UNROLL
  for (int i = 0; i < chunk_of<T>::size; ++i)
    if (at + i < w.width) c.at[i] = from[i];
  return c;
}

}  // namespace copy_detail

/// Pipelines of copies that need no registers: groups are closed in order and waited for by number.
/// Where the hardware has none, a copy is done when it has been asked for.
struct async_copies {
  /// Begins to copy the window into the tile, by `Lanes` lanes together.
  template <int Lanes, class Tile>
  static LOOPS_HD void begin(Tile& to, const window<typename Tile::element>& from, int lane) {
    using T = typename Tile::element;
    constexpr int all = Tile::rows * Tile::chunks;
    LOOPS_UNROLL
    for (int i = 0; i < (all + Lanes - 1) / Lanes; ++i) {
      const int c = lane + i * Lanes;
      if (all % Lanes != 0 && c >= all) break;
      const int row = c / Tile::chunks;
      const int at = c % Tile::chunks * Tile::chunk;
      T* target = to.data() + Tile::index_in_row(row, at);
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
      if (from.wide) {
        const int there = row < from.rows ? from.width - at : 0;
        const int count = there < 0 ? 0 : there < Tile::chunk ? there : Tile::chunk;
        // Nothing is read where nothing is there, but the address has to be one.
        const T* source = count > 0 ? from.corner + row * from.leading + at : from.corner;
        gpu::copy_async_16(target, source, count * int(sizeof(T)));
        continue;
      }
#endif
      *reinterpret_cast<copy_detail::chunk_of<T>*>(target) = copy_detail::read_chunk(from, row, at);
    }
  }
  /// Closes a group.
  static LOOPS_HD void close() {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
    gpu::close_copies();
#endif
  }
  /// Waits until at most `Open` of this lane's groups are under way. A barrier must follow before
  /// other lanes' copies are read.
  template <int Open>
  static LOOPS_HD void await() {
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
    gpu::await_copies<Open>();
#endif
  }
};

/// A copy through registers, in two halves: `fetch` reads memory, `put` writes the tile, and the
/// compiler waits in between where it has to. `Transposed`: rows in memory run across the tile's.
template <class Tile, int Lanes, bool Transposed>
class staged_copy {
  using T = typename Tile::element;
  using chunk = copy_detail::chunk_of<T>;
  static_assert(!Transposed || Tile::order == major::k, "tiles are transposed into the k order");
  /// Rows of memory that are regrouped in registers, to write 8 bytes or more at once.
  static constexpr int block = !Transposed ? 1 : sizeof(T) <= 2 ? 8 / int(sizeof(T)) : chunk::size;
  static constexpr int blocks_along_k = Tile::k / block;
  static constexpr int all =
      Transposed ? blocks_along_k * (Tile::outer / chunk::size) : Tile::rows * Tile::chunks;
  static constexpr int per_lane = (all + Lanes - 1) / Lanes;
  static_assert(!Transposed || (Tile::k % block == 0 && Tile::outer % chunk::size == 0));

 public:
  LOOPS_HD void fetch(const window<T>& from, int lane) {
    LOOPS_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const int c = lane + i * Lanes;
      if (all % Lanes != 0 && c >= all) break;
      LOOPS_UNROLL
      for (int j = 0; j < block; ++j) {
        if constexpr (Transposed) {
          const int k = c % blocks_along_k * block + j;
          held_[i][j] = copy_detail::read_chunk(from, k, c / blocks_along_k * chunk::size);
        } else {
          held_[i][j] =
              copy_detail::read_chunk(from, c / Tile::chunks, c % Tile::chunks * chunk::size);
        }
      }
    }
  }
  LOOPS_HD void put(Tile& to, int lane) const {
    struct alignas(sizeof(T) * block) column {
      T at[block];
    };
    LOOPS_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const int c = lane + i * Lanes;
      if (all % Lanes != 0 && c >= all) break;
      if constexpr (Transposed) {
        LOOPS_UNROLL
        for (int o = 0; o < chunk::size; ++o) {
          column v;
          LOOPS_UNROLL
          for (int j = 0; j < block; ++j) v.at[j] = held_[i][j].at[o];
          const int row = c / blocks_along_k * chunk::size + o;
          *reinterpret_cast<column*>(to.data() +
                                     Tile::index_in_row(row, c % blocks_along_k * block)) = v;
        }
      } else {
        const int at = Tile::index_in_row(c / Tile::chunks, c % Tile::chunks * chunk::size);
        *reinterpret_cast<chunk*>(to.data() + at) = held_[i][0];
      }
    }
  }

 private:
  chunk held_[per_lane][block];
};

}  // namespace loops::tile
