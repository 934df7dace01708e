// SPDX-License-Identifier: Apache-2.0
/// How lanes multiply floats by themselves on Hopper, from stages in shared memory. What is
/// multiplied next is read before or as soon as there is room for it, from one stage to the next
/// too; what is read after the last step is not used.
#pragma once

#include "algorithms/gemm/places_of_floats.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/tile/mma.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace loops::hopper {

/// Adds the products of so many steps, one k at a time: of stages in which both operands lie k by
/// k. `Agent`: has the sums, and says where its wave multiplies and when stages are there.
template <class Agent>
__device__ __forceinline__ void multiply_by_lines(Agent& agent, int steps) {
  using sums_type = typename Agent::sums_type;
  using stage = typename Agent::stage;
  constexpr int part = Agent::part;
  constexpr int at_once = std::min(part, 1024 / sums_type::count);  // code that caches hold
  constexpr std::uint32_t line = 128;                               // bytes from one k to the next
  static_assert(part % at_once == 0 && sums_type::rows % 32 == 0 && sums_type::cols % 32 == 0);
  std::uint32_t from = agent.await_stage();
  const int first = part * agent.group();
  places_of_lines<typename Agent::a_fragment> a_at(from, agent.lane(), agent.row(), first);
  places_of_lines<typename Agent::b_fragment> b_at(from + std::uint32_t{offsetof(stage, b)},
                                                   agent.lane(), agent.col(), first);
  lines_of_floats<sums_type> lines[2];
  const auto read = [](float* to, const auto& at, int fragments, int k) {
#pragma unroll
    for (int r = 0; r < fragments; ++r) {
      const float4 v = gpu::read_16_bytes(at(r, k / 4, k % 4));
      to[4 * r] = v.x;
      to[4 * r + 1] = v.y;
      to[4 * r + 2] = v.z;
      to[4 * r + 3] = v.w;
    }
  };
  const auto read_lines = [&](lines_of_floats<sums_type>& to, int k) {
    read(to.a, a_at, sums_type::down, k);
    read(to.b, b_at, sums_type::across, k);
  };
  read_lines(lines[0], 0);
  // What follows once everything here has been read is so many bytes on.
  const auto multiply_several = [&](std::uint32_t on) {
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const bool last = k + 1 == at_once;
      if (last) {
        a_at.move(on);
        b_at.move(on);
      }
      read_lines(lines[(k + 1) % 2], last ? 0 : k + 1);
      multiply_lines(agent.sums(), lines[k % 2]);
    }
  };
  for (int i = 1; i <= steps; ++i) {
#pragma unroll 1
    for (int k = at_once; k < part; k += at_once) multiply_several(line * at_once);
    const gpu::barrier_at used = agent.leave_stage();
    const std::uint32_t next = i < steps ? agent.await_stage() : agent.stage_address();
    multiply_several(next - from - line * (part - at_once));
    agent.has_read(used);
    from = next;
  }
}

/// The same, four k at a time, of operands that lie one way or the other.
template <bool ATurned, bool BTurned, class Agent>
__device__ __forceinline__ void multiply_by_fours(Agent& agent, int steps) {
  using sums_type = typename Agent::sums_type;
  using stage = typename Agent::stage;
  using a_fragment = typename Agent::a_fragment;
  using b_fragment = typename Agent::b_fragment;
  constexpr int part = Agent::part;
  static_assert(part % 4 == 0);
  const places_of_floats<a_fragment, ATurned> a_at(0, agent.lane(), agent.row());
  const places_of_floats<b_fragment, BTurned> b_at(offsetof(stage, b), agent.lane(), agent.col());
  const auto read = [](bool turned, auto& to, std::uint32_t from, const auto& at, int r, int k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 v = gpu::read_16_bytes(from + at(r, k, i));
      to.at[turned ? i : 4 * i] = v.x;
      to.at[turned ? 4 + i : 4 * i + 1] = v.y;
      to.at[turned ? 8 + i : 4 * i + 2] = v.z;
      to.at[turned ? 12 + i : 4 * i + 3] = v.w;
    }
  };
  a_fragment a[sums_type::down];
  b_fragment b[2];
  const int first = part * agent.group();
  std::uint32_t from = agent.await_stage();
#pragma unroll
  for (int r = 0; r < sums_type::down; ++r) read(ATurned, a[r], from, a_at, r, first);
  read(BTurned, b[0], from, b_at, 0, first);
  const auto multiply_four = [&](std::uint32_t here, int k, std::uint32_t then, int next) {
#pragma unroll
    for (int j = 0; j < sums_type::across; ++j) {
      const bool last = j + 1 == sums_type::across;
      read(BTurned, b[(j + 1) % 2], last ? then : here, b_at, last ? 0 : j + 1, last ? next : k);
#pragma unroll
      for (int r = 0; r < sums_type::down; ++r) {
        tile::mma(agent.block(), agent.sums().at[r][j], a[r], b[j % 2]);
        if (last) read(ATurned, a[r], then, a_at, r, next);
      }
    }
  };
  for (int i = 1; i <= steps; ++i) {
#pragma unroll 1
    for (int k = first; k + 4 < first + part; k += 4) multiply_four(from, k, from, k + 4);
    const gpu::barrier_at used = agent.leave_stage();
    const std::uint32_t next = i < steps ? agent.await_stage() : agent.stage_address();
    multiply_four(from, first + part - 4, next, first);
    agent.has_read(used);
    from = next;
  }
}

/// What `multiply_by_fours` read crosswise, as results where they belong: of four neighbours in a
/// row two change places, and rows do in pairs.
template <class Results, bool ATurned, bool BTurned>
class uncrossed {
 public:
  using atom = typename Results::atom;
  using element = typename Results::element;
  static constexpr int count = Results::count;
  static constexpr int span() { return Results::span(); }
  static_assert(span() == 4, "neighbours that change places are stored together");

  __device__ __forceinline__ uncrossed(const Results& of, int lane)
      : of_(of), crossed_(columns::crosses(lane)) {}
  [[nodiscard]] __device__ __forceinline__ element flat(int i) const {
    const element here = of_.flat(i);
    const element beside = of_.flat(i ^ 1);
    return crossed_ ? beside : here;
  }
  [[nodiscard]] __device__ __forceinline__ tile::result_place place(int lane, int i) const {
    const tile::result_place p = of_.place(lane, i);
    return {p.row ^ (rows::crosses(lane) ? 1 : 0), p.col};
  }

 private:
  using rows = places_of_floats<tile::operand_fragment<atom, tile::operand::a>, ATurned>;
  using columns = places_of_floats<tile::operand_fragment<atom, tile::operand::b>, BTurned>;

  const Results& of_;
  bool crossed_;
};

}  // namespace loops::hopper
