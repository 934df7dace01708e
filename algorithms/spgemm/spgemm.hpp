// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times sparse matrix: C = A B, rows of C sorted.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/entries.hpp"
#include "algorithms/spgemm/long_rows.hpp"
#include "algorithms/spgemm/product_list.hpp"
#include "algorithms/spgemm/product_slots.hpp"
#include "algorithms/spgemm/row_bins.hpp"
#include "algorithms/spgemm/row_parts.hpp"
#include "algorithms/spgemm/rows.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/format/validate.hpp"
#include "loops/schedule/lrb.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops {

namespace spgemm_detail {

/// Who takes rows of C: a table holds a whole row, so a schedule that cuts rows leaves them to
/// bins.
template <class Schedule>
auto of_rows(const Schedule& schedule) {
  if constexpr (requires { schedule.compose(); }) {
    using measure_type = typename decltype(schedule.compose())::measure_type;
    if constexpr (std::is_same_v<measure_type, measure::one_tile>) {
      return schedule;
    } else {
      return schedule::lrb{4};
    }
  } else {
    return schedule::lrb{4};
  }
}

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

}  // namespace spgemm_detail

/// The pattern of C = A B, and who takes which entries: all that does not depend on values (the
/// symbolic part). Calling it computes the values (the numeric part), allocates nothing, waits for
/// nothing, and can be captured into a graph. The patterns of A and B must outlive it; it keeps
/// nothing per product unless asked to.
template <class Exec, class Schedule, class View>
class spgemm_plan {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using row_schedule = decltype(spgemm_detail::of_rows(std::declval<const Schedule&>()));
  using row_shape = shape<128, 8>;
  using list_shape = spgemm_detail::list_shape;
  using row_block = typename Exec::template block<row_shape>;
  using list_block = typename Exec::template block<list_shape>;
  using takers = spgemm_detail::row_takers<Exec, row_schedule, O, row_shape>;
  using slots_of_products = spgemm_detail::product_slots<Exec, row_schedule, V, I, O, row_shape>;
  using list_of_products = spgemm_detail::product_list<Exec, Schedule, V, O>;
  using rows_in_parts = spgemm_detail::rows_in_parts<spgemm_plan, View>;
  using piece = spgemm_detail::piece;
  using tally = spgemm_detail::tally;
  static constexpr std::size_t slot = spgemm_detail::slot_bytes<V, I>;

 public:
  /// Cost: a pass over the products, without their values, and one more over those of rows whose
  /// columns there was no room to keep (the README says how much there is). `schedule` says which
  /// group takes a row, as long as its table has room for it; it balances rows that no block has
  /// room for. Waits. Throws: invalid_argument when A has other columns than B has rows; overflow
  /// when the products or the entries of C cannot be counted in the types of A. `parts`: into so
  /// many each row of A is cut, whose products are added up afterwards; 0: as many as pay where
  /// rows are few and have many products in few columns, of types that are summed as they are.
  spgemm_plan(const Exec& exec, const Schedule& schedule, const View& a, const View& b,
              std::int64_t parts = 0)
      : exec_(exec),
        schedule_(schedule),
        rows_(a.rows),
        cols_(b.cols),
        m_{a.offsets, a.indices, b.offsets, b.indices, static_cast<std::int64_t>(b.cols)},
        nonzeros_(static_cast<std::int64_t>(a.nonzeros)),
        offsets_(static_cast<std::size_t>(a.rows) + 1, exec.memory()),
        seen_(1, exec.memory()) {
    if (a.cols != b.rows)
      throw error(errc::invalid_argument, "spgemm: A has " + std::to_string(a.cols) +
                                              " columns, but B has " + std::to_string(b.rows) +
                                              " rows");
    if (cols_ > 0)
      require(static_cast<std::int64_t>(rows_) <= INT64_MAX / static_cast<std::int64_t>(cols_),
              errc::overflow, "spgemm: the places of C cannot be counted in 64 bits");
    require(parts >= 0, errc::invalid_argument, "spgemm: rows of A cannot have so few parts");
    if constexpr (std::is_same_v<accumulator_t<V>, V>) {
      const machine m = exec.template describe<row_shape>();
      if (parts == 0) parts = spgemm_detail::parts_that_pay(a, b, m.blocks * m.threads / m.wave);
      if (parts > 1) {
        in_parts_ = std::make_unique<rows_in_parts>(exec, schedule, a, b, parts);
        counted_.entries = in_parts_->of_sums().entries();
        return;
      }
    }
    seen_.fill(0);
    const auto& where = exec.memory();
    const std::int64_t budget =
        static_cast<std::int64_t>(a.nonzeros) + static_cast<std::int64_t>(b.nonzeros);
    constexpr std::int64_t much = std::int64_t{1} << 25;
    const std::int64_t room = std::max(8 * budget, std::min(64 * budget, much));
    array<I> kept(static_cast<std::size_t>(room), where);
    array<std::int64_t> places(static_cast<std::size_t>(rows_), where);
    array<piece> noted(static_cast<std::size_t>(rows_), where);
    const spgemm_detail::kept_columns<I> keep{kept.data(), room, places.data()};
    compare_columns(b);
    const auto found = count_columns(a, budget, keep, noted);
    list_columns(found, keep, noted);
    sorted_ = counted_.descents == 0;
    distinct_ = sorted_ && counted_.repeats == 0;
    assign_entries();
  }

