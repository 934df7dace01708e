// SPDX-License-Identifier: Apache-2.0
/// A GEMM on Hopper, planned: which tile and which schedule, descriptors made, workspace allocated.
#pragma once

#include "algorithms/gemm/hopper.hpp"
#include "algorithms/gemm/hopper_menu.hpp"
#include "algorithms/gemm/problem.hpp"
#include "algorithms/gemm/select/model.hpp"
#include "loops/algorithm/run.hpp"
#include "loops/backend/cuda/tensor_map.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "loops/execution/gpu.hpp"
#include "loops/schedule/stream_k.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace loops::hopper {

/// What the matrix and copy units call an element type.
template <class Kind, CUtensorMapDataType Map>
struct called {
  using kind = Kind;
  static constexpr CUtensorMapDataType map = Map;
};
template <class T>
struct operand_type;
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

/// A line of the menu and a schedule.
using gemm_choice = select::gemm_candidate;

/// Whether the matrix units take these operands at all: one type, turned only if of 16 bits.
template <class Problem>
constexpr bool takes_types() {
  using T = typename Problem::a_type;
  if constexpr (std::is_same_v<T, typename Problem::b_type> &&
                requires { typename operand_type<T>::kind; }) {
    return sizeof(T) == 2 ||
           (Problem::a_order == layout::row_major && Problem::b_order == layout::column_major);
  } else {
    return false;
  }
}

/// Whether an operand is turned on its way, which tiles of some widths cannot do.
template <class Problem>
inline constexpr bool is_turned =
    Problem::a_order == layout::column_major || Problem::b_order == layout::row_major;

/// Whether the copy unit can address a matrix: base and strides on 16-byte boundaries.
template <class T, layout L>
bool takes_matrix(const matrix<T, L>& a) {
  constexpr int elements = 16 / int(sizeof(T));
  return widest_access(a, elements) == elements && a.leading > 0 &&
         a.leading < (std::int64_t{1} << 36);
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
  return gpu::describe_matrix(
      a.data, type, int(sizeof(T)), a.inner(), a.outer(), a.leading, many ? a.batch : 1,
      many ? a.batch_stride : a.leading * (a.outer() > 0 ? a.outer() : 1), box_length, box_rows);
}

template <class Out>
constexpr CUtensorMapDataType out_map_type() {
  if constexpr (sizeof(Out) == 4) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  if constexpr (std::is_same_v<Out, half>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}

}  // namespace detail

/// The configuration of a tile for a problem's types and layouts.
template <class Problem, class Tile>
using config_for = gemm_config<Tile, typename operand_type<typename Problem::a_type>::kind,
                               Tile::swapped ? Problem::b_order == layout::row_major
                                             : Problem::a_order == layout::column_major,
                               Tile::swapped ? Problem::a_order == layout::column_major
                                             : Problem::b_order == layout::row_major>;
template <class Problem, class Tile>
using program_for =
    gemm_program<config_for<Problem, Tile>, one_product<typename Problem::epilogue_type>>;

namespace detail {

/// An operand in parts of its lines, or of the depth where it is turned, one for each sharer.
template <class Config, bool Turned, class T, layout L>
CUtensorMap operand_map(const matrix<T, L>& a, int lines, int sharers) {
  constexpr auto type = operand_type<std::remove_const_t<T>>::map;
  return Turned ? map_of(a, type, 64, Config::depth / sharers)
                : map_of(a, type, Config::depth, lines / sharers);
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
  program g{};
  g.shape_of_cluster = cluster;
  auto& s = g.source;
  s.a_map = detail::operand_map<config, config::a_turned>(a, config::rows, cluster.wide);
  s.b_map = detail::operand_map<config, config::b_turned>(b, config::columns, cluster.tall);
  s.tiles = tiles;
  s.epilogue = p.epilogue;
  s.a_batched = a.batch > 1;
  s.b_batched = b.batch > 1;
  if constexpr (output::can_stage) {
    const auto& c = p.epilogue.c();
    // A box is stored by the 16 bytes, also where a row ends inside of them.
    s.boxes = takes_matrix(c) && c.inner() % (16 / int(sizeof(typename program::out))) == 0;
    if (s.boxes)
      s.c_map = detail::map_of(c, detail::out_map_type<typename program::out>(),
                               output::box_columns, output::box_rows);
  }
  return g;
}

namespace detail {

/// Some tile's plan, whatever the tile.
template <class Problem>
struct any_gemm {
  any_gemm() = default;
  any_gemm(const any_gemm&) = delete;
  any_gemm& operator=(const any_gemm&) = delete;
  virtual ~any_gemm() = default;
  virtual void start() const = 0;
  virtual void start(const Problem& p) const = 0;
  virtual void check() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  [[nodiscard]] virtual std::int64_t workers() const = 0;
  [[nodiscard]] virtual const gemm_tiles& tiles() const = 0;
};

template <class Tile, class Problem>
class gemm_of final : public any_gemm<Problem> {
  using program = program_for<Problem, Tile>;
  using plan_type = run_plan<gpu_executor, schedule::stream_k, gemm_tiles, program>;

