// SPDX-License-Identifier: Apache-2.0
/// Values of atoms carried to the tiles of another work in two hops, and summed there.
///
/// Whoever reads or writes memory at random pays a sector for a value. Two hops pay for what they
/// move: a block of the first takes consecutive atoms, orders their values by where they go in
/// shared memory, and writes them side by side; one of the second fetches what goes to consecutive
/// atoms of the target, a run from every block of the first, and sums tiles in shared memory.
#pragma once

#include "algorithms/spmv/hop_kernels.hpp"
#include "algorithms/spmv/stretched.hpp"
#include "loops/core/error.hpp"
#include "loops/execution/sort.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace loops {

namespace spmv_detail {

/// keys[k] = the stretch that value k of the target comes from.
template <class O, class Index>
struct find_stretches {
  const O* order;
  std::int64_t stretch;
  std::int32_t* keys;
  Index* ranks;
  LOOPS_HD void operator()(std::int64_t, std::int64_t k) const {
    keys[k] = static_cast<std::int32_t>(static_cast<std::int64_t>(order[k]) / stretch);
    ranks[k] = static_cast<Index>(k);
  }
};

/// Run `d * stretches + s` is what stretch s of the source brings to stretch d of the target. In s,
/// by then ordered, it begins at the first value that goes to d or beyond.
template <class Index>
struct find_runs {
  const Index* ranks;  ///< ascending in every stretch of the source
  std::int64_t count;
  std::int64_t stretch;
  std::int64_t stretches;
  [[nodiscard]] LOOPS_HD std::int64_t begin(std::int64_t d, std::int64_t s) const {
    const std::int64_t first = s * stretch;
    const std::int64_t last = first + stretch < count ? first + stretch : count;
    return first_where(first, last, [&](std::int64_t m) {
      return static_cast<std::int64_t>(ranks[m]) >= d * stretch;
    });
  }
  /// How long it is.
  LOOPS_HD std::int64_t operator()(std::int64_t run) const {
    const std::int64_t d = run / stretches;
    const std::int64_t s = run % stretches;
    return begin(d + 1, s) - begin(d, s);
  }
};

/// Where a run begins, less the number of its first value in the target.
template <class Index>
struct source_of_run {
  find_runs<Index> runs;
  const Index* offsets;
  LOOPS_HD std::int64_t operator()(std::int64_t run) const {
    return runs.begin(run / runs.stretches, run % runs.stretches) -
           static_cast<std::int64_t>(offsets[run]);
  }
};

/// Places of both hops, from where each value lies in between.
template <class O, class Index, class Sizes>
struct find_places {
  const O* order;
  const Index* ranks;
  source_of_run<Index> source;
  std::uint16_t* first;
  std::uint16_t* second;
  LOOPS_HD void operator()(std::int64_t, std::int64_t m) const {
    const auto k = static_cast<std::int64_t>(ranks[m]);
    const std::int64_t stretch = source.runs.stretch;
    first[note_of(static_cast<std::int64_t>(order[k]))] = static_cast<std::uint16_t>(m % stretch);
    const std::int64_t run = k / stretch * source.runs.stretches + m / stretch;
    second[note_of(m - source(run))] =
        static_cast<std::uint16_t>(Sizes::padded(static_cast<int>(k % stretch)));
  }
};

}  // namespace spmv_detail

/// Carries a value per atom of one work to the atoms of another, and combines these tile by tile.
/// In place of a read at random per atom it moves a value three times side by side. Repeatable.
/// Making it: a sort's time; waits; 5 bytes and a value per atom, and 4 or 8 bytes per run, of
/// which there are (atoms / stretch())^2 at most, of so many also while it is made.
template <class Exec, class T, class Offset, class Sizes = spmv_detail::usual_hops<Exec, T>>
class hops {
  using target_type = spmv_detail::stretched<Exec, T, Offset, Sizes>;
  using index = typename target_type::index;
  using launch_shape = typename Sizes::launch_shape;
  using work_type = segments<Offset>;

 public:
  /// Most atoms that are carried: with more there would be more runs than atoms.
  static constexpr std::int64_t most_atoms = std::int64_t{Sizes::room} * Sizes::room;

