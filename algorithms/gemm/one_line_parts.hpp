// SPDX-License-Identifier: Apache-2.0
/// What sums over one operand of a product of one line have in common, however it lies.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/spmm/pack.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/fast_division.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/numeric.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace loops::gemm_detail {

/// Elements that are moved at once.
template <class T>
inline constexpr int pack_size = 16 / int(sizeof(T));
template <class T>
using pack_of = spmm_detail::pack<T, pack_size<T>>;

/// Lanes that add up lines of products of this type.
template <class Exec, class Problem>
struct lanes_of_lines {
  using ta = typename Problem::a_type;
  using tb = typename Problem::b_type;
  using block = typename Exec::template block<shape<128, 12>>;
  static constexpr bool possible = block::threads > 1 && sizeof(ta) == sizeof(tb);

  /// What they multiply as the machine's matrix instructions do: those of AMD take tf32 whole.
  template <class T>
  using seen = std::conditional_t<block::wave == 64 && std::is_same_v<T, tfloat32>, float, T>;
  template <class M>
  using seen_in = seen<typename M::value_type>;
  /// The elements of an operand.
  template <class M>
  static const seen_in<M>* elements(const M& m) {
    return reinterpret_cast<const seen_in<M>*>(m.data);
  }
};

/// The least power of two that is no less: lanes of a group.
inline std::int64_t power_of_two(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
}

/// Elements from one product's operand to the next one's.
template <class M>
std::int64_t stride_of(const M& m) {
  return m.batch > 1 ? m.batch_stride : 0;
}

/// Which line of which product a tile is.
struct lines_of_products {
  fast_divisor each;  ///< lines of a product
  struct place {
    std::int32_t product;
    std::int32_t line;
  };
  LOOPS_HD place at(std::int64_t tile) const {
    const auto t = static_cast<std::int32_t>(tile);
    const std::int32_t product = each.quotient(t);
    return {product, t - product * each.value()};
  }
};

/// Puts the sum of a line where it belongs, along the only row of C or down its only column; or its
/// sums, along or down a few.
template <class Epilogue>
struct finish_line {
  Epilogue epilogue;
  lines_of_products places;
  bool down;
  std::int32_t few = 1;
  LOOPS_CALLS_USER
  template <class Sum>
  LOOPS_HD void operator()(std::int64_t tile, const Sum& sum) const {
    const auto [product, line] = places.at(tile);
    epilogue.of_batch(product).store(down ? line : 0, down ? 0 : line, sum);
  }
  LOOPS_CALLS_USER
  template <class Sum, int Few>
  LOOPS_HD void operator()(std::int64_t tile, const row_sums<Sum, Few>& sums) const {
    const auto [product, line] = places.at(tile);
    const Epilogue of_product = epilogue.of_batch(product);
    LOOPS_UNROLL
    for (int r = 0; r < Few; ++r)
      if (r < few) of_product.store(down ? line : r, down ? r : line, sums.at[r]);
  }
};

}  // namespace loops::gemm_detail
