// SPDX-License-Identifier: Apache-2.0
/// Small products read B, and write C, where they lie; larger ones have room for rows of packs.
#include "algorithms/spmm/in_place.hpp"

#include "algorithms/spmm/spmm.hpp"
#include "loops/io/generate.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using loops::layout;
namespace schedule = loops::schedule;

template <class Exec>
class in_place : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(in_place, support::executors, support::executor_name);

float of_b(std::int64_t r, std::int64_t c) {
  return static_cast<float>((r * 5 + c * 3) % 7 - 3);
}

/// A square band of so many rows, B and C as they should be.
struct problem {
  loops::csr<float> a;
  std::int64_t n;

  problem(std::int64_t rows, std::int64_t columns)
      : a(loops::generate<float>("banded:rows=" + std::to_string(rows) + ",width=3")), n(columns) {
    for (std::size_t k = 0; k < a.values.size(); ++k)
      a.values[k] = static_cast<float>(k * 7 % 5) - 2;  // sums are exact
  }

  [[nodiscard]] double exact(std::int64_t r, std::int64_t c) const {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r) + 1]); ++k)
      sum += double(a.values[k]) * double(of_b(a.indices[k], c));
    return sum;
  }

  /// Bytes that the plan holds for a B that lies so; checks a product into NaNs, and one added.
  template <class Exec, class Schedule>
  [[nodiscard]] std::size_t check(const Exec& exec, const Schedule& s, layout of, layout to) const {
    const std::int64_t rows = a.rows;
    const std::int64_t gap = 1;
    const std::int64_t length = of == layout::row_major ? n : rows;
    const auto lines = static_cast<std::size_t>(of == layout::row_major ? rows : n);
    std::vector<float> b(lines * static_cast<std::size_t>(length + gap), std::nanf(""));
    loops::dense_view<float> from{b.data(), rows, n, length + gap, of};
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < n; ++c) from(r, c) = of_b(r, c);
    const loops::array<float> where(b, exec.memory());
    from.data = const_cast<float*>(where.data());
    std::vector<float> c(static_cast<std::size_t>(rows * n), std::nanf(""));
    loops::array<float> out(c, exec.memory());
    const loops::dense_view<float> into{out.data(), rows, n, to == layout::row_major ? n : rows,
                                        to};
    const auto there = a.to(exec.memory());
    const auto plan = loops::plan_spmm(exec, s, there.view(), from);
    for (const double beta : {0.0, 1.0}) {
      plan(from, into, 2, static_cast<float>(beta));
      c = out.to_vector();
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t j = 0; j < n; ++j) {
          const double got = double(c[static_cast<std::size_t>(into.at(r, j))]);
          EXPECT_EQ(got, 2 * (1 + beta) * exact(r, j)) << "row " << r << ", column " << j;
          if (testing::Test::HasFailure()) return 0;
        }
    }
    return plan.bytes();
  }
};

TYPED_TEST(in_place, what_is_small_is_neither_copied_nor_turned) {
  if constexpr (loops::spmm_detail::reads_alone<TypeParam>) {
    GTEST_SKIP() << "lanes that are alone read rows wherever they lie";
  } else {
    const auto exec = this->any();
    for (const std::int64_t n : {2, 3, 4, 5, 9, 17}) {
      const auto small = [&](std::int64_t rows) {
        return loops::spmm_detail::is_small(exec, problem(rows, n).a.view(), n, n > 4);
      };
      std::int64_t rows = 1;
      while (small(2 * rows)) rows *= 2;
      for (std::int64_t step = rows / 2; step > 0; step /= 2)
        if (small(rows + step)) rows += step;
      for (const layout of : {layout::row_major, layout::column_major})
        for (const layout to : {layout::row_major, layout::column_major}) {
          SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(n) + " columns by " +
                       (of == layout::row_major ? "rows" : "columns") + ", C by " +
                       (to == layout::row_major ? "rows" : "columns"));
          const auto room = static_cast<std::size_t>(rows * n) * sizeof(float);
          // Whole tiles want no room of their own: what a plan holds is copies.
          const schedule::group_mapped whole{2};
          EXPECT_LT(problem(rows, n).check(exec, whole, of, to), room);
          EXPECT_GE(problem(rows + 1, n).check(exec, whole, of, to), room);
          (void)problem(rows, n).check(exec, schedule::merge_path{}, of, to);
          (void)problem(rows, n).check(exec, schedule::automatic{}, of, to);
          if (this->HasFailure()) return;
        }
    }
  }
}

TYPED_TEST(in_place, is_for_what_lanes_read_meanwhile) {
  if constexpr (loops::spmm_detail::reads_alone<TypeParam>) {
    GTEST_SKIP() << "lanes that are alone read rows wherever they lie";
  } else {
    const auto exec = this->any();
    const loops::machine m = exec.template describe<loops::shape<128, 32>>();
    const std::int64_t lanes = m.threads * m.blocks;
    const auto small = [&](std::int64_t elements, std::int64_t cols, std::int64_t n) {
      loops::csr_view<float> a{};
      a.rows = 1;
      a.cols = static_cast<int>(cols);
      a.nonzeros = static_cast<int>(elements / n);
      return loops::spmm_detail::is_small(exec, a, n, n > 4);
    };
    constexpr std::int64_t cache = (LOOPS_HIP ? 16 : 128) << 10;
    struct bound {
      std::int64_t n, cols;
      double elements;  ///< for a lane
    };
    for (const bound& b :
         {bound{8, cache / 32, 12}, bound{8, cache / 32 + 1, 4}, bound{64, cache / 32, 12},
          bound{4, cache / 16, 2}, bound{4, cache / 16 + 1, 0.5}, bound{2, cache / 8, 2}}) {
      const auto most = static_cast<std::int64_t>(b.elements * static_cast<double>(lanes));
      EXPECT_TRUE(small(most, b.cols, b.n)) << b.n << " columns, " << b.cols << " rows of B";
      EXPECT_FALSE(small(most + b.n, b.cols, b.n)) << b.n << " columns, " << b.cols;
    }
  }
}

TYPED_TEST(in_place, other_layouts_are_refused_as_copies_refuse_them) {
  if constexpr (loops::spmm_detail::reads_alone<TypeParam>) {
    GTEST_SKIP() << "lanes that are alone read rows wherever they lie";
  } else {
    const auto exec = this->any();
    const auto a = problem(5, 8).a.to(exec.memory());
    loops::array<float> b(64, exec.memory());
    loops::array<float> c(64, exec.memory());
    const auto columns = loops::by_columns(b.data(), 5, 8);
    const auto into = loops::by_columns(c.data(), 5, 8);
    const auto plan = loops::plan_spmm(exec, schedule::merge_path{}, a.view(), columns);
    loops::dense_view<float> rows{b.data(), 5, 8, 9, layout::row_major};
    support::expect_error(loops::errc::invalid_argument, "B lies otherwise than the one the plan",
                          [&] { plan(rows, into); });
    rows.stride = 8;  // rows of packs are read as they are, whatever the plan was made for
    EXPECT_NO_THROW(plan(rows, into));
  }
}

}  // namespace
