// SPDX-License-Identifier: Apache-2.0
/// A product of one line whose other operand lies across k: sums of its stretches, columns side by
/// side.
#pragma once

#include "algorithms/gemm/one_line_parts.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/reduce_wide.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/layout.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/tile/mma.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace loops::gemm_detail {

/// A work: columns of all products in groups that lie side by side, k of each group in parts of
/// equal length, but for the last. Tiles are parts, atoms elements along k.
class parts_of_columns {
 public:
  parts_of_columns() = default;
  /// Requires: groups * products * parts fits 31 bits; parts * length is at least k.
  parts_of_columns(std::int32_t groups, std::int32_t products, std::int64_t k, std::int32_t parts,
                   std::int64_t length)
      : columns_{fast_divisor(groups)},
        parts_(parts),
        tiles_(groups * products * parts),
        k_(k),
        length_(length) {}
  [[nodiscard]] LOOPS_HD std::int64_t tiles() const { return tiles_; }
  [[nodiscard]] LOOPS_HD std::int64_t atoms() const { return offset(tiles_); }
  [[nodiscard]] LOOPS_HD std::int64_t offset(std::int64_t t) const {
    const auto tile = static_cast<std::int32_t>(t);
    const std::int32_t group = parts_.quotient(tile);
    const std::int64_t within = (tile - group * parts_.value()) * length_;
    return group * k_ + (within < k_ ? within : k_);
  }

  struct place {
    std::int32_t product;
    std::int32_t group;       ///< of the product
    std::int32_t part;        ///< of k
    std::int64_t first_atom;  ///< of the group: element 0 of k
  };
  [[nodiscard]] LOOPS_HD place at(std::int64_t t) const {
    const auto tile = static_cast<std::int32_t>(t);
    const std::int32_t group = parts_.quotient(tile);
    const auto [product, line] = columns_.at(group);
    return {product, line, tile - group * parts_.value(), group * k_};
  }

 private:
  lines_of_products columns_;
  fast_divisor parts_;
  std::int32_t tiles_ = 0;
  std::int64_t k_ = 0;
  std::int64_t length_ = 0;
};
static_assert(work<parts_of_columns>);

/// Which columns of a group a share is: a pack of them; or, where rows begin anywhere (`Packed` is
/// false), as many that are `Width` apart, so that lanes side by side read what lies side by side.
template <int Pack, int Width, bool Packed>
struct columns_of_share {
  static constexpr int count = Pack;
  static constexpr int step = Packed ? 1 : Width;
  static LOOPS_HD std::int32_t first(std::int32_t group, int share) {
    return group * (Pack * Width) + share * (Packed ? Pack : 1);
  }
};

/// The elements of a group at one k, times that of the only line. A share reads other columns in
/// place of those there are not, and nobody stores what it computes.
template <class Sum, class Line, class Only, class Columns>
struct stretch_times_only {
  using pure = std::true_type;
  static constexpr int pack = Columns::count;
  parts_of_columns of;
  const Line* stretches;
  const Only* only;
  std::int64_t leading;           ///< elements from stretch to stretch
  std::int64_t only_step;         ///< elements from one of the only line to the next
  std::int64_t stretches_stride;  ///< elements from one product's stretches to the next one's
  std::int64_t only_stride;       ///< the same of the only line
  std::int32_t columns;           ///< of a product

  LOOPS_HD row_sums<Sum, pack> operator()(int share, std::int64_t tile, std::int64_t atom) const {
    const auto place = of.at(tile);
    const std::int64_t k = atom - place.first_atom;
    const std::int32_t first = Columns::first(place.group, share);
    const Line* const from = stretches + place.product * stretches_stride + k * leading;
    const Sum y = tile::multiplied_as<Sum>(only[place.product * only_stride + k * only_step]);
    pack_of<Line> x;
    if constexpr (Columns::step == 1) {
      const std::int32_t last = columns - pack;
      x = native::load_once(
          reinterpret_cast<const pack_of<Line>*>(from + (first < last ? first : last)));
    } else {
      LOOPS_UNROLL
      for (int i = 0; i < pack; ++i) {
        const std::int32_t column = first + i * Columns::step;
        x.at[i] = native::load_once(from + (column < columns ? column : columns - 1));
      }
    }
    row_sums<Sum, pack> sums;
    LOOPS_UNROLL
    for (int i = 0; i < pack; ++i) sums.at[i] = tile::multiplied_as<Sum>(x.at[i]) * y;
    return sums;
  }
};

