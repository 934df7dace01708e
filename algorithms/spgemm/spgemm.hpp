// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times sparse matrix: C = A B, rows of C sorted.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/long_rows.hpp"
#include "algorithms/spgemm/rows.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/format/validate.hpp"
#include "loops/schedule/lrb.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
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

/// A row that is counted is on no list; of the others, how many products they have.
struct is_pending {
  const std::int64_t* counts;
  LOOPS_HD std::int64_t operator()(std::int64_t row) const { return counts[row] < 0 ? 1 : 0; }
};
struct note_pending {
  const std::int64_t* products;
  piece* list;
  LOOPS_HD void operator()(std::int64_t, std::int64_t row, std::int64_t before,
                           std::int64_t through) const {
    if (through > before) list[before] = {row, products[row + 1] - products[row]};
  }
};

/// As many pieces of every row as it wants blocks.
template <class O>
struct note_pieces {
  const O* offsets;
  std::int64_t room;
  piece* list;
  LOOPS_HD void operator()(std::int64_t, std::int64_t row, std::int64_t before,
                           std::int64_t through) const {
    for (std::int64_t i = before; i < through; ++i)
      list[i] = {row, static_cast<std::int64_t>(offsets[row]) + (i - before) * room};
  }
};

template <class O>
struct narrow_offset {
  const std::int64_t* from;
  O* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const { to[i] = static_cast<O>(from[i]); }
};

}  // namespace spgemm_detail

/// The pattern of C = A B, and who takes which entries: all that does not depend on values (the
/// symbolic part). Calling it computes the values (the numeric part), allocates nothing, waits for
/// nothing, and can be captured into a graph. The patterns of A and B must outlive it; it keeps
/// nothing per product.
template <class Exec, class Schedule, class View>
class spgemm_plan {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using row_schedule = decltype(spgemm_detail::of_rows(std::declval<const Schedule&>()));
  using row_shape = shape<128, 8>;
  using row_plan = tile_plan<Exec, row_schedule, segments<O>, V, row_shape>;
  using row_block = typename Exec::template block<row_shape>;
  using piece = spgemm_detail::piece;

 public:
  /// Cost: two passes over the products, without their values: one to count the columns of every
  /// row, one to list them. `schedule` says which group takes a row, as long as its table has room
  /// for it; it balances the products of A's rows, and of rows that no block has room for. Waits.
  /// Throws: invalid_argument when A has other columns than B has rows; overflow when the products
  /// or the entries of C cannot be counted in the types of A.
  spgemm_plan(const Exec& exec, const Schedule& schedule, const View& a, const View& b)
      : exec_(exec),
        rows_(a.rows),
        cols_(b.cols),
        m_{a.offsets, a.indices, b.offsets, b.indices, static_cast<std::int64_t>(b.cols)},
        offsets_(static_cast<std::size_t>(a.rows) + 1, exec.memory()) {
    if (a.cols != b.rows)
      throw error(errc::invalid_argument, "spgemm: A has " + std::to_string(a.cols) +
                                              " columns, but B has " + std::to_string(b.rows) +
                                              " rows");
    if (cols_ > 0)
      require(static_cast<std::int64_t>(rows_) <= INT64_MAX / static_cast<std::int64_t>(cols_),
              errc::overflow, "spgemm: the places of C cannot be counted in 64 bits");
    const std::int64_t budget =
        static_cast<std::int64_t>(a.nonzeros) + static_cast<std::int64_t>(b.nonzeros);
    // A lane alone keeps columns as it counts them, in room that is a multiple of what A and B
    // take.
    constexpr bool keeps = row_block::threads == 1;
    const std::int64_t room = keeps ? 8 * budget : 0;
    array<I> kept(static_cast<std::size_t>(room), exec.memory());
    array<std::int64_t> places(keeps ? static_cast<std::size_t>(rows_) : 0, exec.memory());
    array<std::int64_t> used(1, exec.memory());
    used.fill(0);
    const spgemm_detail::kept_columns<I> keep{kept.data(), room, used.data(), places.data()};
    const auto found = count_columns(schedule, a, budget, keep);
    list_columns(schedule, found, keep);
    assign_entries(schedule, b);
  }

