// SPDX-License-Identifier: Apache-2.0
/// What a wave's registers hold is where it belongs in C, however C lies; nothing else is written.
#include "algorithms/gemm/wave_output.hpp"

#include "algorithms/gemm/epilogue.hpp"
#include "algorithms/gemm/problem.hpp"
#include "loops/tile/mma.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tile/on_waves.hpp"

namespace {

using namespace loops;
using namespace loops::tile;
using gemm_detail::row_exchange;

using results = gemm_epilogue<double>;

/// Element (r, c) of the wave's is 1 + r * cols + c.
template <class Sums>
struct store_numbers {
  results epilogue;
  std::int32_t row;
  std::int32_t col;
  std::int32_t m;
  std::int32_t n;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if constexpr (Block::wave == Sums::atom::wave) {
      using sum = typename Sums::element;
      Sums sums;
      for (int i = 0; i < Sums::count; ++i) {
        const result_place p = Sums::place(block.lane(), i);
        sums.flat(i) = sum(1 + p.row * Sums::cols + p.col);
      }
      gemm_detail::store_results(block, sums, epilogue, row, col, m, n, sum(1));
    }
  }
};

constexpr double untouched = -1;

/// From (row, col) on of an m x n C with such a leading dimension, that begins `begin` elements
/// into memory.
template <class Sums>
void check_place(std::int32_t row, std::int32_t col, std::int32_t m, std::int32_t n,
                 std::int64_t leading, std::int64_t begin) {
  SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) + " of " + std::to_string(leading) +
               " from " + std::to_string(begin) + " on");
  const waves::executor<Sums::atom::wave> exec;
  const auto size = static_cast<std::size_t>(begin + m * leading + 1);
  array<double> c(std::vector<double>(size, untouched), exec.memory());
  const results epilogue(matrix<double>(c.data() + begin, m, n, leading), gemm_detail::chain());
  exec.template launch<team<Sums::atom::wave>>(1, store_numbers<Sums>{epilogue, row, col, m, n});
  exec.synchronize();
  std::vector<double> expected(size, untouched);
  for (std::int32_t y = row; y < std::min(m, row + Sums::rows); ++y)
    for (std::int32_t x = col; x < std::min(n, col + Sums::cols); ++x)
      expected[static_cast<std::size_t>(begin + y * leading + x)] =
          1 + (y - row) * Sums::cols + (x - col);
  EXPECT_EQ(c.to_vector(), expected);
}

template <class Atom, int Rows, int Cols>
void check() {
  if (!waves::ready<Atom::wave>()) GTEST_SKIP() << "no such waves here";
  using sums = register_tile<Atom, Rows, Cols>;
  for (const std::int32_t n : {Cols + 5, Cols + 4, Cols - 3, 1})
    for (const std::int64_t leading : {Cols + 5, Cols + 6, Cols + 8})
      for (const std::int64_t begin : {0, 1, 2}) {
        check_place<sums>(2, 0, Rows - 1, n, leading, begin);
        check_place<sums>(0, 4, Rows + 3, n, leading, begin);
      }
}

TEST(wave_output, is_where_it_belongs) {
#if !LOOPS_HIP
  check<mma_m16n8<loops::half>, 32, 16>();
  check<mma_m8n8k4_f64, 16, 16>();
  check<lane_products<float>, 32, 32>();
#endif
#if !LOOPS_CUDA
  check<mfma_32x32<loops::half, loops::half, 4>, 32, 64>();
  check<mfma_16x16_f64, 32, 16>();
  check<lane_products<double, 64>, 64, 32>();
#endif
}

/// After the exchange all lanes that have a number of one row have neighbours in it: as many as
/// lanes share rows with them, times what each had.
template <class Atom>
void check_stretches(int least) {
  using sums = register_tile<Atom, Atom::m, Atom::n>;
  using exchange = row_exchange<Atom, sums::span()>;
  const sums none{};
  for (int i = 0; i < sums::count; i += sums::span())
    for (int j = 0; j < sums::span(); ++j)
      for (int lane = 0; lane < Atom::wave; ++lane) {
        const result_place p = exchange::place(none, lane, i, j);
        int first = p.col;
        int last = p.col;
        int beside = 0;
        for (int other = 0; other < Atom::wave; ++other) {
          const result_place q = exchange::place(none, other, i, j);
          if (q.row != p.row) continue;
          first = std::min(first, q.col);
          last = std::max(last, q.col);
          ++beside;
        }
        EXPECT_EQ(last - first + 1, beside);
        EXPECT_GE(beside, least);
      }
}

TEST(wave_output, is_stored_in_stretches) {
  check_stretches<lane_products<float>>(16);
  check_stretches<mma_m16n8<loops::half>>(8);
  check_stretches<mma_m16n8k8_f64>(8);
}

}  // namespace
