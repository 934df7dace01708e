// SPDX-License-Identifier: Apache-2.0
/// Copies in rows of whole packs hold every element, and zeros behind each row.
#include "algorithms/spmm/packed_rows.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using loops::layout;

template <class Exec>
class packed_rows : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(packed_rows, support::executors, support::executor_name);

TYPED_TEST(packed_rows, zeros_behind_every_row) {
  constexpr int columns = 4;
  constexpr std::int64_t gap = 5;  // no whole packs, and not a number between rows, or columns
  const auto exec = this->any();
  for (const std::int64_t rows : {1, 31, 32, 33, 130})
    for (const std::int64_t cols : {1, 3, 6, 29, 31, 33, 61})
      for (const layout order : {layout::row_major, layout::column_major}) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + " by " +
                     (order == layout::row_major ? "rows" : "columns"));
        loops::dense_view<const float> m{nullptr, rows, cols,
                                         (order == layout::row_major ? cols : rows) + gap, order};
        const std::int64_t lines = order == layout::row_major ? rows : cols;
        std::vector<float> host(static_cast<std::size_t>(lines * m.stride),
                                std::numeric_limits<float>::quiet_NaN());
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < cols; ++c)
            host[static_cast<std::size_t>(m.at(r, c))] = static_cast<float>(r * cols + c + 1);
        const loops::array<float> there(host, exec.memory());
        m.data = there.data();
        const loops::spmm_detail::packed_rows<TypeParam, float, columns> packed(
            exec, m, loops::reuse::many_times);
        const auto copy = packed.of(m, "B");
        ASSERT_EQ(copy.order, layout::row_major);
        ASSERT_EQ(copy.stride % columns, 0);
        std::vector<float> got(static_cast<std::size_t>(rows * copy.stride));
        exec.memory()->download(got.data(), copy.data, got.size() * sizeof(float));
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < copy.stride; ++c)
            ASSERT_EQ(got[static_cast<std::size_t>(copy.at(r, c))],
                      c < cols ? static_cast<float>(r * cols + c + 1) : 0.0F)
                << "row " << r << ", column " << c;
      }
}

// Who reads rows element by element reads them where they are, however long they are.
/// Rows of whole packs that begin where packs do, so near that bytes between them have 32 bits.
TEST(in_packs, tells_whether_rows_lie_as_packs) {
  alignas(16) const float data[8] = {};
  const auto lies = [](const float* at, std::int64_t cols, std::int64_t stride, layout order) {
    return loops::spmm_detail::in_packs<4>(
        loops::dense_view<const float>{at, 1, cols, stride, order});
  };
  EXPECT_TRUE(lies(data, 4, 4, layout::row_major));
  EXPECT_TRUE(lies(data, 8, 12, layout::row_major));
  EXPECT_FALSE(lies(data, 4, 4, layout::column_major));
  EXPECT_FALSE(lies(data, 6, 8, layout::row_major)) << "no whole packs";
  EXPECT_FALSE(lies(data, 4, 6, layout::row_major)) << "the second row is not aligned";
  EXPECT_FALSE(lies(data + 1, 4, 4, layout::row_major)) << "the first row is not aligned";
  EXPECT_TRUE(lies(data, 4, (std::int64_t{1} << 30) - 4, layout::row_major));
  EXPECT_FALSE(lies(data, 4, std::int64_t{1} << 30, layout::row_major)) << "2^32 bytes";
}

TYPED_TEST(packed_rows, copies_no_rows_for_who_takes_any) {
  const auto exec = this->any();
  const loops::array<float> there(std::vector<float>(40, 1.0F), exec.memory());
  const loops::dense_view<const float> m{there.data() + 1, 5, 3, 7, layout::row_major};
  const loops::spmm_detail::packed_rows<TypeParam, float, 4, true> any(exec, m,
                                                                       loops::reuse::many_times);
  EXPECT_EQ(any.of(m, "B").data, m.data);
  EXPECT_EQ(any.of(m, "B").stride, 7);
  EXPECT_EQ(any.bytes(), 0U);
  const loops::dense_view<const float> turned{there.data(), 5, 3, 7, layout::column_major};
  const loops::spmm_detail::packed_rows<TypeParam, float, 4, true> rows(exec, turned,
                                                                        loops::reuse::many_times);
  EXPECT_EQ(rows.of(turned, "B").stride, 3) << "columns are copied, with nothing behind";
  const loops::spmm_detail::packed_rows<TypeParam, float, 4> packs(exec, m,
                                                                   loops::reuse::many_times);
  EXPECT_NE(packs.of(m, "B").data, m.data);
  support::expect_error(loops::errc::invalid_argument, "B lies otherwise than the one the plan",
                        [&] { packs.of(turned, "B"); });
  exec.synchronize();
}

}  // namespace
