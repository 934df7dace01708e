// SPDX-License-Identifier: Apache-2.0
/// A GEMM block whose operands arrive through a ring of stages in shared memory.
#pragma once

#include "algorithms/gemm/wave_state.hpp"
#include "loops/core/path.hpp"

namespace loops::gemm_detail {

/// Every lane copies, every wave multiplies. While operands of one instruction's depth are
/// multiplied, the next ones are on their way to registers, and up to `Blocking::stages` steps on
/// theirs to shared memory; one barrier per step. Operands that must be turned go through
/// registers.
template <class Source, class Blocking, class Block>
class pipelined_agent : public wave_state<Source, Blocking, Block> {
  using base = wave_state<Source, Blocking, Block>;
  using types = typename base::types;
  using a_plan = typename types::a_plan;
  using b_plan = typename types::b_plan;

 public:
  struct stage {
    typename base::a_tile a;
    typename base::b_tile b;
  };
  struct storage {
    stage stages[Blocking::stages];
  };

  LOOPS_HD pipelined_agent(const Source& source, Block& block, storage& shared)
      : base(source, block), shared_(&shared) {}

  LOOPS_HD void step(const segment& s) {
    const auto place = this->source().at(s.tile);
    const auto first = static_cast<std::int32_t>(s.first);
    const auto steps = static_cast<std::int32_t>(s.last - s.first);
    // Nobody reads the stages of the segment before this one any more.
    this->block().sync();
    for (int i = 0; i < Blocking::stages; ++i) begin(i, place, first, i, steps);
    tile::async_copies::await<Blocking::stages - 1>();
    this->block().sync();
    typename base::operands now;
    this->load(now, shared_->stages[0].a, shared_->stages[0].b, 0);
    int at = 0;
    for (std::int32_t i = 0; i < steps; ++i) {
      LOOPS_UNROLL
      for (int k = 0; k < types::k; k += types::atom::k) {
        typename base::operands next = now;
        if (k + types::atom::k < types::k) {
          this->load(next, shared_->stages[at].a, shared_->stages[at].b, k + types::atom::k);
        } else if (i + 1 < steps) {
          // Everybody has read this step, so that its stage can be filled again; and everybody's
          // copies of the next one are there.
          tile::async_copies::await<Blocking::stages - 2>();
          this->block().sync();
          begin(at, place, first, i + Blocking::stages, steps);
          at = at + 1 < Blocking::stages ? at + 1 : 0;
          this->load(next, shared_->stages[at].a, shared_->stages[at].b, 0);
        }
        this->multiply(now);
        now = next;
      }
    }
  }

 private:
  /// Begins to copy step `first` + i of `steps` into a stage; a group either way.
  template <class Place>
  LOOPS_HD void begin(int number, const Place& p, std::int32_t first, std::int32_t i,
                      std::int32_t steps) {
    if (i < steps) {
      auto& to = shared_->stages[number];
      const std::int32_t k = (first + i) * types::k;
      copy<a_plan>(to.a, window_of<a_plan>(p.a, p.a_leading, p.row, k, p.m, p.k, p.a_wide));
      copy<b_plan>(to.b, window_of<b_plan>(p.b, p.b_leading, p.col, k, p.n, p.k, p.b_wide));
    }
    tile::async_copies::close();
  }
  template <class Plan, class Tile, class Window>
  LOOPS_HD void copy(Tile& to, const Window& from) const {
    const int lane = this->block().lane();
    if constexpr (Plan::direct) {
      tile::async_copies::begin<Blocking::lanes, Blocking::whole>(to, from, lane);
    } else {
      tile::staged_copy<Tile, Blocking::lanes, true, Blocking::whole> c;
      c.fetch(from, lane);
      c.put(to, lane);
    }
  }

  storage* shared_;
};

}  // namespace loops::gemm_detail
