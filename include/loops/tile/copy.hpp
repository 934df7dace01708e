// SPDX-License-Identifier: Apache-2.0
/// Copies a window of a matrix into a shared tile: asynchronously, or through registers.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/backend/native.hpp"
#include "loops/tile/shared_tile.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

#if LOOPS_CUDA
#include "loops/backend/cuda/mma.hpp"
#elif LOOPS_HIP
#include "loops/backend/hip/mma.hpp"
#endif

namespace loops::tile {

/// A window of a matrix in memory: rows `leading` elements apart, of which `rows` x `width`
/// elements exist; what a tile covers beyond that counts as zero. `wide`: 16 bytes may be read at
/// every multiple of 16 bytes along a row.
template <class T>
struct window {
  const T* corner;
  std::int64_t leading;
  int rows;
  int width;
  bool wide;
};

/// 16 bytes in registers.
struct alignas(16) chunk_words {
  std::uint32_t at[4];
};

namespace copy_detail {

template <class T>
inline constexpr int in_chunk = 16 / int(sizeof(T));

/// Up to 16 bytes, element by element: the way for edges and for operands without alignment, which
/// should not cost the other way registers.
template <class T>
LOOPS_HD chunk_words read_elements(const T* from, int count) {
  using bits = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  constexpr int in_word = 8 / int(sizeof(T));
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  LOOPS_UNROLL
  for (int i = 0; i < in_word; ++i)
    if (i < count) low |= std::uint64_t(std::bit_cast<bits>(from[i])) << (i * 8 * int(sizeof(T)));
  LOOPS_UNROLL
  for (int i = 0; i < in_word; ++i)
    if (in_word + i < count)
      high |= std::uint64_t(std::bit_cast<bits>(from[in_word + i])) << (i * 8 * int(sizeof(T)));
  return {{std::uint32_t(low), std::uint32_t(low >> 32), std::uint32_t(high),
           std::uint32_t(high >> 32)}};
}

/// Reads chunks of a window, zeros where it ends. `Whole`: every chunk is aligned and lies either
/// inside the window or outside of it, and a tile spans less than 2^31 bytes.
template <class T, bool Whole>
class reader {
 public:
  LOOPS_HD explicit reader(const window<T>& w) : w_(w) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
    if constexpr (Whole) buffer_ = gpu::buffer_at(w.corner);
#endif
  }
  [[nodiscard]] LOOPS_HD chunk_words operator()(int row, int at) const {
    const bool inside = row < w_.rows && at < w_.width;
#if LOOPS_HIP && LOOPS_DEVICE_PASS
    if constexpr (Whole) {
      // The hardware answers reads beyond the buffer's end with zeros: no branch.
      const int place = (row * static_cast<int>(w_.leading) + at) * int(sizeof(T));
      chunk_words c;
      gpu::read_16(c.at, buffer_, inside ? place : gpu::beyond_buffer);
      return c;
    }
#endif
    if (!inside) return {};
    const T* from = w_.corner + row * w_.leading + at;
    if (Whole || (w_.wide && at + in_chunk<T> <= w_.width))
      return native::read_16<chunk_words>(from);
    return read_elements(from, w_.width - at);
  }

 private:
  window<T> w_;
#if LOOPS_HIP && LOOPS_DEVICE_PASS
  gpu::buffer buffer_;
#endif
};

/// Element `i` of a chunk, as bits.
template <int Bytes>
LOOPS_HD std::uint32_t piece(const chunk_words& c, int i) {
  constexpr int in_word = 4 / Bytes;
  return (c.at[i / in_word] >> (8 * Bytes * (i % in_word))) &
         (Bytes == 4 ? 0xffffffffu : (1u << (8 * Bytes % 32)) - 1u);
}

}  // namespace copy_detail

