// SPDX-License-Identifier: Apache-2.0
/// The reference on the device, one sum in many pieces.
#include "gemm/verify.hpp"

#include "loops/execution/cache_flush.hpp"
#include "loops/select/bloom.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace loops::bench {

namespace {

constexpr int samples = 512;
constexpr int pieces = 64;  ///< per sample

/// A sum in twice double precision, and the sum of magnitudes.
struct long_sum {
  double high = 0;
  double low = 0;
  double magnitude = 0;
  LOOPS_HD void add_product(double x, double y) {
    const double p = x * y;
    const double p_error = std::fma(x, y, -p);
    const double s = high + p;
    const double t = s - high;
    low += (high - (s - t)) + (p - t) + p_error;
    high = s;
    magnitude += p < 0 ? -p : p;
  }
};

template <class T>
LOOPS_HD double exactly(T x) {
  if constexpr (std::is_same_v<T, double> || std::is_integral_v<T>) {
    return x;
  } else {
    return double(float(x));
  }
}

/// Piece p of sample s: the products of every `pieces`-th k.
template <class T>
struct sum_pieces {
  const T* a;
  const T* b;
  std::int64_t a_row, a_k, b_k, b_column;  ///< strides
  std::int64_t k;
  std::int64_t a_product, b_product;  ///< elements of A and B of one product of a batch
  const std::int32_t* places;         ///< row, column, product
  long_sum* to;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    loops::detail::for_each_index(block, samples * pieces, [&](std::int64_t i) {
      const std::int64_t s = i / pieces;
      const std::int32_t* at_place = places + 3 * s;
      const T* x = a + at_place[2] * a_product + at_place[0] * a_row;
      const T* y = b + at_place[2] * b_product + at_place[1] * b_column;
      long_sum sum;
      for (std::int64_t at = i % pieces; at < k; at += pieces)
        sum.add_product(exactly(x[at * a_k]), exactly(y[at * b_k]));
      to[i] = sum;
    });
  }
};

/// Whether nobody has written an element: a NaN, or what C was filled with.
template <class T>
LOOPS_HD bool is_hole(T x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint32_t>(x) == poison_of(operand_kind::i8) * 0x01010101u;
  } else {
    return exactly(x) != exactly(x);
  }
}

/// The sampled elements, and behind them 1 when any element is a hole; left alone when none is.
template <class T>
struct inspect {
  const T* c;
  std::int64_t m, n, count;
  const std::int32_t* places;
  double* found;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    loops::detail::for_each_index(block, samples, [&](std::int64_t s) {
      const std::int32_t* at = places + 3 * s;
      found[s] = exactly(c[(at[2] * m + at[0]) * n + at[1]]);
    });
    bool hole = false;
    loops::detail::for_each_index(block, count,
                                  [&](std::int64_t i) { hole = hole || is_hole(c[i]); });
    if (hole) found[samples] = 1;
  }
};

/// What a sum of `k` products may lose, as a share of the sum of magnitudes: `step` per addition to
/// a running sum. Matrix units add some products at once, truncate instead of rounding, and those
/// of 8-bit operands keep 13 bits or so of what they add.
double lost(operand_kind kind, double k) {
  switch (kind) {
    case operand_kind::f64:
      return (k + 4) * 0x1p-53;
    case operand_kind::f32:
      return (k + 4) * 0x1p-24;
    case operand_kind::i8:
      return 0;
    case operand_kind::e4m3:
      return 0x1p-11 + k * 0x1p-23;
    default:
      return (k / 8 + 16) * 0x1p-23;
  }
}

double rounding(operand_kind kind) {
  switch (kind) {
    case operand_kind::bf16:
    case operand_kind::e4m3:
      return 0x1p-8;
    case operand_kind::f16:
      return 0x1p-11;
    case operand_kind::f64:
      return 0x1p-53;
    case operand_kind::i8:
      return 0;
    default:
      return 0x1p-24;
  }
}

}  // namespace

reference::reference(const operand_sets& sets)
    : sets_(sets), found_(samples + 1, sets.exec().memory()) {
  const product& p = sets.what();
  std::vector<std::int32_t>& places = places_on_host_;
  for (int s = 0; s < samples; ++s) {
    const auto random = [&](std::uint64_t which, int size) {
      // Every fourth sample lies on the last rows or columns, where tiles are cut off.
      const std::uint64_t bits = select::key_of(s, which);
      const int edge = std::min(size, 16);
      return static_cast<std::int32_t>(s % 4 == static_cast<int>(which)
                                           ? size - 1 - static_cast<int>(bits % unsigned(edge))
                                           : static_cast<int>(bits % unsigned(size)));
    };
    places.push_back(random(0, p.size.m));
    places.push_back(random(1, p.size.n));
    places.push_back(random(2, p.size.batch));
  }
  places_ = array<std::int32_t>(places, sets.exec().memory());
  array<long_sum> sums(samples * pieces, sets.exec().memory());
  with_elements(p.kind, [&](auto e) {
    using T = typename decltype(e)::operand;
    const std::int64_t m = p.size.m;
    const std::int64_t n = p.size.n;
    const std::int64_t k = p.size.k;
    loops::detail::launch_flat(
        sets.exec(),
        sum_pieces<T>{static_cast<const T*>(sets.a(set)), static_cast<const T*>(sets.b(set)),
                      p.a_turned ? 1 : k, p.a_turned ? m : 1, p.b_turned ? 1 : n,
                      p.b_turned ? k : 1, k, m * k, n * k, places_.data(), sums.data()});
  });
  const std::vector<long_sum> all = sums.to_vector();
  for (std::size_t s = 0; s < samples; ++s) {
    long double sum = 0;
    double magnitude = 0;
    for (std::size_t i = s * pieces; i < (s + 1) * pieces; ++i) {
      sum += static_cast<long double>(all[i].high) + all[i].low;
      magnitude += all[i].magnitude;
    }
    sums_.push_back(static_cast<double>(sum));
    bounds_.push_back(rounding(p.kind) * std::abs(static_cast<double>(sum)) +
                      (1 + rounding(p.kind)) * lost(p.kind, p.size.k) * magnitude);
  }
}

std::string reference::complaint() const {
  const executor& exec = sets_.exec();
  const product& p = sets_.what();
  exec.memory()->fill(found_.data(), 0, (samples + 1) * sizeof(double));
  with_elements(p.kind, [&](auto e) {
    using T = typename decltype(e)::result;
    loops::detail::launch_flat(
        exec, inspect<T>{static_cast<const T*>(sets_.c(set)), p.size.m, p.size.n,
                         std::int64_t{p.size.batch} * p.size.m * p.size.n, places_.data(),
                         found_.data()});
  });
  const std::vector<double> values = found_.to_vector();
  if (values[samples] != 0) return "some elements were not written, or are NaN";
  for (std::size_t s = 0; s < samples; ++s) {
    if (std::abs(values[s] - sums_[s]) <= bounds_[s]) continue;
    std::ostringstream out;
    const std::int32_t* at = places_on_host_.data() + 3 * s;
    out << "C[" << at[0] << ", " << at[1] << "]";
    if (p.size.batch > 1) out << " of product " << at[2];
    out << " is " << values[s] << ", not " << sums_[s] << " within " << bounds_[s];
    return out.str();
  }
  return {};
}

}  // namespace loops::bench