  /// `order[k]`: which atom of `from` is the k-th of `to`; every one once. The arrays of both works
  /// must outlive it, `order` need not. Throws: unsupported when there are more than `most_atoms`.
  hops(const Exec& exec, const work_type& from, const work_type& to, const Offset* order)
      : exec_(exec),
        count_(checked_count(from.atoms())),
        stretch_(target_type::stretch_for(exec, count_)),
        stretches_(ceil_div(count_, stretch_)),
        places_(noted(), exec.memory()),
        next_places_(noted(), exec.memory()),
        between_(noted(), exec.memory()),
        tiles_(exec, from),
        target_(exec, to, stretch_) {
    tiles_.name(exec, from);
    if (count_ > 0) find_runs(order);
  }

  /// For every tile t of the target calls emit(t, value) with the combination, as of
  /// `reduce_tiles`, of read(read.of_tile(tile), read.of_atom(atom)) over its atoms, each of which
  /// is an atom of the source. Three launches. Allocates nothing, waits for nothing, and can be
  /// captured into a graph. One stream at a time.
  template <class Read, class Combine, class Emit>
  void operator()(const Read& read, const Combine& combine, const Emit& emit) const {
    target_.emit_empty(combine, emit);
    if (count_ == 0) return;
    T* const between = const_cast<T*>(between_.data());
    exec_.template launch<launch_shape>(
        stretches_, spmv_detail::leave<index, Read, T, Sizes>{tiles_.view(), read, places_.data(),
                                                              count_, stretch_, between});
    const auto sums = target_.sums(combine, emit);
    exec_.template launch<launch_shape>(
        stretches_, spmv_detail::arrive<std::remove_const_t<decltype(sums)>, index>{
                        runs_view(), {between, sources_.data()}, next_places_.data(), sums});
    target_.join(combine, emit);
  }

  /// Atoms that a block takes.
  [[nodiscard]] std::int64_t stretch() const { return stretch_; }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return noted() * (4 + sizeof(T)) + tiles_.bytes() + target_.bytes() +
           (runs_ ? runs_->bytes() : 0) + sources_.size() * sizeof(index);
  }

 private:
  static std::int64_t checked_count(std::int64_t count) {
    if (count > most_atoms)
      throw error(errc::unsupported,
                  std::to_string(count) + " values cannot be carried in two hops, which take " +
                      std::to_string(most_atoms) + " at most: read them where they are, in passes");
    return count;
  }
  [[nodiscard]] std::size_t atoms() const { return static_cast<std::size_t>(count_); }
  /// Whole chunks of them.
  [[nodiscard]] std::size_t noted() const {
    return static_cast<std::size_t>(ceil_div(count_, spmv_detail::chunk) * spmv_detail::chunk);
  }
  [[nodiscard]] spmv_detail::marks_view<index> runs_view() const {
    return runs_ ? runs_->view() : spmv_detail::marks_view<index>{};
  }
  void find_runs(const Offset* order) {
    using segmented_detail::each_of;
    const schedule::nonzero_split how;
    array<index> ranks(atoms(), exec_.memory());
    {
      array<std::int32_t> keys(atoms(), exec_.memory());
      for_each_atom(
          exec_, how, each_of(count_),
          spmv_detail::find_stretches<Offset, index>{order, stretch_, keys.data(), ranks.data()});
      stable_sort_by_key(exec_, keys, ranks);
    }
    const std::int64_t all = stretches_ * stretches_;
    const spmv_detail::find_runs<index> find{ranks.data(), count_, stretch_, stretches_};
    array<index> offsets(static_cast<std::size_t>(all) + 1, exec_.memory());
    array<std::int64_t> total(1, exec_.memory());
    segmented_detail::sum_into(exec_, all, find, offsets.data(), total.data());
    const spmv_detail::source_of_run<index> source{find, offsets.data()};
    for_each_atom(exec_, how, each_of(count_),
                  spmv_detail::find_places<Offset, index, Sizes>{
                      order, ranks.data(), source, places_.data(), next_places_.data()});
    const segments<index> work(offsets.data(), all, count_);
    runs_ = std::make_unique<spmv_detail::tile_marks<index>>(exec_, work);
    sources_ = runs_->of_tiles(exec_, work, source);
    exec_.synchronize();
  }

  Exec exec_;
  std::int64_t count_;
  std::int64_t stretch_;
  std::int64_t stretches_;
  array<std::uint16_t> places_;
  array<std::uint16_t> next_places_;
  array<T> between_;
  spmv_detail::tile_marks<index> tiles_;
  target_type target_;
  std::unique_ptr<spmv_detail::tile_marks<index>> runs_;
  array<index> sources_;
};

}  // namespace loops
