// SPDX-License-Identifier: Apache-2.0
/// A dense layer in 8-bit integers: sums are exact, and what becomes of them is said in parts.
#include <algorithms/gemm/gemm.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <loops/loops.hpp>

int main() {
  using loops::layout;
  using loops::matrix;
  namespace epilogue = loops::epilogue;
  const loops::executor exec = loops::default_executor();
  constexpr std::int64_t rows = 100, columns = 60, depth = 200;

  const auto some = [](std::int64_t count, int step) {
    std::vector<std::int8_t> v(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = static_cast<std::int8_t>(static_cast<int>(i) * step % 255 - 127);
    return v;
  };
  const auto x = some(rows * depth, 7), w = some(depth * columns, 11);
  const std::vector<float> scales(columns, 0x1p-12F), offsets(columns, 3);
  const loops::array<std::int8_t> a(x, exec.memory()), b(w, exec.memory());
  const loops::array<float> scale(scales, exec.memory()), bias(offsets, exec.memory());
  loops::array<std::int8_t> c(rows * columns, exec.memory());

  loops::gemm(exec, matrix<const std::int8_t>(a.data(), rows, depth),
              matrix<const std::int8_t, layout::column_major>(b.data(), depth, columns),
              matrix<std::int8_t>(c.data(), rows, columns),
              epilogue::per_column_scale<float>{scale.data()},
              epilogue::per_column_bias<float>{bias.data()}, epilogue::relu{});

  // One element by hand.
  int sum = 0;
  for (std::size_t k = 0; k < depth; ++k) sum += x[42 * depth + k] * w[17 * depth + k];
  const float expected =
      std::rint(std::fmin(std::fmax(static_cast<float>(sum) * 0x1p-12F + 3, 0.F), 127.F));
  const int got = c.to_vector()[42 * columns + 17];
  std::printf("a sum of %d becomes %d\n", sum, got);
  return static_cast<float>(got) == expected ? 0 : 1;
}
