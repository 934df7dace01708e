// SPDX-License-Identifier: Apache-2.0
/// Diagonals below the main one have negative numbers.
// expect: DIA needs a signed Index
#include "loops/format/convert_dia.hpp"

#include <cstdint>

auto wrong(const loops::csr_view<float, std::uint32_t>& a) {
  return loops::to_dia(a);
}
