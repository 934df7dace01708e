// SPDX-License-Identifier: Apache-2.0
/// What all products C = alpha A B + beta C of a plan have in common.
#pragma once

#include "loops/core/error.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace loops::spmm_detail {

/// What does not depend on how the columns are shared out.
template <class V>
class product {
 public:
  using scalar = accumulator_t<V>;
  virtual ~product() = default;
  virtual void multiply(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha,
                        scalar beta) const = 0;
  virtual void check() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Refuses a B that lies so that the plan has no way to read it.
[[noreturn]] inline void refuse_otherwise(const char* name) {
  throw error(errc::invalid_argument,
              std::string(name) +
                  " lies otherwise than the one the plan was made for: make a plan for this one");
}

/// How many columns a product takes at most whose grid has a copy for every `Columns`.
template <int Columns>
inline constexpr std::int64_t most_columns = std::int64_t{1 << 16} * Columns;

/// As many columns, unless they are more.
template <int Columns>
std::int64_t countable(std::int64_t cols) {
  constexpr std::int64_t most = most_columns<Columns>;
  if (cols > most)
    throw error(errc::overflow, "C has " + std::to_string(cols) +
                                    " columns, and one product takes " + std::to_string(most) +
                                    " at most: multiply some of the columns at a time");
  return cols;
}

}  // namespace loops::spmm_detail
