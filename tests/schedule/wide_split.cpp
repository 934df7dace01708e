// SPDX-License-Identifier: Apache-2.0
/// Large blocks take what small ones do, and give the same sums.
#include "loops/schedule/wide_split.hpp"

#include "loops/algorithm/bundles.hpp"
#include "loops/schedule/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "large_blocks.hpp"

namespace {

using namespace loops;
using schedule::wide_split;

template <class Value, class Shape = shape_for<sizeof(Value)>>
using taken = detail::shape_of<host_executor, wide_split, Shape, sizeof(Value)>;

static_assert(std::is_same_v<taken<float>, shape<512, 12>>);
static_assert(std::is_same_v<taken<double>, shape<512, 8>>);
// Values that fill shared memory, and shapes that somebody chose, stay as they are.
struct two_doubles {
  double first, second;
};
static_assert(std::is_same_v<taken<two_doubles>, shape_for<16>>);
static_assert(std::is_same_v<taken<float, shape<64, 4>>, shape<64, 4>>);
static_assert(
    std::is_same_v<detail::shape_of<host_executor, schedule::nonzero_split, shape<128, 12>, 4>,
                   shape<128, 12>>);
static_assert(
    std::is_same_v<detail::shape_of<bundle_executor<host_executor, 4>, wide_split, shape_for<4>, 4>,
                   shape_for<4>>);
// Slices fit what every kernel may have: one that needs more costs all kernels of its program.
template <class Value>
using slice_of = slice_storage<support::with_waves::block<taken<Value>>, Value>;
static_assert(sizeof(slice_of<float>) <= 48 * 1024);
static_assert(sizeof(slice_of<double>) <= 48 * 1024);

TEST(wide_split, IsInTheCatalogue) {
  EXPECT_EQ(std::string(wide_split::name()), "wide_split");
  EXPECT_TRUE(std::holds_alternative<wide_split>(schedule_named("wide_split")));
}

/// Sizes of tiles whose atoms are about `atoms`, by one of several recipes.
std::vector<std::int64_t> sizes_of(int recipe, std::int64_t atoms) {
  switch (recipe) {
    case 0:
      return {atoms};
    case 1:
      return std::vector<std::int64_t>(static_cast<std::size_t>(atoms / 3), 3);
    case 2: {  // one long tile among empty ones and short ones
      std::vector<std::int64_t> s(100, 0);
      s[50] = atoms - 50;
      for (int i = 0; i < 50; ++i) s[static_cast<std::size_t>(i)] = 1;
      return s;
    }
    default: {
      std::vector<std::int64_t> s;
      for (std::int64_t left = atoms; left > 0;) {
        const std::int64_t n = std::min<std::int64_t>(left, left % 41 == 0 ? 700 : left % 13);
        s.push_back(n);
        left -= std::max<std::int64_t>(n, 1);
      }
      return s;
    }
  }
}

template <class Exec>
using wide_split_on = large_blocks::on<Exec>;
TYPED_TEST_SUITE(wide_split_on, support::executors, support::executor_name);

TYPED_TEST(wide_split_on, SumsEveryTileOnce) {
  for (const auto& v : this->variants())
    for (const int recipe : {0, 1, 2, 3})
      for (const std::int64_t atoms : {60, 4095, 4096, 4097, 6143, 6144, 6145, 12'289, 40'000}) {
        this->template sums<float>(v.name, v.exec, wide_split{}, sizes_of(recipe, atoms));
        this->template sums<double>(v.name, v.exec, wide_split{}, sizes_of(recipe, atoms));
      }
}

TYPED_TEST(wide_split_on, TakesNothing) {
  const auto& exec = this->any();
  this->template sums<float>("empty", exec, wide_split{}, {});
  this->template sums<float>("empty tiles", exec, wide_split{}, std::vector<std::int64_t>(1000, 0));
}

}  // namespace