  /// Entries of C, zeros that cancelled out included.
  [[nodiscard]] std::int64_t entries() const { return counted_.entries; }

  /// C without values: they are not initialised.
  [[nodiscard]] csr<V, I, O> pattern() const {
    if (in_parts_) return in_parts_->of_sums().pattern();
    return {rows_, cols_, spgemm_detail::copied(exec_, offsets_),
            spgemm_detail::copied(exec_, columns_), array<V>(columns_.size(), exec_.memory())};
  }

  /// Values of C for values of A and B, all in the order of their patterns.
  void operator()(const V* a, const V* b, V* c) const {
    if (entries() == 0) return;
    if (in_parts_) {
      (*in_parts_)(a, b, c);
    } else if (products_) {
      (*products_)(a, b, c);
    } else if (slots_) {
      (*slots_)(offsets_.data(), {a, b, c, distinct_});
    } else {
      walk<slot>(spgemm_detail::sum_products<V>{a, b, c, distinct_});
    }
  }

  /// C with its pattern, which the plan gives away.
  [[nodiscard]] csr<V, I, O> result(const V* a, const V* b) && {
    array<V> values(static_cast<std::size_t>(entries()), exec_.memory());
    (*this)(a, b, values.data());
    if (in_parts_) {
      offsets_ = std::move(in_parts_->of_sums().offsets_);
      columns_ = std::move(in_parts_->of_sums().columns_);
    }
    return {rows_, cols_, std::move(offsets_), std::move(columns_), std::move(values)};
  }

  /// Makes a list of the products of every entry, two offsets each: from now on values are sums
  /// over it, which the schedule balances. Cost: two passes over the products. Waits. Throws:
  /// overflow when there are more than 2^31 - 1 products.
  void keep_products() {
    using namespace spgemm_detail;
    if (in_parts_) {
      in_parts_->of_parts().keep_products();
      in_parts_->of_sums().keep_products();
      return;
    }
    if (entries() == 0 || products_) return;
    const auto& where = exec_.memory();
    array<std::int64_t> counts(columns_.size(), where);
    walk<slot>(count_products{counts.data()});
    array<O> first(columns_.size() + 1, where);
    const std::int64_t all = sum_up(counts, first);
    require(all <= INT32_MAX, errc::overflow,
            "spgemm: there are too many products to keep; use the plan without");
    array<factors<O>> list(static_cast<std::size_t>(all), where);
    walk<slot>(place_products<O>{first.data(), list.data()});
    typename list_of_products::plan_type plan(exec_, schedule_,
                                              segments<O>(first.data(), entries(), all));
    products_.emplace(list_of_products{std::move(first), std::move(list), std::move(plan)});
  }

