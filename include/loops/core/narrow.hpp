// SPDX-License-Identifier: Apache-2.0
/// Integers as narrower ones, or an error that names what does not fit.
#pragma once

#include "loops/core/error.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace loops::detail {

/// `value` as a `To`. Throws: `errc::overflow` naming `what` if it does not fit.
template <std::integral To, std::integral From>
To narrow(From value, const char* what, source_place where = source_place::here()) {
  if (std::in_range<To>(value)) return static_cast<To>(value);
  const bool wider_would_do = std::is_signed_v<To> || std::cmp_greater(value, 0);
  throw error(errc::overflow,
              std::string(what) + " is " + std::to_string(value) + ", which does not fit the " +
                  (std::is_signed_v<To> ? "" : "unsigned ") + std::to_string(8 * sizeof(To)) +
                  "-bit type asked for" + (wider_would_do ? "; use a wider one" : ""),
              where);
}

/// `a * b` as a `To`. Throws: `errc::overflow` naming `what` if it does not fit.
template <std::integral To>
To narrow_product(std::size_t a, std::size_t b, const char* what,
                  source_place where = source_place::here()) {
  if (b != 0 && a > static_cast<std::size_t>(std::numeric_limits<To>::max()) / b)
    throw error(errc::overflow,
                std::string(what) + " is " + std::to_string(a) + " times " + std::to_string(b) +
                    ", more than the " + std::to_string(8 * sizeof(To)) +
                    "-bit type asked for can hold; use a wider one",
                where);
  return static_cast<To>(a * b);
}

}  // namespace loops::detail
