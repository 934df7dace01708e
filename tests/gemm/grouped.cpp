// SPDX-License-Identifier: Apache-2.0
/// Products of different sizes in one launch are the products one by one.
#include "algorithms/gemm/grouped.hpp"

#include "gemm/products.hpp"

namespace {

using namespace loops;
using products::owned;
using products::row;

template <class Exec>
class grouped_gemm : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(grouped_gemm, support::executors, support::executor_name);

struct one {
  std::int64_t m, n, k, shift;
};

template <class Exec, class Schedule>
void check(const Exec& exec, const Schedule& schedule, const std::vector<one>& sizes) {
  std::vector<owned<float, row>> a, b, c;
  std::vector<gemm_group<float, float, float>> groups;
  unsigned seed = 1;
  for (const one& s : sizes) {
    a.emplace_back(exec, s.m, s.k, 0, 1, s.shift, ++seed);
    b.emplace_back(exec, s.k, s.n, 0, 1, s.shift, ++seed);
    c.emplace_back(exec, s.m, s.n, 0, 1, s.shift, ++seed);
  }
  for (std::size_t g = 0; g < sizes.size(); ++g)
    groups.push_back({a[g].view(), b[g].view(), c[g].target()});
  std::vector<float> bias(sizes.size() * 256);
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = float(i % 7);
  const array<float> on_device(bias, exec.memory());
  const auto plan = plan_grouped_gemm(exec, schedule, groups, epilogue::alpha{2.0f},
                                      epilogue::per_column_bias<float>{on_device.data(), 256});
  plan();
  exec.synchronize();
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    const auto got = c[g].device.to_vector();
    for (std::int64_t i = 0; i < sizes[g].m; ++i)
      for (std::int64_t j = 0; j < sizes[g].n; ++j) {
        double sum = 0;
        for (std::int64_t q = 0; q < sizes[g].k; ++q) sum += a[g].at(0, i, q) * b[g].at(0, q, j);
        const double expected = 2 * sum + bias[g * 256 + static_cast<std::size_t>(j)];
        ASSERT_NEAR(got[c[g].index(0, i, j)], expected, 1e-3)
            << "group " << g << ", element " << i << ", " << j;
      }
  }
}

TYPED_TEST(grouped_gemm, takes_groups_of_every_size) {
  const std::vector<one> skewed{{70, 45, 300, 0}, {1, 1, 1, 1},   {0, 30, 20, 0},  {5, 100, 0, 0},
                                {64, 32, 64, 0},  {3, 7, 500, 1}, {130, 20, 33, 0}};
  check(this->any(), schedule::stream_k{}, skewed);
  check(this->any(), schedule::data_parallel{}, skewed);
  check(this->any(), schedule::stream_k{}, {{64, 64, 128, 0}, {128, 32, 64, 0}});
  check(this->any(), schedule::stream_k{}, {});
}

TYPED_TEST(grouped_gemm, names_the_group_that_is_wrong) {
  float x[16] = {};
  std::vector<gemm_group<float, float, float>> groups(2);
  groups[0] = {{x, 2, 2}, {x, 2, 2}, {x, 2, 2}};
  groups[1] = {{x, 2, 2}, {x, 3, 2}, {x, 2, 2}};
  support::expect_error(errc::invalid_argument, "group 1: A (2 x 2) times B (3 x 2)",
                        [&] { plan_grouped_gemm(this->any(), schedule::stream_k{}, groups); });
}

}  // namespace
