// SPDX-License-Identifier: Apache-2.0
/// Tries plans of a GEMM on operands like the caller's, without touching his C.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/problem.hpp"
#include "loops/execution/cache_flush.hpp"
#include "loops/execution/fastest.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops::gemm_detail {

/// Copies elements of one matrix to the same places of another, each once, and nothing between its
/// rows, which may be anybody's.
template <class T, layout L>
struct copy_elements {
  matrix<T, L> to;
  matrix<const T, L> from;
  bool overlap = false;  ///< whether matrices of a batch have elements in common
  template <class Block>
  struct storage {};
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t inner = from.inner();
    const std::int64_t outer = from.outer();
    loops::detail::for_each_index(block, inner * outer * from.batch, [&](std::int64_t i) {
      const std::int64_t line = i / inner;
      const std::int64_t which = line / outer;
      const std::int64_t inside = line % outer * from.leading + i % inner;
      if (overlap && is_of_one_before(which, inside)) return;
      const std::int64_t at = which * from.batch_stride + inside;
      to.data[at] = from.data[at];
    });
  }

 private:
  /// Whether what lies `at` elements after the start of matrix b belongs to one before it, too.
  [[nodiscard]] LOOPS_HD bool is_of_one_before(std::int64_t b, std::int64_t at) const {
    const std::int64_t end = (from.outer() - 1) * from.leading + from.inner();
    for (at += from.batch_stride; b > 0 && at < end; at += from.batch_stride, --b)
      if (from.outer() == 1 || at % from.leading < from.inner()) return true;
    return false;
  }
};

/// Room for a matrix that lies like another: the same strides, and as far from a line of memory,
/// since how operands are copied and results stored depends on that.
template <class T, layout L>
class twin {
 public:
  template <class Exec>
  twin(const Exec& exec, const matrix<T, L>& of, bool zeros_behind = false)
      : room_(bytes_of(of) + 2 * line, exec.memory()), view_(of) {
    const std::size_t skipped = reinterpret_cast<std::uintptr_t>(of.data) % line;
    const std::size_t ahead = reinterpret_cast<std::uintptr_t>(room_.data()) % line;
    auto* data = reinterpret_cast<std::remove_const_t<T>*>(room_.data() + (line - ahead) + skipped);
    view_.data = data;
    if constexpr (std::is_const_v<T>) {
      if (bytes_of(of) == 0) return;
      if (zeros_behind) room_.fill(0);
      matrix<T, L> from = of;
      if (of.batch_stride == 0) from.batch = 1;
      const matrix<std::remove_const_t<T>, L> to(data, of.rows, of.cols, of.leading, from.batch,
                                                 of.batch_stride);
      loops::detail::launch_flat(
          exec, copy_elements<std::remove_const_t<T>, L>{to, from, batches_overlap(from)});
    } else {
      room_.fill(0);
    }
  }
  [[nodiscard]] const matrix<T, L>& view() const { return view_; }

  /// From the first element to the last.
  static std::size_t bytes_of(const matrix<T, L>& m) {
    if (m.rows == 0 || m.cols == 0 || m.batch == 0) return 0;
    return static_cast<std::size_t>((m.batch - 1) * m.batch_stride + (m.outer() - 1) * m.leading +
                                    m.inner()) *
           sizeof(T);
  }

 private:
  static constexpr std::size_t line = 128;
  array<std::byte> room_;
  matrix<T, L> view_;
};

/// A problem on copies of its operands and a C of zeros.
template <class Problem>
class problem_twin {
 public:
  template <class Exec>
  problem_twin(const Exec& exec, const Problem& p)
      : a_(exec, p.a, p.zeros_behind),
        b_(exec, p.b, p.zeros_behind),
        c_(exec, p.epilogue.c()),
        view_{a_.view(), b_.view(), p.epilogue.into(c_.view(), p.epilogue.widest()),
              p.zeros_behind} {}
  [[nodiscard]] const Problem& view() const { return view_; }

  /// Of all three matrices.
  static std::size_t bytes_of(const Problem& p) {
    return twin_a::bytes_of(p.a) + twin_b::bytes_of(p.b) + twin_c::bytes_of(p.epilogue.c());
  }

 private:
  using twin_a = twin<const typename Problem::a_type, Problem::a_order>;
  using twin_b = twin<const typename Problem::b_type, Problem::b_order>;
  using twin_c = twin<typename Problem::epilogue_type::output, layout::row_major>;
  twin_a a_;
  twin_b b_;
  twin_c c_;
  Problem view_;
};

/// How many copies of so many bytes exceed a cache three times: 32 at most.
constexpr std::size_t copies_of(std::size_t bytes, std::size_t cache) {
  constexpr std::size_t most_copies = 32;
  return std::clamp((3 * cache + bytes) / (bytes + 1), std::size_t{1}, most_copies);
}

/// The place of the fastest of `count` plans, 0 where the problem has nothing to compute.
/// `make(problem, i)` is a plan for problems like that, called with one of them. As many copies of
/// the problem as exceed the cache take turns, so that operands come from memory, as a caller's do
/// who has more than one product; all plans and copies live at the same time: at most three caches
/// and one copy more. Plans that find no memory are not tried, and without memory for a trial the
/// first is taken for the fastest. Waits. Throws: what else `make` and the plans throw.
template <class Exec, class Problem, class Make>
std::size_t fastest_plan(const Exec& exec, const Problem& p, std::size_t count, const Make& make) {
  if (count < 2 || p.m() == 0 || p.n() == 0 || p.batch() == 0) return 0;
  const std::size_t copies = copies_of(problem_twin<Problem>::bytes_of(p), cache_bytes(exec));
  std::vector<problem_twin<Problem>> problems;
  problems.reserve(copies);
  std::vector<std::size_t> places;
  std::vector<decltype(make(p, std::size_t{0}))> plans;
  plans.reserve(count);
  const auto found = if_it_fits([&] {
    for (std::size_t i = 0; i < copies; ++i) problems.emplace_back(exec, p);
    for (std::size_t i = 0; i < count; ++i) {
      auto plan = if_it_fits([&] { return make(problems.front().view(), i); });
      if (!plan) continue;
      plans.push_back(std::move(*plan));
      places.push_back(i);
    }
    if (plans.empty()) return std::size_t{0};
    const auto run = [&](std::size_t which, int turn) {
      plans[which](problems[static_cast<std::size_t>(turn) % copies].view());
    };
    return places[fastest(exec, plans.size(), run).place];
  });
  return found.value_or(0);
}

}  // namespace loops::gemm_detail
