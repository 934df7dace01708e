// SPDX-License-Identifier: Apache-2.0
/// Rows of C by lanes that are alone, as on a CPU: a bit per column finds the columns of a row, a
/// place per column takes what is summed there.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/columns.hpp"
#include "algorithms/spgemm/products.hpp"
#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/for_each_tile.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/path.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/work.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace loops::spgemm_detail {

/// A set of columns in bits of three levels: a bit of one says that a word of the level below holds
/// some. So columns come out ascending, nothing is sorted, and what was not touched not looked at,
/// but for a word per 2^18 columns.
template <class I>
class column_bits {
 public:
  /// `room`: `words_for(cols)` zeros, and they are zeros again after `drain`.
  column_bits(std::uint64_t* room, std::int64_t cols)
      : low_(room), middle_(low_ + ceil_div(cols, 64)), high_(middle_ + ceil_div(cols, 1 << 12)) {
    last_ = high_ + ceil_div(cols, 1 << 18);
  }
  static std::int64_t words_for(std::int64_t cols) {
    return ceil_div(cols, 64) + ceil_div(cols, 1 << 12) + ceil_div(cols, 1 << 18);
  }

  /// Adds columns. Neighbours that share a word are gathered first: each would wait for the word
  /// that the one before has written.
  void insert(const I* first, const I* last) const {
    if (first == last) return;
    auto at = static_cast<std::uint64_t>(*first) / 64;
    std::uint64_t gathered = 0;
    for (; first < last; ++first) {
      const auto column = static_cast<std::uint64_t>(*first);
      if (column / 64 != at) {
        add(at, gathered);
        at = column / 64;
        gathered = 0;
      }
      gathered |= bit(column);
    }
    add(at, gathered);
  }

  /// Takes out all columns; writes them to `to`, if that is anywhere, in ascending order. Returns
  /// how many there were.
  std::int64_t drain(I* to) const {
    std::int64_t count = 0;
    for (std::uint64_t* top = high_; top < last_; ++top)
      take_bits(*top, top - high_, [&](std::int64_t m) {
        take_bits(middle_[m], m, [&](std::int64_t l) {
          if (to) {
            take_bits(low_[l], l, [&](std::int64_t c) { to[count++] = static_cast<I>(c); });
          } else {
            count += std::popcount(low_[l]);
            low_[l] = 0;
          }
        });
      });
    return count;
  }

 private:
  static std::uint64_t bit(std::uint64_t at) { return std::uint64_t{1} << at % 64; }
  void add(std::uint64_t at, std::uint64_t bits) const {
    if (low_[at] == 0) {
      middle_[at / 64] |= bit(at);
      high_[at / 4096] |= bit(at / 64);
    }
    low_[at] |= bits;
  }
  /// The numbers of the bits of a word, which is the `number`th of its level and is left empty.
  template <class F>
  static void take_bits(std::uint64_t& word, std::int64_t number, const F& f) {
    for (std::uint64_t left = word; left != 0; left &= left - 1)
      f(number * 64 + native::lowest_bit(left));
    word = 0;
  }

  std::uint64_t* low_;
  std::uint64_t* middle_;
  std::uint64_t* high_;
  std::uint64_t* last_;
};

/// Calls `f(k, partners)` for the nonzeros of a row of A, with those of B that each meets, and
/// `fetch(n)` with the first of those that will be met soon, maybe for another row.
template <class I, class O, class Fetch, class F>
void for_each_partners(const patterns<I, O>& m, std::int64_t row, const Fetch& fetch, const F& f) {
  constexpr std::int64_t soon = 8;
  constexpr std::int64_t later = 24;
  const auto last = static_cast<std::int64_t>(m.a_offsets[row + 1]);
  for (auto k = static_cast<std::int64_t>(m.a_offsets[row]); k < last; ++k) {
    if (k + later < m.nonzeros) {
      native::fetch_ahead(m.b_offsets + m.a_columns[k + later]);
      fetch(static_cast<std::int64_t>(m.b_offsets[m.a_columns[k + soon]]));
    }
    f(k, partners_of<I, O>(m, {}, k));
  }
}

/// Gathers the columns of a row of C.
template <class I, class O>
void find_columns_alone(const patterns<I, O>& m, std::int64_t row, const column_bits<I>& bits) {
  for_each_partners(
      m, row, [&](std::int64_t n) { native::fetch_ahead(m.b_columns + n); },
      [&](std::int64_t, atom_range partners) {
        bits.insert(m.b_columns + partners.first, m.b_columns + partners.last);
      });
}

