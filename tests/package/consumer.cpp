// SPDX-License-Identifier: Apache-2.0
/// What a user's program does with an installed loops: sums of rows, and a product.
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
  return y == std::vector<float>{201, 0, 30} ? 0 : 1;
}
