// SPDX-License-Identifier: Apache-2.0
/// Groups in large blocks take what groups in small ones do, and give the same sums.
#include "loops/schedule/wide_groups.hpp"

#include "loops/algorithm/bundles.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "geometry.hpp"
#include "large_blocks.hpp"

namespace {

using namespace loops;
using schedule::wide_groups;

template <class Value, class Shape = shape_for<sizeof(Value)>>
using taken = detail::shape_of<host_executor, wide_groups, Shape, sizeof(Value)>;

static_assert(taken<float>::threads == 4 * shape_for<4>::threads);
static_assert(taken<double>::threads == 4 * shape_for<8>::threads);
static_assert(std::is_same_v<taken<float, shape<64, 4>>, shape<64, 4>>);
static_assert(std::is_same_v<
              detail::shape_of<bundle_executor<host_executor, 4>, wide_groups, shape_for<4>, 4>,
              shape_for<4>>);

TEST(wide_groups, IsInTheCatalogue) {
  EXPECT_EQ(std::string(wide_groups::name()), "wide_groups");
  const any_schedule s = schedule_named("wide_groups:4");
  ASSERT_TRUE(std::holds_alternative<wide_groups>(s));
  EXPECT_EQ(std::get<wide_groups>(s).lanes, 4);
}

TEST(wide_groups, HasGroupsOfTheSizeAskedFor) {
  for (int lanes = 1; lanes <= 256; lanes *= 2) {
    const auto a = wide_groups{lanes}.compose().bind(uniform(1000, 9), geometry::gpu);
    EXPECT_EQ(a.lanes, lanes);
    EXPECT_EQ(a.groups, 256 / lanes);
  }
}

template <class Exec>
using wide_groups_on = large_blocks::on<Exec>;
TYPED_TEST_SUITE(wide_groups_on, support::executors, support::executor_name);

/// Around the tiles of one block and of several; groups that have a kernel and one that has none.
TYPED_TEST(wide_groups_on, SumsEveryTileOnce) {
  for (const std::int64_t tiles : {0, 1, 7, 8, 9, 15, 127, 128, 129, 511, 512, 513, 1300}) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t t = 0; t < tiles; ++t) sizes.push_back(t % 37 == 5 ? 300 : t * 7 % 11);
    for (const auto& v : this->variants())
      for (const int lanes : {1, 4, 32, 64}) {
        const std::string name = v.name + ", " + std::to_string(lanes) + " lanes,";
        this->template sums<float>(name, v.exec, wide_groups{lanes}, sizes);
        this->template sums<double>(name, v.exec, wide_groups{lanes}, sizes);
      }
  }
}

}  // namespace
