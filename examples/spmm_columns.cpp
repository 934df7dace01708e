// SPDX-License-Identifier: Apache-2.0
/// A sparse matrix times 32 vectors at once, against 32 products with one.
#include <algorithms/spmm/spmm.hpp>
#include <algorithms/spmv/spmv.hpp>
#include <cmath>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  constexpr std::size_t n = 32;
  const auto a = loops::generate<float>("power_law:rows=20000,nonzeros=200000").to(exec.memory());
  const auto rows = static_cast<std::size_t>(a.rows);
  std::vector<float> values(rows * n);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) - 3;
  const loops::array<float> b(values, exec.memory());
  loops::array<float> c(rows * n, exec.memory());
  loops::spmm(exec, loops::schedule::merge_path{}, a.view(), loops::by_columns(b.data(), a.cols, n),
              loops::by_columns(c.data(), a.rows, n));

  const std::vector<float> all = c.to_vector();
  for (std::size_t j = 0; j < n; ++j) {
    loops::array<float> y(rows, exec.memory());
    loops::spmv(exec, a.view(), b.data() + j * rows, y);
    const std::vector<float> one = y.to_vector();
    for (std::size_t r = 0; r < rows; ++r)
      if (!(std::fabs(all[j * rows + r] - one[r]) <= 1e-2F)) return 1;
  }
  std::printf("%zu columns at once are %zu products\n", n, n);
}
