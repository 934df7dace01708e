// SPDX-License-Identifier: Apache-2.0
/// The pattern of C = A B, and who takes which of its entries: all that does not depend on values.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/chosen_takers.hpp"
#include "algorithms/spgemm/columns.hpp"
#include "algorithms/spgemm/entries.hpp"
#include "algorithms/spgemm/long_rows.hpp"
#include "algorithms/spgemm/products.hpp"
#include "algorithms/spgemm/row_alone.hpp"
#include "loops/algorithm/first_of.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace loops::spgemm_detail {

/// Counts where the columns of rows of B do not ascend: all neighbours that do not, less those of
/// which the second begins a row. Also adds up the products of rows of C, if they are given.
template <class I, class O>
struct look_at_rows {
  const O* offsets;
  const I* columns;
  std::int64_t rows;
  std::int64_t nonzeros;
  const std::int64_t* products;  ///< of each of `results` rows, or null
  std::int64_t results;
  tally* seen;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> sum;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    std::int64_t descents = 0;
    std::int64_t repeats = 0;
    const auto look = [&](std::int64_t k, int sign) {
      if (k <= 0 || k >= nonzeros) return;
      const I left = columns[k - 1];
      const I right = columns[k];
      if (right < left) descents += sign;
      if (right == left) repeats += sign;
    };
    const std::int64_t step = block.blocks() * Block::threads;
    const std::int64_t begin = block.id() * Block::threads + block.lane();
    for (std::int64_t k = begin; k < nonzeros; k += step) look(k, 1);
    for (std::int64_t r = begin; r < rows; r += step)
      if (offsets[r] < offsets[r + 1]) look(static_cast<std::int64_t>(offsets[r]), -1);
    const group<Block, Block::threads> g(block);
    descents = g.reduce(descents, plus{}, shared.sum);
    repeats = g.reduce(repeats, plus{}, shared.sum);
    if (products) add_products(block, g, shared.sum, begin, step);
    if (block.lane() != 0) return;
    if (descents != 0) block.atomic_add(&seen->descents, descents);
    if (repeats != 0) block.atomic_add(&seen->repeats, repeats);
  }

 private:
  template <class Block, class Group, class Storage>
  LOOPS_HD void add_products(Block& block, const Group& g, Storage& shared, std::int64_t begin,
                             std::int64_t step) const {
    std::int64_t longest = 0;
    std::int64_t all = 0;
    for (std::int64_t r = begin; r < results; r += step) {
      longest = products[r] > longest ? products[r] : longest;
      all += products[r];
    }
    longest = g.reduce(longest, maximum{}, shared);
    all = g.reduce(all, plus{}, shared);
    if (block.lane() != 0) return;
    block.atomic_max(&seen->longest, longest);
    block.atomic_add(&seen->products, all);
  }
};

template <class T>
struct copy_elements {
  const T* from;
  T* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const { to[i] = from[i]; }
};

/// A copy in the same memory.
template <class Exec, class T>
array<T> copied(const Exec& exec, const array<T>& from) {
  array<T> to(from.size(), exec.memory());
  for_each_atom(exec, schedule::nonzero_split{}, each_of(static_cast<std::int64_t>(from.size())),
                copy_elements<T>{from.data(), to.data()});
  return to;
}

/// Offsets and columns of C, the lists of those who walk over its products, and what is known of B.
template <class Exec, class Schedule, class View>
class product_pattern {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using row_block = typename Exec::template block<row_shape>;
  using list_block = typename Exec::template block<list_shape>;
  using lone_rows = rows_alone<Exec, Schedule, I, O>;
  static constexpr std::size_t slot = slot_bytes<V, I>;
  /// Of what is summed in a place: products, or their number.
  static constexpr std::size_t held_bytes = std::max(sizeof(accumulator_t<V>), sizeof(int));

