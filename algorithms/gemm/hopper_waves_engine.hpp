// SPDX-License-Identifier: Apache-2.0
/// Hopper's programs of waves that multiply from registers as engines.
#pragma once

#include "algorithms/gemm/hopper_problem.hpp"
#include "algorithms/gemm/hopper_units.hpp"
#include "algorithms/gemm/hopper_waves.hpp"
#include "algorithms/gemm/select/model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace loops::hopper {

/// The program of one tile. Takes any operands: what the copy unit cannot address, lanes bring.
/// Suits a problem that has enough tiles for `Percent` of a device's processors.
template <class Tile, int Percent>
struct waves_engine {
  using element = typename Tile::element;
  static constexpr int stages = Tile::stages;  ///< tells lines of one tile apart
  static constexpr const char* name() {
    return std::is_same_v<element, double> ? "hopper, doubles" : "hopper, floats";
  }
  template <class Problem>
  static constexpr bool a_turned = Problem::a_order == layout::column_major;
  template <class Problem>
  static constexpr bool b_turned = Problem::b_order == layout::row_major;
  template <class Problem>
  using program =
      waves_program<Tile, a_turned<Problem>, b_turned<Problem>, typename Problem::epilogue_type>;
  template <class Problem>
  static constexpr gemm_tile_shape tile_shape(int) {
    return program<Problem>::tile_shape;
  }
  template <class Problem>
  static bool takes(const gpu_executor& exec, const Problem& p) {
    return has_units(exec) && p.m() > 0 && p.n() > 0 && p.k() > 0 && p.batch() > 0 &&
           can_bring(detail::all_parts<a_turned<Problem>>(p.a, p.whole_k)) &&
           can_bring(detail::all_parts<b_turned<Problem>>(p.b, p.whole_k));
  }
  template <class Problem>
  static bool suits(const gpu_executor& exec, const Problem& p) {
    return takes(exec, p) && 100 * p.tiles(tile_shape<Problem>(-1)).tiles() >=
                                 Percent * std::int64_t{exec.facts().processors};
  }
  template <class Problem>
  static program<Problem> make(const gpu_executor&, const Problem& p, const gemm_tiles& tiles,
                               int) {
    constexpr bool turns_a = a_turned<Problem>;
    constexpr bool turns_b = b_turned<Problem>;
    const auto a = detail::all_parts<turns_a>(p.a, p.whole_k);
    const auto b = detail::all_parts<turns_b>(p.b, p.whole_k);
    program<Problem> out{{}, {}, tiles, p.epilogue, a.batch > 1, b.batch > 1};
    if (p.whole_k > 0) out.steps_each = static_cast<std::int32_t>(tiles.steps());
    if (by_unit(a, turns_a, b))
      out.a_map = map_of<Tile::rows>(a, turns_a);
    else
      out.a_by_lanes = {a, turns_a};
    if (by_unit(b, turns_b, a))
      out.b_map = map_of<Tile::columns>(b, turns_b);
    else
      out.b_by_lanes = {b, turns_b};
    return out;
  }

  /// What a step costs where lanes bring operands: as long as these take, at the least.
  template <class Problem>
  static void slow_down(const Problem& p, select::gemm_costs& costs) {
    constexpr float us_of_copy = 0.0003F;  // an H200's processor, one element
    const int lines = (by_unit(p.a, a_turned<Problem>, p.b) ? 0 : Tile::rows) +
                      (by_unit(p.b, b_turned<Problem>, p.a) ? 0 : Tile::columns);
    const float least = us_of_copy * static_cast<float>(lines * Tile::depth);
    for (const auto unit : {select::gemm_unit::lone_step, select::gemm_unit::full_step}) {
      float& us = costs.us[static_cast<std::size_t>(unit)];
      us = std::max(us, least);
    }
  }

 private:
  /// By units, or by lanes, which count in 31 bits up to where the last tile ends.
  template <layout L>
  static bool can_bring(const matrix<const element, L>& a) {
    constexpr std::int64_t most = INT32_MAX - 256;
    return takes_matrix(a) || (Tile::lanes_copy && a.rows <= most && a.cols <= most);
  }
  /// Whether the unit brings an operand: not where it would have to be turned while lanes bring the
  /// other, and nobody turns.
  template <layout L, layout Other>
  static bool by_unit(const matrix<const element, L>& a, bool turned,
                      const matrix<const element, Other>& other) {
    return takes_matrix(a) && (turned || !Tile::turns || takes_matrix(other));
  }
  /// An operand in boxes of 128 bytes: of its depth, or of its lines where it is turned.
  template <int Lines, layout L>
  static CUtensorMap map_of(const matrix<const element, L>& a, bool turned) {
    constexpr auto type = std::is_same_v<element, double> ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64
                                                          : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    return detail::map_of(a, type, Tile::depth, turned ? Tile::depth : Lines);
  }
};

