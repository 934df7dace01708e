// SPDX-License-Identifier: Apache-2.0
/// Which problems Hopper's program takes, and the program of one: descriptors of its operands.
#pragma once

#include "algorithms/gemm/hopper.hpp"
#include "algorithms/gemm/hopper_source.hpp"
#include "algorithms/gemm/problem.hpp"
#include "loops/backend/cuda/tensor_map.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "loops/execution/gpu.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace loops::hopper {

/// What the matrix and copy units call an element type.
template <class Kind, CUtensorMapDataType Map>
struct called {
  using kind = Kind;
  static constexpr CUtensorMapDataType map = Map;
};
template <class T>
struct operand_type {};
template <>
struct operand_type<bfloat16> : called<gpu::wgmma_bf16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16> {};
template <>
struct operand_type<half> : called<gpu::wgmma_f16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16> {};
template <>
struct operand_type<tfloat32> : called<gpu::wgmma_tf32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32> {};
template <>
struct operand_type<float8_e4m3> : called<gpu::wgmma_e4m3, CU_TENSOR_MAP_DATA_TYPE_UINT8> {};
template <>
struct operand_type<float8_e5m2> : called<gpu::wgmma_e5m2, CU_TENSOR_MAP_DATA_TYPE_UINT8> {};
template <>
struct operand_type<std::int8_t> : called<gpu::wgmma_s8, CU_TENSOR_MAP_DATA_TYPE_UINT8> {};

/// What the matrix units call operands of two types, in their roles.
template <class A, class B>
struct operand_types {};
template <class T>
struct operand_types<T, T> : operand_type<T> {};
template <>
struct operand_types<float8_e4m3, float8_e5m2>
    : called<gpu::wgmma_e4m3_e5m2, CU_TENSOR_MAP_DATA_TYPE_UINT8> {};
template <>
struct operand_types<float8_e5m2, float8_e4m3>
    : called<gpu::wgmma_e5m2_e4m3, CU_TENSOR_MAP_DATA_TYPE_UINT8> {};

/// Whether the matrix units take these operands at all: turned only if of 16 or 32 bits.
template <class Problem>
constexpr bool takes_types() {
  using A = typename Problem::a_type;
  using B = typename Problem::b_type;
  if constexpr (requires { typename operand_types<A, B>::kind; }) {
    return sizeof(A) > 1 ||
           (Problem::a_order == layout::row_major && Problem::b_order == layout::column_major);
  } else {
    return false;
  }
}

/// Whether the copy unit can address a matrix: base and strides on 16-byte boundaries, strides
/// below 2^40 bytes.
template <class T, layout L>
bool takes_matrix(const matrix<T, L>& a) {
  constexpr std::int64_t limit = (std::int64_t{1} << 40) / int(sizeof(T));
  return by_16_bytes(a) && a.leading > 0 && a.leading < limit &&
         (a.batch < 2 || a.batch_stride < limit);
}

/// Whether this problem can run here. Others are for the portable program.
template <class Problem>
bool takes(const Problem& p) {
  return p.m() > 0 && p.n() > 0 && p.k() > 0 && p.batch() > 0 && takes_matrix(p.a) &&
         takes_matrix(p.b);
}

