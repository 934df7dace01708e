// SPDX-License-Identifier: Apache-2.0
/// The pieces of long tiles are listed in order, equal up to one atom, and nothing else is.
#include "loops/algorithm/piece_list.hpp"

#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using loops::measure::long_first;
using shape = loops::shape<64, 4>;

template <class Exec>
class piece_list : public support::on_executor<Exec> {
 protected:
  struct listed {
    loops::piece_list of;
    std::vector<loops::piece_of_tile> pieces;
    std::vector<loops::cut_tile> cut;
  };
  static listed list(const Exec& exec, const std::vector<std::int64_t>& offsets, std::int64_t atoms,
                     const long_first& what) {
    const loops::array<std::int64_t> there(offsets, exec.memory());
    const loops::segments<std::int64_t> w(there.data(),
                                          static_cast<std::int64_t>(offsets.size()) - 1, atoms);
    listed out{loops::piece_list::counted<shape>(exec, w, what), {}, {}};
    loops::array<loops::piece_of_tile> pieces(static_cast<std::size_t>(out.of.pieces()),
                                              exec.memory());
    loops::array<loops::cut_tile> cut(static_cast<std::size_t>(out.of.cut_tiles()), exec.memory());
    out.of.template list<shape>(exec, w, what, pieces.data(), cut.data());
    exec.synchronize();
    out.pieces = pieces.to_vector();
    out.cut = cut.to_vector();
    return out;
  }

  static void check(const Exec& exec, const std::vector<std::int64_t>& sizes,
                    const long_first& what) {
    std::vector<std::int64_t> offsets{0};
    for (const std::int64_t n : sizes) offsets.push_back(offsets.back() + n);
    const auto [made, pieces, cut] = list(exec, offsets, offsets.back(), what);
    std::size_t at = 0;
    std::size_t next_cut = 0;
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      if (sizes[t] <= what.whole) continue;
      std::int64_t size = sizes[t];
      if (size > what.alone) size = what.most;
      while (sizes[t] > what.alone && (sizes[t] + size - 1) / size > size) size *= 2;
      const std::int64_t n = (sizes[t] + size - 1) / size;
      ASSERT_LE(at + static_cast<std::size_t>(n), pieces.size());
      if (n > 1) {
        ASSERT_LT(next_cut, cut.size());
        EXPECT_EQ(cut[next_cut].tile, static_cast<std::int64_t>(t));
        EXPECT_EQ(cut[next_cut].first, static_cast<std::int64_t>(at));
        EXPECT_EQ(cut[next_cut].last, static_cast<std::int64_t>(at) + n);
        ++next_cut;
      }
      std::int64_t atom = offsets[t];
      for (std::int64_t i = 0; i < n; ++i, ++at) {
        const loops::piece_of_tile& p = pieces[at];
        EXPECT_EQ(p.tile, static_cast<std::int64_t>(t));
        EXPECT_EQ(p.first, atom);
        EXPECT_TRUE(p.atoms == sizes[t] / n || p.atoms == (sizes[t] + n - 1) / n);
        EXPECT_EQ(p.last(), i + 1 == n);
        EXPECT_EQ(p.last() ? ~p.place : p.place, i);
        EXPECT_EQ(p.whole(), n == 1);
        atom += p.atoms;
      }
      EXPECT_EQ(atom, offsets[t + 1]);
    }
    EXPECT_EQ(at, pieces.size());
    EXPECT_EQ(next_cut, cut.size());
  }
};
TYPED_TEST_SUITE(piece_list, support::executors, support::executor_name);

TYPED_TEST(piece_list, has_what_is_long_and_nothing_else) {
  const std::vector<std::vector<std::int64_t>> works{{},
                                                     {0},
                                                     {16},
                                                     {17},
                                                     {64, 65, 0, 128, 129, 16, 17},
                                                     {1000003},
                                                     std::vector<std::int64_t>(700, 16),
                                                     std::vector<std::int64_t>(700, 17),
                                                     std::vector<std::int64_t>(700, 65)};
  std::vector<std::int64_t> mixed;
  for (std::int64_t t = 0; t < 5000; ++t) mixed.push_back(t % 97 == 0 ? t : t * 7 % 23);
  for (const auto& v : this->variants()) {
    for (const auto& sizes : works) this->check(v.exec, sizes, {16, 64, 64});
    this->check(v.exec, mixed, {16, 64, 64});
    this->check(v.exec, mixed, {8, 1, 1});
    this->check(v.exec, mixed, {100, 64, 130});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(piece_list, joins_with_about_twice_as_many_lanes_as_pieces) {
  const TypeParam exec = this->any();
  const auto lanes = [&](std::vector<std::int64_t> offsets) {
    const std::int64_t atoms = offsets.back();
    return this->list(exec, std::move(offsets), atoms, {16, 64, 64}).of.lanes_that_join();
  };
  EXPECT_EQ(lanes({0, 10}), 1);
  EXPECT_EQ(lanes({0, 128}), 4);
  EXPECT_EQ(lanes({0, 129}), 8);
  EXPECT_EQ(lanes({0, 6400}), 32);
}

TYPED_TEST(piece_list, refuses_offsets_of_no_work) {
  const TypeParam exec = this->any();
  const auto of = [&](const std::vector<std::int64_t>& offsets, std::int64_t atoms) {
    return [&, offsets, atoms] { (void)this->list(exec, offsets, atoms, {16, 64, 64}); };
  };
  support::expect_error(loops::errc::invalid_argument, "decrease", of({0, 500, 100, 600}, 600));
  support::expect_error(loops::errc::invalid_argument, "600", of({0, 500}, 600));
  support::expect_error(loops::errc::invalid_argument, "500", of({3, 500}, 500));
}

}  // namespace
