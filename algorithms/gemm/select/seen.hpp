// SPDX-License-Identifier: Apache-2.0
/// A GEMM as the cost model sees it.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/select/model.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::select {

/// What tables of costs call an element type.
template <class T>
constexpr const char* cost_name() {
  if constexpr (std::is_same_v<T, half>) return "f16";
  if constexpr (std::is_same_v<T, bfloat16>) return "bf16";
  if constexpr (std::is_same_v<T, tfloat32>) return "tf32";
  if constexpr (std::is_same_v<T, float8_e4m3>) return "e4m3";
  if constexpr (std::is_same_v<T, float8_e5m2>) return "e5m2";
  if constexpr (std::is_same_v<T, std::int8_t>) return "i8";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
  return "other";
}

/// How a problem's A and B lie, as tables of costs have it.
template <class Problem>
constexpr const char* layouts_of() {
  constexpr bool a_rows = Problem::a_order == layout::row_major;
  constexpr bool b_rows = Problem::b_order == layout::row_major;
  return a_rows ? (b_rows ? "nn" : "nt") : (b_rows ? "tn" : "tt");
}

/// A problem as far as its time depends on it. Requires: its sizes fit 32 bits.
template <class Problem>
gemm_size size_of(const Problem& p) {
  const auto starts = [](const auto& a) {
    constexpr int bytes = sizeof(typename std::remove_cvref_t<decltype(a)>::value_type);
    return row_starts_of(std::int64_t{widest_access(a, 128 / bytes)} * bytes);
  };
  return {static_cast<std::int32_t>(p.m()),
          static_cast<std::int32_t>(p.n()),
          static_cast<std::int32_t>(p.k()),
          static_cast<std::int32_t>(p.batch()),
          starts(p.a),
          starts(p.b),
          starts(p.epilogue.c())};
}

}  // namespace loops::select