/// What every lane has to itself.
struct lone_room {
  std::uint64_t* bits;
  std::int64_t words;  ///< of each
  std::byte* places;
  std::int64_t bytes;  ///< of each
};

/// Room that a lane has taken for columns, for some rows at a time.
struct alignas(128) lone_share {
  std::int64_t next;
  std::int64_t end;
};

/// A functor for pieces of rows: gives whoever has the end of a row all of it.
template <class Take>
struct take_alone {
  const std::int64_t* first_product;  ///< of each row
  Take take;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t row, atom_range part, const Group& g) const {
    if (part.size() == 0 || part.last == first_product[row + 1])
      take(row, group<std::remove_cvref_t<decltype(g.block())>, 1>(g.block()));
  }
};

/// Counts the columns of a row, and keeps them where there is room.
template <class I, class O>
struct count_alone {
  static constexpr std::int64_t at_a_time = 1 << 14;  // columns for which room is asked
  patterns<I, O> m;
  lone_room room;
  const std::int64_t* first_product;  ///< of each row
  lone_share* shares;
  std::int64_t* counts;
  kept_columns<I> kept;
  tally* seen;

  template <class Group>
  void operator()(std::int64_t row, const Group& g) const {
    const auto worker = g.block().worker();
    const column_bits<I> bits(room.bits + worker * room.words, m.cols);
    find_columns_alone(m, row, bits);
    const std::int64_t products = first_product[row + 1] - first_product[row];
    const std::int64_t most = std::min(products, m.cols);
    lone_share& mine = shares[worker];
    if (mine.end - mine.next < most) {
      const std::int64_t more = std::max(most, at_a_time);
      mine.next = g.block().atomic_add(&seen->kept, more);
      mine.end = std::min(mine.next + more, kept.room);
    }
    const bool keeps = mine.end - mine.next >= most;
    kept.places[row] = keeps ? mine.next : -1;
    counts[row] = bits.drain(keeps ? kept.columns + mine.next : nullptr);
    if (keeps) mine.next += counts[row];
  }
};

/// Writes the columns of a row, ascending.
template <class I, class O>
struct list_alone {
  patterns<I, O> m;
  lone_room room;
  const O* offsets;
  I* columns;
  kept_columns<I> kept;

  template <class Group>
  void operator()(std::int64_t row, const Group& g) const {
    const auto begin = static_cast<std::int64_t>(offsets[row]);
    const auto count = static_cast<std::int64_t>(offsets[row + 1]) - begin;
    if (count == 0) return;
    if (const std::int64_t place = kept.places[row]; place >= 0) {
      std::copy_n(kept.columns + place, count, columns + begin);
      return;
    }
    const column_bits<I> bits(room.bits + g.block().worker() * room.words, m.cols);
    find_columns_alone(m, row, bits);
    bits.drain(columns + begin);
  }
};

/// Takes the products of a row to their entries: what `walk_row` does with a table.
template <class Op, class I, class O>
struct walk_alone {
  using held = typename Op::held_type;
  patterns<I, O> m;
  lone_room room;
  const O* offsets;
  const I* columns;
  Op op;

  template <class Group>
  void operator()(std::int64_t row, const Group& g) const {
    auto* const values = reinterpret_cast<held*>(room.places + g.block().worker() * room.bytes);
    const auto begin = static_cast<std::int64_t>(offsets[row]);
    const auto end = static_cast<std::int64_t>(offsets[row + 1]);
    for (std::int64_t i = begin; i < end; ++i) {
      if constexpr (Op::starts) {
        values[columns[i]] = op.start(i, begin);
      } else {
        values[columns[i]] = held{};
      }
    }
    const auto fetch = [&](std::int64_t n) {
      native::fetch_ahead(m.b_columns + n);
      if constexpr (requires { op.fetch(n); }) op.fetch(n);
    };
    for_each_partners(m, row, fetch, [&](std::int64_t k, atom_range partners) {
      std::int64_t n = partners.first;
      for (; n + 4 <= partners.last; n += 4) take<4>(g, values, k, n, begin);
      for (; n < partners.last; ++n) take<1>(g, values, k, n, begin);
    });
    if constexpr (Op::ends)
      for (std::int64_t i = begin; i < end; ++i) op.end(i, values[columns[i]]);
  }

