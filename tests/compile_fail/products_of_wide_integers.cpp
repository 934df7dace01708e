// SPDX-License-Identifier: Apache-2.0
/// Sums of products of 32-bit integers fit nothing.
// expect: of integers, only std::int8_t are multiplied
#include "algorithms/gemm/problem.hpp"

int main() {
  const std::int32_t x = 1;
  std::int64_t y = 0;
  const loops::matrix<const std::int32_t> a(&x, 1, 1);
  loops::make_gemm_problem(a, a, loops::matrix<std::int64_t>(&y, 1, 1),
                           loops::gemm_detail::chain());
}
