// SPDX-License-Identifier: Apache-2.0
/// Times SpMV under every schedule of the library. The best one depends on the matrix.
///
///   example_compare [SPEC]      for example "banded:rows=1M", "rmat:scale=20"
#include <algorithms/spmv/spmv.hpp>
#include <cstdio>
#include <functional>
#include <loops/execution/fastest.hpp>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  const std::string spec = argc > 1 ? argv[1] : "power_law:rows=20000,nonzeros=280000";
  const loops::executor exec = loops::default_executor();
  const auto a = loops::generate<float>(spec).to(exec.memory());
  const loops::array<float> x(std::vector<float>(static_cast<std::size_t>(a.cols), 1),
                              exec.memory());
  loops::array<float> y(static_cast<std::size_t>(a.rows), exec.memory());

  const auto schedules = loops::all_schedules();
  const auto kept = [](auto plan) { return std::make_shared<decltype(plan)>(std::move(plan)); };
  std::vector<std::function<void()>> ways;
  for (const auto& named : schedules)
    std::visit(
        [&](const auto& schedule) {
          const auto plan = kept(loops::plan_spmv(exec, schedule, a.view()));
          ways.push_back([plan, &x, &y] { (*plan)(x, y); });
        },
        named.schedule);
  // All take turns, so that none has the warmer machine.
  const auto seconds =
      loops::fastest(exec, ways.size(), [&](std::size_t i, int) { ways[i](); }).seconds;

  std::multimap<double, std::string> in_order;
  for (std::size_t i = 0; i < ways.size(); ++i) in_order.emplace(seconds[i], schedules[i].name);
  std::printf("%s: %d x %d, %d nonzeros\n", spec.c_str(), a.rows, a.cols, a.nonzeros());
  for (const auto& [time, name] : in_order)
    std::printf("%10.1f us  %s\n", 1e6 * time, name.c_str());
  return 0;
} catch (const loops::error& e) {
  std::fprintf(stderr, "%s\n", e.message().c_str());
  return 1;
}