  /// Notes where in its row of C each product belongs, 2 bytes per product and 8 (16) per nonzero
  /// of A: from now on values are summed without looking columns up. For rows of many products;
  /// keeping the products themselves is better for few of them, and takes precedence. Cost: two
  /// passes over the products. Waits. Throws: overflow when a row of C has more than 65,536
  /// entries, or there are more products than the offsets of A count.
  void keep_slots() {
    using namespace spgemm_detail;
    if (in_parts_) {
      in_parts_->of_parts().keep_slots();
      in_parts_->of_sums().keep_slots();
      return;
    }
    if (entries() == 0 || slots_) return;
    const auto& where = exec_.memory();
    array<std::int64_t> longest(1, where);
    reduce_tiles<std::int64_t>(
        exec_, schedule::merge_path{}, each_of(static_cast<std::int64_t>(rows_)),
        length_of_row<O>{offsets_.data()}, maximum{}, store_in{longest.data()});
    require(longest.to_vector().front() <= most_places, errc::overflow,
            "spgemm: a row of C has more entries than a slot can name; use the plan without");
    array<std::int64_t> counts(static_cast<std::size_t>(nonzeros_), where);
    for_each_atom(exec_, schedule::nonzero_split{}, each_of(nonzeros_),
                  store_partners<I, O>{m_, counts.data()});
    array<O> first(counts.size() + 1, where);
    const std::int64_t all = sum_up(counts, first);
    slots_.emplace(exec_, of_rows(schedule_), m_, static_cast<std::int64_t>(rows_), offsets_,
                   entries(), std::move(first), all);
    walk<slot>(slots_->noting());
  }

  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    if (in_parts_) return offsets_.size() * sizeof(O) + sizeof(tally) + in_parts_->bytes();
    return pieces_.size() * sizeof(piece) + columns_.size() * sizeof(I) +
           offsets_.size() * sizeof(O) + sizeof(tally) + takers_->bytes() +
           (products_ ? products_->bytes() : 0) + (slots_ ? slots_->bytes() : 0);
  }

 private:
  /// All rows, each to the group that the schedule chooses.
  template <class Agent>
  void take(const Agent& agent) const {
    const auto& bound = takers_->bound();
    if (bound.w.tiles() == 0) return;
    using kernel = spgemm_detail::take_rows<std::decay_t<decltype(bound)>, Agent>;
    exec_.template launch<row_shape>(bound.a.blocks, kernel{bound, agent});
  }
  /// The first `*count` pieces of a list, a block each.
  template <class Agent>
  void take(const array<piece>& list, const std::int64_t* count, const Agent& agent) const {
    const auto most = static_cast<std::int64_t>(list.size());
    if (most == 0) return;
    const std::int64_t rounds =
        spgemm_detail::some_rounds * exec_.template describe<list_shape>().blocks;
    exec_.template launch<list_shape>(most < rounds ? most : rounds,
                                      spgemm_detail::take_listed<Agent>{agent, list.data(), count});
  }
  /// Takes the products to the entries.
  template <std::size_t bytes, class Op>
  void walk(const Op& op) const {
    const spgemm_detail::walk_row<Op, I, O, bytes> agent{m_, offsets_.data(), columns_.data(),
                                                         sorted_, op};
    take(agent);
    take(pieces_, &seen_.data()->pieces, agent);
  }

  /// Running sums of `sizes`, and on the device the sum of all.
  void sum_into(const array<std::int64_t>& sizes, array<O>& offsets, std::int64_t* total) const {
    using namespace spgemm_detail;
    const detail::stretches all(static_cast<std::int64_t>(sizes.size()), 512,
                                2048);  // a block each
    array<std::int64_t> sums(static_cast<std::size_t>(all.count), exec_.memory());
    exec_.template launch<row_shape>(all.count, sum_stretches{sizes.data(), all, sums.data()});
    exec_.template launch<row_shape>(
        all.count, write_running_sums<O>{sizes.data(), all, sums.data(), offsets.data(), total});
  }
  /// The same, and waits for the sum. Throws: overflow when it does not fit the offsets.
  std::int64_t sum_up(const array<std::int64_t>& sizes, array<O>& offsets) const {
    array<std::int64_t> total(1, exec_.memory());
    sum_into(sizes, offsets, total.data());
    const std::int64_t sum = total.to_vector().front();
    (void)detail::narrow<O>(sum, "the number of products");
    return sum;
  }

  /// Finds out on the device whether the columns of B ascend.
  void compare_columns(const View& b) {
    const auto nonzeros = static_cast<std::int64_t>(b.nonzeros);
    const std::int64_t resident = exec_.template describe<row_shape>().blocks;
    const std::int64_t wanted = ceil_div(nonzeros, std::int64_t{4} * row_block::threads);
    exec_.template launch<row_shape>(
        wanted < resident ? wanted : resident,
        spgemm_detail::compare_neighbours<I, O>{
            b.offsets, b.indices, static_cast<std::int64_t>(b.rows), nonzeros, seen_.data()});
  }

  /// Fills in the offsets of C, and returns the columns of rows that no block has room for.
  std::vector<spgemm_detail::sorted_rows> count_columns(const View& a, std::int64_t budget,
                                                        const spgemm_detail::kept_columns<I>& keep,
                                                        array<piece>& noted) {
    using namespace spgemm_detail;
    std::vector<sorted_rows> found;
    const auto& where = exec_.memory();
    const auto rows = static_cast<std::size_t>(rows_);
    if (rows == 0) {
      offsets_.fill(0);
      takers_.emplace(exec_, of_rows(schedule_), rows_of(a), nullptr, 0);
      return found;
    }
    array<std::int64_t> products(rows, where);
    array<std::int64_t> counts(rows, where);
    array<piece> far(rows, where);
    reduce_tiles<std::int64_t>(exec_, schedule::merge_path{}, rows_of(a), count_partners<I, O>{m_},
                               plus{}, store_in{products.data()});
    constexpr std::int64_t per_lane = room_in<row_block>(sizeof(I), 1);
    takers_.emplace(exec_, of_rows(schedule_), rows_of(a), products.data(), per_lane);
    tally* const seen = seen_.data();
    const count_row<I, O> count{m_,   products.data(), counts.data(), keep,
                                seen, noted.data(),    far.data(),    slot};
    take(count);
    take(noted, &seen->pending, count);
    sum_into(counts, offsets_, &seen->entries);
    counted_ = seen_.to_vector().front();
    if (counted_.far > 0) {
      std::vector<piece> list = far.to_vector();
      list.resize(static_cast<std::size_t>(counted_.far));
      std::sort(list.begin(), list.end(), [](auto& x, auto& y) { return x.row < y.row; });
      found = find_columns(exec_, schedule_, m_, budget, list, counts.data());
      sum_into(counts, offsets_, &seen->entries);
      counted_ = seen_.to_vector().front();
    }
    (void)detail::narrow<O>(counted_.entries, "the number of entries of C");
    columns_ = array<I>(static_cast<std::size_t>(counted_.entries), where);
    return found;
  }

  /// Fills in the columns of C.
  void list_columns(const std::vector<spgemm_detail::sorted_rows>& found,
                    const spgemm_detail::kept_columns<I>& keep, array<piece>& noted) {
    using namespace spgemm_detail;
    tally* const seen = seen_.data();
    const list_row<I, O> list{m_,
                              offsets_.data(),
                              columns_.data(),
                              keep,
                              seen,
                              noted.data(),
                              room_in<list_block>(sizeof(I), list_block::threads)};
    take(list);
    if (counted_.pending > 0) take(noted, &seen->unlisted, list);
    for (const sorted_rows& batch : found)
      for_each_atom(
          exec_, schedule::nonzero_split{},
          segments<std::int64_t>(batch.first_entry.data(),
                                 static_cast<std::int64_t>(batch.rows.size()),
                                 static_cast<std::int64_t>(batch.keys.size())),
          copy_columns<I, O>{batch.rows.data(), batch.first_entry.data(), batch.keys.data(),
                             m_.cols, offsets_.data(), columns_.data()});
  }

  /// Lists what blocks have to sum because the groups of the schedule have no room for it.
  void assign_entries() {
    using namespace spgemm_detail;
    if (counted_.unfit == 0) return;
    const auto& where = exec_.memory();
    const std::int64_t room = room_in<list_block>(slot, list_block::threads);
    pieces_ =
        array<piece>(static_cast<std::size_t>(counted_.unfit + counted_.entries / room), where);
    take(note_pieces<slot, O>{offsets_.data(), seen_.data(), pieces_.data(), room});
  }

  Exec exec_;
  Schedule schedule_;
  I rows_;
  I cols_;
  spgemm_detail::patterns<I, O> m_;
  std::int64_t nonzeros_;  ///< of A
  array<O> offsets_;
  array<tally> seen_;
  tally counted_;
  array<I> columns_;
  array<piece> pieces_;
  bool sorted_ = false;    ///< whether the rows of B are
  bool distinct_ = false;  ///< and repeat no column
  std::optional<takers> takers_;
  std::optional<list_of_products> products_;
  std::optional<slots_of_products> slots_;
  std::unique_ptr<rows_in_parts> in_parts_;
};

/// Prepares C = A B for repeated use with other values.
template <class Exec, class Schedule, class View>
auto plan_spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  return spgemm_plan<Exec, Schedule, View>(exec, schedule, a, b);
}

/// C = A B.
template <class Exec, class Schedule, class View>
auto spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  return spgemm_plan<Exec, Schedule, View>(exec, schedule, a, b).result(a.values, b.values);
}

}  // namespace loops
