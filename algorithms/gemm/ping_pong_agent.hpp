// SPDX-License-Identifier: Apache-2.0
/// A GEMM block for AMD's processors: two groups of waves that take turns at memory and
/// multipliers.
#pragma once

#include "algorithms/gemm/wave_state.hpp"
#include "loops/core/path.hpp"

namespace loops::gemm_detail {

/// What keeps the phases of two groups of waves apart. Waves of the lower rows of the grid start
/// one phase late, so while one group reads shared memory the other multiplies. In the emulation
/// both groups are in the same phase, because all lanes have to meet at the same barrier.
template <class Block>
struct ping_pong {
  static LOOPS_HD void phase(Block& block) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
    (void)block;
    gpu::phase_barrier();
#else
    block.sync();
#endif
  }
  /// One phase more for whoever starts late, and at the end for the others.
  static LOOPS_HD void shift([[maybe_unused]] bool mine) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
    if (mine) gpu::phase_barrier();
#endif
  }
  /// This wave's writes to shared memory are there.
  static LOOPS_HD void settle() {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
    gpu::settle_shared();
#endif
  }
  static LOOPS_HD void go_first([[maybe_unused]] bool first) {
#if LOOPS_HIP && LOOPS_DEVICE_PASS
    if (first) {
      gpu::priority<1>();
    } else {
      gpu::priority<0>();
    }
#endif
  }
};

/// Steps of k lie in two buffers of shared memory and are multiplied in two slabs, four phases per
/// step: read slab 0 · multiply · read slab 1, write the next step, ask for the one after ·
/// multiply.
template <class Source, class Blocking, class Block>
class ping_pong_agent : public wave_state<Source, Blocking, Block> {
  using base = wave_state<Source, Blocking, Block>;
  using types = typename base::types;
  using a_plan = typename types::a_plan;
  using b_plan = typename types::b_plan;
  using turns = ping_pong<Block>;
  static_assert(Blocking::stages == 2, "two buffers: one is read while the other is written");
  static_assert(!tile::in_lane<typename types::atom>,
                "waves of 64 multiply by matrix instructions: of AMD's GPUs, GEMM is compiled for "
                "gfx90a, gfx942 and gfx950");
  static_assert(types::k == 2 * types::atom::k, "a step is two slabs, one instruction deep each");

 public:
  struct buffer {
    typename base::a_tile a;
    typename base::b_tile b;
  };
  struct storage {
    buffer buffers[2];
  };

  LOOPS_HD ping_pong_agent(const Source& source, Block& block, storage& shared)
      : base(source, block), shared_(&shared) {}

  LOOPS_HD void step(const segment& s) {
    const auto place = this->source().at(s.tile);
    const auto first = static_cast<std::int32_t>(s.first);
    const auto steps = static_cast<std::int32_t>(s.last - s.first);
    const bool late = this->wave_row() >= (Blocking::waves_m + 1) / 2;
    fetch(place, first);
    put(shared_->buffers[0]);
    if (steps > 1) fetch(place, first + 1);
    this->block().sync();
    turns::shift(late);
    for (std::int32_t i = 0; i < steps; ++i) {
      const buffer& now = shared_->buffers[i & 1];
      typename base::operands o;
      this->load(o, now.a, now.b, 0);
      turns::phase(this->block());
      multiply(o);
      turns::phase(this->block());
      this->load(o, now.a, now.b, types::atom::k);
      if (i + 1 < steps) put(shared_->buffers[(i + 1) & 1]);
      if (i + 2 < steps) fetch(place, first + i + 2);
      // Before the others may read it.
      turns::settle();
      turns::phase(this->block());
      multiply(o);
      turns::phase(this->block());
    }
    turns::shift(!late);
    this->block().sync();
  }

 private:
  LOOPS_HD void multiply(const typename base::operands& o) {
    turns::go_first(true);
    base::multiply(o);
    turns::go_first(false);
  }
  template <class Place>
  LOOPS_HD void fetch(const Place& p, std::int32_t i) {
    const std::int32_t k = i * types::k;
    const int lane = this->block().lane();
    constexpr bool any = native::reads_unaligned<Block>;
    a_.fetch(window_of<a_plan>(p.a, p.a_leading, p.row, k, p.m, p.k, any || p.a_wide), lane);
    b_.fetch(window_of<b_plan>(p.b, p.b_leading, p.col, k, p.n, p.k, any || p.b_wide), lane);
  }
  LOOPS_HD void put(buffer& to) const {
    a_.put(to.a, this->block().lane());
    b_.put(to.b, this->block().lane());
  }

  storage* shared_;
  tile::staged_copy<typename base::a_tile, Blocking::lanes, !a_plan::k_contiguous, Blocking::whole>
      a_;
  tile::staged_copy<typename base::b_tile, Blocking::lanes, !b_plan::k_contiguous, Blocking::whole>
      b_;
};

}  // namespace loops::gemm_detail
