// SPDX-License-Identifier: Apache-2.0
/// The place of every product in its row of C: then values need neither columns nor a search.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/entries.hpp"
#include "algorithms/spgemm/row_bins.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace loops::spgemm_detail {

/// A place in a row of C.
using row_place = std::uint16_t;
inline constexpr std::int64_t most_places = 65536;

/// Products numbered nonzero of A by nonzero of A.
template <class O>
struct numbered_products {
  using unsigned_type = std::make_unsigned_t<O>;
  const O* first;  ///< number of the first product of every nonzero, one more
  const O* shift;  ///< what makes of the number of a product its nonzero of B
  [[nodiscard]] LOOPS_HD atom_range of(std::int64_t nonzero) const {
    return {static_cast<std::int64_t>(first[nonzero]),
            static_cast<std::int64_t>(first[nonzero + 1])};
  }
  [[nodiscard]] LOOPS_HD std::int64_t in_b(std::int64_t nonzero, std::int64_t product) const {
    return static_cast<std::int64_t>(static_cast<O>(static_cast<unsigned_type>(product) +
                                                    static_cast<unsigned_type>(shift[nonzero])));
  }
  [[nodiscard]] LOOPS_HD std::int64_t number(std::int64_t nonzero, std::int64_t b) const {
    return static_cast<std::int64_t>(
        static_cast<O>(static_cast<unsigned_type>(b) - static_cast<unsigned_type>(shift[nonzero])));
  }
};

template <class I, class O>
struct note_shift {
  using unsigned_type = std::make_unsigned_t<O>;
  patterns<I, O> m;
  const O* first;
  O* shift;
  LOOPS_HD void operator()(std::int64_t, std::int64_t k) const {
    shift[k] = static_cast<O>(static_cast<unsigned_type>(m.b_offsets[m.a_columns[k]]) -
                              static_cast<unsigned_type>(first[k]));
  }
};

/// How many products a nonzero of A has.
template <class I, class O>
struct store_partners {
  patterns<I, O> m;
  std::int64_t* counts;
  LOOPS_HD void operator()(std::int64_t, std::int64_t k) const { counts[k] = m.partners(k); }
};

/// How many entries a row of C has.
template <class O>
struct length_of_row {
  const O* offsets;
  LOOPS_HD std::int64_t operator()(std::int64_t r) const {
    return static_cast<std::int64_t>(offsets[r + 1] - offsets[r]);
  }
};

/// Notes the place of every product of an entry, with `walk_row`.
template <class O>
struct note_places {
  using held_type = int;
  static constexpr bool starts = true;
  static constexpr bool ends = false;
  numbered_products<O> products;
  row_place* places;

  LOOPS_HD int start(std::int64_t entry, std::int64_t, std::int64_t row_begins) const {
    return static_cast<int>(entry - row_begins);
  }
  template <class Group, int N>
  LOOPS_HD void take(const Group&, const int* known, const met (&met_here)[N], int,
                     std::int64_t) const {
    for (const met& p : met_here)
      if (p.slot >= 0) places[products.number(p.a, p.b)] = static_cast<row_place>(known[p.slot]);
  }
};

/// The size by which a group is chosen for a row: its products, but no more than a wave has room
/// for where the wave has room for its entries.
template <class O>
struct size_of_row {
  const O* a_offsets;
  const O* first_product;
  const O* offsets;  ///< of C
  std::int64_t wave_room;
  std::int64_t* sizes;
  LOOPS_HD void operator()(std::int64_t, std::int64_t r) const {
    const auto products =
        static_cast<std::int64_t>(first_product[a_offsets[r + 1]] - first_product[a_offsets[r]]);
    const bool fits = static_cast<std::int64_t>(offsets[r + 1] - offsets[r]) <= wave_room;
    sizes[r] = fits ? (products < wave_room ? products : wave_room)
                    : (products > wave_room ? products : wave_room + 1);
  }
};

/// Sums the products of a row at their places.
template <class V, class O>
struct sum_at_places {
  using sum = accumulator_t<V>;
  static constexpr std::size_t bytes = sizeof(sum);
  const O* a_offsets;
  const O* offsets;
  numbered_products<O> products;
  const row_place* places;
  sum_products<V> op;

  template <class Block>
  struct storage {
    packed_storage<Block> walk;
    uninitialized<sum, slots_in<Block>(bytes)> values;
  };