  /// Entries of C, zeros that cancelled out included.
  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(columns_.size()); }

  /// C without values: they are not initialised.
  [[nodiscard]] csr<V, I, O> pattern() const {
    const auto& where = exec_.memory();
    return {rows_, cols_, offsets_.to(where), columns_.to(where), array<V>(columns_.size(), where)};
  }

  /// Values of C for values of A and B, all in the order of their patterns.
  void operator()(const V* a, const V* b, V* c) const {
    if (entries() == 0) return;
    const spgemm_detail::sum_row<V, I, O> sum{m_, offsets_.data(), columns_.data(), a, b,
                                              c,  sorted_};
    take(*plan_, sum);
    take(pieces_, sum);
  }

  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return pieces_.size() * sizeof(piece) + columns_.size() * sizeof(I) +
           offsets_.size() * sizeof(O) + plan_->bytes();
  }

 private:
  using sums = spgemm_detail::sum_row<V, I, O>;

  /// All rows, each to the group that the plan's schedule chooses.
  template <class Plan, class Agent>
  void take(const Plan& p, const Agent& agent) const {
    const auto& bound = p.bound_schedule();
    if (bound.w.tiles() == 0) return;
    using kernel = spgemm_detail::take_rows<std::decay_t<decltype(bound)>, Agent>;
    exec_.template launch<row_shape>(p.blocks(), kernel{bound, agent});
  }
  /// The pieces of a list, a block each.
  template <class Agent>
  void take(const array<piece>& list, const Agent& agent) const {
    const auto n = static_cast<std::int64_t>(list.size());
    if (n == 0) return;
    constexpr std::int64_t widest = std::int64_t{1} << 30;
    exec_.template launch<row_shape>(n < widest ? n : widest,
                                     spgemm_detail::take_listed<Agent>{agent, list.data(), n});
  }

  /// One entry for every 1 that `size` gives a row, or more where it gives more. Waits.
  template <class Size, class Note>
  array<piece> listed(const Size& size, Note note) const {
    using namespace segmented_detail;
    const auto rows = static_cast<std::int64_t>(rows_);
    array<std::int64_t> total(1, exec_.memory());
    total.fill(0);
    reduce_tiles<std::int64_t>(exec_, schedule::nonzero_split{}, each_of(rows), size, plus{},
                               spgemm_detail::store_count{total.data()});
    const std::int64_t n = total.to_vector().front();
    array<piece> list(static_cast<std::size_t>(n), exec_.memory());
    if (n == 0) return list;
    note.list = list.data();
    scan_tiles<std::int64_t>(exec_, schedule::nonzero_split{}, each_of(rows), size, plus{}, note);
    return list;
  }

  /// Fills in the offsets of C, and returns the columns of rows that no block has room for.
  std::vector<spgemm_detail::sorted_rows> count_columns(
      const Schedule& schedule, const View& a, std::int64_t budget,
      const spgemm_detail::kept_columns<I>& keep) {
    using namespace segmented_detail;
    using namespace spgemm_detail;
    const auto& where = exec_.memory();
    const auto rows = static_cast<std::int64_t>(rows_);
    array<std::int64_t> counts(static_cast<std::size_t>(rows), where);
    reduce_tiles<std::int64_t>(exec_, schedule, rows_of(a), count_partners<I, O>{m_}, plus{},
                               spgemm_detail::store_count{counts.data()});
    array<std::int64_t> starts(static_cast<std::size_t>(rows) + 1, where);
    array<std::int64_t> products(static_cast<std::size_t>(rows) + 1, where);
    const std::int64_t all =
        running_sums(exec_, rows, spgemm_detail::read_count{counts.data()}, products);

    const count_row<I, O> count{m_, products.data(), counts.data(), keep};
    const segments<std::int64_t> by_products(products.data(), rows, all);
    const auto who = of_rows(schedule);
    take(tile_plan<Exec, row_schedule, segments<std::int64_t>, V, row_shape>(exec_, who,
                                                                             by_products),
         count);
    const is_pending pending{counts.data()};
    take(listed(pending, note_pending{products.data(), nullptr}), count);
    auto found = find_columns(exec_, schedule, m_, static_cast<std::int64_t>(a.nonzeros), budget,
                              listed(pending, note_pending{products.data(), nullptr}).to_vector(),
                              counts.data());

    const std::int64_t entries =
        running_sums(exec_, rows, spgemm_detail::read_count{counts.data()}, starts);
    (void)detail::narrow<O>(entries, "the number of entries of C");
    for_each_atom(exec_, schedule::nonzero_split{}, each_of(rows + 1),
                  narrow_offset<O>{starts.data(), offsets_.data()});
    columns_ = array<I>(static_cast<std::size_t>(entries), where);
    return found;
  }

  /// Fills in the columns of C.
  void list_columns(const Schedule& schedule, const std::vector<spgemm_detail::sorted_rows>& found,
                    const spgemm_detail::kept_columns<I>& keep) {
    using namespace spgemm_detail;
    const auto rows = static_cast<std::int64_t>(rows_);
    plan_.emplace(exec_, of_rows(schedule), segments<O>(offsets_.data(), rows, entries()));
    array<std::int64_t> wanting(static_cast<std::size_t>(rows), exec_.memory());
    const list_row<I, O> list{m_, offsets_.data(), columns_.data(), wanting.data(), keep};
    take(*plan_, list);
    take(listed(spgemm_detail::read_count{wanting.data()},
                note_pieces<O>{offsets_.data(), 0, nullptr}),
         list);
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
  void assign_entries(const Schedule&, const View& b) {
    using namespace spgemm_detail;
    array<std::int64_t> wanting(static_cast<std::size_t>(rows_), exec_.memory());
    take(*plan_, want_blocks<V, I, O>{offsets_.data(), wanting.data()});
    pieces_ =
        listed(spgemm_detail::read_count{wanting.data()},
               note_pieces<O>{offsets_.data(),
                              room_in<row_block>(sums::slot_bytes, row_block::threads), nullptr});
    if (pieces_.empty()) return;
    array<int> descents(1, exec_.memory());
    descents.fill(0);
    for_each_atom(exec_, schedule::nonzero_split{}, rows_of(b),
                  find_descent<I, O>{b.offsets, b.indices, descents.data()});
    sorted_ = descents.to_vector().front() == 0;
  }

  Exec exec_;
  I rows_;
  I cols_;
  spgemm_detail::patterns<I, O> m_;
  array<O> offsets_;
  array<I> columns_;
  array<piece> pieces_;
  bool sorted_ = false;
  std::optional<row_plan> plan_;
};

/// Prepares C = A B for repeated use with other values.
template <class Exec, class Schedule, class View>
auto plan_spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  return spgemm_plan<Exec, Schedule, View>(exec, schedule, a, b);
}

/// C = A B.
template <class Exec, class Schedule, class View>
auto spgemm(const Exec& exec, const Schedule& schedule, const View& a, const View& b) {
  const spgemm_plan<Exec, Schedule, View> plan(exec, schedule, a, b);
  auto c = plan.pattern();
  plan(a.values, b.values, c.values.data());
  return c;
}

}  // namespace loops
