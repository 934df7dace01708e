// SPDX-License-Identifier: Apache-2.0
/// The products of one row of C, in any order and in a fixed one.
#pragma once

#include "loops/algorithm/spread_tiles.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/path.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::spgemm_detail {

/// Where A and B have nonzeros.
template <class I, class O>
struct patterns {
  const O* a_offsets;
  const I* a_columns;
  const O* b_offsets;
  const I* b_columns;
  std::int64_t cols;      ///< of B
  std::int64_t nonzeros;  ///< of A

  /// How many products a nonzero of A has: the nonzeros of the row of B that its column names.
  [[nodiscard]] LOOPS_HD std::int64_t partners(std::int64_t nonzero) const {
    const I row = a_columns[nonzero];
    return static_cast<std::int64_t>(b_offsets[row + 1] - b_offsets[row]);
  }
};

/// How many products a nonzero of A has.
template <class I, class O>
struct count_partners {
  patterns<I, O> m;
  LOOPS_HD std::int64_t operator()(std::int64_t nonzero) const { return m.partners(nonzero); }
};

/// The products that are wanted of a row: all, or, where rows of B are sorted, those of columns
/// low … high.
template <class I>
struct window {
  bool all = true;
  I low = 0;
  I high = 0;
};

/// The nonzeros of B in the row that a nonzero of A names, those of wanted columns.
template <class I, class O>
LOOPS_HD atom_range partners_of(const patterns<I, O>& m, const window<I>& wanted,
                                std::int64_t nonzero) {
  const I row = m.a_columns[nonzero];
  atom_range r{static_cast<std::int64_t>(m.b_offsets[row]),
               static_cast<std::int64_t>(m.b_offsets[row + 1])};
  if (!wanted.all) {
    r.first =
        first_where(r.first, r.last, [&](std::int64_t i) { return m.b_columns[i] >= wanted.low; });
    r.last =
        first_where(r.first, r.last, [&](std::int64_t i) { return m.b_columns[i] > wanted.high; });
  }
  return r;
}

/// Calls `use(has, column)` for the products of the nonzeros [first, last) of A, in no order;
/// `has` is false for a lane without one. `use` returns whether to go on. Lanes: as `spread_tiles`.
template <class Block, int Lanes, class I, class O, class Use>
LOOPS_HD void for_each_product_column(const group<Block, Lanes>& g, const patterns<I, O>& m,
                                      std::int64_t first, std::int64_t last, const Use& use) {
  spread_tiles<O>(
      g, first, last, [&](std::int64_t k) { return partners_of<I, O>(m, {}, k); },
      [&](bool has, std::int64_t, std::int64_t at) { return has ? m.b_columns[at] : I{}; },
      [&](bool has, I column, const abreast&) { return use(has, column); });
}

/// A product as a lane meets it.
struct met {
  std::int64_t slot = -1;  ///< of its column, or -1: none for this lane
  std::int64_t a = 0;      ///< the nonzeros
  std::int64_t b = 0;
  abreast side;
};

/// How many products a lane of a group of several waves looks at before the waves take turns.
inline constexpr int at_a_time = 4;

/// Calls `use(products)` with one or `at_a_time` products per lane, of all products of the nonzeros
/// [first, last) of A and wanted columns, whose slots `slot_of(nonzero of B)` finds. Lanes: all of
/// a group, and of the groups that synchronise with it, make the same calls, and the same products
/// come together whoever is first.
template <class Block, int Lanes, class I, class O, class SlotOf, class Use>
LOOPS_HD void for_each_product_in_order(const group<Block, Lanes>& g,
                                        [[maybe_unused]] packed_storage<Block>& shared,
                                        const patterns<I, O>& m, std::int64_t first,
                                        std::int64_t last, const window<I>& wanted,
                                        const SlotOf& slot_of, const Use& use) {
  const auto partners = [&](std::int64_t k) { return partners_of(m, wanted, k); };
  const auto meet = [&](bool has, std::int64_t k, std::int64_t at) {
    return met{has ? slot_of(at) : -1, k, at, {}};
  };
  if (Block::threads == 1 || g.within_wave()) {
    spread_tiles<O>(g, first, last, partners, meet,
                    [&](bool, const met& product, const abreast& side) {
                      const met one[1] = {{product.slot, product.a, product.b, side}};
                      use(one);
                      return true;
                    });
  } else if constexpr (Block::threads > 1) {
    spread_packed_tiles<at_a_time>(
        g, shared, first, last, partners, meet,
        [&](const bool(&)[at_a_time], met(&products)[at_a_time], const abreast(&sides)[at_a_time]) {
          LOOPS_UNROLL
          for (int n = 0; n < at_a_time; ++n) products[n].side = sides[n];
          use(products);
        });
  }
}

}  // namespace loops::spgemm_detail
