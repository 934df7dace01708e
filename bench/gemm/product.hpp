// SPDX-License-Identifier: Apache-2.0
/// A product to be measured: sizes, type of elements, layouts.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/select/model.hpp"
#include "loops/core/error.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "gemm/corpus.hpp"

namespace loops::bench {

/// Types of the elements of A and B.
enum class operand_kind { bf16, f16, e4m3, i8, tf32, f32, f64 };

inline constexpr std::array operand_names{"bf16", "f16", "e4m3", "i8", "tf32", "f32", "f64"};

constexpr const char* name_of(operand_kind k) {
  return operand_names[static_cast<std::size_t>(k)];
}
/// Throws: invalid_argument with the names there are.
inline operand_kind operand_named(std::string_view name) {
  std::string all;
  for (std::size_t i = 0; i < operand_names.size(); ++i) {
    if (name == operand_names[i]) return static_cast<operand_kind>(i);
    all += std::string(" ") + operand_names[i];
  }
  throw error(errc::invalid_argument,
              "there is no type '" + std::string(name) + "'; there are:" + all);
}

/// Types of elements, and of the results, by kind: what vendors' libraries compute too.
template <operand_kind Kind>
struct elements;
template <>
struct elements<operand_kind::bf16> {
  using operand = bfloat16;
  using result = bfloat16;
};
template <>
struct elements<operand_kind::f16> {
  using operand = half;
  using result = half;
};
template <>
struct elements<operand_kind::e4m3> {
  using operand = float8_e4m3;
  using result = bfloat16;
};
template <>
struct elements<operand_kind::i8> {
  using operand = std::int8_t;
  using result = std::int32_t;
};
template <>
struct elements<operand_kind::tf32> {
  using operand = tfloat32;
  using result = float;
};
template <>
struct elements<operand_kind::f32> {
  using operand = float;
  using result = float;
};
template <>
struct elements<operand_kind::f64> {
  using operand = double;
  using result = double;
};

/// Calls `f(elements<kind>{})`.
template <class F>
decltype(auto) with_elements(operand_kind kind, const F& f) {
  switch (kind) {
    case operand_kind::bf16:
      return f(elements<operand_kind::bf16>{});
    case operand_kind::f16:
      return f(elements<operand_kind::f16>{});
    case operand_kind::e4m3:
      return f(elements<operand_kind::e4m3>{});
    case operand_kind::i8:
      return f(elements<operand_kind::i8>{});
    case operand_kind::tf32:
      return f(elements<operand_kind::tf32>{});
    case operand_kind::f32:
      return f(elements<operand_kind::f32>{});
    case operand_kind::f64:
      break;
  }
  return f(elements<operand_kind::f64>{});
}

/// C (m x n, row-major) = A (m x k) B (k x n), or a batch of these. A matrix is turned when it is
/// stored transposed: A column after column, B row after row of its transpose.
struct product {
  shape_mnk size;
  operand_kind kind = operand_kind::bf16;
  bool a_turned = false;
  bool b_turned = true;

  /// As BLAS spells it for row-major matrices: "nt" is A as it is, B transposed.
  [[nodiscard]] std::string layouts() const {
    return std::string(1, a_turned ? 't' : 'n') + (b_turned ? 't' : 'n');
  }
  [[nodiscard]] std::size_t operand_bytes() const {
    return with_elements(kind, [](auto e) { return sizeof(typename decltype(e)::operand); });
  }
  [[nodiscard]] std::size_t result_bytes() const {
    return with_elements(kind, [](auto e) { return sizeof(typename decltype(e)::result); });
  }
  [[nodiscard]] double flops() const { return 2.0 * size.m * size.n * size.k * size.batch; }
  /// Bytes of A, B and C.
  [[nodiscard]] double bytes() const {
    const double m = size.m;
    const double n = size.n;
    const double k = size.k;
    return size.batch * (static_cast<double>(operand_bytes()) * (m + n) * k +
                         static_cast<double>(result_bytes()) * m * n);
  }
  /// As the cost model sees it.
  [[nodiscard]] select::gemm_size sized() const {
    const auto starts = [](int length, std::size_t bytes) {
      return select::row_starts_of(length * static_cast<std::int64_t>(bytes));
    };
    return {size.m,
            size.n,
            size.k,
            size.batch,
            starts(a_turned ? size.m : size.k, operand_bytes()),
            starts(b_turned ? size.k : size.n, operand_bytes()),
            starts(size.n, result_bytes())};
  }
};

}  // namespace loops::bench
