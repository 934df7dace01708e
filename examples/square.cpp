// SPDX-License-Identifier: Apache-2.0
/// The square of a sparse matrix: the pattern once, then values as often as they change.
#include <algorithms/spgemm/spgemm.hpp>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  const auto a = loops::generate<float>("stencil5:nx=60,ny=60").to(exec.memory());
  const auto square = loops::plan_spgemm(exec, loops::schedule::merge_path{}, a.view(), a.view());
  auto c = square.pattern();
  square(a.values.data(), a.values.data(), c.values.data());

  std::printf("%d nonzeros, squared %d\n", a.nonzeros(), c.nonzeros());
  // A row of the five-point stencil reaches 13 points in two steps, away from the borders.
  const std::vector<int> offsets = c.offsets.to_vector();
  const std::size_t middle = 30 * 60 + 30;
  return offsets[middle + 1] - offsets[middle] == 13 ? 0 : 1;
}
