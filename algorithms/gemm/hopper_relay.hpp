// SPDX-License-Identifier: Apache-2.0
/// How one wave of a block on Hopper tells the others what comes next.
#pragma once

#include "loops/backend/cuda/async.hpp"

#include <cstdint>

namespace loops::hopper {

/// Items that pass through shared memory, each to all who listen. Who tells is up to `Slots` items
/// ahead of the last who listens.
template <class Item, int Slots>
class relay {
 public:
  /// Shared memory.
  struct room {
    Item items[Slots];
    gpu::transaction_barrier told[Slots];
    gpu::transaction_barrier taken[Slots];
  };
  /// By one lane of the block, before anybody tells or listens. `listeners`: waves.
  __device__ __forceinline__ static void init(room& r, int listeners) {
    for (int i = 0; i < Slots; ++i) {
      r.told[i].at().init(1);
      r.taken[i].at().init(static_cast<unsigned>(listeners));
    }
  }

  __device__ __forceinline__ explicit relay(room& r) : room_(gpu::at_fixed_address(r)) {}

  /// Tells one more item, as soon as there is room for it. Lanes: the wave, `lane` one of 32.
  template <class Block>
  __device__ __forceinline__ void tell(Block& block, int lane, const Item& item) {
    advance();
    if (lane == 0) {
      room_.taken[slot_].at().wait(phase_ ^ 1u);
      room_.items[slot_] = item;
      room_.told[slot_].at().arrive();
    }
    block.wave_sync();
  }
  /// Waits for the next item; nobody of the wave needs the one before any more. Lanes: as above.
  template <class Block>
  __device__ __forceinline__ void listen(Block& block, int lane) {
    if (slot_ >= 0) {
      block.wave_sync();
      if (lane == 0) room_.taken[slot_].at().arrive();
    }
    advance();
    room_.told[slot_].at().wait(phase_);
  }
  /// The item that was listened to last.
  [[nodiscard]] const __device__ __forceinline__ Item& heard() const { return room_.items[slot_]; }

 private:
  __device__ __forceinline__ void advance() {
    if (++slot_ == Slots) {
      slot_ = 0;
      phase_ ^= 1u;
    }
  }

  room& room_;
  int slot_ = -1;
  unsigned phase_ = 0;
};

/// Nobody to tell.
template <class Item>
class relay<Item, 0> {
 public:
  struct room {};
  __device__ __forceinline__ static void init(room&, int) {}
  __device__ __forceinline__ explicit relay(room&) {}
};

}  // namespace loops::hopper