 public:
  /// Cost and errors: those of a plan.
  product_pattern(const Exec& exec, const Schedule& schedule, const View& a, const View& b)
      : exec_(exec),
        rows_(a.rows),
        cols_(b.cols),
        m_{a.offsets,
           a.indices,
           b.offsets,
           b.indices,
           static_cast<std::int64_t>(b.cols),
           static_cast<std::int64_t>(a.nonzeros)},
        offsets_(static_cast<std::size_t>(a.rows) + 1, exec.memory()),
        seen_(1, exec.memory()) {
    seen_.fill(0);
    const std::int64_t budget =
        static_cast<std::int64_t>(a.nonzeros) + static_cast<std::int64_t>(b.nonzeros);
    array<std::int64_t> products(static_cast<std::size_t>(a.rows), exec.memory());
    reduce_tiles<std::int64_t>(exec, schedule::merge_path{}, rows_of(a), count_partners<I, O>{m_},
                               plus{}, store_in{products.data()});
    if constexpr (row_block::threads == 1) {
      if (lone_rows::has_room(exec, m_.cols, budget, held_bytes)) {
        find_alone(schedule, products, budget);
        return;
      }
    }
    found now(exec, products.size(), room_to_keep(budget));
    count_columns(schedule, a, b, products, now);
    if (counted_.far > 0) {
      now.far_columns =
          find_columns(exec, schedule, m_, budget, now.far, counted_.far, now.counts.data());
      add_up(now.counts);
    }
    columns_ = array<I>(static_cast<std::size_t>(counted_.entries), exec.memory());
    list_columns(now);
    assign_pieces();
  }

  [[nodiscard]] std::int64_t entries() const { return counted_.entries; }

  /// C, its values not initialised.
  [[nodiscard]] csr<V, I, O> matrix() const {
    return {rows_, cols_, copied(exec_, offsets_), copied(exec_, columns_),
            array<V>(columns_.size(), exec_.memory())};
  }
  /// C with these values; the pattern is given away.
  [[nodiscard]] csr<V, I, O> matrix(array<V> values) && {
    return {rows_, cols_, std::move(offsets_), std::move(columns_), std::move(values)};
  }

  /// Takes all products to their entries: `Op` as for `walk_row`. Waits for nothing.
  template <class Op>
  void walk(const Op& op) const {
    if constexpr (row_block::threads == 1) {
      if (alone_) return alone_->walk(offsets_.data(), columns_.data(), op);
    }
    const walk_row<Op, I, O, slot> agent{m_, offsets_.data(), columns_.data(),
                                         counted_.descents == 0, op};
    takers_->take(agent);
    takers_->take(pieces_, &seen_.data()->pieces, agent);
  }

  /// Of how many products the entries are sums. Cost: a read of A's columns and of two offsets of B
  /// for each. Waits.
  [[nodiscard]] std::int64_t products() const {
    array<std::int64_t> total(1, exec_.memory());
    total.fill(0);
    reduce_tiles<std::int64_t>(exec_, schedule::nonzero_split{}, each_of(m_.nonzeros),
                               count_partners<I, O>{m_}, plus{}, store_in{total.data()});
    return first_of(exec_, total);
  }

  /// Whether the rows of B are known to ascend and to repeat no column. Lanes that take rows alone
  /// need not know it.
  [[nodiscard]] bool distinct() const {
    return !alone_ && counted_.descents == 0 && counted_.repeats == 0;
  }

  /// Bytes of device memory.
  [[nodiscard]] std::size_t bytes() const {
    return pieces_.size() * sizeof(piece) + columns_.size() * sizeof(I) +
           offsets_.size() * sizeof(O) + sizeof(tally) + (takers_ ? takers_->bytes() : 0) +
           (alone_ ? alone_->bytes() : 0);
  }

 private:
  /// What is wanted until the columns of C are written.
  struct found {
    array<I> kept;
    array<std::int64_t> places;
    array<std::int64_t> counts;  ///< of columns, for every row
    array<piece> noted;
    array<piece> far;
    std::vector<sorted_rows> far_columns;

    found(const Exec& exec, std::size_t rows, std::int64_t room)
        : kept(static_cast<std::size_t>(room), exec.memory()),
          places(rows, exec.memory()),
          counts(rows, exec.memory()),
          noted(rows, exec.memory()),
          far(rows, exec.memory()) {}
    [[nodiscard]] kept_columns<I> keep() {
      return {kept.data(), static_cast<std::int64_t>(kept.size()), places.data()};
    }
  };

  /// Columns that are kept, for so many nonzeros of A and B.
  static std::int64_t room_to_keep(std::int64_t budget) {
    return std::max(8 * budget, std::min(64 * budget, std::int64_t{1} << 25));
  }

