// SPDX-License-Identifier: Apache-2.0
/// Frontiers: sets of vertices, listed on the device, whose neighbourhoods are a work.
#pragma once

#include "algorithms/graph/few_edges.hpp"
#include "algorithms/graph/gather.hpp"
#include "algorithms/segmented/offsets.hpp"
#include "loops/algorithm/early.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/execution/answers.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace loops::graph_detail {

/// An edge as `for_each_atom` brings it, for a function that is told round and list as well.
template <class Visit, class I, class O>
struct visit_in_round {
  Visit visit;
  std::int32_t round;
  gather<I, O> found;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t u, std::int64_t edge) const {
    visit(block, u, visit.end_of(edge), round, found);
  }
};

/// Tells the host how large the frontier of a round is, which begins now.
struct tell_size {
  frontier_sizes* sizes;
  std::int32_t round;
  std::int64_t* told;

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if (block.lane() != 0) return;
    sizes->of[(round + 1) & 1] = 0;
    block.answer(told, sizes->of[round & 1]);
  }
};

/// The frontier at hand and the one after it. `Visit` is called as visit(block, u, end_of(edge),
/// round, found) for every edge of the frontier of `round`, and tells `found` who is in the next
/// one; `end_of` only reads. The arrays are as long as the graph has vertices, and are kept.
template <class Exec, class View>
class frontiers {
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using shape = loops::shape<1024, 1>;

 public:
  /// Frontiers of up to so many vertices may be left to one block.
  static constexpr int most_for_a_block = 2048;

  /// Of up to how many edges: `wanted`, -1 being as many as one block is as fast with as all.
  static int few_edges(std::int64_t wanted) {
    constexpr int most = 1 << 20;
    constexpr bool lone_lane = Exec::template block<shape>::threads == 1;
    return wanted < 0      ? (lone_lane ? 2 : 4) * most_for_a_block
           : wanted < most ? static_cast<int>(wanted)
                           : most;
  }

  frontiers(const Exec& exec, const View& graph)
      : exec_(exec),
        graph_(graph),
        counter_(frontier_counter::of(static_cast<std::int64_t>(graph.rows),
                                      static_cast<std::int64_t>(graph.nonzeros))),
        sizes_(1, exec.memory()) {
    sizes_.fill(0);
    for (int i = 0; i < 2; ++i) {
      vertices_[i] = array<I>(static_cast<std::size_t>(graph.rows), exec.memory());
      offsets_[i] = array<std::int64_t>(static_cast<std::size_t>(graph.rows) + 1, exec.memory());
      exec.memory()->fill(offsets_[i].data(), 0, sizeof(std::int64_t));
    }
  }

  [[nodiscard]] std::int32_t round() const { return round_; }
  /// Of the frontier at hand, as last counted.
  [[nodiscard]] const frontier_size& size() const { return size_; }
  [[nodiscard]] const frontier_counter& counter() const { return counter_; }
  /// Where the device counts the frontier of a round.
  [[nodiscard]] std::int64_t* size_of(std::int32_t round) { return &sizes_.data()->of[round & 1]; }
  /// What adds vertices to the frontier of a round, this one's or the next.
  [[nodiscard]] gather<I, O> sink(std::int32_t round) {
    return {graph_.offsets, list(round), size_of(round), counter_};
  }

  void clear(std::int32_t round) { exec_.memory()->fill(size_of(round), 0, sizeof(std::int64_t)); }

  /// To the next round, whose frontier was found otherwise. Waits.
  void step() {
    ++round_;
    answers told(exec_, 1);
    exec_.template launch_early<loops::shape<1, 1>>(
        1, loops::detail::early{tell_size{sizes_.data(), round_, told.data()}});
    size_ = unpacked(told.wait()[0]);
  }

  /// Goes on by one round; or by as many as have at most `few` edges, within one launch, and not at
  /// all where the first has more and was not counted yet. Returns what was explored. Waits once.
  template <class Schedule, class Visit>
  frontier_size advance(const Schedule& schedule, const Visit& visit, int few) {
    if (size_.edges <= few && size_.vertices <= most_for_a_block) {
      using kernel = expand_few_edges<Visit, I, O, most_for_a_block>;
      answers told(exec_, kernel::places);
      exec_.template launch<shape>(1, kernel{graph_.offsets,
                                             {list(0), list(1)},
                                             sizes_.data(),
                                             visit,
                                             counter_,
                                             round_,
                                             few,
                                             told.data()});
      const auto& now = told.wait();
      round_ = static_cast<std::int32_t>(now[kernel::round_at_end]);
      size_ = unpacked(now[kernel::size_at_end]);
      return unpacked(now[kernel::sizes_explored]);
    }
    const selected<segments<O>, I, std::int64_t> work(
        rows_of(graph_), list(round_).vertices, list(round_).offsets, size_.vertices, size_.edges);
    for_each_atom(exec_, schedule, work,
                  visit_in_round<Visit, I, O>{visit, round_, sink(round_ + 1)});
    const frontier_size explored = size_;
    step();
    return explored;
  }

 private:
  [[nodiscard]] frontier_arrays<I> list(std::int32_t round) {
    return {vertices_[round & 1].data(), offsets_[round & 1].data()};
  }
  [[nodiscard]] frontier_size unpacked(std::int64_t size) const {
    return {counter_.vertices(size), counter_.edges(size)};
  }

  Exec exec_;
  View graph_;
  frontier_counter counter_;
  array<I> vertices_[2];
  array<std::int64_t> offsets_[2];
  array<frontier_sizes> sizes_;
  std::int32_t round_ = 0;
  frontier_size size_;
};

using segmented_detail::each_of;

/// Throws invalid_argument unless the graph is square, has its arrays and, where the CPU can read
/// them, offsets that go from 0 to its nonzeros.
template <class Exec, class View>
void check_square(const Exec& exec, const View& graph, reads what = reads::pattern,
                  source_place where = source_place::here()) {
  check_arrays(graph, what, where);
  if (graph.rows != graph.cols)
    throw error(errc::invalid_argument,
                "a graph has as many rows as columns, not " + std::to_string(graph.rows) + " and " +
                    std::to_string(graph.cols),
                where);
  loops::detail::check_work(exec, rows_of(graph));
}

/// The same, and unless `source` is a vertex of `graph`.
template <class Exec, class View>
void check_source(const Exec& exec, const View& graph, std::int64_t source,
                  reads what = reads::pattern, source_place where = source_place::here()) {
  check_square(exec, graph, what, where);
  if (source < 0 || source >= static_cast<std::int64_t>(graph.rows))
    throw error(errc::invalid_argument,
                "the source " + std::to_string(source) + " is not one of " +
                    std::to_string(graph.rows) + " vertices",
                where);
}

/// Throws invalid_argument when what is written begins where an array of `graph` does.
template <class View>
void check_apart_from(const View& graph, const void* to, const char* name,
                      source_place where = source_place::here()) {
  check_apart(to, name, graph.offsets, "the array of offsets", graph.rows > 0, where);
  check_apart(to, name, graph.indices, "the array of neighbours", graph.nonzeros > 0, where);
}

}  // namespace loops::graph_detail