/// Puts the sums of a share where they belong, along the only row of C or down its only column.
template <class Epilogue, class Columns>
struct finish_share {
  parts_of_columns of;
  Epilogue epilogue;
  std::int32_t columns;  ///< of a product
  bool down;
  LOOPS_CALLS_USER
  template <class Sums>
  LOOPS_HD void operator()(int share, std::int64_t tile, const Sums& sums) const {
    const auto place = of.at(tile);
    const std::int32_t first = Columns::first(place.group, share);
    const Epilogue of_product = epilogue.of_batch(place.product);
    if (Columns::step == 1 && !down) {
      if (first < columns) of_product.template store_span<Columns::count>(0, first, sums.at);
      return;
    }
    LOOPS_UNROLL
    for (int i = 0; i < Columns::count; ++i) {
      const std::int32_t column = first + i * Columns::step;
      if (column < columns) of_product.store(down ? column : 0, down ? 0 : column, sums.at[i]);
    }
  }
};

/// Keeps the sums of a share of one part of k for who adds them: a row for every part.
template <class Sum, class Columns>
struct keep_share {
  parts_of_columns of;
  Sum* room;
  std::int32_t columns;  ///< of a product
  std::int32_t parts;
  template <class Sums>
  LOOPS_HD void operator()(int share, std::int64_t tile, const Sums& sums) const {
    const auto place = of.at(tile);
    const std::int32_t first = Columns::first(place.group, share);
    Sum* const row = room + (std::int64_t{place.product} * parts + place.part) * columns;
    constexpr int pack = Columns::step > 1 ? 1 : std::min(16 / int(sizeof(Sum)), Columns::count);
    LOOPS_UNROLL
    for (int i = 0; i < Columns::count; i += pack) {
      const std::int32_t column = first + i * Columns::step;
      if (column >= columns) return;
      spmm_detail::pack<Sum, pack> some;
      LOOPS_UNROLL
      for (int j = 0; j < pack; ++j) some.at[j] = sums.at[i + j];
      *reinterpret_cast<spmm_detail::pack<Sum, pack>*>(row + column) = some;
    }
  }
};

/// What was kept of a column. Tiles are columns, those of a batch one after another; atoms are
/// parts.
template <class Sum>
struct kept_part {
  using pure = std::true_type;
  const Sum* room;
  std::int32_t parts;
  lines_of_products columns;
  LOOPS_HD Sum operator()(std::int64_t tile, std::int64_t atom) const {
    const auto [product, column] = columns.at(tile);
    const std::int64_t row = std::int64_t{product} * parts + (atom - tile * parts);
    return room[row * columns.each.value() + column];
  }
};

/// A problem with one row whose B lies across k, or one column whose A does: bundles of lanes go
/// down columns of 128 bytes or more, and where there are too few for the machine, down parts of
/// them, which a second kernel adds. `Packed`: in whole packs, else they lie as they like.
template <class Exec, class Problem, bool Packed = true>
class sums_across {
  using lanes = lanes_of_lines<Exec, Problem>;
  using sum = typename Problem::sum;
  static constexpr bool a_lies = Problem::a_order == layout::column_major;
  static constexpr bool b_lies = Problem::b_order == layout::row_major;
  static constexpr int pack = pack_size<typename Problem::a_type>;
  static constexpr int width = Packed ? 8 : 32;  ///< lanes of a bundle
  static constexpr std::int64_t together = std::int64_t{pack} * width;
  using shared = columns_of_share<pack, width, Packed>;
  using sums = row_sums<sum, pack>;
  template <int Lanes>
  using plan_of =
      wide_plan<Exec, schedule::group_mapped, parts_of_columns, sums, width, shape<Lanes, 32>>;
  using add_plan = tile_plan<Exec, schedule::group_mapped, uniform, sum>;

