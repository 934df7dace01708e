// SPDX-License-Identifier: Apache-2.0
/// Which programs can compute a GEMM on an executor, the preferred ones first.
#pragma once

#include "algorithms/gemm/program.hpp"
#include "loops/execution/executor.hpp"

#include <type_traits>

namespace loops {

/// An engine makes programs: `program<Source>` is the tile program over a source, `suits(exec,
/// problem)` whether it can compute this problem on this device, `make(exec, problem, tiles)` the
/// program itself. The portable one suits everything.
template <class Blocking>
struct portable_engine {
  static constexpr const char* name() { return "portable"; }
  template <class Problem>
  using program = portable_gemm<dense_source<Problem>, Blocking>;
  template <class Exec, class Problem>
  static bool suits(const Exec&, const Problem&) {
    return true;
  }
  template <class Exec, class Problem>
  static program<Problem> make(const Exec&, const Problem& p, const gemm_tiles& tiles) {
    return {dense_source<Problem>(p, tiles)};
  }
};

/// Types, as a list.
template <class... Engines>
struct engine_list {};

/// The blocking of the portable engine for operands of type T on an executor.
template <class Exec, class T>
struct portable_blocking;

/// The host: 256 steps of k at a time, so that operands and sums fit the second-level cache.
template <class T>
struct portable_blocking<host_executor, T> {
  using type = std::conditional_t<std::is_same_v<T, double>,
                                  gemm_blocking<96, 256, 256 * int(sizeof(T)), 1, 1, 32, 1>,
                                  gemm_blocking<192, 256, 256 * int(sizeof(T)), 1, 1, 32, 1>>;
};

#if LOOPS_CUDA || LOOPS_HIP
template <class T>
struct portable_blocking<gpu_executor, T> {
#if LOOPS_CUDA
  using type = std::conditional_t<
      std::is_same_v<T, double>, gemm_blocking<64, 128, 128, 2, 4, 32, 4>,
      std::conditional_t<std::is_same_v<T, float>, gemm_blocking<128, 128, 64, 2, 4, 32, 4>,
                         gemm_blocking<128, 128, 64, 2, 4, 32, 4>>>;
#else
  using type =
      std::conditional_t<std::is_same_v<T, double>, gemm_blocking<128, 128, 128, 2, 4, 64, 2>,
                         gemm_blocking<256, 256, 64, 2, 4, 64, 2>>;
#endif
};
#endif

/// The engines for a problem on an executor, the preferred ones first; the last one suits
/// everything. Specialise it to add one.
template <class Exec, class Problem>
struct gemm_engines {
  using list = engine_list<
      portable_engine<typename portable_blocking<Exec, typename Problem::a_type>::type>>;
};

}  // namespace loops
