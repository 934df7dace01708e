// SPDX-License-Identifier: Apache-2.0
/// Rows of C around every size at which another table takes them.
#include "algorithms/spgemm/columns.hpp"
#include "algorithms/spgemm/entries.hpp"
#include "algorithms/spgemm/takers.hpp"
#include "loops/schedule/block_mapped.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/lrb.hpp"
#include "loops/schedule/merge_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "spgemm/oracle.hpp"

namespace {

namespace schedule = loops::schedule;
using rows_of_columns = std::vector<std::vector<std::int64_t>>;

/// Numbers of columns at which the table changes, and their neighbours.
template <class Exec>
std::vector<std::int64_t> sizes() {
  using block = typename Exec::template block<loops::shape<128, 8>>;
  using list_block = typename Exec::template block<loops::spgemm_detail::list_shape>;
  constexpr std::size_t count_bytes = sizeof(std::int32_t);
  constexpr std::size_t sum_bytes = loops::spgemm_detail::slot_bytes<float, std::int32_t>;
  std::set<std::int64_t> all{1, 2};
  const auto around = [&](std::int64_t n) {
    for (std::int64_t i = n - 1; i <= n + 1; ++i) all.insert(i);
  };
  for (int lanes = 1; lanes <= block::threads; lanes *= 4) {
    around(loops::spgemm_detail::room_in<block>(count_bytes, lanes));
    around(loops::spgemm_detail::room_in<block>(sum_bytes, lanes));
  }
  around(loops::spgemm_detail::room_in<block>(count_bytes, block::threads));
  around(loops::spgemm_detail::room_in<block>(sum_bytes, block::threads));
  around(loops::spgemm_detail::room_in<list_block>(count_bytes, list_block::threads));
  around(loops::spgemm_detail::room_in<list_block>(sum_bytes, list_block::threads));
  return {all.begin(), all.end()};
}

/// One row per size; scattered columns of a matrix with `cols` columns, where 1103 divides not.
rows_of_columns scattered(const std::vector<std::int64_t>& sizes, std::int64_t cols) {
  rows_of_columns rows;
  for (const std::int64_t n : sizes) {
    std::vector<std::int64_t> row;
    for (std::int64_t i = 0; i < n; ++i) row.push_back((n + i * 1103) % cols);
    rows.push_back(std::move(row));
  }
  return rows;
}

template <class Exec>
class rows : public support::on_executor<Exec> {
 protected:
  /// Under a schedule with bins, one with small groups, one with blocks, and one that cuts.
  template <class Matrix>
  void check(const Matrix& a, const Matrix& b) {
    const auto exec = this->any();
    {
      SCOPED_TRACE("lrb");
      oracle::check(exec, schedule::lrb{}, a, b);
    }
    {
      SCOPED_TRACE("group_mapped:4");
      oracle::check(exec, schedule::group_mapped{4}, a, b);
    }
    {
      SCOPED_TRACE("block_mapped");
      oracle::check(exec, schedule::block_mapped{}, a, b);
    }
    SCOPED_TRACE("merge_path");
    oracle::check(exec, schedule::merge_path{}, a, b);
  }
};
TYPED_TEST_SUITE(rows, support::executors, support::executor_name);

TYPED_TEST(rows, as_many_products_as_columns) {
  const auto wanted = sizes<TypeParam>();
  const std::int64_t n = wanted.back() + 5;
  rows_of_columns one_each;
  for (std::int64_t r = 0; r < n; ++r) one_each.push_back({(r * 7 + 3) % n});
  this->check(oracle::matrix_of(scattered(wanted, n), n), oracle::matrix_of(one_each, n));
}

TYPED_TEST(rows, three_products_per_column) {
  auto wanted = sizes<TypeParam>();
  const std::int64_t n = wanted.back() + 5;
  // Row r of B has columns 0 … wanted[r] - 1, some of them backwards; A takes each three times.
  rows_of_columns dense;
  rows_of_columns thrice;
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    std::vector<std::int64_t> row;
    for (std::int64_t i = 0; i < wanted[r]; ++i) row.push_back(i);
    dense.push_back(std::move(row));
    const auto k = static_cast<std::int64_t>(r);
    thrice.push_back({k, k, k});
  }
  const auto a = oracle::matrix_of(thrice, static_cast<std::int64_t>(wanted.size()));
  this->check(a, oracle::matrix_of(dense, n));
  for (std::size_t r = 0; r < dense.size(); r += 2) std::reverse(dense[r].begin(), dense[r].end());
  this->check(a, oracle::matrix_of(dense, n));
}

