// SPDX-License-Identifier: Apache-2.0
/// Groups in large blocks take what groups in small ones do, and give the same sums.
#include "loops/schedule/wide_groups.hpp"

#include "loops/algorithm/bundles.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "geometry.hpp"

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

template <class Value>
struct value_of_atom {
  using pure = std::true_type;
  LOOPS_HD Value operator()(std::int64_t a) const { return static_cast<Value>(a % 7 - 3); }
};

template <class Value>
struct store {
  Value* out;
  LOOPS_HD void operator()(std::int64_t t, Value v) const { out[t] = v; }
};

template <class Exec>
class wide_groups_on : public support::on_executor<Exec> {
 public:
  template <class Value>
  void sums(const std::string& name, const Exec& exec, int lanes, std::int64_t tiles) {
    std::vector<std::int64_t> offsets{0};
    std::vector<Value> want;
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t n = t % 37 == 5 ? 300 : t * 7 % 11;
      Value sum = 0;
      for (std::int64_t a = offsets.back(); a < offsets.back() + n; ++a)
        sum += value_of_atom<Value>{}(a);
      want.push_back(sum);
      offsets.push_back(offsets.back() + n);
    }
    const array<std::int64_t> there(offsets, exec.memory());
    const segments<std::int64_t> w(there.data(), tiles, offsets.back());
    const auto p = plan<Value>(exec, wide_groups{lanes}, w);
    for (int turn = 0; turn < 2; ++turn) {
      array<Value> out(std::vector<Value>(want.size(), std::numeric_limits<Value>::quiet_NaN()),
                       exec.memory());
      reduce_tiles<Value>(p, value_of_atom<Value>{}, plus{}, store<Value>{out.data()});
      EXPECT_EQ(out.to_vector(), want)
          << name << " " << tiles << " tiles by " << lanes << " lanes, turn " << turn;
    }
  }
};
TYPED_TEST_SUITE(wide_groups_on, support::executors, support::executor_name);

/// Around the tiles of one block and of several; groups that have a kernel and one that has none.
TYPED_TEST(wide_groups_on, SumsEveryTileOnce) {
  for (const auto& v : this->variants())
    for (const int lanes : {1, 4, 32, 64})
      for (const std::int64_t tiles : {0, 1, 7, 8, 9, 15, 127, 128, 129, 511, 512, 513, 1300}) {
        this->template sums<float>(v.name, v.exec, lanes, tiles);
        this->template sums<double>(v.name, v.exec, lanes, tiles);
      }
}

}  // namespace
