// SPDX-License-Identifier: Apache-2.0
/// A mixture of experts: each multiplies its own number of tokens, all in one launch.
#include <algorithms/gemm/grouped.hpp>
#include <cstdio>
#include <loops/loops.hpp>

int main() {
  using group = loops::gemm_group<float, float, float>;
  const loops::executor exec = loops::default_executor();
  constexpr std::int64_t width = 64;
  // Tokens are sorted by expert; some experts have none.
  const std::vector<std::int64_t> first{0, 7, 7, 300, 301, 330};
  const auto experts = static_cast<std::int64_t>(first.size()) - 1;

  const std::vector<float> ones(static_cast<std::size_t>(first.back() * width), 1);
  std::vector<float> values(static_cast<std::size_t>(experts * width * width));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i / (width * width) + 1);
  const loops::array<float> tokens(ones, exec.memory()), weights(values, exec.memory());
  loops::array<float> results(ones.size(), exec.memory());

  std::vector<group> groups;
  for (std::int64_t e = 0; e < experts; ++e) {
    const auto at = static_cast<std::size_t>(e);
    const std::int64_t count = first[at + 1] - first[at];
    groups.push_back({{tokens.data() + first[at] * width, count, width},
                      {weights.data() + e * width * width, width, width},
                      {results.data() + first[at] * width, count, width}});
  }
  const auto all = loops::plan_grouped_gemm(exec, loops::schedule::automatic{}, groups);
  all();

  // Expert e has weights of e + 1 everywhere.
  const std::vector<float> y = results.to_vector();
  for (std::size_t e = 0; e + 1 < first.size(); ++e)
    for (std::int64_t t = first[e] * width; t < first[e + 1] * width; ++t)
      if (y[static_cast<std::size_t>(t)] != static_cast<float>(width * std::int64_t(e + 1)))
        return 1;
  std::printf("%lld experts, %lld tokens, %lld tiles\n", static_cast<long long>(experts),
              static_cast<long long>(first.back()), static_cast<long long>(all.tiles()));
}