 public:
  /// Whether there may be such problems of this type.
  static constexpr bool possible = lanes::possible && (a_lies || b_lies);
  static constexpr const char* name() { return "sums over columns"; }
  static gemm_tile_shape tile_shape(const Problem& p) {
    return {row(p) ? 1 : int(together), row(p) ? int(together) : 1, 1};
  }

  /// Whether it is one, and counted in 31 bits.
  static bool takes(const Problem& p) {
    if (p.whole_k != 0 || p.batch() < 1 || p.k() < 1 || p.k() > INT32_MAX) return false;
    if (!row(p) && !column(p)) return false;
    if (Packed && !(row(p) ? in_packs(p.b) : in_packs(p.a))) return false;
    const std::int64_t columns = columns_of(p);
    if (columns < 1 || columns > INT32_MAX / p.batch()) return false;
    return ceil_div(columns, together) * p.batch() <=
           INT32_MAX / ceil_div(p.k(), std::int64_t{fewest});
  }
  /// Whether they are sooner done than tiles that units copy, which begin sooner, but whose steps
  /// of 64 along k follow each other where it is deep, and are padding where it is flat (decision
  /// 68).
  static bool faster_than_units(const Problem& p) {
    constexpr std::int64_t some = 4 << 20;
    constexpr std::int64_t many = 16 << 20;
    const std::int64_t bytes =
        columns_of(p) * p.batch() * p.k() * std::int64_t(sizeof(typename Problem::a_type));
    return bytes >= many || p.k() >= 16384 || (p.k() <= 64 && bytes >= some);
  }
  /// Whether the only line is a row.
  static bool row(const Problem& p) { return b_lies && p.m() == 1; }

  sums_across(const Exec& exec, const Problem& p)
      : cut_(exec, p),
        multiply_(made(exec, cut_, cut_.work(p))),
        room_(cut_.parts > 1 ? static_cast<std::size_t>(cut_.parts * columns_of(p) * p.batch()) : 0,
              exec.memory()) {
    if (cut_.parts > 1)
      add_.emplace(exec, schedule::group_mapped{adders(cut_.parts)},
                   uniform(columns_of(p) * p.batch(), cut_.parts));
  }

