// SPDX-License-Identifier: Apache-2.0
/// Tables of columns: the same content whoever comes first, sorted; sums in a fixed order.
#include "algorithms/spgemm/ascending.hpp"
#include "algorithms/spgemm/sums.hpp"
#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using loops::spgemm_detail::column_table;

/// A block puts columns into a table; its slots, and how often a column was new, come out.
template <class I>
struct fill_table {
  const I* columns;
  int count;
  int bits;
  I* slots;
  I* sorted;
  int* found;
  int* fresh;
  int distinct;
  std::int64_t cols;

  template <class Block>
  struct storage {
    I slots[1024 + 1];
    loops::group_storage<Block, int> move;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block, Block::threads> g(block);
    const column_table<I> table{shared.slots, bits};
    I& behind = shared.slots[1 << bits];
    if (block.lane() == 0) behind = I(77);
    clear(g, table);
    g.sync();
    for (int i = block.lane(); i < count; i += Block::threads)
      if (table.template insert<Block::threads == 1>(block, columns[i])) block.atomic_add(fresh, 1);
    g.sync();
    for (int i = block.lane(); i < count; i += Block::threads)
      found[i] = static_cast<int>(table.find(columns[i]));
    for (int i = block.lane(); i < (1 << bits); i += Block::threads) slots[i] = table.slots[i];
    g.sync();
    write_sorted(g, table, distinct, cols, sorted, shared.move);
    g.sync();
    if (block.lane() == 0) slots[1 << bits] = behind;
  }
};

template <class Exec>
class table : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(table, support::executors, support::executor_name);

template <class I, class Exec>
void check_table(const std::vector<support::variant_of<Exec>>& variants,
                 const std::vector<I>& columns, int bits) {
  const std::set<I> distinct(columns.begin(), columns.end());
  const std::size_t size = std::size_t{1} << bits;
  ASSERT_LT(distinct.size(), size);
  const auto last = static_cast<std::int64_t>(*distinct.rbegin());
  const std::int64_t cols = last < INT64_MAX ? last + 1 : last;
  std::vector<I> first;
  for (const auto& v : variants) {
    SCOPED_TRACE(v.name);
    const auto& where = v.exec.memory();
    const loops::array<I> in(columns, where);
    loops::array<I> slots(size + 1, where);
    loops::array<I> sorted(distinct.size(), where);
    loops::array<int> found(columns.size(), where);
    loops::array<int> fresh(1, where);
    fresh.fill(0);
    v.exec.template launch<loops::shape<64, 1>>(
        1, fill_table<I>{in.data(), static_cast<int>(columns.size()), bits, slots.data(),
                         sorted.data(), found.data(), fresh.data(),
                         static_cast<int>(distinct.size()), cols});
    EXPECT_EQ(static_cast<std::size_t>(fresh.to_vector().front()), distinct.size());
    EXPECT_EQ(sorted.to_vector(), std::vector<I>(distinct.begin(), distinct.end()));
    const std::vector<I> got = slots.to_vector();
    EXPECT_EQ(got.back(), I(77)) << "written behind the table";
    const std::vector<int> at = found.to_vector();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      ASSERT_GE(at[i], 0) << "column " << columns[i];
      EXPECT_EQ(got[static_cast<std::size_t>(at[i])], columns[i]);
    }
    if (first.empty()) first = got;
    EXPECT_EQ(got, first) << "slots depend on who comes first";
  }
}

