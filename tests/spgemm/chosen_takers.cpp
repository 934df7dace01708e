// SPDX-License-Identifier: Apache-2.0
/// Equal groups for even rows and bins for others, chosen by what the products of rows are like.
#include "algorithms/spgemm/chosen_takers.hpp"

#include "algorithms/spgemm/pattern.hpp"
#include "loops/io/generate.hpp"
#include "loops/schedule/automatic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "spgemm/oracle.hpp"

namespace {

using loops::spgemm_detail::lanes_for_even_rows;
using loops::spgemm_detail::row_sizes;

TEST(lanes_for_even_rows, have_room_for_the_longest_and_waste_little) {
  struct {
    std::int64_t longest, products, rows;
    int wave, lanes;
    const char* why;
  } const cases[] = {
      {25, 25'000, 1000, 32, 4, "no fewer than four"},
      {48, 48'000, 1000, 32, 4, "just room in four"},
      {49, 48'000, 1000, 32, 8, "one too many"},
      {0, 0, 1000, 32, 4, "nothing"},
      {40, 1000, 1000, 32, 4, "uneven, but short"},
      {96, 24'000, 1000, 32, 8, "four times the mean"},
      {96, 23'999, 1000, 32, 0, "more"},
      {384, 96'000, 1000, 32, 32, "a wave"},
      {385, 400'000, 1000, 32, 0, "more than a wave"},
      {385, 400'000, 1000, 64, 64, "of 64 lanes"},
      {25, 25'000, 1000, 1, 0, "lanes that are alone"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(lanes_for_even_rows({c.longest, c.products, 12}, c.rows, c.wave), c.lanes)
        << c.longest << " of " << c.products << ": " << c.why;
}

TEST(lanes_for_even_rows, are_none_without_a_look) {
  EXPECT_EQ(lanes_for_even_rows({}, 1000, 32), 0);
}

TEST(worth_a_look, are_rows_that_fill_the_machine) {
  using loops::spgemm_detail::worth_a_look;
  loops::machine m;
  m.threads = 128;
  m.wave = 32;
  m.blocks = 2112;
  EXPECT_TRUE(worth_a_look(67584, m));
  EXPECT_FALSE(worth_a_look(67583, m));
  m.wave = 1;
  EXPECT_FALSE(worth_a_look(1 << 30, m)) << "lanes that are alone";
}

template <class Exec>
class chosen_takers : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(chosen_takers, support::executors, support::executor_name);

TYPED_TEST(chosen_takers, are_right_for_rows_of_all_kinds) {
  for (const std::string spec :
       {"banded:rows=400,width=3", "banded:rows=300,width=7", "banded:rows=200,width=12",
        "banded:rows=200,width=19", "random:rows=300,cols=300,per_row=8",
        "dense_row:rows=150,cols=150", "power_law:rows=250,nonzeros=1500",
        "empty_rows:rows=90,cols=90,per_row=5,run=3"}) {
    SCOPED_TRACE(spec);
    auto a = loops::generate<float>(spec);
    for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] = static_cast<float>(k % 5) - 2;
    oracle::check(this->any(), loops::schedule::automatic{}, a, a);
    auto uneven = a.to(loops::default_host_memory());
    oracle::make_uneven(uneven);
    oracle::check_bits(this->variants(), loops::schedule::automatic{}, uneven, uneven);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(chosen_takers, see_all_rows) {
  // More rows than lanes look at in one round; and a B without nonzeros.
  using namespace loops::spgemm_detail;
  const auto exec = this->any();
  for (const std::int64_t rows : {0, 1, 127, 5000}) {
    SCOPED_TRACE(rows);
    std::vector<std::int64_t> sizes;
    row_sizes wanted;
    for (std::int64_t r = 0; r < rows; ++r) {
      sizes.push_back(r * 7919 % 301);
      wanted.longest = std::max(wanted.longest, sizes.back());
      wanted.products += sizes.back();
    }
    const loops::array<std::int64_t> products(sizes, exec.memory());
    loops::array<tally> seen(1, exec.memory());
    const loops::array<int> offsets(std::vector<int>{0, 0}, exec.memory());
    seen.fill(0);
    exec.template launch<row_shape>(3, look_at_rows<int, int>{offsets.data(), nullptr, 1, 0,
                                                              products.data(), rows, seen.data()});
    EXPECT_EQ(seen.to_vector()[0].longest, wanted.longest);
    EXPECT_EQ(seen.to_vector()[0].products, wanted.products);
    EXPECT_EQ(seen.to_vector()[0].descents, 0);
  }
}

}  // namespace
