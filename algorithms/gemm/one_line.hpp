// SPDX-License-Identifier: Apache-2.0
/// A product of one row, or of one column: sums over the lines of the other operand, a reduction.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/planned.hpp"
#include "algorithms/gemm/problem.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "algorithms/spmm/pack.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/error.hpp"
#include "loops/core/fast_division.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/layout.hpp"
#include "loops/core/machine.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/tile/mma.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace loops::gemm_detail {

/// Elements along k that are moved at once.
template <class T>
inline constexpr int pack_size = 16 / int(sizeof(T));
template <class T>
using pack_along_k = spmm_detail::pack<T, pack_size<T>>;

/// Which line of which product a tile is.
struct lines_of_products {
  fast_divisor each;  ///< lines of a product
  struct place {
    std::int32_t product;
    std::int32_t line;
  };
  LOOPS_HD place at(std::int64_t tile) const {
    const auto t = static_cast<std::int32_t>(tile);
    const std::int32_t product = each.quotient(t);
    return {product, t - product * each.value()};
  }
};

/// The lines along k of one operand, each times the only line of the other. Tiles are lines, those
/// of a batch one after another; atoms are packs.
template <class Sum, class Line, class Only>
struct pack_times_only {
  using pure = std::true_type;
  const Line* lines;
  const Only* only;
  std::int64_t leading;       ///< elements from line to line
  std::int64_t lines_stride;  ///< elements from one product's lines to the next one's
  std::int64_t only_stride;   ///< the same of the only line
  std::int64_t packs;         ///< of a line
  lines_of_products places;

  LOOPS_HD Sum operator()(std::int64_t tile, std::int64_t atom) const {
    const auto [product, line] = places.at(tile);
    const std::int64_t k = (atom - tile * packs) * pack_size<Line>;
    const Line* from = lines + product * lines_stride + line * leading + k;
    const auto x = native::load_once(reinterpret_cast<const pack_along_k<Line>*>(from));
    const auto y = *reinterpret_cast<const pack_along_k<Only>*>(only + product * only_stride + k);
    Sum sum{};
    LOOPS_UNROLL
    for (int i = 0; i < pack_size<Line>; ++i)
      sum += tile::multiplied_as<Sum>(x.at[i]) * tile::multiplied_as<Sum>(y.at[i]);
    return sum;
  }
};

/// Puts the sum of a line where it belongs, along the only row of C or down its only column.
template <class Epilogue>
struct finish_line {
  Epilogue epilogue;
  lines_of_products places;
  bool down;
  LOOPS_CALLS_USER
  template <class Sum>
  LOOPS_HD void operator()(std::int64_t tile, const Sum& sum) const {
    const auto [product, line] = places.at(tile);
    epilogue.of_batch(product).store(down ? line : 0, down ? 0 : line, sum);
  }
};

/// A problem with one row whose B lies along k, or one column whose A does. On a CPU the portable
/// program takes such problems as well.
template <class Exec, class Problem>
struct one_line {
  using ta = typename Problem::a_type;
  using tb = typename Problem::b_type;
  using block = typename Exec::template block<shape<128, 12>>;
  static constexpr bool lanes_together = block::threads > 1;
  static constexpr bool a_lies = Problem::a_order == layout::row_major;
  static constexpr bool b_lies = Problem::b_order == layout::column_major;
  /// Whether there may be such problems of this type.
  static constexpr bool possible = lanes_together && sizeof(ta) == sizeof(tb) && (a_lies || b_lies);

  /// What lanes multiply as the machine's matrix instructions do: those of AMD take tf32 whole.
  template <class T>
  using seen = std::conditional_t<block::wave == 64 && std::is_same_v<T, tfloat32>, float, T>;

  /// Whether it is one, in whole packs, and counted in 31 bits.
  static bool takes(const Problem& p) {
    if (p.whole_k != 0 || p.batch() < 1 || p.k() < 1 || !in_packs(p.a) || !in_packs(p.b) ||
        p.k() % pack_size<ta> != 0)
      return false;
    const std::int64_t lines = row(p) ? p.n() : p.m();
    return (row(p) || column(p)) && lines >= 1 && lines <= INT32_MAX / p.batch();
  }
  /// Whether the only line is a row.
  static bool row(const Problem& p) { return b_lies && p.m() == 1 && contiguous<a_lies>(p.a); }

