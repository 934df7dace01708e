// SPDX-License-Identifier: Apache-2.0
/// What a user's program does with an installed loops: sums of rows, and products of all kinds side
/// by side.
#include "algorithms/gemm/gemm.hpp"
#include "algorithms/spmm/spmm.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/execution/host.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/segments.hpp"

#include <vector>

int main() {
  const std::vector<int> offsets{0, 2, 2, 3};
  const std::vector<int> columns{0, 2, 1};
  const std::vector<float> values{1, 2, 3};
  const std::vector<float> x{1, 10, 100};
  std::vector<float> y(3);
  const loops::csr_view<float> a{3, 3, 3, offsets.data(), columns.data(), values.data()};
  const loops::host_executor exec;
  loops::spmv(exec, loops::schedule::merge_path{}, a, x, y);
  if (y != std::vector<float>{201, 0, 30}) return 1;

  // The same matrix times two columns, and as a dense one.
  const std::vector<float> b{1, 2, 10, 20, 100, 200};
  std::vector<float> c(6);
  loops::spmm(exec, loops::schedule::merge_path{}, a, loops::by_rows(b.data(), 3, 2),
              loops::by_rows(c.data(), 3, 2));
  const std::vector<float> dense{1, 0, 2, 0, 0, 0, 0, 3, 0};
  std::vector<float> d(6);
  loops::gemm(exec, loops::matrix<const float>(dense.data(), 3, 3),
              loops::matrix<const float>(b.data(), 3, 2), loops::matrix<float>(d.data(), 3, 2));
  const std::vector<float> expected{201, 402, 0, 0, 30, 60};
  return c == expected && d == expected ? 0 : 1;
}
