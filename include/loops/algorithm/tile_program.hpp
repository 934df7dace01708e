// SPDX-License-Identifier: Apache-2.0
/// Tile programs: what a block-sized worker with its state in registers does with segments.
#pragma once

#include "loops/algorithm/segments.hpp"
#include "loops/backend/block.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops {

/// What the lanes of one block do: made once per launch, on every lane, and told what comes next.
///
///   clear()         the state becomes that of no atoms
///   step(segment)   takes in the segment's atoms, which may be none
///   store(slot)     writes the state as a partial, `slot_bytes` at most
///   add(slot)       combines with a partial of the atoms just before its own: state = slot + state
///   finish(tile)    the state is the tile's: writes the result
///   sync()          a barrier of all lanes that consume
///
/// and, where some lanes only load (they touch neither state nor slots):
///
///   produces()      whether this lane is one of them
///   produce(segment)  loads the segment's atoms; the same segments in the same order as `step`,
///                     but for those without atoms
///   leads()         whether this lane is the one of those that consume that speaks for them
///
/// and, where those that consume are teams which take whole tiles in turn (the program says
/// `whole_tiles`, and schedules that cut tiles are refused):
///
///   takes(segment)  whether this lane's team takes the segment; asked of every one, in their order
///
/// and, where some lanes find the segments for all others, whom that would take hundreds of cycles
/// between one tile and the next:
///
///   finds()         whether this lane is one of them
///   tell(segment)   by those: it is the next
///   tell_end()      by those: there is none
///   told(segment&)  by the others: writes the next segment, in numbers that the compiler knows
///                   to be the same on all lanes of a wave; false when there is none
///
/// Without `produces` all lanes consume, and lane 0 leads. Every role may have `start()` and
/// `drain()`, called before its first and after its last segment, none or many.
template <class A>
concept tile_agent = requires(A a, const segment& s, std::byte* slot, const std::byte* filled,
                              std::int64_t tile) {
  a.clear();
  a.step(s);
  a.store(slot);
  a.add(filled);
  a.finish(tile);
  a.sync();
};

/// An agent some of whose lanes only load.
template <class A>
concept producing_agent = tile_agent<A> && requires(A a, const segment& s) {
  { a.produces() } -> std::convertible_to<bool>;
  { a.leads() } -> std::convertible_to<bool>;
  a.produce(s);
};

/// An agent some of whose lanes find the segments.
template <class A>
concept finding_agent = tile_agent<A> && requires(A a, segment& s) {
  { a.finds() } -> std::convertible_to<bool>;
  a.tell(s);
  a.tell_end();
  { a.told(s) } -> std::convertible_to<bool>;
};

namespace detail {

/// Blocks that are one worker: programs of clusters say so, each for itself or all of a type.
template <class P>
constexpr int cluster_of(const P& p) {
  if constexpr (requires { p.cluster(); })
    return p.cluster();
  else if constexpr (requires { P::cluster; })
    return P::cluster;
  else
    return 1;
}
/// A program for some devices only says whether it can be compiled for the one at hand.
template <class P>
constexpr bool runs_here() {
  if constexpr (requires { P::runs_here; }) return P::runs_here;
  return true;
}
/// Whether those that consume are teams which take whole tiles in turn.
template <class P>
constexpr bool takes_whole_tiles() {
  if constexpr (requires { P::whole_tiles; }) return P::whole_tiles;
  return false;
}
/// Where several of its blocks share a processor, atoms of a block from which on an early start
/// costs more than it gains: blocks crowd on the processors that are free first, unless they fill
/// all.
template <class P>
constexpr std::int64_t crowds_from() {
  if constexpr (requires { P::crowds_from; }) return P::crowds_from;
  return INT64_MAX;
}
template <class P>
constexpr int fewest_of() {
  if constexpr (requires { P::fewest; }) return P::fewest;
  return 8;
}
template <class P>
constexpr int wanted_lanes_of() {
  if constexpr (requires { P::wanted_lanes; }) return P::wanted_lanes;
  return P::shape::threads;
}
template <class P>
constexpr std::size_t slot_bytes_of(const P& p) {
  if constexpr (requires { p.slot_bytes(); })
    return p.slot_bytes();
  else
    return P::slot_bytes;
}

/// Who gave up waiting for whom, in which launch of a plan; launch 0: nobody.
struct lost_part {
  std::int64_t launch = 0;
  std::int64_t worker = 0;
  std::int64_t peer = 0;
  std::int64_t tile = 0;
};

/// Where the blocks of a launch leave partials for each other. A flag is the number of the last
/// launch in which its block was done with its partial; nobody ever clears one.
struct exchange {
  static constexpr std::int64_t flag_stride = 16;  ///< a cache line each
  std::int64_t blocks = 0;                         ///< blocks, from the first, that take part
  std::int64_t slot_stride = 0;
  std::byte* slots = nullptr;
  std::int64_t* flags = nullptr;
  lost_part* lost = nullptr;
  std::int64_t patience = 0;  ///< looks at a flag before giving up

  [[nodiscard]] LOOPS_HD std::byte* slot(std::int64_t block) const {
    return slots + block * slot_stride;
  }
  [[nodiscard]] LOOPS_HD std::int64_t* flag(std::int64_t block) const {
    return flags + block * flag_stride;
  }
};

/// The kernel of `run`: every block goes through the segments of its worker. Who holds the last
/// atom of a tile owns it: waits for the others, who all are lower, nearest first, and combines.
template <class Bound, class Program>
struct run_segments {
  Bound bound;
  exchange parts;
  Program program;
  int cluster = 1;  ///< blocks per worker

  static constexpr int wanted_lanes = wanted_lanes_of<Program>();
  static constexpr bool waits_for_blocks = true;

