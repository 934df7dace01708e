// SPDX-License-Identifier: Apache-2.0
/// Permuted and filtered works have the tiles they were asked for, under the base's names.
#include "loops/work/selected.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "brute.hpp"

namespace {

/// Holds that tile t of `w` is tile ids[t] of `base`, atom by atom.
template <class W, class Base>
void expect_selected(const W& w, const Base& base, const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t id : ids) sizes.push_back(loops::atoms_of(base, id).size());
  brute::expect_work(w, sizes);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto t = static_cast<std::int64_t>(i);
    ASSERT_EQ(loops::tile_id(w, t), ids[i]);
    std::int64_t expected = base.offset(ids[i]);
    for (const std::int64_t a : loops::atoms_of(w, t))
      ASSERT_EQ(loops::atom_id(w, t, a), expected++);
  }
}

TEST(selected, all_permutations_of_small_works) {
  support::for_each_small_work(4, 5, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::segments<std::int32_t> base(offsets.data(), s.tiles(), s.atoms());
    std::vector<std::int64_t> order(of.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    do {
      const auto chosen = loops::permuted(base, order);
      ASSERT_EQ(chosen.view().atoms(), s.atoms());
      expect_selected(chosen.view(), base, order);
    } while (std::next_permutation(order.begin(), order.end()));
  });
}

TEST(selected, filtered_and_repeated_tiles) {
  const std::vector<int> offsets{0, 2, 2, 7, 8};
  const loops::segments<int> base(offsets.data(), 4, 8);
  expect_selected(loops::filtered(base, [](std::int64_t t) { return t != 2; }).view(), base,
                  {0, 1, 3});
  expect_selected(loops::filtered(base, [](std::int64_t) { return false; }).view(), base, {});
  expect_selected(loops::select_tiles(base, {3, 3, 2, 3}).view(), base, {3, 3, 2, 3});
}

TEST(selected, a_selection_of_a_selection_names_what_the_first_was_made_of) {
  const std::vector<int> offsets{0, 2, 2, 7, 8};
  const loops::segments<int> base(offsets.data(), 4, 8);
  const auto kept = loops::filtered(base, [](std::int64_t t) { return t >= 2; });
  const auto turned = loops::permuted(kept.view(), {1, 0});
  expect_selected(turned.view(), base, {3, 2});
  const auto last = loops::select_tiles(turned.view(), {1, 1, 0});
  expect_selected(last.view(), base, {2, 2, 3});
  EXPECT_EQ(loops::tile_ids(last.view()), 4);
  EXPECT_EQ(loops::atom_ids(last.view()), 8);
}

TEST(selected, moves_to_other_memory) {
  const std::vector<int> offsets{0, 2, 2, 7, 8};
  const loops::segments<int> base(offsets.data(), 4, 8);
  const std::vector<int> copy = offsets;
  const loops::segments<int> elsewhere(copy.data(), 4, 8);
  const auto there =
      loops::select_tiles(base, {2, 0}).to(std::make_shared<loops::host_memory>(), elsewhere);
  expect_selected(there.view(), elsewhere, {2, 0});
}

TEST(selected, refuses_more_atoms_than_can_be_counted) {
  const auto refused = [](const auto& base, const std::vector<std::int64_t>& ids) {
    support::expect_error(loops::errc::overflow, "cannot be counted in 64 bits",
                          [&] { static_cast<void>(loops::select_tiles(base, ids)); });
  };
  refused(loops::uniform(1, std::int64_t{1} << 61), {0, 0, 0, 0, 0, 0, 0, 0});
  refused(loops::uniform(3, INT64_MAX / 4), {0, 1, 2, 0, 1, 2});
  EXPECT_EQ(loops::select_tiles(loops::uniform(1, INT64_MAX / 4), {0, 0, 0, 0}).atoms,
            INT64_MAX / 4 * 4);
}

TEST(selected, refuses_what_is_no_tile_or_no_permutation) {
  using loops::errc;
  const std::vector<int> offsets{0, 2, 2, 7, 8};
  const loops::segments<int> base(offsets.data(), 4, 8);
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{4}, std::int64_t{1} << 40})
    support::expect_error(errc::invalid_argument, "is not one of 4 tiles", [&] {
      static_cast<void>(loops::select_tiles(base, {0, wrong}));
    });
  for (const std::vector<std::int64_t>& wrong : {std::vector<std::int64_t>{0, 1, 2},
                                                 {0, 1, 2, 3, 3},
                                                 {0, 1, 1, 3},
                                                 {0, 1, 2, 4},
                                                 {-1, 1, 2, 3},
                                                 {}})
    support::expect_error(errc::invalid_argument, "every tile of the work exactly once",
                          [&] { static_cast<void>(loops::permuted(base, wrong)); });
  for (const std::int64_t tiles : {std::int64_t{-1}, std::int64_t{1} << 62})
    support::expect_error(errc::invalid_argument, "every tile of the work exactly once", [&] {
      static_cast<void>(loops::permuted(loops::uniform(tiles, 0), {0, 1}));
    });
}

}  // namespace