namespace detail {

/// Extents, strides and boxes of a matrix in copies of `box_rows` lines of 128 bytes or less.
template <class T, layout L>
CUtensorMap map_of(const matrix<T, L>& a, CUtensorMapDataType type, int box_length, int box_rows) {
  const bool many = a.batch > 1;
  return gpu::describe_matrix(a.data, type, int(sizeof(T)), a.inner(), a.outer(), a.leading,
                              many ? a.batch : 1, many ? a.batch_stride : a.leading, box_length,
                              box_rows);
}

template <class Out>
constexpr CUtensorMapDataType out_map_type() {
  if constexpr (std::is_integral_v<Out>)
    return sizeof(Out) == 4 ? CU_TENSOR_MAP_DATA_TYPE_INT32 : CU_TENSOR_MAP_DATA_TYPE_UINT16;
  if constexpr (sizeof(Out) == 4) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  if constexpr (std::is_same_v<Out, half>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}

}  // namespace detail

/// What the matrix units call a problem's operands in the roles that a tile gives them.
template <class Problem, class Tile>
using kind_for = typename std::conditional_t<
    Tile::swapped, operand_types<typename Problem::b_type, typename Problem::a_type>,
    operand_types<typename Problem::a_type, typename Problem::b_type>>::kind;

/// The configuration of a tile for a problem's types and layouts.
template <class Problem, class Tile>
using config_for = gemm_config<Tile, kind_for<Problem, Tile>,
                               Tile::swapped ? Problem::b_order == layout::row_major
                                             : Problem::a_order == layout::column_major,
                               Tile::swapped ? Problem::a_order == layout::column_major
                                             : Problem::b_order == layout::row_major>;
template <class Problem, class Tile>
using program_for =
    gemm_program<config_for<Problem, Tile>, one_product<typename Problem::epilogue_type>>;

namespace detail {

/// Steps from which on a tile at an edge of C had better begin where it ends inside: copies of
/// fewer lose less than parts of boxes cost that lanes store one by one.
inline constexpr std::int32_t many_steps = 8;

/// An operand of which products read parts, so many elements of k in all, so that copies are cut
/// off where that ends; itself if 0, as they are parts of nothing.
template <bool Turned, class T, layout L>
matrix<T, L> all_parts(matrix<T, L> a, std::int64_t whole_k) {
  if (whole_k > 0) {
    (Turned == (L == layout::row_major) ? a.rows : a.cols) = whole_k;
    a.batch = 1;
  }
  return a;
}

/// An operand in boxes of its lines, or of the depth where it is turned, one for each sharer.
template <class Config, bool Turned, class T, layout L>
CUtensorMap operand_map(const matrix<T, L>& a, int lines, int sharers, std::int64_t whole_k) {
  constexpr auto type = operand_type<std::remove_const_t<T>>::map;
  return map_of(all_parts<Turned>(a, whole_k), type, Config::depth,
                (Turned ? Config::depth : lines) / sharers);
}

}  // namespace detail

/// The program of a problem that `takes` accepts, by clusters of a shape that `Tile` can have, over
/// tiles of the shape that these make.
template <class Tile, class Problem>
program_for<Problem, Tile> make_program(const Problem& p, const gemm_tiles& tiles,
                                        cluster_shape cluster) {
  using program = program_for<Problem, Tile>;
  using config = typename program::config;
  using output = typename program::output;
  const auto& [a, b] = [&] {
    if constexpr (config::swapped)
      return std::tie(p.b, p.a);
    else
      return std::tie(p.a, p.b);
  }();
  const bool whole = (!config::a_turned || config::depth % cluster.wide == 0) &&
                     (!config::b_turned || config::depth % cluster.tall == 0);
  require(Tile::in_clusters(cluster) && whole, errc::invalid_argument,
          "clusters of this shape cannot share the operands of this tile evenly");
  program g{.source = {.a_map = detail::operand_map<config, config::a_turned>(
                           a, config::rows, cluster.wide, p.whole_k),
                       .b_map = detail::operand_map<config, config::b_turned>(
                           b, config::columns, cluster.tall, p.whole_k),
                       .c_map = {},
                       .tiles = tiles,
                       .epilogue = p.epilogue,
                       .a_batched = a.batch > 1 && p.whole_k == 0,
                       .b_batched = b.batch > 1 && p.whole_k == 0,
                       .inside = tiles.steps() >= detail::many_steps,
                       .steps_each = p.whole_k > 0 ? tiles.steps() : 0},
            .shape_of_cluster = cluster};
  if constexpr (output::can_stage) {
    const auto& c = p.epilogue.c();
    // A box is stored by the 16 bytes, also where a row ends inside of them.
    auto& s = g.source;
    s.boxes = takes_matrix(c) && c.inner() % (16 / int(sizeof(typename program::out))) == 0;
    if (s.boxes)
      s.c_map = detail::map_of(c, detail::out_map_type<typename program::out>(),
                               output::box_columns, output::box_rows);
  }
  return g;
}

}  // namespace loops::hopper
