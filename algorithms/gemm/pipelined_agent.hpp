// SPDX-License-Identifier: Apache-2.0
/// A GEMM block whose operands arrive through a ring of stages in shared memory.
#pragma once

#include "algorithms/gemm/wave_state.hpp"
#include "loops/core/path.hpp"

namespace loops::gemm_detail {

/// Every lane copies, every wave multiplies: `Blocking::stages` - 1 steps are under way while one
/// is multiplied, with one barrier per step. Operands that must be turned go through registers.
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
    constexpr int ahead = Blocking::stages - 1;
    for (int i = 0; i < ahead; ++i) begin(place, first, i, steps);
    for (std::int32_t i = 0; i < steps; ++i) {
      tile::async_copies::await<ahead - 1>();
      // Everybody's copies of this step are there, and everybody is done with the step before it,
      // whose stage is filled next.
      this->block().sync();
      begin(place, first, i + ahead, steps);
      const stage& now = shared_->stages[at_];
      at_ = at_ + 1 < Blocking::stages ? at_ + 1 : 0;
      LOOPS_UNROLL
      for (int k = 0; k < types::k; k += types::atom::k) {
        typename base::operands o;
        this->load(o, now.a, now.b, k);
        this->multiply(o);
      }
    }
    // The last groups are empty; the ring goes on where it stopped.
    fill_ = at_;
  }

 private:
  template <class Place>
  LOOPS_HD void begin(const Place& p, std::int32_t first, std::int32_t i, std::int32_t steps) {
    if (i < steps) {
      stage& to = shared_->stages[fill_];
      fill_ = fill_ + 1 < Blocking::stages ? fill_ + 1 : 0;
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
  int at_ = 0;    ///< the stage that is multiplied next
  int fill_ = 0;  ///< the stage that is filled next
};

}  // namespace loops::gemm_detail
