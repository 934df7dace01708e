// SPDX-License-Identifier: Apache-2.0
/// Products of dense matrices: every schedule, other types, batches and groups.
#include "algorithms/gemm/gemm.hpp"

#include "algorithms/gemm/grouped.hpp"
#include "loops/loops.hpp"
#include "loops/schedule/dense_schedules.hpp"
#include "support/emulated_gemm.hpp"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "races/small.hpp"

namespace {

using loops::layout;
using loops::matrix;
namespace schedule = loops::schedule;

template <class T, class TC, class Exec, class Schedule>
void watch(const Exec& exec, const Schedule& how) {
  constexpr std::int64_t m = 70, n = 65, k = 300;
  const loops::array<T> a(std::vector<T>(m * k, T(1)), exec.memory());
  const loops::array<T> b(std::vector<T>(k * n, T(2)), exec.memory());
  loops::array<TC> c(m * n, exec.memory());
  const auto plan = loops::plan_gemm(exec, how, matrix<const T>(a.data(), m, k),
                                     matrix<const T, layout::column_major>(b.data(), k, n),
                                     matrix<TC>(c.data(), m, n));
  plan();
  plan();
}

template <class Exec>
void watch_groups(const Exec& exec) {
  constexpr std::int64_t n = 40, k = 70;
  const loops::array<float> b(std::vector<float>(k * n, 2), exec.memory());
  std::vector<loops::array<float>> held;
  std::vector<loops::gemm_group<float, float, float>> groups;
  for (const std::int64_t m : {3, 0, 90, 33}) {
    const std::vector<float> ones(static_cast<std::size_t>(m * k), 1);
    const float* a = held.emplace_back(ones, exec.memory()).data();
    float* c = held.emplace_back(static_cast<std::size_t>(m * n), exec.memory()).data();
    groups.push_back({{a, m, k}, {b.data(), k, n}, {c, m, n}});
  }
  const auto plan = loops::plan_grouped_gemm(exec, schedule::stream_k{}, groups);
  plan();
  plan();
}

}  // namespace

int main() {
  races::on_every_wave([](const auto& exec) {
    for (const auto& s : loops::dense_schedules()) {
      std::printf("%s\n", s.name.c_str());
      std::visit([&](const auto& how) { watch<float, float>(exec, how); }, s.schedule);
    }
    watch<double, double>(exec, schedule::stream_k{});
    watch<loops::bfloat16, loops::bfloat16>(exec, schedule::stream_k{});
    watch<std::int8_t, std::int32_t>(exec, schedule::stream_k{});
    watch_groups(exec);
  });
}