  /// A group chosen by the schedule takes a row that fits, a block as much as it has room for.
  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    const std::int64_t room = room_in<Block>(bytes, g.size());
    const std::int64_t row_begins = valid ? static_cast<std::int64_t>(offsets[p.row]) : 0;
    const std::int64_t row_ends = valid ? static_cast<std::int64_t>(offsets[p.row + 1]) : 0;
    const std::int64_t begin = Listed ? p.first : row_begins;
    const std::int64_t end = Listed && row_ends - begin > room ? begin + room : row_ends;
    const bool mine = valid && end > begin && end - begin <= room;
    const auto count = static_cast<int>(mine ? end - begin : 0);
    const auto skipped = static_cast<int>(begin - row_begins);
    const int bits = common_bits<std::int32_t>(g, count, true);
    sum* const values =
        shared.values.data() + slots_in<Block>(bytes) / Block::threads * g.size() * g.index();
    for (int i = g.rank(); i < count; i += g.size()) values[i] = sum{};
    g.sync();
    const std::int64_t first = mine ? static_cast<std::int64_t>(a_offsets[p.row]) : 0;
    const std::int64_t last = mine ? static_cast<std::int64_t>(a_offsets[p.row + 1]) : 0;
    meet_in_order<O>(
        g, shared.walk, first, last, [&](std::int64_t k) { return products.of(k); },
        [&](bool has, std::int64_t k, std::int64_t product) {
          if (!has) return met{-1, k, 0, {}};
          const int place = static_cast<int>(places[product]) - skipped;
          return met{place >= 0 && place < count ? place : -1, k, products.in_b(k, product), {}};
        },
        [&](const auto& met_here) { op.take(g, values, met_here, bits, begin); });
    g.sync();
    for (int i = g.rank(); i < count; i += g.size()) op.end(begin + i, values[i]);
    g.sync();
  }
};

/// The places of all products, and who sums which.
template <class Exec, class Schedule, class V, class I, class O, class Shape>
class product_slots {
  using takers = row_takers<Exec, Schedule, O, Shape>;
  using row_block = typename Exec::template block<Shape>;
  using list_block = typename Exec::template block<list_shape>;
  static constexpr std::size_t slot = sum_at_places<V, O>::bytes;

 public:
  /// `first`: the number of every nonzero's first product, one more; `offsets` are those of C and
  /// stay where they are. Nothing is noted yet.
  product_slots(const Exec& exec, const Schedule& schedule, const patterns<I, O>& m,
                std::int64_t rows, const array<O>& offsets, std::int64_t entries, array<O> first,
                std::int64_t products)
      : exec_(exec),
        m_(m),
        first_(std::move(first)),
        shift_(first_.size() - 1, exec.memory()),
        places_(static_cast<std::size_t>(products), exec.memory()),
        seen_(1, exec.memory()) {
    const auto nonzeros = static_cast<std::int64_t>(shift_.size());
    for_each_atom(exec, schedule::nonzero_split{}, segmented_detail::each_of(nonzeros),
                  note_shift<I, O>{m, first_.data(), shift_.data()});
    constexpr std::int64_t per_lane = room_in<row_block>(slot, 1);
    array<std::int64_t> sizes(static_cast<std::size_t>(rows), exec.memory());
    for_each_atom(exec, schedule::nonzero_split{}, segmented_detail::each_of(rows),
                  size_of_row<O>{m.a_offsets, first_.data(), offsets.data(),
                                 per_lane * row_block::wave, sizes.data()});
    takers_.emplace(exec, schedule, segments<O>(offsets.data(), rows, entries), sizes.data(),
                    per_lane);
    const std::int64_t room = room_in<list_block>(slot, list_block::threads);
    pieces_ =
        array<piece>(static_cast<std::size_t>(std::min(rows, entries / per_lane) + entries / room),
                     exec.memory());
    seen_.fill(0);
    take_rows_by(note_pieces<slot, O>{offsets.data(), seen_.data(), pieces_.data(), room});
  }

  /// What notes the places, by the walk that knows the slots of columns.
  [[nodiscard]] note_places<O> noting() { return {numbered(), places_.data()}; }

  void operator()(const O* offsets, const sum_products<V>& op) const {
    const sum_at_places<V, O> agent{m_.a_offsets, offsets, numbered(), places_.data(), op};
    take_rows_by(agent);
    const auto most = static_cast<std::int64_t>(pieces_.size());
    if (most == 0) return;
    const std::int64_t rounds = some_rounds * exec_.template describe<list_shape>().blocks;
    exec_.template launch<list_shape>(
        std::min(most, rounds),
        take_listed<sum_at_places<V, O>>{agent, pieces_.data(), &seen_.data()->pieces});
  }
  [[nodiscard]] std::size_t bytes() const {
    return (first_.size() + shift_.size()) * sizeof(O) + places_.size() * sizeof(row_place) +
           pieces_.size() * sizeof(piece) + sizeof(tally) + takers_->bytes();
  }

 private:
  [[nodiscard]] numbered_products<O> numbered() const { return {first_.data(), shift_.data()}; }
  template <class Agent>
  void take_rows_by(const Agent& agent) const {
    const auto& bound = takers_->bound();
    exec_.template launch<Shape>(bound.a.blocks,
                                 take_rows<std::decay_t<decltype(bound)>, Agent>{bound, agent});
  }

  Exec exec_;
  patterns<I, O> m_;
  array<O> first_;
  array<O> shift_;
  array<row_place> places_;
  array<tally> seen_;
  array<piece> pieces_;
  std::optional<takers> takers_;
};

}  // namespace loops::spgemm_detail
