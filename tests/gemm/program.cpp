// SPDX-License-Identifier: Apache-2.0
/// Programs of CDNA are as large in the pass that knows its generation as in the one that does not:
/// the host asks for shared memory and hands over programs that devices read.
#include "algorithms/gemm/program.hpp"

#include "algorithms/gemm/gemm.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#if !LOOPS_HIP
#include "loops/execution/emulation.hpp"
#endif

namespace {

using namespace loops;

#if LOOPS_HIP
template <class Shape>
using block = gpu_executor::block<Shape>;
#else
template <class Shape>
using block = emulation_executor<64>::block<Shape>;
#endif

/// What both passes have to agree on.
struct sizes {
  std::size_t program;
  std::size_t storage;
  std::size_t alignment;
  std::size_t slot;
  int lanes;
  gemm_tile_shape tile;
  constexpr bool operator==(const sizes& o) const {
    return program == o.program && storage == o.storage && alignment == o.alignment &&
           slot == o.slot && lanes == o.lanes && tile.m == o.tile.m && tile.n == o.tile.n &&
           tile.k == o.tile.k;
  }
};

template <class T, layout LA, layout LB, int Generation, bool Whole>
constexpr sizes sizes_of() {
  using problem = decltype(make_gemm_problem(
      std::declval<matrix<const T, LA>>(), std::declval<matrix<const T, LB>>(),
      std::declval<matrix<float>>(), gemm_detail::chain(epilogue::alpha<accumulator_t<T>>{})));
  constexpr bool doubles = std::is_same_v<T, double>;
  constexpr int side = doubles ? 128 : Whole ? 256 : 128;
  using blocking = gemm_blocking<side, side, doubles ? 128 : 64, 2, 4, 64, 2, Generation, Whole>;
  using program = portable_gemm<dense_source<problem>, blocking>;
  using storage = typename program::template storage<block<typename program::shape>>;
  return {sizeof(program),     sizeof(storage),         alignof(storage),
          program::slot_bytes, program::shape::threads, program::tile_shape};
}

template <class T, layout LA, layout LB, bool Whole>
constexpr bool generations_agree() {
  constexpr sizes first = sizes_of<T, LA, LB, 90, Whole>();
#if LOOPS_HIP
  // What this pass takes when it is not told.
  static_assert(sizes_of<T, LA, LB, 0, Whole>() == first);
#endif
  return sizes_of<T, LA, LB, 94, Whole>() == first && sizes_of<T, LA, LB, 95, Whole>() == first;
}

template <class T, layout LA, layout LB>
constexpr bool generations_agree() {
  return generations_agree<T, LA, LB, false>() && generations_agree<T, LA, LB, true>();
}

template <class T>
constexpr bool generations_agree() {
  constexpr layout row = layout::row_major;
  constexpr layout col = layout::column_major;
  return generations_agree<T, row, row>() && generations_agree<T, row, col>() &&
         generations_agree<T, col, row>() && generations_agree<T, col, col>();
}

static_assert(generations_agree<loops::half>());
static_assert(generations_agree<bfloat16>());
static_assert(generations_agree<float8_e4m3>());
static_assert(generations_agree<float8_e5m2>());
static_assert(generations_agree<tfloat32>());
static_assert(generations_agree<float>());
static_assert(generations_agree<double>());
static_assert(generations_agree<std::int8_t>());

TEST(gemm_program, buffers_hold_a_step_of_both_operands) {
  constexpr sizes s = sizes_of<loops::half, layout::row_major, layout::column_major, 94, true>();
  EXPECT_EQ(s.storage, 2u * (256 + 256) * 64);
  EXPECT_EQ(s.slot, 256u * 256 * sizeof(float));
}

}  // namespace
