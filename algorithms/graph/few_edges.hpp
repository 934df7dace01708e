// SPDX-License-Identifier: Apache-2.0
/// Expands frontiers of few edges, one after another, within one block.
#pragma once

#include "algorithms/graph/gather.hpp"
#include "loops/algorithm/spread_atoms.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::graph_detail {

/// Notes the vertex that an edge of this lane leads to: there is at most one.
struct remember {
  std::int64_t* vertex;
  template <class Block>
  LOOPS_HD void operator()(Block&, std::int64_t v) const {
    *vertex = v;
  }
};

/// The neighbourhoods of a frontier as a work whose offsets lie in shared memory. Functors are told
/// vertices and edges of the graph.
template <class I, class O>
struct frontier_at_hand {
  const I* vertices;
  const int* ends;  ///< running sums of the degrees, from 0: one more
  const O* begins;  ///< where in the graph the edges of a vertex begin
  int count;
  [[nodiscard]] LOOPS_HD std::int64_t tiles() const { return count; }
  [[nodiscard]] LOOPS_HD std::int64_t atoms() const { return ends[count]; }
  [[nodiscard]] LOOPS_HD std::int64_t offset(std::int64_t t) const { return ends[t]; }
  [[nodiscard]] LOOPS_HD std::int64_t tile_id(std::int64_t t) const {
    return static_cast<std::int64_t>(vertices[t]);
  }
  [[nodiscard]] LOOPS_HD std::int64_t atom_id(std::int64_t t, std::int64_t a) const {
    return static_cast<std::int64_t>(begins[t]) + (a - ends[t]);
  }
};

/// The block goes from frontier to frontier until one is empty, or has more than `few` edges or
/// more vertices than there is room for: a barrier per level, where launches and a wait would be
/// much more. A frontier is one slice, which its lanes share; the lanes of a wave add what they
/// found to the next one together, degrees and all, so that nobody has to sum these up.
template <class Visit, class I, class O, int Most>
struct expand_few_edges {
  const O* offsets;  ///< of the graph
  frontier_arrays<I> lists[2];
  frontier_sizes* sizes;
  Visit visit;
  frontier_counter counter;
  std::int32_t round;  ///< of the frontier to begin with: in lists[round & 1]
  int few;
  std::int64_t* told;  ///< what is left for the host, by `place`

  /// Edges that a lane asks for at a time, where it has several: as many as registers hold.
  static constexpr int most_ahead = sizeof(typename Visit::end) <= 8 ? 4 : 2;

