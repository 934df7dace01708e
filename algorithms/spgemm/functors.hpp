// SPDX-License-Identifier: Apache-2.0
/// What SpGEMM does with one product of two nonzeros, and with one entry of C.
#pragma once

#include "loops/core/numeric.hpp"
#include "loops/format/formats.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::spgemm_detail {

/// The two nonzeros that are multiplied.
template <class O>
struct factors {
  O a;
  O b;
};

/// A nonzero of A meets every nonzero of the row of B that its column names.
template <class A, class B>
struct partners {
  const typename A::index_type* columns;
  const typename B::offset_type* offsets;
  LOOPS_HD std::int64_t operator()(std::int64_t nonzero) const {
    const auto row = columns[nonzero];
    return static_cast<std::int64_t>(offsets[row + 1] - offsets[row]);
  }
};

/// Writes down a product: its place in C, counted row by row, and its factors.
template <class A, class B>
struct expand {
  using O = typename A::offset_type;
  A a;
  B b;
  const typename A::index_type* row_of;
  const std::int64_t* first_product;
  std::int64_t* places;
  factors<O>* products;
  LOOPS_HD void operator()(std::int64_t nonzero, std::int64_t product) const {
    const auto at =
        static_cast<std::int64_t>(b.offsets[a.indices[nonzero]]) + product - first_product[nonzero];
    places[product] = static_cast<std::int64_t>(row_of[nonzero]) * b.cols + b.indices[at];
    products[product] = {static_cast<O>(nonzero), static_cast<O>(at)};
  }
};

/// Whether a product is the first of an entry of C.
struct begins_entry {
  const std::int64_t* places;
  LOOPS_HD std::int64_t operator()(std::int64_t i) const {
    return i == 0 || places[i] != places[i - 1] ? 1 : 0;
  }
};

struct store_total {
  std::int64_t* total;
  LOOPS_HD void operator()(std::int64_t, std::int64_t sum) const { *total = sum; }
};

/// Notes where the products of an entry begin, and its column.
template <class I>
struct note_entry {
  const std::int64_t* places;
  std::int64_t cols;
  std::int64_t* first;
  I* columns;
  LOOPS_HD void operator()(std::int64_t, std::int64_t product, std::int64_t before,
                           std::int64_t through) const {
    if (through == before) return;
    first[before] = product;
    columns[before] = static_cast<I>(places[product] % cols);
  }
};

/// Row r of C begins with its first entry in or behind the row.
template <class O>
struct find_row {
  const std::int64_t* places;
  const std::int64_t* first;
  std::int64_t entries;
  std::int64_t cols;
  O* offsets;
  LOOPS_HD void operator()(std::int64_t, std::int64_t row) const {
    offsets[row] = static_cast<O>(first_where<std::int64_t>(
        0, entries, [&](std::int64_t e) { return places[first[e]] >= row * cols; }));
  }
};

template <class V, class O>
struct multiply {
  using scalar = accumulator_t<V>;
  const factors<O>* products;
  const V* a;
  const V* b;
  LOOPS_HD scalar operator()(std::int64_t product) const {
    const factors<O> f = products[product];
    return scalar(a[f.a]) * scalar(b[f.b]);
  }
};

template <class V>
struct store_entry {
  V* values;
  LOOPS_HD void operator()(std::int64_t entry, accumulator_t<V> sum) const {
    values[entry] = V(sum);
  }
};

}  // namespace loops::spgemm_detail
