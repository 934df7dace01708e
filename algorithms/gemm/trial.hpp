// SPDX-License-Identifier: Apache-2.0
/// Tries plans of a GEMM on its own operands, without touching its C.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "loops/execution/fastest.hpp"
#include "loops/execution/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loops::gemm_detail {

/// The place of the fastest of `count` plans of a problem, 0 where it has nothing to compute.
/// `make(problem, i)` is a plan of it, or of one that differs in where C lies: as far from a line
/// as the caller's, since how results are stored depends on that. All plans live at the same time.
/// Waits. Throws: what `make` and the plans throw; out_of_memory.
template <class Exec, class Problem, class Make>
std::size_t fastest_plan(const Exec& exec, const Problem& p, std::size_t count, const Make& make) {
  if (count < 2 || p.m() == 0 || p.n() == 0 || p.batch() == 0) return 0;
  using out = typename Problem::epilogue_type::output;
  constexpr std::size_t line = 128;
  auto c = p.epilogue.c();
  const auto elements = static_cast<std::size_t>((c.batch - 1) * c.batch_stride +
                                                 (c.outer() - 1) * c.leading + c.inner());
  const std::size_t skipped = reinterpret_cast<std::uintptr_t>(c.data) % line;
  array<std::byte> room(elements * sizeof(out) + 2 * line, exec.memory());
  room.fill(0);
  const std::size_t ahead = reinterpret_cast<std::uintptr_t>(room.data()) % line;
  c.data = reinterpret_cast<out*>(room.data() + (line - ahead) + skipped);
  Problem elsewhere = p;
  elsewhere.epilogue = p.epilogue.into(c, p.epilogue.widest());

  std::vector<decltype(make(elsewhere, std::size_t{0}))> plans;
  plans.reserve(count);
  for (std::size_t i = 0; i < count; ++i) plans.push_back(make(elsewhere, i));
  const fastest_of_trial found = fastest(exec, count, [&plans](std::size_t i) { plans[i](); });
  return found.place;
}

}  // namespace loops::gemm_detail