 public:
  gemm_of(const gpu_executor& exec, const Problem& p, const raster& order, cluster_shape cluster,
          int waves)
      : program_(make_program<Tile>(p, p.tiles(program::tile_of(cluster), order), cluster)),
        plan_(exec, schedule::stream_k{.waves = waves}, program_.source.tiles, program_) {}
  void start() const override { plan_(program_); }
  void start(const Problem& p) const override {
    plan_(make_program<Tile>(p, program_.source.tiles, program_.shape_of_cluster));
  }
  void check() override { plan_.check(); }
  [[nodiscard]] std::size_t bytes() const override { return plan_.bytes(); }
  [[nodiscard]] std::int64_t workers() const override { return plan_.workers(); }
  [[nodiscard]] const gemm_tiles& tiles() const override { return program_.source.tiles; }
  static std::int64_t resident(const gpu_executor& exec, cluster_shape cluster) {
    using kernel = typename plan_type::kernel_type;
    const int blocks = cluster.blocks();
    return exec.template resident<typename program::shape, kernel>(blocks) / blocks;
  }

 private:
  program program_;
  plan_type plan_;
};

}  // namespace detail

/// A GEMM with its tile and schedule chosen. Making it allocates; running it is one launch that
/// allocates nothing, waits for nothing and can be captured. Views must outlive it.
template <class Problem>
class gemm_plan {
  static constexpr bool turned = is_turned<Problem>;

 public:
  static_assert(takes_types<Problem>(), "the matrix units do not take these operands");
  /// Lines of the menu to choose from.
  static constexpr int configs = lines_for(turned);

  /// Throws: invalid_argument for a choice that is none, or operands that `takes` refuses.
  gemm_plan(const gpu_executor& exec, const Problem& p, gemm_choice choice) {
    require(takes(p), errc::invalid_argument,
            "Hopper's copy unit takes operands whose start, leading dimension and batch stride are "
            "multiples of 16 bytes");
    if (choice.config < 0 || choice.config >= configs || choice.waves < -1)
      throw error(errc::invalid_argument, "there is no configuration " +
                                              std::to_string(choice.config) + " with " +
                                              std::to_string(choice.waves) + " waves");
    with_tile(
        choice.config,
        [&]<class Tile>(std::type_identity<Tile>) {
          gemm_ = std::make_unique<detail::gemm_of<Tile, Problem>>(
              exec, p, raster{}, gemm_menu[choice.config].cluster, choice.waves);
        },
        all_tiles<turned>());
  }
  void operator()() const { gemm_->start(); }
  /// The same sizes with other matrices. Throws: invalid_argument where `takes` refuses them.
  void operator()(const Problem& p) const { gemm_->start(p); }
  /// Waits, and throws when a block lost another's partial sums.
  void check() { gemm_->check(); }
  /// Bytes of device memory held.
  [[nodiscard]] std::size_t bytes() const { return gemm_->bytes(); }
  /// Clusters of blocks that run at once.
  [[nodiscard]] std::int64_t workers() const { return gemm_->workers(); }
  [[nodiscard]] const gemm_tiles& tiles() const { return gemm_->tiles(); }

 private:
  std::unique_ptr<detail::any_gemm<Problem>> gemm_;
};

}  // namespace loops::hopper
