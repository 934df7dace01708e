// SPDX-License-Identifier: Apache-2.0
/// The portable GEMM: a tile program over any source of tiles, for every execution.
#pragma once

#include "algorithms/gemm/host_agent.hpp"
#include "algorithms/gemm/ping_pong_agent.hpp"
#include "algorithms/gemm/pipelined_agent.hpp"
#include "loops/core/machine.hpp"

#include <cstddef>
#include <type_traits>

namespace loops {

namespace gemm_detail {

/// What a block of this kind runs; `make` gives all of them one constructor.
template <class Source, class Blocking, class Block>
struct agent_of {
  using waves = std::conditional_t<Blocking::wave == 64, ping_pong_agent<Source, Blocking, Block>,
                                   pipelined_agent<Source, Blocking, Block>>;
  using storage = typename waves::storage;
  static LOOPS_HD waves make(const Source& source, Block& block, storage& shared) {
    return {source, block, shared};
  }
  using type = waves;
};

template <class Source, class Blocking, class Block>
requires(Block::threads == 1) struct agent_of<Source, Blocking, Block> {
  using type = host_agent<Source, Blocking>;
  using storage = typename type::storage;
  static type make(const Source& source, Block&, storage& shared) { return {source, shared}; }
};

}  // namespace gemm_detail

/// A GEMM over the tiles of `Source`, in blocks of `Blocking`. See algorithm/tile_program.hpp.
template <class Source, class Blocking>
struct portable_gemm {
  using source_type = Source;
  using blocking = Blocking;
  using problem = typename Source::problem_type;
  using shape = team<Blocking::lanes>;
  static constexpr gemm_tile_shape tile_shape{
      Blocking::m, Blocking::n, Blocking::k_bytes / int(sizeof(typename problem::a_type))};
  static constexpr std::size_t slot_bytes =
      sizeof(typename problem::sum) * Blocking::m * Blocking::n;

  Source source;

  template <class Block>
  using storage = typename gemm_detail::agent_of<Source, Blocking, Block>::storage;

  template <class Block>
  class agent : public gemm_detail::agent_of<Source, Blocking, Block>::type {
    using choice = gemm_detail::agent_of<Source, Blocking, Block>;

   public:
    LOOPS_HD agent(const portable_gemm& program, Block& block, storage<Block>& shared)
        : choice::type(choice::make(program.source, block, shared)) {}
  };
};

}  // namespace loops
