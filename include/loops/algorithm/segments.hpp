// SPDX-License-Identifier: Apache-2.0
/// What one worker of a schedule does, tile by tile; any role of a block iterates a copy of its
/// own.
#pragma once

#include "loops/algorithm/bound.hpp"

#include <cstdint>
#include <iterator>
#include <type_traits>

namespace loops {

/// The segments of one worker, in the order in which it takes them: its slices one after another,
/// each from its first tile to its last, or from the last to the first (`order::last_first`). Cost:
/// a few divisions per slice and per tile begun by somebody else; a search for each cut where no
/// plan has found them and the work has no closed form. `Held` is a bound, or a reference to one
/// that outlives the range: a kernel's stays where it is.
template <class Held>
class segment_range {
  using Bound = std::remove_cvref_t<Held>;
  static_assert(!Bound::order_type::by_arrival && !Bound::binned,
                "the segments of a dynamic schedule are not known beforehand");

  /// Slices after the shares are whole tiles: no need to ask where they are cut.
  static constexpr bool tiles_at_the_end =
      std::is_same_v<typename Bound::measure_type, measure::shares_then_tiles>;

 public:
  LOOPS_HD constexpr segment_range(const Bound& b, std::int64_t worker) : b_(b), worker_(worker) {}

  class iterator {
   public:
    LOOPS_HD constexpr iterator(const segment_range* range, std::int64_t number)
        : range_(range), number_(number) {
      open();
      ++*this;
    }
    [[nodiscard]] LOOPS_HD constexpr const segment& operator*() const { return now_; }
    [[nodiscard]] LOOPS_HD constexpr const segment* operator->() const { return &now_; }
    LOOPS_HD constexpr iterator& operator++() {
      while (*this != std::default_sentinel && !advance()) {
        number_ += range_->b_.a.workers();
        open();
      }
      return *this;
    }
    /// Whether there is a segment here.
    [[nodiscard]] LOOPS_HD constexpr bool operator!=(std::default_sentinel_t) const {
      return number_ < range_->b_.a.slices;
    }

   private:
    LOOPS_HD constexpr void open() {
      if (!(*this != std::default_sentinel)) return;
      if constexpr (tiles_at_the_end) {
        whole_ = number_ >= range_->b_.a.what.shares;
        if (whole_) return;
      }
      left_ = range_->b_.at(number_);
    }
    /// Takes the next segment off what is left of the slice; false when nothing is.
    LOOPS_HD constexpr bool advance() {
      const auto& w = range_->b_.w;
      if constexpr (tiles_at_the_end) {
        const auto& what = range_->b_.a.what;
        if (number_ >= what.shares) {
          if (!whole_) return false;
          whole_ = false;
          const std::int64_t t = what.shared + (number_ - what.shares);
          now_ = {tile_id(w, t), 0, w.offset(t + 1) - w.offset(t), true, true, range_->worker_};
          return true;
        }
      }
      if (left_.begin == left_.end) return false;
      if constexpr (Bound::order_type::backwards) {
        const bool open = left_.end.tile < w.tiles() && left_.end.atom > w.offset(left_.end.tile);
        const std::int64_t t = open ? left_.end.tile : left_.end.tile - 1;
        const std::int64_t from = t == left_.begin.tile ? left_.begin.atom : w.offset(t);
        take(t, from, open ? left_.end.atom : w.offset(t + 1), !open);
        left_.end = {t, from};
      } else {
        const std::int64_t t = left_.begin.tile;
        const bool open = t == left_.end.tile;
        const std::int64_t to = open ? left_.end.atom : w.offset(t + 1);
        take(t, left_.begin.atom, to, !open);
        left_.begin = {open ? t : t + 1, to};
      }
      return true;
    }
    /// Atoms [from, to) of the work, which lie in tile t.
    LOOPS_HD constexpr void take(std::int64_t t, std::int64_t from, std::int64_t to, bool ends) {
      const Bound& b = range_->b_;
      const std::int64_t tile_begins = b.w.offset(t);
      now_.tile = tile_id(b.w, t);
      now_.first = from - tile_begins;
      now_.last = to - tile_begins;
      now_.begins = now_.first == 0;
      now_.ends = ends;
      now_.first_peer = ends && !now_.begins ? b.a.slice_of(b.w, t) : range_->worker_;
    }

    const segment_range* range_;
    std::int64_t number_;
    slice left_{};
    bool whole_ = false;  ///< the slice is a tile, which is still to come
    segment now_{};
  };
  [[nodiscard]] LOOPS_HD constexpr iterator begin() const { return {this, worker_}; }
  [[nodiscard]] LOOPS_HD constexpr std::default_sentinel_t end() const { return {}; }

 private:
  Held b_;
  std::int64_t worker_;
};

namespace detail {

/// A schedule bound without a plan: cuts are searched for.
template <work W, class Assignment>
struct unplanned : bound<W, Assignment> {
  [[nodiscard]] LOOPS_HD constexpr slice at(std::int64_t s) const { return this->a.at(this->w, s); }
};

}  // namespace detail

/// The segments of worker `worker` of a schedule that was bound to `w`; on the host too.
template <work W, class Assignment>
[[nodiscard]] LOOPS_HD constexpr segment_range<detail::unplanned<W, Assignment>> segments_of(
    const Assignment& a, const W& w, std::int64_t worker) {
  return {{{w, a}}, worker};
}

/// The same in a kernel that was given the schedule by a plan; `b` outlives the range.
template <work W, class Assignment>
[[nodiscard]] LOOPS_HD constexpr segment_range<const bound<W, Assignment>&> segments_of(
    const bound<W, Assignment>& b, std::int64_t worker) {
  return {b, worker};
}

}  // namespace loops
