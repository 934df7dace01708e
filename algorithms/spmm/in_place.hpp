// SPDX-License-Identifier: Apache-2.0
/// Small products whose B is no rows of packs: read, and C written, where they lie.
#pragma once

#include "algorithms/spmm/any_product.hpp"
#include "algorithms/spmm/functors.hpp"
#include "algorithms/spmm/pack.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/vector_argument.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::spmm_detail {

/// Where the elements of a dense matrix are, however it lies.
template <class T>
struct elements {
  T* data;
  std::int64_t down;    ///< from a row to the next
  std::int64_t across;  ///< from a column to the next
  explicit elements(const dense_view<T>& m)
      : data(m.data),
        down(m.order == layout::row_major ? m.stride : 1),
        across(m.order == layout::row_major ? 1 : m.stride) {}
};

/// Rows of B whose elements are read one by one.
template <class V, class I, int Columns>
class rows_anyhow {
 public:
  explicit rows_anyhow(const dense_view<const V>& b) : b_(b), cols_(b.cols) {}

  [[nodiscard]] LOOPS_HD const V* begin() const { return b_.data; }
  [[nodiscard]] LOOPS_HD pack<V, Columns> read(I row, int share) const {
    const V* const at = b_.data + static_cast<std::int64_t>(row) * b_.down;
    const std::int64_t first = static_cast<std::int64_t>(share) * Columns;
    pack<V, Columns> p;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) {
      // Nobody stores what comes of columns that B does not have.
      const std::int64_t c = first + i < cols_ ? first + i : cols_ - 1;
      p.at[i] = at[c * b_.across];
    }
    return p;
  }

 private:
  elements<const V> b_;
  std::int64_t cols_;
};

/// `scaled_store` for a C that lies in any way.
template <class V, int Columns>
struct scattered_store {
  using neighbours = std::true_type;
  using scalar = accumulator_t<V>;
  elements<V> c;
  std::int64_t cols;
  scalar alpha;
  scalar beta;
  LOOPS_HD void operator()(int share, std::int64_t row,
                           const row_sums<scalar, Columns>& sums) const {
    const std::int64_t first = static_cast<std::int64_t>(share) * Columns;
    V* at = c.data + row * c.down + first * c.across;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) {
      if (first + i >= cols) break;
      const scalar value = alpha * sums.at[i];
      *at = stored_as<V>(beta == scalar{} ? value : value + beta * scalar(*at));
      at += c.across;
    }
  }
};

/// Whether a product reads so few elements of B, and writes so few of C, that launches count for
/// more than where they lie: four for every lane of the machine, which reads them one by one while
/// another kernel would start, or twelve where the part of B that a copy of the grid reads, 32
/// bytes of every row, stays in a processor's own cache. Without bundles long rows have few lanes:
/// half as many lanes as there are may read one each, or two each where all of B stays there.
template <class Exec, class View>
[[nodiscard]] bool is_small(const Exec& exec, const View& a, std::int64_t cols, bool bundled) {
  constexpr std::int64_t own_cache = (LOOPS_HIP ? 16 : 128) << 10;
  const machine m = exec.template describe<shape<128, 32>>();
  const std::int64_t lanes = m.threads * m.blocks;
  const std::int64_t bytes = bundled ? 32 : cols * std::int64_t{sizeof(typename View::value_type)};
  const bool near = static_cast<std::int64_t>(a.cols) <= own_cache / bytes;
  const std::int64_t most = (bundled ? (near ? 12 : 4) * lanes
                             : near  ? 2 * lanes
                                     : lanes / 2) /
                            cols;
  return static_cast<std::int64_t>(a.nonzeros) <= most && static_cast<std::int64_t>(a.rows) <= most;
}

/// One launch. A few columns are taken by a lane each row, or as the schedule will; more by bundles
/// of two lanes, eight columns of 4 bytes at a time: rows are many for a wave, and what these read
/// and write of a column lies side by side where rows do.
template <class Exec, class Schedule, class View, int Columns, int Width>
class product_in_place final : public product<typename View::value_type> {
  using V = typename View::value_type;
  using scalar = accumulator_t<V>;
  using index = typename View::index_type;
  using map = nonzero_times_row<V, index, Columns, rows_anyhow<V, index, Columns>>;
  using rows_plan = row_plan<Exec, Schedule, View, typename map::sum, Columns, Width>;

 public:
  product_in_place(const Exec& exec, const Schedule& schedule, const View& a,
                   const dense_view<const V>& b, reuse uses)
      : a_(a), cols_(b.cols), order_(b.order), rows_(exec, schedule, a, b.cols, uses) {}

  void multiply(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha,
                scalar beta) const override {
    check_dense(b, static_cast<std::int64_t>(a_.cols), cols_, "B");
    check_dense(c, static_cast<std::int64_t>(a_.rows), cols_, "C");
    check_apart(c.data, "C", b.data, "B", a_.rows > 0 && a_.cols > 0);
    if (b.order != order_ && !in_packs<Columns>(b)) refuse_otherwise("B");
    rows_.reduce(map(a_, b), scattered_store<V, Columns>{elements<V>(c), cols_, alpha, beta});
  }
  void check() override { rows_.check(); }
  [[nodiscard]] std::size_t bytes() const override { return rows_.bytes(); }

 private:
  View a_;
  std::int64_t cols_;
  layout order_;
  rows_plan rows_;
};

}  // namespace loops::spmm_detail
