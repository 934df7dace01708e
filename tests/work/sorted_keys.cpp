// SPDX-License-Identifier: Apache-2.0
/// Sorted keys are the same work as the offsets they have.
#include "loops/work/sorted_keys.hpp"

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

}  // namespace
