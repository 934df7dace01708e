// SPDX-License-Identifier: Apache-2.0
/// Offsets as a work: every small one, the formats that have offsets, and offsets past 2^31.
#include "loops/work/segments.hpp"

#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "brute.hpp"

namespace {

TEST(segments, has_the_path_of_its_sizes) {
  int works = 0;
  support::for_each_small_work(5, 7, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    brute::expect_work(loops::segments<std::int32_t>(offsets.data(), s.tiles(), s.atoms()), of);
    ++works;
  });
  EXPECT_EQ(works, 1 + 8 + 36 + 120 + 330 + 792);
}

TEST(segments, awkward_works_too) {
  for (const support::sizes& s : support::awkward_sizes(12, 4)) {
    SCOPED_TRACE(s.name);
    const auto offsets = s.offsets<std::uint64_t>();
    brute::expect_work(loops::segments<std::uint64_t>(offsets.data(), s.tiles(), s.atoms()), s.of);
  }
}

TEST(segments, positions_past_32_bits_are_not_cut_short) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  const std::vector<std::int64_t> offsets{0, 3, 3, huge, huge + 5};
  const loops::segments<std::int64_t> w(offsets.data(), 4, huge + 5);
  EXPECT_EQ(loops::tile_of(w, huge - 1), 2);
  EXPECT_EQ(loops::tile_of(w, huge), 3);
  EXPECT_EQ(loops::path_cut(w, huge + 2), (loops::coordinate{2, huge}));
  EXPECT_EQ(loops::path_cut(w, huge + 3), (loops::coordinate{3, huge}));
  EXPECT_EQ(loops::path_cut(w, huge + 4), (loops::coordinate{3, huge + 1}));
  EXPECT_EQ(loops::atom_cut(w, huge + 1), (loops::coordinate{3, huge + 1}));
  EXPECT_EQ(loops::atom_cut(w, huge + 5), (loops::coordinate{4, huge + 5}));
}

TEST(segments, are_the_rows_columns_and_block_rows_of_matrices) {
  const std::vector<std::int64_t> offsets{0, 2, 2, 5};
  const auto rows = loops::rows_of(
      loops::csr_view<float, int, std::int64_t>{3, 9, 5, offsets.data(), nullptr, nullptr});
  brute::expect_work(rows, {2, 0, 3});
  const auto columns = loops::columns_of(
      loops::csc_view<float, int, std::int64_t>{9, 3, 5, offsets.data(), nullptr, nullptr});
  brute::expect_work(columns, {2, 0, 3});
  // Seven rows in blocks of three: the last block row is a short one.
  const auto blocks = loops::block_rows_of(
      loops::bcsr_view<float, 3, 2, int, std::int64_t>{7, 9, 5, offsets.data(), nullptr, nullptr});
  brute::expect_work(blocks, {2, 0, 3});
}

}  // namespace
