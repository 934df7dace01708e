// SPDX-License-Identifier: Apache-2.0
/// Teams of a block that take whole tiles in turn: one multiplies while the other stores.
#pragma once

#include "loops/backend/cuda/async.hpp"

#include <cstdint>

namespace loops::hopper {

/// Whose turn it is to multiply, seen by one team of two; a team of its own always may. Turns are
/// taken strictly one after the other: nobody looks at a stage before all that came in it earlier
/// has been seen, so one bit tells a barrier's phases apart.
template <int Teams>
class turns {
 public:
  struct barriers {
    gpu::transaction_barrier go[Teams];
  };
  /// By one lane of the block, before anybody waits.
  __device__ static void init(barriers& b) {
    for (int t = 0; t < Teams; ++t) b.go[t].at().init(1);
  }

  __device__ __forceinline__ turns(barriers& b, int team)
      : address_(gpu::fixed_address(&b)), team_(team), phase_(team == 0 ? 1U : 0U) {}

  /// Whether the next tile is this team's.
  __device__ __forceinline__ bool next() {
    const bool mine = at_ == team_;
    at_ = at_ + 1 == Teams ? 0 : at_ + 1;
    return mine;
  }
  /// Waits until the other team has all its operands of the tile before.
  __device__ __forceinline__ void await() {
    go(team_).wait(phase_);
    phase_ ^= 1U;
  }
  /// This team has all operands of its tile. By one lane.
  __device__ __forceinline__ void pass() const { go(team_ + 1 == Teams ? 0 : team_ + 1).arrive(); }

 private:
  [[nodiscard]] __device__ __forceinline__ gpu::barrier_at go(int team) const {
    return {address_ +
            static_cast<std::uint32_t>(team) * std::uint32_t{sizeof(gpu::transaction_barrier)}};
  }

  std::uint32_t address_;
  int team_;
  int at_ = 0;
  unsigned phase_;
};

/// Nobody to take turns with.
template <>
class turns<1> {
 public:
  struct barriers {};
  __device__ static void init(barriers&) {}
  __device__ __forceinline__ turns(barriers&, int) {}
  __device__ __forceinline__ bool next() { return true; }
  __device__ __forceinline__ void await() {}
  __device__ __forceinline__ void pass() const {}
};

}  // namespace loops::hopper
