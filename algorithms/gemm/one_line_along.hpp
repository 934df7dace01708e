// SPDX-License-Identifier: Apache-2.0
/// A product of one line whose other operand lies along k: sums over its lines.
#pragma once

#include "algorithms/gemm/one_line_parts.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/layout.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/numeric.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/tile/mma.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace loops::gemm_detail {

/// Up to how many lines of the other operand are sums sooner than tiles of 64 rows, in which floats
/// and doubles are multiplied where no units copy; the more are summed side by side, the fewer
/// loads are under way.
template <class TA, class TB>
inline constexpr int most_lines = 1;
template <>
inline constexpr int most_lines<float, float> = 8;
template <>
inline constexpr int most_lines<double, double> = 4;

/// What a line comes to: a sum, or one for each of a few lines of the other operand.
template <class Sum, int Few>
using sums_of_line = std::conditional_t<Few == 1, Sum, row_sums<Sum, Few>>;

/// The lines along k of one operand, each times the only line of the other, or its few lines. Tiles
/// are lines, those of a batch one after another. Atoms are packs; of lines that begin anywhere,
/// elements.
template <class Sum, class Line, class Only, int Pack, int Few>
struct atom_times_only {
  using pure = std::true_type;
  template <class T>
  using pack = spmm_detail::pack<T, Pack>;
  const Line* lines;
  const Only* only;
  std::int64_t leading;       ///< elements from line to line
  std::int64_t lines_stride;  ///< elements from one product's lines to the next one's
  std::int64_t only_stride;   ///< the same of the only line
  std::int64_t only_leading;  ///< elements from one of few lines to the next
  std::int32_t few;           ///< lines that there are; others are read in place of more
  std::int64_t atoms;         ///< of a line
  lines_of_products places;

  LOOPS_HD sums_of_line<Sum, Few> operator()(std::int64_t tile, std::int64_t atom) const {
    const auto [product, line] = places.at(tile);
    const std::int64_t k = (atom - tile * atoms) * Pack;
    const Line* from = lines + product * lines_stride + line * leading + k;
    const auto x = native::load_once(reinterpret_cast<const pack<Line>*>(from));
    const Only* const by = only + product * only_stride + k;
    if constexpr (Few == 1) {
      return times(x, *reinterpret_cast<const pack<Only>*>(by));
    } else {
      pack<Only> y[Few];
      LOOPS_UNROLL
      for (int r = 0; r < Few; ++r)
        y[r] = *reinterpret_cast<const pack<Only>*>(by + (r < few ? r : 0) * only_leading);
      row_sums<Sum, Few> sums;
      LOOPS_UNROLL
      for (int r = 0; r < Few; ++r) sums.at[r] = times(x, y[r]);
      return sums;
    }
  }

 private:
  static LOOPS_HD Sum times(const pack<Line>& x, const pack<Only>& y) {
    Sum sum{};
    LOOPS_UNROLL
    for (int i = 0; i < Pack; ++i)
      sum += tile::multiplied_as<Sum>(x.at[i]) * tile::multiplied_as<Sum>(y.at[i]);
    return sum;
  }
};

/// A problem with one row whose B lies along k, or one column whose A does: lines are dealt to
/// groups of lanes, or where these are too few for their length, in pieces to waves. `Packed`: in
/// whole packs; else they lie as they like. `Few`: the same for more than half as many rows, or
/// columns, up to so many.
template <class Exec, class Problem, bool Packed = true, int Few = 1>
class sums_along {
  using lanes = lanes_of_lines<Exec, Problem>;
  using sum = typename Problem::sum;
  static constexpr bool a_lies = Problem::a_order == layout::row_major;
  static constexpr bool b_lies = Problem::b_order == layout::column_major;
  static constexpr int pack = Packed ? pack_size<typename Problem::a_type> : 1;
  using value = sums_of_line<sum, Few>;

 public:
  /// Whether there may be such problems of this type.
  static constexpr bool possible =
      lanes::possible &&
      (Few == 1 ? a_lies || b_lies
                : a_lies && b_lies &&
                      Few <= most_lines<typename Problem::a_type, typename Problem::b_type>);
  static constexpr const char* name() { return "sums over lines"; }
  static gemm_tile_shape tile_shape(const Problem&) { return {1, 1, pack}; }