  template <class Block>
  using storage = typename Program::template storage<Block>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (runs_here<Program>()) run_here(block, shared);
  }

 private:
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void run_here(Block& block, storage<Block>& shared) const {
    using agent_type = typename Program::template agent<Block>;
    static_assert(tile_agent<agent_type>,
                  "an agent needs clear, step, store, add, finish and sync: see tile_agent");
    if constexpr (requires(agent_type a) { a.produces(); })
      static_assert(producing_agent<agent_type>,
                    "an agent with lanes that produce needs produce and leads: see tile_agent");
    if constexpr (requires(agent_type a, const segment& s) { a.takes(s); })
      static_assert(takes_whole_tiles<Program>(),
                    "teams that take segments in turn cannot share tiles: the program says "
                    "whole_tiles, see tile_agent");
    agent_type agent(program, block, shared);
    const auto mine = segments_of(bound, worker_of(block.id()));
    if constexpr (finding_agent<agent_type>) {
      if (agent.finds()) {
        if constexpr (requires { agent.start(); }) agent.start();
        for_each_found(block, mine, [&](const segment& s) { agent.tell(s); });
        agent.tell_end();
        if constexpr (requires { agent.drain(); }) agent.drain();
        return;
      }
    }
    if constexpr (producing_agent<agent_type>) {
      if (agent.produces()) {
        if constexpr (requires { agent.start(); }) agent.start();
        for_each_segment(block, agent, mine, [&](const segment& s) {
          if (s.size() > 0) agent.produce(s);
        });
        if constexpr (requires { agent.drain(); }) agent.drain();
        return;
      }
    }
    consume(block, agent, mine);
  }

  /// The worker that a block is part of. On CDNA, kernels that hold matrices in registers spill
  /// with the code of `quotient`.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t worker_of(std::int64_t block) const {
    if constexpr (LOOPS_CUDA) {
      return quotient(block, cluster);
    } else {
      return block / cluster;
    }
  }

  /// Numbers that the compiler knows to be the same on all lanes of a wave: matrix instructions may
  /// stand behind no other branches, and scalar units can hold them.
  template <class Block>
  static LOOPS_HD segment uniform(Block& block, const segment& s) {
    return {block.uniform(s.tile),   block.uniform(s.first), block.uniform(s.last),
            block.uniform(s.begins), block.uniform(s.ends),  block.uniform(s.first_peer)};
  }
  /// Calls f for every segment.
  LOOPS_CALLS_USER
  template <class Block, class Segments, class F>
  static LOOPS_HD void for_each_found(Block& block, const Segments& mine, const F& f) {
    const auto end = mine.end();
    for (auto it = mine.begin(); block.uniform(it != end); ++it) f(uniform(block, *it));
  }
  /// The same, by whoever finds them.
  LOOPS_CALLS_USER
  template <class Block, class Agent, class Segments, class F>
  static LOOPS_HD void for_each_segment(Block& block, Agent& agent, const Segments& mine,
                                        const F& f) {
    if constexpr (finding_agent<Agent>) {
      segment s;
      while (agent.told(s)) f(s);
    } else {
      for_each_found(block, mine, f);
    }
  }

  LOOPS_CALLS_USER
  template <class Block, class Agent, class Segments>
  LOOPS_HD void consume(Block& block, Agent& agent, const Segments& mine) const {
    if constexpr (requires { agent.start(); }) agent.start();
    bool leads = block.lane() == 0;
    if constexpr (producing_agent<Agent>) leads = agent.leads();
    // Every block that takes part counts its launches, so all know the same number.
    const std::int64_t self = block.id();
    const bool takes_part = leads && self < parts.blocks;
    const std::int64_t launch = takes_part ? *parts.flag(self) + 1 : 0;
    bool published = false;
    bool patient = true;
    for_each_segment(block, agent, mine, [&](const segment& s) {
      if constexpr (requires { agent.takes(s); })
        if (!agent.takes(s)) return;
      agent.clear();
      agent.step(s);
      if (!s.ends) {
        agent.store(parts.slot(self));
        agent.sync();
        if (leads) block.store_release(parts.flag(self), launch);
        published = true;
        return;
      }
      // Who began the tile has no peers, and need not divide to know which worker it is.
      if (!s.begins) {
        const std::int64_t worker = worker_of(self);
        for (std::int64_t at = worker - 1; at >= s.first_peer; --at) {
          const std::int64_t from = at * cluster + (self - worker * cluster);
          if (leads && patient && !arrives(block, parts.flag(from), launch)) {
            patient = false;
            report(block, {launch, worker, at, s.tile});
          }
          agent.sync();
          agent.add(parts.slot(from));
        }
      }
      agent.finish(s.tile);
    });
    if constexpr (requires { agent.drain(); }) agent.drain();
    // Nobody looks at the flag of a block that has no partial.
    if (takes_part && !published) *parts.flag(self) = launch;
  }

  /// Waits until the flag says `launch`; false when it does not, or somebody else gave up.
  template <class Block>
  LOOPS_HD bool arrives(Block& block, std::int64_t* flag, std::int64_t launch) const {
    constexpr std::int64_t now_and_then = 63;
    for (std::int64_t i = 0; i < parts.patience; ++i) {
      if (block.reached(flag, launch)) return true;
      block.relax();
      if ((i & now_and_then) == now_and_then && block.reached(&parts.lost->launch, launch))
        return false;
    }
    return false;
  }

  /// The first to give up in a launch says so.
  template <class Block>
  LOOPS_HD void report(Block& block, const lost_part& what) const {
    if (block.atomic_max(&parts.lost->launch, what.launch) >= what.launch) return;
    parts.lost->worker = what.worker;
    parts.lost->peer = what.peer;
    parts.lost->tile = what.tile;
  }
};

}  // namespace detail

}  // namespace loops
