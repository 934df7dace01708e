// SPDX-License-Identifier: Apache-2.0
/// Element types, formats and index widths as they are chosen on the command line.
#pragma once

#include "loops/core/complex.hpp"
#include "loops/core/error.hpp"
#include "loops/core/float16.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace loops::cli {

enum class value_kind { f32, f64, f16, bf16, c32, c64 };
enum class format_kind { csr, coo, csc, ell, dia, bcsr2, bcsr4 };

inline constexpr std::array value_names{"f32", "f64", "f16", "bf16", "c32", "c64"};
inline constexpr std::array format_names{"csr", "coo", "csc", "ell", "dia", "bcsr2", "bcsr4"};

inline const char* to_string(value_kind k) {
  return value_names[static_cast<std::size_t>(k)];
}
inline const char* to_string(format_kind k) {
  return format_names[static_cast<std::size_t>(k)];
}

/// The position of `name` among `names`; -1 when it is not there.
template <std::size_t N>
int position(const std::array<const char*, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (name == names[i]) return static_cast<int>(i);
  return -1;
}

inline bool is_complex(value_kind k) {
  return k == value_kind::c32 || k == value_kind::c64;
}

/// Bytes of the sums that belong to a type.
inline std::size_t sum_bytes(value_kind k) {
  return k == value_kind::c64 ? 16 : k == value_kind::f64 || k == value_kind::c32 ? 8 : 4;
}

/// Throws: invalid_argument where a factor does not fit the type of the sums.
inline void require_factors_fit(double alpha, double beta, bool sums_are_doubles) {
  const auto look = [&](const char* name, double factor) {
    if (sums_are_doubles || std::abs(factor) <= std::numeric_limits<float>::max()) return;
    char text[32];
    std::snprintf(text, sizeof text, "%s %g", name, factor);
    throw error(errc::invalid_argument,
                text + std::string(" does not fit 32 bits, in which sums of this type are kept; "
                                   "take a smaller one, or a type of 64 bits such as --type f64"));
  };
  look("--alpha", alpha);
  look("--beta", beta);
}

}  // namespace loops::cli
