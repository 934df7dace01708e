// SPDX-License-Identifier: Apache-2.0
/// What a GEMM does with finished sums: parts composed at compile time, then a store into C.
#pragma once

#include "algorithms/gemm/epilogue_parts.hpp"
#include "algorithms/gemm/matrix.hpp"
#include "loops/core/numeric.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace loops {

namespace gemm_detail {

/// Parts one after the other; trivially copyable, which `std::tuple` is not.
template <class... Parts>
struct part_chain {
  template <class S, class Old>
  LOOPS_HD S apply(S sum, std::int32_t, std::int32_t, const Old&) const {
    return sum;
  }
  template <class C>
  void check(const C&, std::int64_t, source_place) const {}
  [[nodiscard]] LOOPS_HD part_chain of_batch(std::int64_t) const { return {}; }
  [[nodiscard]] constexpr part_chain transposed() const { return {}; }
};

template <class Part>
LOOPS_HD Part part_of_batch(const Part& part, std::int64_t b) {
  if constexpr (requires { part.of_batch(b); }) {
    return part.of_batch(b);
  } else {
    return part;
  }
}

/// A part that meets the transposed C, and is told where it is in the caller's.
template <class Part>
struct exchanged {
  Part part;
  template <class S, class Old>
  LOOPS_HD auto operator()(S sum, std::int32_t row, std::int32_t col, const Old& old) const {
    return part(sum, col, row, old);
  }
  [[nodiscard]] LOOPS_HD exchanged of_batch(std::int64_t b) const {
    return {part_of_batch(part, b)};
  }
  [[nodiscard]] constexpr Part transposed() const { return part; }
};

template <class Part>
constexpr auto part_transposed(const Part& part) {
  if constexpr (requires { part.transposed(); }) {
    return part.transposed();
  } else {
    return exchanged<Part>{part};
  }
}

template <class First, class... Rest>
struct part_chain<First, Rest...> {
  First first;
  part_chain<Rest...> rest;
  template <class S, class Old>
  LOOPS_HD S apply(S sum, std::int32_t row, std::int32_t col, const Old& old) const {
    return rest.apply(S(first(sum, row, col, old)), row, col, old);
  }
  /// Throws what the parts throw that cannot be computed for these C, the first of which is
  /// number `batch`.
  template <class C>
  void check(const C& c, std::int64_t batch, source_place where) const {
    if constexpr (requires { first.check(c, batch, where); }) first.check(c, batch, where);
    rest.check(c, batch, where);
  }
  [[nodiscard]] LOOPS_HD part_chain of_batch(std::int64_t b) const {
    return {part_of_batch(first, b), rest.of_batch(b)};
  }
  [[nodiscard]] constexpr auto transposed() const;
};

constexpr part_chain<> chain() {
  return {};
}
template <class First, class... Rest>
constexpr part_chain<First, Rest...> chain(const First& first, const Rest&... rest) {
  return {first, chain(rest...)};
}

template <class First, class... Rest>
constexpr part_chain<First, Rest...> prepend(const First& first, const part_chain<Rest...>& rest) {
  return {first, rest};
}
template <class First, class... Rest>
constexpr auto part_chain<First, Rest...>::transposed() const {
  return prepend(part_transposed(first), rest.transposed());
}

/// The binary32 that a type of 16 bits or less rounds to what it would round `v` to: cut, and odd
/// where that loses something, so that it is no tie of theirs unless `v` is.
LOOPS_HD float cut_to_odd(double v) {
  const float near = float(v);
  if (double(near) == v || v != v) return near;
  const auto bits = std::bit_cast<std::uint32_t>(near);
  const bool away = std::abs(double(near)) > std::abs(v);
  return std::bit_cast<float>((away ? bits - 1 : bits) | 1U);
}

/// A value as an element of C: the nearest there is; of integers as floating-point numbers of less
/// than 64 bits, the nearest to their binary32. Integers that are too large become the largest of
/// their type, NaN becomes 0.
template <class Out, class S>
LOOPS_HD Out as_element(S v) {
  if constexpr (std::is_same_v<Out, double>) {
    return Out(v);
  } else if constexpr (!std::is_integral_v<Out> && std::is_integral_v<S>) {
    return Out(float(v));
  } else if constexpr (!std::is_integral_v<Out> && std::is_same_v<S, double> && sizeof(Out) < 4) {
    return Out(cut_to_odd(v));
  } else if constexpr (!std::is_integral_v<Out>) {
    return Out(v);
  } else if constexpr (std::is_integral_v<S>) {
    return saturated<Out>(v);
  } else {
    static_assert(sizeof(Out) < 8 || std::is_signed_v<Out>, "C has no elements of this type");
    constexpr std::int64_t least = std::numeric_limits<Out>::min();
    constexpr std::int64_t most = std::numeric_limits<Out>::max();
    // `most` itself may lie between two floats; what follows it is a power of two.
    const S whole = std::rint(v);
    if (whole >= S(2) * S(most / 2 + 1)) return Out(most);
    if (whole <= S(least)) return Out(least);
    return v == v ? Out(whole) : Out(0);
  }
}

}  // namespace gemm_detail

