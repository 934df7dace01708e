// SPDX-License-Identifier: Apache-2.0
/// Kernels with and without a data race, for ThreadSanitizer to judge: `races_lanes <kernel>`.
#include "loops/execution/emulation.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using loops::shape;

template <class Block>
struct lane_values {
  int values[Block::threads];
};

enum class barrier { none, wave, block };

// Every lane reads what the lane `Distance` on has written.
template <barrier Between, int Distance>
struct neighbour {
  int* out;
  template <class Block>
  using storage = lane_values<Block>;
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    const int base = Between == barrier::wave ? block.lane() / Block::wave * Block::wave : 0;
    const int size = Between == barrier::wave ? Block::wave : Block::threads;
    for (int round = 0; round < 3; ++round) {
      shared.values[block.lane()] = round + block.lane();
      if constexpr (Between == barrier::block) block.sync();
      if constexpr (Between == barrier::wave) block.wave_sync();
      const int at = base + (block.lane() - base + Distance) % size;
      out[block.id() * Block::threads + block.lane()] = shared.values[at];
      if constexpr (Between == barrier::block) (void)block.sync_any(false);
      if constexpr (Between == barrier::wave) block.wave_sync();
    }
  }
};

// A shuffle hands values over; it does not order shared memory.
struct shuffle_for_a_barrier {
  int* out;
  template <class Block>
  using storage = lane_values<Block>;
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    shared.values[block.lane()] = block.lane();
    const int other = block.shuffle_xor(block.lane(), 1);
    out[block.lane()] = shared.values[other];
  }
};

// Shuffles and ballots alone: nothing is shared.
struct exchanges {
  int* out;
  struct wide {
    int a, b, c;
  };
  template <class Block>
  using storage = lane_values<Block>;
  template <class Block>
  void operator()(Block& block, storage<Block>&) const {
    wide v{block.lane(), 1, 2};
    for (int d = 1; d < Block::wave; d *= 2) {
      v.a += block.shuffle_xor(v, d).a;
      v.b += block.ballot(v.a % 2 == 0) != 0;
    }
    out[block.id() * Block::threads + block.lane()] = v.a + v.b;
  }
};

// Blocks of one grid that write one place.
template <bool Atomic>
struct count_blocks {
  int* out;
  template <class Block>
  using storage = lane_values<Block>;
  template <class Block>
  void operator()(Block& block, storage<Block>&) const {
    if (block.lane() != block.id()) return;
    if constexpr (Atomic) {
      block.atomic_add(out, 1);
    } else {
      *out += 1;
    }
  }
};

// Block after block; the flag says that the value is there.
template <bool Acquire>
struct chain {
  int* out;
  template <class Block>
  using storage = lane_values<Block>;
  template <class Block>
  void operator()(Block& block, storage<Block>&) const {
    int* flags = out + 64;
    const auto id = block.id();
    if (block.lane() != id) return;
    int before = 0;
    if (id > 0) {
      if constexpr (Acquire) {
        while (block.load_acquire(flags + id - 1) == 0) block.relax();
      } else {
        while (block.atomic_add(flags + id - 1, 0) == 0) block.relax();
      }
      before = out[id - 1];
    }
    out[id] = before + 1;
    block.store_release(flags + id, 1);
  }
};

template <class Kernel>
void launch() {
  for (auto options : loops::emulation_options::sweep(1)) {
    options.residency = 4;
    std::vector<int> out(4 * 64, 0);
    loops::emulation_executor<32>(options).launch<shape<64, 1>>(4, Kernel{out.data()});
  }
}

struct {
  const char* name;
  void (*run)();
} const kernels[] = {
    {"sync", launch<neighbour<barrier::block, 1>>},
    {"wave_sync", launch<neighbour<barrier::wave, 1>>},
    {"exchanges", launch<exchanges>},
    {"atomic", launch<count_blocks<true>>},
    {"acquire", launch<chain<true>>},
    {"missing_sync", launch<neighbour<barrier::none, 1>>},
    {"missing_sync_across_waves", launch<neighbour<barrier::none, 32>>},
    {"shuffle_for_a_barrier", launch<shuffle_for_a_barrier>},
    {"missing_atomic", launch<count_blocks<false>>},
    {"missing_acquire", launch<chain<false>>},
};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& k : kernels) {
    if (argc != 2 || std::strcmp(argv[1], k.name) != 0) continue;
    k.run();
    std::puts("done");
    return 0;
  }
  std::fputs("usage: races_lanes <kernel>\n", stderr);
  return 2;
}
