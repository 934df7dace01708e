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
  std::vector<float> numbers(static_cast<std::size_t>(mask.rows) * depth), values(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = std::sin(static_cast<float>(i));
    values[i] = std::cos(static_cast<float>(i));
  }
  const loops::array<float> q(numbers, exec.memory()), v(values, exec.memory());
  loops::array<float> out(numbers.size(), exec.memory());

  const auto queries = loops::by_rows(q.data(), mask.rows, depth);
  const auto keys = loops::by_columns(q.data(), depth, mask.rows);
  loops::sddmm(exec, mask.view(), queries, keys, mask.values);
  loops::plan_softmax(exec, loops::schedule::merge_path{}, mask.view())(mask.values, mask.values,
                                                                        0.125F);
  loops::spmm(exec, loops::schedule::merge_path{}, mask.view(),
              loops::by_rows(v.data(), mask.rows, depth),
              loops::by_rows(out.data(), mask.rows, depth));

  // One query by hand: it looks at the 32 keys before its own, its own, and the 32 after.
  constexpr std::size_t query = 200;
  std::vector<double> expected(depth);
  double weights = 0;
  for (std::size_t key = query - 32; key <= query + 32; ++key) {
    double score = 0;
    for (std::size_t d = 0; d < depth; ++d)
      score += double(numbers[query * depth + d]) * double(numbers[key * depth + d]);
    const double weight = std::exp(0.125 * score);
    weights += weight;
    for (std::size_t d = 0; d < depth; ++d) expected[d] += weight * double(values[key * depth + d]);
  }
  const std::vector<float> result = out.to_vector();
  for (std::size_t d = 0; d < depth; ++d)
    if (!(std::fabs(result[query * depth + d] - expected[d] / weights) < 1e-4)) return 1;
  std::printf("attention of %d queries over %d scores\n", mask.rows, mask.nonzeros());
}