/// A and B of 16 rows: rows of C of 0.9 to 1.4 times what a block has room for, from few nonzeros.
/// `more` long rows of B are not used: the more nonzeros there are, the more rows are taken
/// together. `bits`: whether a block has one for every column.
template <class Exec>
std::pair<loops::csr<float>, loops::csr<float>> long_rows(std::int64_t more, bool bits) {
  using block = typename Exec::template block<loops::spgemm_detail::list_shape>;
  const std::int64_t room =
      loops::spgemm_detail::room_in<block>(sizeof(std::int32_t), block::threads);
  const std::int64_t slots = loops::spgemm_detail::slots_in<block>(sizeof(std::int32_t));
  const std::int64_t apart = bits ? 1 : 11;  // the columns of a row
  const std::int64_t cols = bits ? 32 * slots : 32 * slots + 1;
  EXPECT_EQ((loops::spgemm_detail::has_bits<block, std::int32_t>(cols)),
            bits && block::threads > 1);
  rows_of_columns b;
  for (std::int64_t r = 0; r < 16; ++r) {
    std::vector<std::int64_t> row;
    for (std::int64_t i = 0; i < room / 10; ++i)
      row.push_back((r * 17 + i * 29 + r * i) % (3 * room) * apart);
    row.push_back(cols - 1 - r % 3);
    b.push_back(std::move(row));
  }
  for (std::int64_t r = 0; r < more; ++r) {
    std::vector<std::int64_t> row;
    for (std::int64_t i = 0; i < 3 * room; ++i) row.push_back(i * apart);
    b.push_back(std::move(row));
  }
  rows_of_columns a;
  for (std::int64_t r = 0; r < 12; ++r) {
    std::vector<std::int64_t> row;
    for (std::int64_t i = 0; i < 10 + r % 7; ++i) row.push_back((r + i) % 16);
    a.push_back(std::move(row));
    if (r % 3 == 0) a.push_back({});
  }
  return {oracle::matrix_of(a, 16 + more), oracle::matrix_of(b, cols)};
}

TYPED_TEST(rows, long_rows_in_several_batches) {
  const auto exec = this->any();
  const auto [a, b] = long_rows<TypeParam>(0, false);
  oracle::check(exec, schedule::lrb{}, a, b);
  oracle::check(exec, schedule::merge_path{}, a, b);
}

TYPED_TEST(rows, long_rows_together) {
  const auto [a, b] = long_rows<TypeParam>(5, false);
  oracle::check(this->any(), schedule::merge_path{}, a, b);
}

TYPED_TEST(rows, long_rows_by_bits) {
  const auto exec = this->any();
  const auto [a, b] = long_rows<TypeParam>(0, true);
  oracle::check(exec, schedule::lrb{}, a, b);
  oracle::check(exec, schedule::group_mapped{4}, a, b);
}

TYPED_TEST(rows, one_that_its_group_counts_and_cannot_sum) {
  using block = typename TypeParam::template block<loops::spgemm_detail::row_shape>;
  constexpr std::size_t sum_bytes = loops::spgemm_detail::slot_bytes<float, std::int32_t>;
  const std::int64_t n = loops::spgemm_detail::room_in<block>(sum_bytes, block::threads) + 1;
  rows_of_columns one_each;
  for (std::int64_t r = 0; r < n; ++r) one_each.push_back({r});
  oracle::check(this->any(), schedule::block_mapped{}, oracle::matrix_of(scattered({n}, n), n),
                oracle::matrix_of(one_each, n));
}