TYPED_TEST(table, holds_the_same_whoever_comes_first) {
  for (const int bits : {1, 2, 5, 8, 10})
    for (const std::int64_t stride : {1, 3, 64, 1 << 10, 1 << 20}) {
      SCOPED_TRACE("bits " + std::to_string(bits) + ", stride " + std::to_string(stride));
      const std::int64_t most = column_table<int>::room(bits);
      std::vector<int> narrow;
      std::vector<std::int64_t> wide;
      for (std::int64_t i = 0; i < 3 * most; ++i) {
        const std::int64_t c = (i * 7 % most) * stride % 2147483647;
        narrow.push_back(static_cast<int>(c));
        wide.push_back(c << 21);
      }
      check_table(this->variants(), narrow, bits);
      check_table(this->variants(), wide, bits);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(table, takes_the_least_and_the_largest_column) {
  check_table(this->variants(), std::vector<int>{0, 2147483647, 0, 2147483646}, 2);
  check_table(this->variants(), std::vector<std::int64_t>{INT64_MAX, 0, INT64_MAX}, 2);
}

// 150 columns leave 106 slots of 32 bits: as many as columns below 3392 want, and one too few.
TYPED_TEST(table, has_room_for_a_bit_per_column) {
  for (const int last : {3391, 3392}) {
    std::vector<int> columns;
    for (int i = 0; i < 149; ++i) columns.push_back(i * 22);
    columns.push_back(last);
    check_table(this->variants(), columns, 8);
  }
}

TEST(table_bits, are_the_fewest_that_leave_a_quarter_free) {
  for (std::int64_t n = 0; n < 5000; ++n) {
    const int bits = column_table<int>::bits_for(n);
    ASSERT_GE(column_table<int>::room(bits), n);
    ASSERT_LT(column_table<int>::room(bits), std::int64_t{1} << bits);
    if (bits > 1) {
      ASSERT_LT(column_table<int>::room(bits - 1), n);
    }
  }
}

/// Groups of `lanes` lanes add one value per lane.
struct add_values {
  int lanes;
  const int* slots;
  const float* values;
  int rounds;
  float* sums;

  template <class Block>
  struct storage {
    float sums[Block::threads * 16];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block> g(block, lanes);
    float* const mine = shared.sums + g.index() * 16;
    for (int i = g.rank(); i < 16; i += g.size()) mine[i] = 0;
    g.sync();
    for (int r = 0; r < rounds; ++r) {
      const int i = r * Block::threads + block.lane();
      const loops::spgemm_detail::met products[1] = {{slots[i], 0, 0, {}}};
      const float value[1] = {values[i]};
      loops::spgemm_detail::add_in_order(g, mine, products, value, 4, false);
    }
    for (int i = g.rank(); i < 16; i += g.size()) sums[g.index() * 16 + i] = mine[i];
  }
};

TYPED_TEST(table, sums_in_the_order_of_lanes) {
  constexpr int threads = 128;
  constexpr int rounds = 3;
  if constexpr (TypeParam::template block<loops::shape<threads, 1>>::threads == 1) {
    GTEST_SKIP() << "a lane alone has no order to keep";
  } else {
    constexpr int wave = TypeParam::template block<loops::shape<threads, 1>>::wave;
    for (int lanes = 1; lanes <= threads; lanes *= 2)
      for (const int kinds : {1, 3, 16}) {
        std::vector<int> slots;
        std::vector<float> values;
        for (int i = 0; i < threads * rounds; ++i) {
          slots.push_back(i % 11 == 5 ? -1 : i * 7 % kinds);
          values.push_back(1.0F / static_cast<float>(3 + i * i % 97));
        }
        // Waves in turn; of those of a wave that meet, the first adds up, from low to high.
        std::vector<float> wanted(static_cast<std::size_t>(threads / lanes) * 16, 0.0F);
        for (int r = 0; r < rounds; ++r)
          for (int first = 0; first < threads; first += std::min(wave, lanes))
            for (int k = 0; k < kinds; ++k) {
              float sum = 0;
              bool any = false;
              for (int lane = first; lane < first + std::min(wave, lanes); ++lane) {
                const auto i = static_cast<std::size_t>(r * threads + lane);
                if (slots[i] != k) continue;
                sum = any ? sum + values[i] : values[i];
                any = true;
              }
              if (any) wanted[static_cast<std::size_t>(first / lanes * 16 + k)] += sum;
            }
        for (const auto& v : this->variants()) {
          SCOPED_TRACE(v.name + ", " + std::to_string(lanes) + " lanes");
          const auto& where = v.exec.memory();
          const loops::array<int> at(slots, where);
          const loops::array<float> in(values, where);
          loops::array<float> sums(wanted.size(), where);
          v.exec.template launch<loops::shape<threads, 1>>(
              1, add_values{lanes, at.data(), in.data(), rounds, sums.data()});
          ASSERT_TRUE(support::same_bits(sums.to_vector(), wanted));
        }
      }
  }
}

}  // namespace
