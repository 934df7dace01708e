// SPDX-License-Identifier: Apache-2.0
/// Sum, largest and running sum of every segment of an array; and y = Aᵀ x.
#include <algorithms/segmented/segmented.hpp>
#include <algorithms/spmv_transposed/spmv_transposed.hpp>
#include <cstdio>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  const loops::schedule::merge_path how;
  const loops::array<int> offsets(std::vector<int>{0, 3, 3, 7}, exec.memory());
  const loops::array<float> in(std::vector<float>{1, 5, 2, 4, 4, 1, 0}, exec.memory());
  const loops::segments<int> w(offsets.data(), 3, 7);
  loops::array<float> sums(3, exec.memory());
  loops::array<std::int64_t> places(3, exec.memory());
  loops::array<float> running(7, exec.memory());
  loops::segmented_reduce<float>(exec, how, w, in, sums);
  loops::segmented_arg_max<float>(exec, how, w, in, places);
  loops::segmented_scan<float, loops::scan::inclusive>(exec, how, w, in, running);

  // The same offsets as a matrix: three rows of which the second is empty.
  const loops::array<int> columns(std::vector<int>{0, 1, 2, 0, 1, 2, 3}, exec.memory());
  const loops::csr_view<float> a{3, 4, 7, offsets.data(), columns.data(), in.data()};
  const loops::array<float> x(std::vector<float>{1, 10, 100}, exec.memory());
  loops::array<float> y(4, exec.memory());
  loops::spmv_transposed(exec, how, a, x, y);

  const bool right = sums.to_vector() == std::vector<float>{8, 0, 9} &&
                     places.to_vector() == std::vector<std::int64_t>{1, -1, 3} &&
                     running.to_vector() == std::vector<float>{1, 6, 8, 4, 8, 9, 9} &&
                     y.to_vector() == std::vector<float>{401, 405, 102, 0};
  std::printf("segments are %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