  void start(const Problem& p) const {
    if constexpr (b_lies) {
      if (row(p)) return reduce(p.b, p.a, p.a.offset(0, 1), p, false);
    }
    if constexpr (a_lies) reduce(p.a, p.b, p.b.offset(1, 0), p, true);
  }
  void check() {
    std::visit([](auto& plan) { plan.check(); }, multiply_);
  }
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& plan) { return plan.bytes(); }, multiply_) +
           room_.size() * sizeof(sum) + (add_ ? add_->bytes() : 0);
  }
  [[nodiscard]] std::int64_t blocks() const {
    return std::visit([](const auto& plan) { return plan.schedule_plan().blocks(); }, multiply_);
  }
  [[nodiscard]] std::int64_t parts() const { return cut_.parts; }

 private:
  /// Elements of k that a part has at least, but for the last.
  static constexpr int fewest = 16;

  static constexpr int few_lanes = 128;
  static constexpr int many_lanes = 512;
  using any_plan = std::variant<plan_of<few_lanes>, plan_of<many_lanes>>;

  /// Who takes a group of columns: so many bundles all of k, or each of so many parts of it.
  struct cut {
    int bundles;
    std::int32_t parts = 1;
    std::int64_t length;

    cut(const Exec& exec, const Problem& p) : length(p.k()) {
      const machine m =
          bundle_executor<Exec, width>(exec).template describe<shape<few_lanes, 32>>();
      const std::int64_t all = m.threads * m.blocks;
      const std::int64_t groups = ceil_div(columns_of(p), together) * p.batch();
      // A bundle asks for four elements of k at once.
      const std::int64_t most = power_of_two(ceil_div(p.k(), std::int64_t{4}));
      const auto wanted = std::clamp<std::int64_t>(power_of_two(ceil_div(all, 2 * groups)),
                                                   m.threads, m.threads * (many_lanes / few_lanes));
      const std::int64_t whole = std::min(wanted, most);
      bundles = static_cast<int>(whole);
      // A second launch pays where whole columns leave most of the machine idle for long.
      const std::int64_t depth = p.k() / whole;
      const std::int64_t at_work = groups * whole;
      if (depth <= 8 || (depth <= 16 && 10 * at_work >= all) || 8 * at_work >= 3 * all) return;
      bundles = static_cast<int>(std::min<std::int64_t>(m.threads, most));
      // Twice as many elements as would keep all bundles of the machine busy once.
      const std::int64_t each = std::clamp(power_of_two(ceil_div(2 * groups * p.k(), all)),
                                           std::int64_t{4}, std::int64_t{64});
      parts = static_cast<std::int32_t>(
          ceil_div(p.k(), std::max<std::int64_t>(fewest, bundles * each)));
      length = ceil_div(p.k(), std::int64_t{parts});
    }
    [[nodiscard]] parts_of_columns work(const Problem& p) const {
      return {static_cast<std::int32_t>(ceil_div(columns_of(p), together)),
              static_cast<std::int32_t>(p.batch()), p.k(), parts, length};
    }
  };

  static bool column(const Problem& p) { return a_lies && p.n() == 1; }
  static std::int64_t columns_of(const Problem& p) { return row(p) ? p.n() : p.m(); }
  template <class M>
  static bool in_packs(const M& m) {
    M whole = m;
    if (m.outer() == 1) whole.leading = 0;  // nobody goes to the next stretch
    return by_16_bytes(whole) && ends_with_16_bytes(m);
  }
  static any_plan made(const Exec& exec, const cut& c, const parts_of_columns& work) {
    const schedule::group_mapped by{c.bundles};
    if (c.bundles * width > few_lanes)
      return any_plan(std::in_place_type<plan_of<many_lanes>>, exec, by, work);
    return any_plan(std::in_place_type<plan_of<few_lanes>>, exec, by, work);
  }
  /// Lanes that add a column's parts, four each.
  static int adders(std::int32_t parts) {
    return static_cast<int>(std::min<std::int64_t>(power_of_two(ceil_div(parts, 4)), 128));
  }

  template <class Lines, class Only>
  void reduce(const Lines& lines, const Only& only, std::int64_t only_step, const Problem& p,
              bool down) const {
    using line = typename lanes::template seen_in<Lines>;
    using other = typename lanes::template seen_in<Only>;
    using epilogue = typename Problem::epilogue_type;
    const auto columns = static_cast<std::int32_t>(columns_of(p));
    const parts_of_columns work = cut_.work(p);
    const stretch_times_only<sum, line, other, shared> map{
        work,      lanes::elements(lines), lanes::elements(only), lines.leading,
        only_step, stride_of(lines),       stride_of(only),       columns};
    if (!add_) {
      const finish_share<epilogue, shared> emit{work, p.epilogue, columns, down};
      return std::visit([&](const auto& plan) { reduce_wide(plan, map, plus{}, emit); }, multiply_);
    }
    sum* const room = const_cast<sum*>(room_.data());
    reduce_wide(std::get<plan_of<few_lanes>>(multiply_), map, plus{},
                keep_share<sum, shared>{work, room, columns, cut_.parts});
    const lines_of_products places{fast_divisor(columns)};
    reduce_tiles<sum>(*add_, kept_part<sum>{room, cut_.parts, places}, plus{},
                      finish_line<epilogue>{p.epilogue, places, down});
  }

  cut cut_;
  any_plan multiply_;
  array<sum> room_;
  std::optional<add_plan> add_;
};

}  // namespace loops::gemm_detail
