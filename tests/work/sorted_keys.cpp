// SPDX-License-Identifier: Apache-2.0
/// Sorted keys are the same work as the offsets they have.
#include "loops/work/sorted_keys.hpp"

#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "brute.hpp"

namespace {

TEST(sorted_keys, has_the_path_of_its_sizes) {
  support::for_each_small_work(5, 7, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto keys = s.keys<std::int32_t>();
    brute::expect_work(loops::sorted_keys<std::int32_t>(keys.data(), s.tiles(), s.atoms()), of);
  });
}

TEST(sorted_keys, are_the_rows_of_coordinates) {
  const std::vector<std::uint32_t> rows{1, 1, 4};
  const loops::coo_view<float, std::uint32_t, std::int64_t> a{6,           2,       3,
                                                              rows.data(), nullptr, nullptr};
  brute::expect_work(loops::rows_of(a), {0, 2, 0, 0, 1, 0});
}

TEST(sorted_keys, that_do_not_ascend_are_found) {
  const auto of = [](const std::vector<int>& keys) {
    loops::sorted_keys<int>(keys.data(), 3, static_cast<std::int64_t>(keys.size()))
        .require_sorted();
  };
  EXPECT_NO_THROW(of({}));
  EXPECT_NO_THROW(of({0, 0, 2, 2}));
  support::expect_error(loops::errc::invalid_argument, "atom 2 is of tile 0, after one of tile 1",
                        [&] {
                          of({0, 1, 0});
                        });
  for (const int key : {-1, 3})
    support::expect_error(loops::errc::invalid_argument, "but there are 3 tiles", [&] {
      of({0, key, 2});
    });
}

}  // namespace