/// The end of a GEMM, for any program: `value(row, col, sum)` is the element of C that belongs
/// there, `store` also writes it. C is row-major; `row` and `col` lie inside it. Parts only
/// compute: programs may ask for the value of an element more than once, also with a sum that they
/// do not store, and trials do so on another C.
template <class Out, class... Parts>
class gemm_epilogue {
 public:
  using output = Out;
  using chain_type = gemm_detail::part_chain<Parts...>;
  static_assert(std::is_trivially_copyable_v<chain_type>,
                "parts of an epilogue travel to kernels by value: no owners, no virtual functions");

  constexpr gemm_epilogue(const matrix<Out>& c, const chain_type& parts)
      : gemm_epilogue(c, parts, widest_access(c, 16 / int(sizeof(Out)))) {}

  /// Where results go.
  [[nodiscard]] LOOPS_HD constexpr const matrix<Out>& c() const { return c_; }
  /// Elements of a row that can be written at once where col is a multiple of it.
  [[nodiscard]] LOOPS_HD constexpr int widest() const { return widest_; }
  /// The epilogue of matrix b of a batch.
  [[nodiscard]] LOOPS_HD gemm_epilogue of_batch(std::int64_t b) const {
    return {c_.of_batch(b), parts_.of_batch(b), widest_};
  }
  /// The same parts with another C.
  [[nodiscard]] LOOPS_HD constexpr gemm_epilogue into(const matrix<Out>& c, int widest) const {
    return {c, parts_, widest};
  }

  /// The element of C for a finished sum. Parts compute with a sum of integers in binary32, and
  /// with any sum in binary64 where C is of doubles.
  template <class S>
  [[nodiscard]] LOOPS_HD Out value(std::int32_t row, std::int32_t col, S sum) const {
    using wide = std::conditional_t<std::is_same_v<Out, double>, double,
                                    std::conditional_t<std::is_integral_v<S>, float, S>>;
    using scalar = std::conditional_t<sizeof...(Parts) != 0, wide, S>;
    const Out* at = c_.data + c_.offset(row, col);
    return gemm_detail::as_element<Out>(
        parts_.apply(scalar(sum), row, col, [at] { return scalar(*at); }));
  }
  /// Writes one element.
  template <class S>
  LOOPS_HD void store(std::int32_t row, std::int32_t col, S sum) const {
    c_.data[c_.offset(row, col)] = value(row, col, sum);
  }
  /// Writes N neighbours of a row, at once where C allows it. Requires: col is a multiple of N.
  template <int N, class S>
  LOOPS_HD void store_span(std::int32_t row, std::int32_t col, const S* sums) const {
    static_assert((N & (N - 1)) == 0, "spans are powers of two");
    constexpr int most = 16 / int(sizeof(Out)) < N ? 16 / int(sizeof(Out)) : N;
    struct alignas(sizeof(Out) * most) pack {
      Out at[most];
    };
    if (widest_ >= most) {
      for (int i = 0; i < N; i += most) {
        pack p;
        for (int j = 0; j < most; ++j) p.at[j] = value(row, col + i + j, sums[i + j]);
        *reinterpret_cast<pack*>(c_.data + c_.offset(row, col + i)) = p;
      }
    } else {
      for (int i = 0; i < N; ++i) store(row, col + i, sums[i]);
    }
  }

 private:
  LOOPS_HD constexpr gemm_epilogue(const matrix<Out>& c, const chain_type& parts, int widest)
      : c_(c), parts_(parts), widest_(widest) {}

  matrix<Out> c_;
  chain_type parts_;
  int widest_;
};

}  // namespace loops