  /// Whether it is one, and counted in 31 bits.
  static bool takes(const Problem& p) {
    if (p.whole_k != 0 || p.batch() < 1 || p.k() < 1) return false;
    if (Packed && (!in_packs(p.a) || !in_packs(p.b) || p.k() % pack != 0)) return false;
    const std::int64_t lines = row(p) ? p.n() : p.m();
    return (row(p) || column(p)) && lines >= 1 && lines <= INT32_MAX / p.batch();
  }
  /// Whether they are sooner done than tiles that units copy, which have 32 rows of floats at the
  /// least and 16 of doubles: all lines read the few again, but of a batch of products that are
  /// hardly larger a tile would be padding.
  static constexpr bool faster_than_units(const Problem& p) {
    return Few <= (sizeof(sum) <= 4 ? 4 : 2) || (p.batch() > 1 && p.m() <= 16 && p.n() <= 16);
  }
  /// Whether the only line is a row.
  static bool row(const Problem& p) { return b_lies && are_few(p.m()) && contiguous<a_lies>(p.a); }

  sums_along(const Exec& exec, const Problem& p)
      : lines_((row(p) ? p.n() : p.m()) * p.batch(), p.k() / pack),
        plan_(made(exec, lines_, exec.template describe<shape_for<sizeof(value)>>())) {}

  void start(const Problem& p) const {
    if constexpr (b_lies) {
      if (row(p)) return reduce(p.b, p.a, p, false);
    }
    if constexpr (a_lies) reduce(p.a, p.b, p, true);
  }
  void check() {
    std::visit([](auto& plan) { plan.check(); }, plan_);
  }
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& plan) { return plan.bytes(); }, plan_);
  }
  [[nodiscard]] std::int64_t blocks() const {
    return std::visit([](const auto& plan) { return plan.blocks(); }, plan_);
  }
  [[nodiscard]] std::int64_t parts() const { return 1; }

 private:
  template <class Schedule>
  using plan_of = tile_plan<Exec, Schedule, uniform, value>;
  /// Whether lines go in pieces: AMD's kernels of them have no registers for more than a sum, or
  /// for floats of 8 bits.
  static constexpr bool in_pieces =
      lanes::block::wave == 32 || (Few == 1 && sizeof(typename Problem::a_type) > 1);
  using by_groups = plan_of<schedule::group_mapped>;
  using any_plan =
      std::conditional_t<in_pieces, std::variant<by_groups, plan_of<schedule::long_first>>,
                         std::variant<by_groups>>;

  static bool are_few(std::int64_t lines) { return lines > Few / 2 && lines <= Few; }
  static bool column(const Problem& p) {
    return a_lies && are_few(p.n()) && contiguous<b_lies>(p.b);
  }
  /// Whether the only line of an operand lies along k: it may be its neighbours across k that do.
  template <bool Lies, class M>
  static bool contiguous(const M& only) {
    return Lies || only.leading == 1;
  }
  template <class M>
  static bool in_packs(const M& m) {
    M whole = m;
    if (m.outer() == 1 || m.leading == 1) whole.leading = 0;  // nobody goes to the next line
    return by_16_bytes(whole);
  }

  /// Lanes with four packs each, that ask for them at once, or a block's where it has more; unless
  /// the machine would be left idle, or lanes alone. Longer lines of doubles do better in pieces.
  static any_plan made(const Exec& exec, const uniform& lines, const machine& m) {
    constexpr std::int64_t at_once = 4;
    const std::int64_t most = m.threads;
    const std::int64_t wanted = power_of_two(ceil_div(lines.width(), at_once));
    constexpr bool waits = Few == 1 && sizeof(sum) > 4;
    const bool busy = !waits && 3 * lines.tiles() / 2 >= m.blocks;
    if constexpr (in_pieces) {
      if (wanted == 1 || (wanted > most && !busy))
        return any_plan(std::in_place_type<plan_of<schedule::long_first>>, exec,
                        schedule::long_first{}, lines);
    }
    return any_plan(std::in_place_type<by_groups>, exec,
                    schedule::group_mapped{static_cast<int>(std::min(wanted, most))}, lines);
  }
  template <class Lines, class Only>
  void reduce(const Lines& lines, const Only& only, const Problem& p, bool down) const {
    const auto each = static_cast<std::int32_t>(lines_.tiles() / p.batch());
    using line = typename lanes::template seen_in<Lines>;
    using other = typename lanes::template seen_in<Only>;
    const auto few = static_cast<std::int32_t>(down ? p.n() : p.m());
    const atom_times_only<sum, line, other, pack, Few> map{lanes::elements(lines),
                                                           lanes::elements(only),
                                                           lines.leading,
                                                           stride_of(lines),
                                                           stride_of(only),
                                                           only.leading,
                                                           few,
                                                           lines_.width(),
                                                           lines_of_products{fast_divisor(each)}};
    const finish_line<typename Problem::epilogue_type> emit{p.epilogue, map.places, down, few};
    std::visit([&](const auto& plan) { reduce_tiles<value>(plan, map, plus{}, emit); }, plan_);
  }

  uniform lines_;
  any_plan plan_;
};

}  // namespace loops::gemm_detail
