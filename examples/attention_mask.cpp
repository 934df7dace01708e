// SPDX-License-Identifier: Apache-2.0
/// Attention over a sparse mask: scores at its nonzeros, softmax over its rows, weighted values.
#include <algorithms/sddmm/sddmm.hpp>
#include <algorithms/softmax/softmax.hpp>
#include <algorithms/spmm/spmm.hpp>
#include <cmath>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  constexpr int depth = 64;
  auto mask = loops::generate<float>("banded:rows=512,width=65").to(exec.memory());
  std::vector<float> numbers(static_cast<std::size_t>(mask.rows) * depth);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<float>(i));
  const loops::array<float> q(numbers, exec.memory());
  const std::vector<float> ones(numbers.size(), 1);
  const loops::array<float> v(ones, exec.memory());
  loops::array<float> out(numbers.size(), exec.memory());

  const auto queries = loops::by_rows(q.data(), mask.rows, depth);
  const auto keys = loops::by_columns(q.data(), depth, mask.rows);
  loops::sddmm(exec, mask.view(), queries, keys, mask.values);
  loops::plan_softmax(exec, loops::schedule::merge_path{}, mask.view())(mask.values, mask.values,
                                                                        0.125F);
  loops::spmm(exec, loops::schedule::merge_path{}, mask.view(),
              loops::by_rows(v.data(), mask.rows, depth),
              loops::by_rows(out.data(), mask.rows, depth));

  // Weights sum to one, and every value is one.
  for (const float x : out.to_vector())
    if (!(std::fabs(x - 1) < 1e-5F)) return 1;
  std::printf("attention of %d queries over %d scores\n", mask.rows, mask.nonzeros());
}
