// SPDX-License-Identifier: Apache-2.0
/// The portable program as engines: its blockings on each executor.
#pragma once

#include "algorithms/gemm/program.hpp"
#include "loops/execution/executor.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace loops {

/// The portable program of one blocking as an engine. Takes everything, if only whole operands
/// where the blocking says so; suits a problem that has enough tiles for `Percent` of a device's
/// processors.
template <class Blocking, int Percent = 0>
struct portable_engine {
  static constexpr const char* name() {
    return Blocking::whole ? "portable, whole operands" : "portable";
  }
  template <class Problem>
  using program = portable_gemm<dense_source<Problem>, Blocking>;
  template <class Problem>
  static constexpr gemm_tile_shape tile_shape(int) {
    return program<Problem>::tile_shape;
  }
  template <class Exec, class Problem>
  static bool takes(const Exec&, const Problem& p) {
    return !Blocking::whole || (is_whole(p.a, p.zeros_behind) && is_whole(p.b, p.zeros_behind) &&
                                (p.zeros_behind || p.whole_k % 16 == 0));
  }
  /// Whether it would take copies of the operands without gaps, with zeros behind.
  template <class Problem>
  static bool takes_copies(const Problem& p) {
    return reaches<typename Problem::a_type>(p.a.inner()) &&
           reaches<typename Problem::b_type>(p.b.inner());
  }
  template <class Exec, class Problem>
  static bool suits(const Exec& exec, const Problem& p) {
    if (!takes(exec, p)) return false;
    if constexpr (Percent == 0)
      return true;
    else
      return keeps_busy(exec, p.tiles(tile_shape<Problem>(-1)).tiles());
  }
  /// Whether so many tiles are enough.
  template <class Exec>
  static bool keeps_busy(const Exec& exec, std::int64_t tiles) {
    if constexpr (Percent == 0)
      return true;
    else
      return 100 * tiles >= Percent * std::int64_t{exec.facts().processors};
  }
  template <class Exec, class Problem>
  static program<Problem> make(const Exec&, const Problem& p, const gemm_tiles& tiles, int) {
    return {dense_source<Problem>(p, tiles)};
  }

 private:
  /// Whether every chunk of 16 bytes is aligned and ends inside its row, or where zeros do, and
  /// tiles are addressed in 31 bits.
  template <class M>
  static bool is_whole(const M& a, bool zeros_behind) {
    return by_16_bytes(a) && (zeros_behind || ends_with_16_bytes(a)) &&
           reaches<typename M::value_type>(a.leading);
  }
  template <class T>
  static bool reaches(std::int64_t leading) {
    constexpr std::int64_t most = std::max({Blocking::m, Blocking::n, Blocking::k_bytes});
    return leading < INT32_MAX / (2 * most * std::int64_t(sizeof(T)));
  }
};

/// A blocking for products each of which is one tile, in `Steps` steps of k at most: more of them,
/// larger tiles bring in sooner.
template <class Blocking, int Steps = INT32_MAX>
struct small_tile {
  using blocking = Blocking;
  using for_whole = small_tile<typename Blocking::for_whole, Steps>;
  static constexpr int steps = Steps;
};

/// The portable program where a wave takes a product by itself. Suits batches of as many small
/// products as keep processors busy. No menu has it: who chooses by costs asks it first.
template <class Tile>
struct small_engine : portable_engine<typename Tile::blocking> {
  using blocking = typename Tile::blocking;
  static constexpr bool off_menu = true;
  static constexpr const char* name() { return "portable, small products"; }
  template <class Exec, class Problem>
  static bool suits(const Exec& exec, const Problem& p) {
    constexpr std::int64_t step = blocking::k_bytes / int(sizeof(typename Problem::a_type));
    std::int64_t busy = 2;
    if constexpr (requires { exec.facts().processors; }) busy *= exec.facts().processors;
    return p.m() <= blocking::m && p.n() <= blocking::n && p.k() <= step * Tile::steps &&
           p.batch() >= busy && portable_engine<blocking>::takes(exec, p);
  }
};

/// The blockings of the portable engine for operands of type T on an executor: `type` for any
/// operands; `whole` for whole ones, and `large` for these where there are tiles enough; `small`,
/// if there are any, a tuple of those for batches of products of one tile each.
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
  static constexpr bool doubles = std::is_same_v<T, double>;
#if LOOPS_CUDA
  using type = std::conditional_t<doubles, gemm_blocking<64, 128, 128, 2, 4, 32, 4>,
                                  gemm_blocking<128, 128, 64, 2, 4, 32, 4>>;
  /// Floats of 8 bits have no instruction before generation 89.
  static constexpr bool lanes_may_multiply = gemm_detail::is_float8<T>;
  using small = std::conditional_t<
      doubles,
      std::tuple<small_tile<gemm_blocking<16, 16, 128, 1, 1, 32, 3>>,
                 small_tile<gemm_blocking<32, 32, 128, 1, 1, 32, 3>>>,
      std::tuple<small_tile<gemm_blocking<lanes_may_multiply ? 32 : 16, 16, 64, 1, 1, 32, 4>, 32>,
                 small_tile<gemm_blocking<32, 32, 64, 1, 1, 32, 3>, 2>>>;
#else
  using type = std::conditional_t<doubles, gemm_blocking<64, 128, 128, 2, 4, 64, 2>,
                                  gemm_blocking<128, 128, 64, 2, 4, 64, 2>>;
  using large = std::conditional_t<doubles, gemm_blocking<128, 128, 128, 2, 4, 64, 2, 0, true>,
                                   gemm_blocking<256, 256, 64, 2, 4, 64, 2, 0, true>>;
  using small = std::tuple<small_tile<gemm_blocking<32, 32, doubles ? 128 : 64, 1, 1, 64, 2>>>;
#endif
  using whole = typename type::for_whole;
};
#if LOOPS_CUDA
/// Floats, which lanes multiply by themselves: small tiles, so that few of them keep processors
/// busy.
template <>
struct portable_blocking<gpu_executor, float> {
  using type = gemm_blocking<64, 64, 64, 2, 2, 32, 4>;
  using whole = type::for_whole;
  using large = gemm_blocking<128, 128, 128, 2, 4, 32, 3, 0, true>;
  using small = std::tuple<small_tile<gemm_blocking<32, 32, 64, 1, 1, 32, 3>>>;
};
#endif
#endif

}  // namespace loops