  enum place : int { size_at_end, sizes_explored, round_at_end, places };

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
    /// Of this level's frontier, of the next one's, and of the one after that, which is cleared
    /// while the next one grows.
    std::int64_t sizes[3];
    int ends[2][Most + 1];  ///< in even rounds, and in odd ones
    O begins[2][Most];
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    std::int32_t r = round;
    std::int64_t size = sizes->of[r & 1];
    std::int64_t explored = 0;
    const auto fits = [&] { return counter.edges(size) <= few && counter.vertices(size) <= Most; };
    if (fits()) read_list(block, shared, r, counter.vertices(size));
    int next = 0;
    if (block.lane() == 0) shared.sizes[next] = 0;
    block.sync();
    while (counter.vertices(size) > 0 && fits()) {
      explored += size;
      const int after = next < 2 ? next + 1 : 0;
      if (block.lane() == 0) shared.sizes[after] = 0;
      if (Block::threads == 1 || counter.edges(size) <= Block::threads) {
        expand<1>(block, shared, size, r, &shared.sizes[next]);
      } else if constexpr (Block::threads > 1) {
        expand<most_ahead>(block, shared, size, r, &shared.sizes[next]);
      }
      block.sync();
      size = shared.sizes[next];
      next = after;
      ++r;
    }
    if (block.lane() != 0) return;
    sizes->of[r & 1] = size;
    sizes->of[(r + 1) & 1] = 0;
    block.answer(told + size_at_end, size);
    block.answer(told + sizes_explored, explored);
    block.answer(told + round_at_end, std::int64_t{r});
  }

 private:
  /// Where the edges of every vertex are.
  template <class Block>
  LOOPS_HD void read_list(Block& block, storage<Block>& shared, std::int32_t r,
                          std::int64_t vertices) const {
    const frontier_arrays<I>& list = lists[r & 1];
    if (block.lane() == 0) shared.ends[0][0] = shared.ends[1][0] = 0;
    for (std::int64_t i = block.lane(); i < vertices; i += Block::threads) {
      shared.begins[r & 1][i] = offsets[list.vertices[i]];
      shared.ends[r & 1][i + 1] = static_cast<int>(list.offsets[i + 1]);
    }
  }

  LOOPS_CALLS_USER
  template <int Ahead, class Block>
  LOOPS_HD void expand(Block& block, storage<Block>& shared, std::int64_t size, std::int32_t r,
                       std::int64_t* next) const {
    const auto vertices = static_cast<int>(counter.vertices(size));
    const auto edges = static_cast<int>(counter.edges(size));
    const frontier_at_hand<I, O> work{lists[r & 1].vertices, shared.ends[r & 1],
                                      shared.begins[r & 1], vertices};
    tile_finder<frontier_at_hand<I, O>, int> find(work, 0, vertices);
    const group<Block, Block::wave> wave(block);
    // All lanes of a wave go round equally often: they add together.
    for (int base = block.lane() - wave.rank(); base < edges; base += Ahead * Block::threads) {
      typename Visit::end to[Ahead] = {};
      int from[Ahead] = {};
      std::int64_t found[Ahead];
      const auto edge = [&](int i) { return base + i * Block::threads + wave.rank(); };
      LOOPS_UNROLL
      for (int i = 0; i < Ahead; ++i) {
        found[i] = -1;
        if (edge(i) >= edges) continue;
        from[i] = find(work, edge(i));
        to[i] = visit.end_of(work.atom_id(from[i], edge(i)));
      }
      bool any = false;
      LOOPS_UNROLL
      for (int i = 0; i < Ahead; ++i) {
        if (edge(i) >= edges) continue;
        visit(block, work.tile_id(from[i]), to[i], r, remember{&found[i]});
        any = any || found[i] >= 0;
      }
      if (block.ballot(any) != 0) add(block, shared, wave, found, r + 1, next);
    }
  }

  /// Adds the vertices that lanes of a wave found, -1 being none, to the list of round `r`.
  template <int Ahead, class Block, class Wave>
  LOOPS_HD void add(Block& block, storage<Block>& shared, const Wave& wave,
                    const std::int64_t (&found)[Ahead], std::int32_t r, std::int64_t* size) const {
    O begins[Ahead];
    O ends[Ahead];
    LOOPS_UNROLL
    for (int i = 0; i < Ahead; ++i) {
      begins[i] = found[i] < 0 ? O(0) : offsets[found[i]];
      ends[i] = found[i] < 0 ? O(0) : offsets[found[i] + 1];
    }
    std::int64_t mine = 0;
    LOOPS_UNROLL
    for (int i = 0; i < Ahead; ++i)
      if (found[i] >= 0) mine += counter.one_vertex(static_cast<std::int64_t>(ends[i] - begins[i]));
    const auto ours = wave.scan_open(mine, false, std::int64_t{0}, plus{}, shared.scan);
    std::int64_t before = 0;
    if (wave.rank() == 0) before = block.atomic_add(size, ours.total);
    before = block.shuffle(before, 0) + ours.before;
    LOOPS_UNROLL
    for (int i = 0; i < Ahead; ++i) {
      if (found[i] < 0) continue;
      const std::int64_t at = counter.vertices(before);
      before += counter.one_vertex(static_cast<std::int64_t>(ends[i] - begins[i]));
      const std::int64_t end = counter.edges(before);
      lists[r & 1].vertices[at] = static_cast<I>(found[i]);
      lists[r & 1].offsets[at + 1] = end;
      if (at >= Most) continue;
      shared.begins[r & 1][at] = begins[i];
      shared.ends[r & 1][at + 1] = end < few ? static_cast<int>(end) : few;
    }
  }
};

}  // namespace loops::graph_detail
