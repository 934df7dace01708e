// SPDX-License-Identifier: Apache-2.0
/// The stages that operands wait in on Hopper, and who knows what of them.
#pragma once

#include "loops/backend/cuda/async.hpp"

#include <cstddef>
#include <cstdint>

namespace loops::hopper {

/// A block's shared memory begins with `Stages` stages of `Bytes`; at `Full`, `Ready` and `Empty`
/// in it are barriers, one a stage: its operands have come, they can be multiplied (which may be
/// the same), and they have been used. Who copies, who turns and who multiplies goes round on his
/// own.
template <int Stages, std::size_t Bytes, std::size_t Full, std::size_t Ready, std::size_t Empty>
class stage_ring {
  static constexpr std::uint32_t barrier_bytes = sizeof(gpu::transaction_barrier);

 public:
  __device__ __forceinline__ explicit stage_ring(std::uint32_t shared) : address_(shared) {}

  [[nodiscard]] __device__ __forceinline__ gpu::barrier_at full(int stage) const {
    return {address_ + std::uint32_t{Full} + barrier_bytes * static_cast<std::uint32_t>(stage)};
  }
  [[nodiscard]] __device__ __forceinline__ gpu::barrier_at ready(int stage) const {
    return {address_ + std::uint32_t{Ready} + barrier_bytes * static_cast<std::uint32_t>(stage)};
  }
  [[nodiscard]] __device__ __forceinline__ gpu::barrier_at empty(int stage) const {
    return {address_ + std::uint32_t{Empty} + barrier_bytes * static_cast<std::uint32_t>(stage)};
  }
  [[nodiscard]] __device__ __forceinline__ int stage() const { return stage_; }
  /// Where the stage's operands are.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t operands() const {
    return address_ + static_cast<std::uint32_t>(stage_) * std::uint32_t{Bytes};
  }

  __device__ __forceinline__ void advance() {
    if (++stage_ == Stages) {
      stage_ = 0;
      phase_ ^= 1u;
    }
  }
  __device__ __forceinline__ void advance(int steps) {
    const int stage = stage_ + steps;
    phase_ ^= static_cast<unsigned>(stage / Stages) & 1u;
    stage_ = stage % Stages;
  }

  /// Waits for the stage's operands as copied, and as they are multiplied.
  __device__ __forceinline__ void await_copies() const { full(stage_).wait(phase_); }
  __device__ __forceinline__ void await_operands() const { ready(stage_).wait(phase_); }
  /// Waits until what was in the stage before could be multiplied.
  __device__ __forceinline__ void await_operands_before() const { ready(stage_).wait(phase_ ^ 1u); }
  /// Waits until nobody needs what was in the stage.
  __device__ __forceinline__ void await_room() const { empty(stage_).wait(phase_ ^ 1u); }
  /// Whether nobody does.
  [[nodiscard]] __device__ __forceinline__ bool has_room() const {
    return empty(stage_).is_completed(phase_ ^ 1u);
  }

  /// Whom this lane tells that its warpgroup is through with a stage: the block with that first
  /// barrier. Others tell nobody.
  __device__ __forceinline__ void tell(gpu::barrier_at first) { tells_ = first.address; }
  __device__ __forceinline__ void release(int stage) const {
    gpu::barrier_at{tells_ + barrier_bytes * static_cast<std::uint32_t>(stage)}.arrive_there(
        tells_ != 0);
  }

 private:
  std::uint32_t address_;
  std::uint32_t tells_ = 0;
  int stage_ = 0;
  unsigned phase_ = 0;
};

}  // namespace loops::hopper