/// Pipelines of copies that need no registers: groups are closed in order and waited for by number.
/// Where the hardware has none, a copy is done when it has been asked for.
struct async_copies {
  /// Begins to copy the window into the tile, by `Lanes` lanes together.
  template <int Lanes, bool Whole, class Tile>
  static LOOPS_HD void begin(Tile& to, const window<typename Tile::element>& from, int lane) {
    using T = typename Tile::element;
    constexpr int all = Tile::rows * Tile::chunks;
    [[maybe_unused]] const copy_detail::reader<T, Whole> read(from);
    LOOPS_UNROLL
    for (int i = 0; i < (all + Lanes - 1) / Lanes; ++i) {
      const int c = lane + i * Lanes;
      if (all % Lanes != 0 && c >= all) break;
      const int row = c / Tile::chunks;
      const int at = c % Tile::chunks * Tile::chunk;
      T* target = to.data() + Tile::index_in_row(row, at);
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
      if (Whole || from.wide) {
        const int there = row < from.rows ? from.width - at : 0;
        const int count = there < 0 ? 0 : there < Tile::chunk ? there : Tile::chunk;
        // Nothing is read where nothing is there, but the address has to be one.
        const T* source = count > 0 ? from.corner + row * from.leading + at : from.corner;
        gpu::copy_async_16(target, source, count * int(sizeof(T)));
        continue;
      }
      if constexpr (Whole) continue;
      if (by_words(from)) {
        constexpr int word = sizeof(T) > 4 ? int(sizeof(T)) : 4;
        constexpr int in_word = word / int(sizeof(T));
        LOOPS_UNROLL
        for (int j = 0; j < Tile::chunk; j += in_word) {
          const int there = row < from.rows ? from.width - at - j : 0;
          const int count = there < 0 ? 0 : there < in_word ? there : in_word;
          const T* source = count > 0 ? from.corner + row * from.leading + at + j : from.corner;
          gpu::copy_async<word>(target + j, source, count * int(sizeof(T)));
        }
        continue;
      }
#endif
      *reinterpret_cast<chunk_words*>(target) = read(row, at);
    }
  }
  /// Whether rows begin at multiples of 4 bytes.
  template <class T>
  static LOOPS_HD bool by_words(const window<T>& from) {
    return sizeof(T) >= 4 || ((reinterpret_cast<std::uintptr_t>(from.corner) |
                               static_cast<std::uintptr_t>(from.leading) * sizeof(T)) &
                              3) == 0;
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
template <class Tile, int Lanes, bool Transposed, bool Whole>
class staged_copy {
  using T = typename Tile::element;
  static constexpr int chunk = Tile::chunk;
  static_assert(!Transposed || Tile::order == major::k, "tiles are transposed into the k order");
  /// Rows of memory that are regrouped in registers: 8 bytes or more to write at once, but no more
  /// than all lanes have something to do, and no less than 4 bytes.
  static constexpr int rows_at_once() {
    int r = sizeof(T) <= 2 ? 8 / int(sizeof(T)) : chunk;
    while (Tile::k / r * (Tile::outer / chunk) < Lanes && r * int(sizeof(T)) > 4) r /= 2;
    return r;
  }
  static constexpr int block = Transposed ? rows_at_once() : 1;
  static constexpr int blocks_along_k = Tile::k / block;
  static constexpr int all =
      Transposed ? blocks_along_k * (Tile::outer / chunk) : Tile::rows * Tile::chunks;
  static constexpr int per_lane = (all + Lanes - 1) / Lanes;
  static_assert(!Transposed || (Tile::k % block == 0 && Tile::outer % chunk == 0));

 public:
  LOOPS_HD void fetch(const window<T>& from, int lane) {
    const copy_detail::reader<T, Whole> read(from);
    LOOPS_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const int c = lane + i * Lanes;
      if (!Whole && all % Lanes != 0 && c >= all) break;
      LOOPS_UNROLL
      for (int j = 0; j < block; ++j) {
        if constexpr (Transposed) {
          held_[i][j] = read(c % blocks_along_k * block + j, c / blocks_along_k * chunk);
        } else {
          held_[i][j] = read(c / Tile::chunks, c % Tile::chunks * chunk);
        }
      }
    }
  }
  LOOPS_HD void put(Tile& to, int lane) const {
    // Addresses of a transposed tile are many, and cheaper to compute again than to keep.
    if constexpr (Transposed) lane = native::recomputed(lane);
    LOOPS_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const int c = lane + i * Lanes;
      if (all % Lanes != 0 && c >= all) break;
      if constexpr (Transposed) {
        LOOPS_UNROLL
        for (int o = 0; o < chunk; ++o)
          put_column(to.data() + Tile::index_in_row(c / blocks_along_k * chunk + o,
                                                    c % blocks_along_k * block),
                     i, o);
      } else {
        const int at = Tile::index_in_row(c / Tile::chunks, c % Tile::chunks * chunk);
        *reinterpret_cast<chunk_words*>(to.data() + at) = held_[i][0];
      }
    }
  }

 private:
  /// Writes element `o` of the block's rows, which are neighbours along k.
  LOOPS_HD void put_column(T* to, int i, int o) const {
    constexpr int bytes = block * int(sizeof(T));
    struct alignas(bytes) column {
      std::uint32_t at[bytes / 4];
    };
    column v{};
    LOOPS_UNROLL
    for (int j = 0; j < block; ++j) {
      if constexpr (sizeof(T) == 8) {
        v.at[2 * j] = held_[i][j].at[2 * o];
        v.at[2 * j + 1] = held_[i][j].at[2 * o + 1];
      } else {
        constexpr int size = int(sizeof(T));
        constexpr int in_word = 4 / size;
        v.at[j / in_word] |= copy_detail::piece<size>(held_[i][j], o) << (8 * size * (j % in_word));
      }
    }
    *reinterpret_cast<column*>(to) = v;
  }

  chunk_words held_[per_lane][block];
};

}  // namespace loops::tile
