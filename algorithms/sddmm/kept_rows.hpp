// SPDX-License-Identifier: Apache-2.0
/// SDDMM where a row of A fits the registers of a bundle: it is read once for its nonzeros.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "algorithms/spmv/functors.hpp"
#include "loops/algorithm/reduce_shares.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"
#include "loops/work/noted.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>

namespace loops::sddmm_detail {

/// Tiles are rows of A, atoms nonzeros. Share s of either is the packs s, s + Width, … of a row of
/// A, and of a column of B, as many as there are.
template <class V, class I, int Columns, int Width, int Packs>
struct row_times_column {
  using sum = accumulator_t<V>;
  using pack = spmm_detail::pack<V, Columns>;
  struct share_of {
    pack at[Packs];
  };
  const I* col_of;
  dense_view<const V> a;
  dense_view<const V> b;  ///< transposed
  int packs;              ///< of a row: more than fewer packs would hold, no more than these do
  LOOPS_HD I common(std::int64_t nonzero) const { return col_of[nonzero]; }
  LOOPS_HD share_of of_tile(int share, std::int64_t row) const { return read(a, row, share); }
  LOOPS_HD share_of of_atom(int share, I column) const { return read(b, column, share); }
  LOOPS_HD sum operator()(int share, const share_of& x, const share_of& y) const {
    sum s{};
    LOOPS_UNROLL
    for (int p = 0; p < Packs; ++p) {
      if (!has(p, share)) break;
      LOOPS_UNROLL
      for (int i = 0; i < Columns; ++i) s = s + sum(x.at[p].at[i]) * sum(y.at[p].at[i]);
    }
    return s;
  }

 private:
  [[nodiscard]] LOOPS_HD bool has(int p, int share) const {
    return p + 1 < Packs || share + p * Width < packs;
  }
  /// In place of a pack that is not there, the last one.
  LOOPS_HD share_of read(const dense_view<const V>& m, std::int64_t row, int share) const {
    const auto* const from = reinterpret_cast<const pack*>(m.data + row * m.stride);
    share_of to;
    LOOPS_UNROLL
    for (int p = 0; p < Packs; ++p) to.at[p] = from[has(p, share) ? share + p * Width : packs - 1];
    return to;
  }
};

/// A product that does not show how wide its bundles are.
template <class V, class I>
class product {
 public:
  virtual ~product() = default;
  virtual void multiply(const I* col_of, const dense_view<const V>& a, const dense_view<const V>& b,
                        const spmv_detail::scaled_store<V>& to) const = 0;
  virtual void check() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

template <class Exec, class Schedule, work Work, class V, class I, int Columns, int Width,
          int Packs>
class product_of final : public product<V, I> {
 public:
  product_of(const Exec& exec, const Schedule& schedule, const Work& w, std::int64_t packs)
      : packs_(static_cast<int>(packs)), plan_(bundle_executor<Exec, Width>(exec), schedule, w) {}
  void multiply(const I* col_of, const dense_view<const V>& a, const dense_view<const V>& b,
                const spmv_detail::scaled_store<V>& to) const override {
    reduce_shares(plan_, row_times_column<V, I, Columns, Width, Packs>{col_of, a, b, packs_},
                  plus{}, to);
  }
  void check() override { plan_.check(); }
  [[nodiscard]] std::size_t bytes() const override { return plan_.bytes(); }

 private:
  using nothing = char;  // there are no partial values
  int packs_;
  tile_plan<bundle_executor<Exec, Width>, Schedule, Work, nothing, shape<128, 16>> plan_;
};

/// The product with the narrowest bundles of at least `Width` lanes that hold rows of `packs`
/// packs; none where no bundle does, or there are none. Up to eight lanes have two packs each, as
/// what bundles of a wave read at a time lies on a line each; wider ones have four, as every line
/// is read whole.
template <class V, class I, int Columns, int Width = 1, class Exec, class Schedule, work Work>
std::unique_ptr<product<V, I>> make_product(const Exec& exec, const Schedule& schedule,
                                            const Work& w, std::int64_t packs) {
  constexpr int wave = Exec::template block<shape<128, 16>>::wave;
  constexpr int widest = wave < 32 ? wave : 32;
  constexpr int whole_lines = widest < 8 ? widest : 8;
  const auto of = [&]<int Packs>(std::integral_constant<int, Packs>) {
    return std::make_unique<product_of<Exec, Schedule, Work, V, I, Columns, Width, Packs>>(
        exec, schedule, w, packs);
  };
  if constexpr (Width == 1) {
    if (packs == 0) return nullptr;
    if (packs == 1) return of(std::integral_constant<int, 1>{});
  }
  if constexpr (Width <= whole_lines) {
    if (packs <= 2 * Width) return of(std::integral_constant<int, 2>{});
  }
  if constexpr (Width >= whole_lines) {
    if (packs <= 3 * Width) return of(std::integral_constant<int, 3>{});
    if (packs <= 4 * Width) return of(std::integral_constant<int, 4>{});
  }
  if constexpr (Width < widest)
    return make_product<V, I, Columns, 2 * Width>(exec, schedule, w, packs);
  return nullptr;
}

}  // namespace loops::sddmm_detail
