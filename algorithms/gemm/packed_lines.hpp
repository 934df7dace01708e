// SPDX-License-Identifier: Apache-2.0
/// Copies the rows of a dense matrix to where 16 bytes move at once.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/dense.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/work/uniform.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace loops::gemm_detail {

/// A pack is 16 bytes of a row of the copy, with zeros behind the row's elements. Lanes read what
/// lies anyhow one by one, and write whole packs side by side.
template <class T, int Elements>
struct copy_packs {
  dense_view<const T> from;
  T* to;
  std::int64_t packs;  ///< of a row

  LOOPS_HD void operator()(std::int64_t row, std::int64_t number) const {
    using pack = spmm_detail::pack<T, Elements>;
    const std::int64_t first = number * Elements;
    const T* const read = from.data + (row * from.stride + first);
    pack p;
    if (first + Elements <= from.cols) {
      LOOPS_UNROLL
      for (int i = 0; i < Elements; ++i) p.at[i] = read[i];
    } else {
      LOOPS_UNROLL
      for (int i = 0; i < Elements; ++i)
        p.at[i] = first + i < from.cols ? read[i] : T(accumulator_t<T>(0));
    }
    *reinterpret_cast<pack*>(to + (row * packs + number) * Elements) = p;
  }
};

/// The same for the rows of two matrices that are equally long, one behind the other: a launch for
/// both.
template <class T, int Elements>
struct copy_both {
  using copy = copy_packs<T, Elements>;
  copy first;
  copy second;
  std::int64_t rows;  ///< of the first

  LOOPS_HD void operator()(std::int64_t row, std::int64_t number) const {
    // Member by member: of a choice between two whole structures AMD's compiler makes copies.
    const bool behind = row >= rows;
    const dense_view<const T>& like = first.from;
    const copy chosen{{behind ? second.from.data : like.data, like.rows, like.cols,
                       behind ? second.from.stride : like.stride, like.order},
                      behind ? second.to : first.to,
                      first.packs};
    chosen(behind ? row - rows : row, number);
  }
};
template <class T, int Elements>
copy_both(copy_packs<T, Elements>, copy_packs<T, Elements>, std::int64_t) -> copy_both<T, Elements>;

/// The same by tiles that are 2^Shift pieces of a row, the last of which may end behind it.
template <class Copy>
struct copy_pieces {
  static constexpr bool starts_early = true;  ///< products that are copied are small
  Copy copy;
  int shift;
  std::int64_t width;  ///< packs of a piece
  std::int64_t packs;  ///< of a row

  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom) const {
    const std::int64_t row = tile >> shift;
    const std::int64_t number = atom - (row << shift) * width;
    if (number < packs) copy(row, number);
  }
};

/// Lanes prepared to copy rows of so many packs each. Few long rows are cut, so that all processors
/// have some.
template <class Exec>
class line_copier {
  using copy_plan = decltype(loops::plan(std::declval<const Exec&>(), schedule::group_mapped{},
                                         uniform(0, 0), reuse::many_times));

 public:
  line_copier(const Exec& exec, std::int64_t rows, std::int64_t packs, reuse uses)
      : packs_(packs),
        shift_(shift_for(rows, packs)),
        width_(ceil_div(packs, std::int64_t{1} << shift_)),
        plan_(loops::plan(exec, schedule::group_mapped{lanes_for(width_)},
                          uniform(rows << shift_, width_), uses)) {}
  template <class Copy>
  void operator()(const Copy& copy) const {
    loops::for_each_atom(plan_, copy_pieces<Copy>{copy, shift_, width_, packs_});
  }
  [[nodiscard]] std::size_t bytes() const { return plan_.bytes(); }

 private:
  /// Pieces of a row: enough for the lanes of large devices, but none shorter than a block.
  static int shift_for(std::int64_t rows, std::int64_t packs) {
    constexpr std::int64_t pieces = 4096;
    int shift = 0;
    while (rows << shift < pieces && packs >> (shift + 1) >= 128) ++shift;
    return shift;
  }
  /// As many as a piece has packs, up to a block.
  static int lanes_for(std::int64_t packs) {
    int lanes = 1;
    while (lanes < packs && lanes < 128) lanes *= 2;
    return lanes;
  }

  std::int64_t packs_;
  int shift_;
  std::int64_t width_;
  copy_plan plan_;
};

/// Prepared for rows like those of one matrix: room for them, and lanes that copy them.
template <class Exec, class T>
class packed_lines {
  static constexpr int elements = 16 / int(sizeof(T));

 public:
  packed_lines(const Exec& exec, const dense_view<const T>& like, reuse uses)
      : packs_(ceil_div(like.cols, elements)),
        copied_(static_cast<std::size_t>(like.rows * packs_ * elements), exec.memory()),
        copy_(exec, like.rows, packs_, uses) {}

  /// Where the rows of `m` will be.
  [[nodiscard]] dense_view<const T> place_of(const dense_view<const T>& m) const {
    return {copied_.data(), m.rows, m.cols, packs_ * elements, layout::row_major};
  }
  /// The rows of `m`, copied.
  [[nodiscard]] dense_view<const T> of(const dense_view<const T>& m, const char*) const {
    copy_(copy_of(m));
    return place_of(m);
  }
  /// What copies the rows of `m`, for whoever copies others in the same launch.
  [[nodiscard]] copy_packs<T, elements> copy_of(const dense_view<const T>& m) const {
    return {m, const_cast<T*>(copied_.data()), packs_};
  }
  [[nodiscard]] std::size_t bytes() const { return copied_.size() * sizeof(T) + copy_.bytes(); }

 private:
  std::int64_t packs_;
  array<T> copied_;
  line_copier<Exec> copy_;
};

}  // namespace loops::gemm_detail
