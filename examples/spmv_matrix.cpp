// SPDX-License-Identifier: Apache-2.0
/// Multiplies a matrix from a Matrix Market file with a vector: once, and again with a plan.
///
///   example_spmv_matrix [FILE.mtx or FILE.mtx.gz]
#include <algorithms/spmv/spmv.hpp>
#include <cmath>
#include <cstdio>
#include <loops/execution/stopwatch.hpp>
#include <loops/loops.hpp>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "datasets/tiny/laplacian_8x8.mtx";
  const loops::executor exec = loops::default_executor();
  const auto a = loops::read_matrix_market<float>(path, exec.memory());
  const loops::array<float> x(std::vector<float>(static_cast<std::size_t>(a.cols), 1),
                              exec.memory());
  loops::array<float> y(static_cast<std::size_t>(a.rows), exec.memory());
  std::printf("%s: %d x %d, %d nonzeros\n", path.c_str(), a.rows, a.cols, a.nonzeros());

  // Once: a single call.
  loops::spmv(exec, a.view(), x, y);
  const std::vector<float> once = y.to_vector();

  // Again and again: the plan chooses a schedule, finds the cuts and allocates; a step does not.
  constexpr int uses = 500;
  const auto step = loops::plan_spmv(exec, loops::schedule::automatic{.uses = uses}, a.view());
  std::printf("chosen: %s\n", step.plan().reason().c_str());

  const double begin = loops::seconds_now();
  for (int i = 0; i < uses; ++i) step(x, y);
  exec.synchronize();
  std::printf("%.1f microseconds per product\n", 1e6 * (loops::seconds_now() - begin) / uses);

  // Another schedule may add in another order: compare with a tolerance.
  const std::vector<float> again = y.to_vector();
  for (std::size_t i = 0; i < once.size(); ++i)
    if (std::fabs(once[i] - again[i]) > 1e-3F * (1 + std::fabs(once[i]))) {
      std::printf("row %zu: %g once, %g with the plan\n", i, once[i], again[i]);
      return 1;
    }
  return 0;
} catch (const loops::error& e) {
  std::fprintf(stderr, "%s\n", e.message().c_str());
  return 1;
}