/// Counts and lists the columns of A B where there is room to keep `room` of them: all the same,
/// and nothing is written beyond. Returns how many rows were kept.
template <class Exec, class Schedule>
std::int64_t with_room(const Exec& exec, const Schedule& schedule, const loops::csr<float>& host_a,
                       const loops::csr<float>& host_b, std::int64_t room) {
  using namespace loops::spgemm_detail;
  using block = typename Exec::template block<row_shape>;
  using list_block = typename Exec::template block<list_shape>;
  constexpr std::int64_t beyond = 64;
  const auto& where = exec.memory();
  const auto a = host_a.to(where);
  const auto b = host_b.to(where);
  const patterns<int, int> m{a.offsets.data(), a.indices.data(), b.offsets.data(),
                             b.indices.data(), b.cols,           a.nonzeros()};
  std::vector<std::int64_t> products_of;
  std::vector<int> offsets_of{0};
  std::vector<int> wanted;
  const auto rows = static_cast<std::size_t>(a.rows);
  const auto exact = oracle::exact_product(host_a, host_b);
  for (std::size_t r = 0; r < rows; ++r) {
    std::int64_t products = 0;
    for (int k = host_a.offsets[r]; k < host_a.offsets[r + 1]; ++k) {
      const auto of_b = static_cast<std::size_t>(host_a.indices[static_cast<std::size_t>(k)]);
      products += host_b.offsets[of_b + 1] - host_b.offsets[of_b];
    }
    products_of.push_back(products);
    for (const auto& [column, value] : exact[r]) wanted.push_back(static_cast<int>(column));
    offsets_of.push_back(static_cast<int>(wanted.size()));
  }
  const loops::array<std::int64_t> products(products_of, where);
  const loops::array<int> offsets(offsets_of, where);
  loops::array<int> kept(static_cast<std::size_t>(room + beyond), where);
  loops::array<int> columns(wanted.size(), where);
  loops::array<std::int64_t> places(rows, where);
  loops::array<std::int64_t> counts(rows, where);
  loops::array<piece> noted(rows, where);
  loops::array<piece> far(rows, where);
  loops::array<tally> seen(1, where);
  kept.fill(0xff);
  columns.fill(0xff);
  seen.fill(0);
  const row_takers<Exec, Schedule, int> takers(exec, schedule, rows_of(a.view()), products.data(),
                                               room_in<block>(sizeof(int), 1));
  const kept_columns<int> keep{kept.data(), room, places.data()};
  tally* const all = seen.data();
  const count_row<int, int> count{m,   products.data(), counts.data(), keep,
                                  all, noted.data(),    far.data(),    sizeof(float) + sizeof(int)};
  takers.take(count);
  takers.take(noted, &all->pending, count);
  EXPECT_EQ(seen.to_vector().front().far, 0);
  for (std::size_t r = 0; r < rows; ++r)
    EXPECT_EQ(counts.to_vector()[r], offsets_of[r + 1] - offsets_of[r]) << "row " << r;
  for (std::int64_t i = room; i < room + beyond; ++i)
    EXPECT_EQ(kept.to_vector()[static_cast<std::size_t>(i)], -1) << "written beyond the room";
  const list_row<int, int> list{m,
                                offsets.data(),
                                columns.data(),
                                keep,
                                all,
                                noted.data(),
                                room_in<list_block>(sizeof(int), list_block::threads),
                                loops::spgemm_detail::has_bits<list_block, int>(m.cols)};
  takers.take(list);
  takers.take(noted, &all->unlisted, list);
  EXPECT_EQ(columns.to_vector(), wanted);
  std::int64_t kept_rows = 0;
  for (const std::int64_t place : places.to_vector()) kept_rows += place >= 0;
  return kept_rows;
}

TYPED_TEST(rows, listed_again_where_there_was_no_room_to_keep_them) {
  const auto exec = this->any();
  // 40 rows of 5 columns; room for 9 of them, and for all but one column of a tenth.
  rows_of_columns five;
  rows_of_columns one_each;
  for (std::int64_t r = 0; r < 40; ++r) {
    five.push_back({r, (r + 9) % 50, (r + 3) % 50, (r + 20) % 50, (r + 41) % 50});
    one_each.push_back({39 - r});
  }
  const auto few_a = oracle::matrix_of(one_each, 40);
  const auto few_b = oracle::matrix_of(five, 50);
  EXPECT_EQ(with_room(exec, schedule::group_mapped{4}, few_a, few_b, 49), 9);
  EXPECT_EQ(with_room(exec, schedule::lrb{}, few_a, few_b, 200), 40);
  // Rows of every size up to what a block has room for, and by bits beyond.
  using list_block = typename TypeParam::template block<loops::spgemm_detail::list_shape>;
  const std::int64_t room =
      loops::spgemm_detail::room_in<list_block>(sizeof(int), list_block::threads);
  const std::int64_t most = list_block::threads > 1 ? 2 * room : room;
  auto wanted = sizes<TypeParam>();
  std::erase_if(wanted, [&](std::int64_t n) { return n > room; });
  if (most > room) wanted.insert(wanted.end(), {room + 1, most - 1, most});
  one_each.clear();
  for (std::int64_t r = 0; r < most; ++r) one_each.push_back({(r * 7 + 3) % most});
  EXPECT_EQ(
      with_room(exec, schedule::group_mapped{4}, oracle::matrix_of(scattered(wanted, most), most),
                oracle::matrix_of(one_each, most), 0),
      0);
}

TYPED_TEST(rows, same_bits_whoever_comes_first) {
  const auto wanted = sizes<TypeParam>();
  const std::int64_t n = wanted.back() + 5;
  rows_of_columns few;
  for (std::int64_t r = 0; r < n; ++r) few.push_back({r % 50, 50 + r % 700, r});
  auto a = oracle::matrix_of(scattered(wanted, n), n);
  auto b = oracle::matrix_of(few, n);
  oracle::make_uneven(a);
  oracle::make_uneven(b);
  oracle::check_bits(this->variants(), schedule::lrb{}, a, b);
  oracle::check_bits(this->variants(), schedule::group_mapped{4}, a, b);
}

}  // namespace