  /// Finds out whether the columns of B ascend, and what the products of rows are like, where a
  /// schedule wants to know: then it waits.
  row_sizes look(const View& b, const array<std::int64_t>& products) {
    const auto nonzeros = static_cast<std::int64_t>(b.nonzeros);
    const auto results = static_cast<std::int64_t>(rows_);
    const machine m = exec_.template describe<row_shape>();
    const bool asked = looks_first<Schedule> && worth_a_look(results, m);
    const std::int64_t wanted =
        ceil_div(asked ? std::max(nonzeros, results) : nonzeros, 4 * row_block::threads);
    exec_.template launch<row_shape>(
        std::min(wanted, m.blocks),
        look_at_rows<I, O>{b.offsets, b.indices, static_cast<std::int64_t>(b.rows), nonzeros,
                           asked ? products.data() : nullptr, results, seen_.data()});
    if (!asked) return {};
    const tally t = first_of(exec_, seen_);
    return {t.longest, t.products, room_in<row_block>(slot, 1)};
  }

  /// The offsets of C from the columns of every row, and what has been counted. Waits.
  void add_up(const array<std::int64_t>& counts) {
    segmented_detail::sum_into(exec_, static_cast<std::int64_t>(rows_), element_of{counts.data()},
                               offsets_.data(), &seen_.data()->entries);
    counted_ = first_of(exec_, seen_);
    (void)detail::narrow<O>(counted_.entries, "the number of entries of C");
  }

  /// Everything, where lanes take rows alone. Waits.
  void find_alone(const Schedule& schedule, const array<std::int64_t>& products,
                  std::int64_t budget) {
    alone_.emplace(exec_, schedule, m_, products, held_bytes);
    found now(exec_, products.size(), std::min(room_to_keep(budget), alone_->most_kept()));
    alone_->count(now.counts.data(), now.keep(), seen_.data());
    add_up(now.counts);
    columns_ = array<I>(static_cast<std::size_t>(counted_.entries), exec_.memory());
    alone_->list(offsets_.data(), columns_.data(), now.keep());
  }

  /// Counts the columns of all rows but those that no block has room for, which it notes.
  void count_columns(const Schedule& schedule, const View& a, const View& b,
                     const array<std::int64_t>& products, found& now) {
    takers_.emplace(exec_, schedule, rows_of(a), products.data(), room_in<row_block>(sizeof(I), 1),
                    look(b, products));
    tally* const seen = seen_.data();
    const count_row<I, O> count{m_,   products.data(),  now.counts.data(), now.keep(),
                                seen, now.noted.data(), now.far.data(),    slot};
    takers_->take(count);
    takers_->take(now.noted, &seen->pending, count);
    add_up(now.counts);
  }

  /// Fills in the columns of C.
  void list_columns(found& now) {
    tally* const seen = seen_.data();
    const list_row<I, O> list{m_,
                              offsets_.data(),
                              columns_.data(),
                              now.keep(),
                              seen,
                              now.noted.data(),
                              room_in<list_block>(sizeof(I), list_block::threads),
                              has_bits<list_block, I>(m_.cols)};
    takers_->take(list);
    if (counted_.pending > 0) takers_->take(now.noted, &seen->unlisted, list);
    for (const sorted_rows& batch : now.far_columns)
      for_each_atom(
          exec_, schedule::nonzero_split{},
          segments<std::int64_t>(batch.first_entry.data(),
                                 static_cast<std::int64_t>(batch.rows.size()),
                                 static_cast<std::int64_t>(batch.keys.size())),
          copy_columns<I, O>{batch.rows.data(), batch.first_entry.data(), batch.keys.data(),
                             m_.cols, offsets_.data(), columns_.data()});
  }

  /// Lists what blocks have to sum because the groups of the schedule have no room for it.
  void assign_pieces() {
    if (counted_.unfit == 0) return;
    const std::int64_t room = room_in<list_block>(slot, list_block::threads);
    pieces_ = array<piece>(static_cast<std::size_t>(counted_.unfit + counted_.entries / room),
                           exec_.memory());
    takers_->take(
        note_pieces<slot, O>{offsets_.data(), &seen_.data()->pieces, pieces_.data(), room});
  }

  Exec exec_;
  I rows_;
  I cols_;
  patterns<I, O> m_;
  array<O> offsets_;
  array<tally> seen_;
  tally counted_;
  array<I> columns_;
  array<piece> pieces_;
  std::optional<row_takers<Exec, Schedule, O>> takers_;  ///< or …
  std::optional<lone_rows> alone_;                       ///< … who takes rows alone
};

}  // namespace loops::spgemm_detail
