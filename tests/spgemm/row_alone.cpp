// SPDX-License-Identifier: Apache-2.0
/// Rows of C by lanes that are alone.
#include "algorithms/spgemm/row_alone.hpp"

#include "loops/execution/host.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/work_oriented.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "spgemm/oracle.hpp"

namespace {

namespace schedule = loops::schedule;

template <class I>
void hold_columns(std::int64_t cols, const std::vector<std::int64_t>& stretch_ends) {
  using bits_type = loops::spgemm_detail::column_bits<I>;
  std::vector<std::uint64_t> room(static_cast<std::size_t>(bits_type::words_for(cols)) + 1, 0);
  room.back() = 0x5555555555555555;
  const bits_type bits(room.data(), cols);
  std::mt19937_64 random(static_cast<std::uint64_t>(cols));
  for (int round = 0; round < 20; ++round) {
    std::set<I> wanted;
    for (int stretch = 0; stretch < 10; ++stretch) {
      std::vector<I> columns;
      for (const std::int64_t end : stretch_ends)
        for (std::int64_t c = end - 2; c < end + 2; ++c)
          if (c >= 0 && c < cols && random() % 2 == 0) columns.push_back(static_cast<I>(c));
      for (int i = 0; i < round; ++i)
        columns.push_back(static_cast<I>(random() % static_cast<std::uint64_t>(cols)));
      wanted.insert(columns.begin(), columns.end());
      bits.insert(columns.data(), columns.data() + columns.size());
    }
    // Drained for nothing first, so that the second time tells whether they were emptied.
    if (round % 2 == 1) {
      EXPECT_EQ(bits.drain(nullptr), static_cast<std::int64_t>(wanted.size()));
      const std::vector<I> again(wanted.begin(), wanted.end());
      bits.insert(again.data(), again.data() + again.size());
    }
    std::vector<I> found(wanted.size() + 1, I(-1));
    ASSERT_EQ(bits.drain(found.data()), static_cast<std::int64_t>(wanted.size()));
    EXPECT_EQ(found.back(), I(-1));
    found.pop_back();
    EXPECT_EQ(found, std::vector<I>(wanted.begin(), wanted.end())) << cols << " columns";
    for (std::size_t w = 0; w + 1 < room.size(); ++w) ASSERT_EQ(room[w], 0u) << "word " << w;
    EXPECT_EQ(room.back(), 0x5555555555555555u) << "written beyond the room";
  }
}

TEST(row_alone, bits_hold_columns_in_order) {
  const std::vector<std::int64_t> ends{1, 64, 128, 4096, 8192, 1 << 18, 1 << 19};
  for (std::int64_t cols :
       {1, 2, 63, 64, 65, 4095, 4096, 4097, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 600'000})
    hold_columns<std::int32_t>(cols, ends);
  hold_columns<std::int64_t>(3'000'000, ends);
  hold_columns<std::int16_t>(32'767, {1, 64, 32'000});
}

/// Rows that many lanes take, of every kind of size.
loops::csr<float> mixed(std::int64_t rows, std::int64_t cols) {
  std::vector<std::vector<std::int64_t>> all;
  std::mt19937_64 random(17);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::vector<std::int64_t> row;
    const std::int64_t n = r % 97 == 5 ? cols / 2 : r % 5;
    for (std::int64_t i = 0; i < n; ++i)
      row.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(cols)));
    all.push_back(std::move(row));
  }
  return oracle::matrix_of(all, cols);
}

TEST(row_alone, by_any_number_of_threads) {
  const auto a = mixed(900, 900);
  for (const int threads : {1, 2, 3, 7}) {
    const loops::host_executor exec(std::make_shared<loops::host::pool>(threads));
    oracle::check(exec, schedule::merge_path{}, a, a);
    oracle::check(exec, schedule::work_oriented{}, a, a);
  }
}

TEST(row_alone, more_columns_than_are_kept) {
  // A full row, a full column: C is full.
  constexpr std::int64_t n = 600;
  std::vector<std::vector<std::int64_t>> arrow(n, {0});
  for (std::int64_t c = 1; c < n; ++c) arrow[0].push_back(c);
  const auto a = oracle::matrix_of(arrow, n);
  static_assert(n * n > 64 * 4 * n, "room is for 64 columns per nonzero of A and B");
  oracle::check(loops::host_executor(std::make_shared<loops::host::pool>(3)),
                schedule::merge_path{}, a, a);
}

TEST(row_alone, inside_a_task_of_another_pool) {
  const auto a = mixed(200, 200);
  const loops::host_executor inner(std::make_shared<loops::host::pool>(2));
  const auto wanted = loops::spgemm(inner, schedule::merge_path{}, a.view(), a.view());
  std::vector<loops::csr<float>> got(12);
  loops::host::pool outer(5);
  auto task = [&](std::int64_t i) {
    got[static_cast<std::size_t>(i)] =
        loops::spgemm(inner, schedule::merge_path{}, a.view(), a.view());
  };
  outer.run(12, loops::host::task_ref(task));
  for (const auto& c : got) {
    EXPECT_EQ(c.indices.to_vector(), wanted.indices.to_vector());
    EXPECT_TRUE(support::same_bits(c.values.to_vector(), wanted.values.to_vector()));
  }
}

TEST(row_alone, has_places_where_they_take_no_more_than_matrices_do) {
  const loops::host_executor exec(std::make_shared<loops::host::pool>(4));
  using rows = loops::spgemm_detail::rows_alone<loops::host_executor, schedule::merge_path,
                                                std::int32_t, std::int32_t>;
  // A megabyte, for 4 lanes and 8 bytes each.
  EXPECT_TRUE(rows::has_room(exec, 1 << 15, 0, 8));
  EXPECT_FALSE(rows::has_room(exec, (1 << 15) + 1, 0, 8));
  // 64 bytes per nonzero.
  EXPECT_TRUE(rows::has_room(exec, 2'000'000, 1'000'000, 8));
  EXPECT_FALSE(rows::has_room(exec, 2'000'001, 1'000'000, 8));
}

}  // namespace