 private:
  /// N products of nonzero k of A, those of B from n on: read before the first is added.
  template <int N, class Group>
  void take(const Group& g, held* values, std::int64_t k, std::int64_t n,
            std::int64_t begin) const {
    met products[N];
    for (int i = 0; i < N; ++i)
      products[i] = {static_cast<std::int64_t>(m.b_columns[n + i]), k, n + i, {}};
    op.take(g, values, products, 0, begin);
  }
};

/// Rows of C, of which each is taken by one lane; who takes which, the schedule says, which
/// balances products.
template <class Exec, class Schedule, class I, class O>
class rows_alone {
  using plan_type = tile_plan<Exec, Schedule, segments<std::int64_t>, std::int64_t>;

 public:
  /// Whether lanes should have a place of `bytes` bytes for every column: while they all together
  /// take no more than 64 bytes per nonzero of A and B, or a megabyte.
  static bool has_room(const Exec& exec, std::int64_t cols, std::int64_t nonzeros,
                       std::size_t bytes) {
    const std::int64_t lanes = exec.template describe<row_shape>().blocks;
    return cols <= std::max(64 * nonzeros, std::int64_t{1} << 20) / lanes /
                       static_cast<std::int64_t>(bytes);
  }

  /// `products`: of each row of C. Waits.
  rows_alone(const Exec& exec, const Schedule& schedule, const patterns<I, O>& m,
             const array<std::int64_t>& products, std::size_t bytes)
      : m_(m), first_product_(products.size() + 1, exec.memory()) {
    const auto rows = static_cast<std::int64_t>(products.size());
    const std::int64_t all = segmented_detail::running_sums(
        exec, rows, element_of<std::int64_t>{products.data()}, first_product_);
    most_columns_ = std::min(all, rows * m.cols);
    plan_.emplace(exec, schedule, segments<std::int64_t>(first_product_.data(), rows, all));
    const auto lanes = static_cast<std::size_t>(exec.template describe<row_shape>().blocks);
    // Lanes begin on lines of their own.
    const auto whole = [](std::int64_t n, std::int64_t line) { return ceil_div(n, line) * line; };
    room_.words = whole(column_bits<I>::words_for(m.cols), 16);
    room_.bytes = whole(m.cols * static_cast<std::int64_t>(bytes), 128);
    bits_ = array<std::uint64_t>(lanes * static_cast<std::size_t>(room_.words), exec.memory());
    bits_.fill(0);
    places_ = array<std::byte>(lanes * static_cast<std::size_t>(room_.bytes), exec.memory());
    shares_ = array<lone_share>(lanes, exec.memory());
    shares_.fill(0);
    room_.bits = bits_.data();
    room_.places = places_.data();
  }

  /// Columns for which lanes ask room at most.
  [[nodiscard]] std::int64_t most_kept() const {
    return most_columns_ + count_alone<I, O>::at_a_time * static_cast<std::int64_t>(shares_.size());
  }
  void count(std::int64_t* counts, const kept_columns<I>& kept, tally* seen) const {
    take(count_alone<I, O>{m_, room_, first_product_.data(), shares_.data(), counts, kept, seen});
  }
  void list(const O* offsets, I* columns, const kept_columns<I>& kept) const {
    take(list_alone<I, O>{m_, room_, offsets, columns, kept});
  }
  template <class Op>
  void walk(const O* offsets, const I* columns, const Op& op) const {
    take(walk_alone<Op, I, O>{m_, room_, offsets, columns, op});
  }
  [[nodiscard]] std::size_t bytes() const {
    return first_product_.size() * sizeof(std::int64_t) + bits_.size() * sizeof(std::uint64_t) +
           places_.size() + shares_.size() * sizeof(lone_share) + plan_->bytes();
  }

 private:
  template <class Take>
  void take(const Take& t) const {
    for_each_tile(*plan_, take_alone<Take>{first_product_.data(), t});
  }

  patterns<I, O> m_;
  array<std::int64_t> first_product_;
  std::int64_t most_columns_ = 0;
  std::optional<plan_type> plan_;
  array<std::uint64_t> bits_;
  array<std::byte> places_;
  mutable array<lone_share> shares_;
  lone_room room_{};
};

}  // namespace loops::spgemm_detail