/// The tiles for products of such elements. `type`: those that every product is compiled for, of
/// which the first that suits is taken where no costs are known. `more`: what costs choose from
/// besides, most of it for few rows or columns. `parts`: those for parts of k, which by the costs
/// of operands along k have nearly all that there is to gain.
template <class T>
struct waves_engines;
template <>
struct waves_engines<double> {
  template <int... Sizes>
  using engine = waves_engine<waves_tile<double, Sizes...>, 0>;
  using type = std::tuple<waves_engine<waves_tile<double, 128, 128, 4, 2, 7>, 75>,
                          engine<64, 64, 2, 4, 12, 2>>;
  using more =
      std::tuple<engine<128, 64, 4, 2, 9>, engine<64, 128, 2, 4, 9>, engine<128, 32, 4, 2, 8, 2>,
                 engine<32, 128, 2, 4, 8, 2>, engine<64, 32, 2, 2, 6, 1, 3>,
                 engine<32, 64, 2, 2, 6, 1, 3>, engine<32, 32, 2, 2, 20>,
                 engine<32, 32, 2, 2, 6, 1, 4>, engine<256, 16, 8, 1, 3, 1, 2>,
                 engine<128, 16, 8, 1, 12>, engine<16, 128, 1, 8, 12>>;
  using parts = std::tuple<engine<32, 32, 2, 2, 6, 1, 4>, engine<64, 64, 2, 4, 12, 2>,
                           engine<16, 128, 1, 8, 12>, engine<128, 32, 4, 2, 8, 2>>;
};
template <>
struct waves_engines<float> {
  template <int... Sizes>
  using engine = waves_engine<waves_tile<float, Sizes...>, 0>;
  using type = std::tuple<waves_engine<waves_tile<float, 128, 128, 2, 4, 6>, 150>,
                          waves_engine<waves_tile<float, 128, 64, 2, 2, 4, 1, 2>, 150>,
                          engine<64, 64, 1, 2, 10, 4>>;
  using more = std::tuple<
      engine<64, 64, 1, 2, 5, 2, 2>, engine<256, 32, 8, 1, 3, 1, 2>, engine<128, 32, 4, 1, 3, 1, 3>,
      engine<32, 128, 1, 4, 3, 1, 3>, engine<64, 32, 2, 1, 15, 4>, engine<32, 64, 1, 2, 15, 4>,
      engine<64, 32, 2, 1, 4, 2, 3>, engine<32, 64, 1, 2, 4, 2, 3>, engine<32, 32, 1, 1, 20, 8>>;
  using parts = std::tuple<engine<64, 32, 2, 1, 15, 4>, engine<32, 64, 1, 2, 15, 4>,
                           waves_engine<waves_tile<float, 128, 64, 2, 2, 4, 1, 2>, 150>>;
};

/// Whether copies that the unit can address, of so many bytes, take less time than what lanes lose
/// that bring every element of every tile: on an H200 a launch and 0.75 µs for a megabyte, and two
/// or three times what multiplying takes, or as long as a tile waits for its steps.
template <class Problem>
bool copies_pay(const Problem& p, double bytes) {
  constexpr double per_us = sizeof(typename Problem::a_type) == 8 ? 70e6 : 45e6;
  constexpr double launch_us = 2.2;
  constexpr double us_of_step = 0.35;
  const double us =
      2.0 * double(p.m()) * double(p.n()) * double(p.k()) * double(p.batch()) / per_us;
  const double steps = double(p.k()) * sizeof(typename Problem::a_type) / 128;
  return us > 0.75e-6 * bytes && std::max(3 * us, us_of_step * steps) > launch_us;
}

/// Whether operands are of one such type.
template <class Problem>
constexpr bool takes_from_registers() {
  using T = typename Problem::a_type;
  return std::is_same_v<T, typename Problem::b_type> && requires {
    typename waves_engines<T>::type;
  };
}

}  // namespace loops::hopper
