// SPDX-License-Identifier: Apache-2.0
/// What a schedule needs to know about who will execute it.
#pragma once

#include "loops/backend/config.hpp"

#include <cstddef>
#include <cstdint>

namespace loops {

/// Launch shape: lanes per block, and path steps or atoms per lane. A type, because nvcc 13
/// cannot take a class-type template argument on a kernel.
template <int Threads, int Items>
struct shape {
  static_assert(Threads > 0 && (Threads & (Threads - 1)) == 0, "lanes per block: a power of two");
  static_assert(Items > 0, "items per lane: at least one");
  static constexpr int threads = Threads;
  static constexpr int items = Items;
};

/// Launch shape of a tile program, whose lanes have roles: any number of whole waves, or a power of
/// two of lanes fewer than a wave.
template <int Threads>
struct team {
  static_assert(Threads > 0 && Threads <= 1024, "a block has 1 … 1024 lanes");
  static_assert(Threads % 32 == 0 || Threads < 32, "a team is made of whole waves");
  static constexpr int threads = Threads;
  static constexpr int items = 1;
};

/// The executing machine as one launch shape sees it.
struct machine {
  int threads = 1;          ///< lanes per block
  int wave = 1;             ///< lanes per wave
  int items = 1;            ///< path steps or atoms per lane
  int batch = 1;            ///< consecutive slices a worker takes at a time
  std::int64_t blocks = 1;  ///< blocks resident at once
  int fewest = 1;           ///< path steps or atoms that are worth giving to a lane
};

/// Blocks of `threads` lanes of a grid at most: HIP launches fewer than 2^32 lanes. Larger works go
/// round.
constexpr std::int64_t most_blocks(int threads) {
  return (std::int64_t{1} << (threads > 1 ? 31 : 30)) / threads;
}

/// Blocks of `threads` lanes that a processor holds at once: as many as have a place among `lanes`
/// lanes and room for `storage` bytes each in `room` bytes of shared memory; one at least. Room of
/// 0 is no limit.
constexpr int blocks_that_fit(int threads, int lanes, std::size_t storage, std::size_t room) {
  std::size_t fit = static_cast<std::size_t>(lanes / threads);
  if (room > 0 && storage > 0 && room / storage < fit) fit = room / storage;
  return fit > 0 ? static_cast<int>(fit) : 1;
}

/// The power of two, up to `most`, that is nearest to `n` as a factor: the border lies at the
/// geometric mean, 2^(1/2) times the smaller.
[[nodiscard]] constexpr int nearest_power(double n, int most) noexcept {
  int power = 1;
  while (power * 2 <= most && n > power * 1.4142135623730951) power *= 2;
  return power;
}

}  // namespace loops