 private:
  static bool column(const Problem& p) { return a_lies && p.n() == 1 && contiguous<b_lies>(p.b); }
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
};

/// Such a problem planned: the lines are dealt to groups of lanes, or where these are too few for
/// their length, in pieces to waves.
template <class Exec, class Problem>
class one_line_plan final : public planned<Problem> {
  using kind = one_line<Exec, Problem>;
  using ta = typename kind::ta;
  using tb = typename kind::tb;
  using sum = typename Problem::sum;
  template <class Schedule>
  using plan_of = tile_plan<Exec, Schedule, uniform, sum>;

 public:
  /// Requires: `kind::takes(p)`.
  one_line_plan(const Exec& exec, const Problem& p)
      : row_(kind::row(p)),
        problem_(p),
        tiles_(p.tiles({1, 1, pack_size<ta>})),
        lines_((row_ ? p.n() : p.m()) * p.batch(), p.k() / pack_size<ta>),
        machine_(exec.template describe<shape_for<sizeof(sum)>>()),
        plan_(made(exec)) {}

  void start() const override { start(problem_); }
  void start(const Problem& p) const override {
    if (!kind::takes(p) || kind::row(p) != row_)
      throw error(
          errc::unsupported,
          "the plan reads packs of 16 bytes, and these matrices are not aligned to them, or "
          "their only line is another: plan this product too");
    if constexpr (kind::b_lies) {
      if (row_) return reduce(p.b, p.a, p.epilogue);
    }
    if constexpr (kind::a_lies) reduce(p.a, p.b, p.epilogue);
  }
  void check() override {
    std::visit([](auto& plan) { plan.check(); }, plan_);
  }
  [[nodiscard]] const gemm_tiles& tiles() const override { return tiles_; }
  [[nodiscard]] std::size_t bytes() const override {
    return std::visit([](const auto& plan) { return plan.bytes(); }, plan_);
  }
  [[nodiscard]] std::int64_t workers() const override {
    return std::visit([](const auto& plan) { return plan.blocks(); }, plan_);
  }
  [[nodiscard]] std::int64_t resident() const override {
    return std::min(workers(), machine_.blocks);
  }
  [[nodiscard]] const char* engine() const override { return "sums over lines"; }

 private:
  using any_plan = std::variant<plan_of<schedule::group_mapped>, plan_of<schedule::long_first>>;

  /// Lanes with four packs each, that ask for them at once, or a block's where it has more; unless
  /// the machine would be left idle, or lanes alone.
  [[nodiscard]] any_plan made(const Exec& exec) const {
    constexpr std::int64_t at_once = 4;
    const std::int64_t most = machine_.threads;
    const auto lanes = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(ceil_div(lines_.width(), at_once))));
    const bool busy = 3 * lines_.tiles() / 2 >= machine_.blocks;
    if (lanes > 1 && (lanes <= most || busy))
      return any_plan(std::in_place_type<plan_of<schedule::group_mapped>>, exec,
                      schedule::group_mapped{static_cast<int>(std::min(lanes, most))}, lines_);
    return any_plan(std::in_place_type<plan_of<schedule::long_first>>, exec, schedule::long_first{},
                    lines_);
  }
  template <class Lines, class Only>
  void reduce(const Lines& lines, const Only& only,
              const typename Problem::epilogue_type& epilogue) const {
    const auto each = static_cast<std::int32_t>(lines_.tiles() / epilogue.c().batch);
    const auto stride = [](const auto& m) { return m.batch > 1 ? m.batch_stride : 0; };
    using line = typename kind::template seen<typename Lines::value_type>;
    using other = typename kind::template seen<typename Only::value_type>;
    const pack_times_only<sum, line, other> map{reinterpret_cast<const line*>(lines.data),
                                                reinterpret_cast<const other*>(only.data),
                                                lines.leading,
                                                stride(lines),
                                                stride(only),
                                                lines_.width(),
                                                lines_of_products{fast_divisor(each)}};
    const finish_line<typename Problem::epilogue_type> emit{epilogue, map.places, !row_};
    std::visit([&](const auto& plan) { reduce_tiles<sum>(plan, map, plus{}, emit); }, plan_);
  }

  bool row_;
  Problem problem_;
  gemm_tiles tiles_;
  uniform lines_;
  machine machine_;
  any_plan plan_;
};

}  // namespace loops::gemm_detail
