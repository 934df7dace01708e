// SPDX-License-Identifier: Apache-2.0
/// Every line is asked for once, by whichever lane of the grid; of bundles, by one member.
#include "loops/algorithm/lines.hpp"

#include "loops/algorithm/bundles.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

struct counted_lines {
  int* asked;
  std::int64_t count;
  [[nodiscard]] LOOPS_HD std::int64_t lines() const { return count; }
  LOOPS_HD void fetch(std::int64_t line) const { support::count_up(asked + line); }
};
struct silent {};

static_assert(loops::knows_its_lines<counted_lines> && !loops::knows_its_lines<silent>);

TEST(lines, hold_what_begins_on_them) {
  using loops::detail::lines_of;
  EXPECT_EQ(lines_of<float>(0), 0);
  EXPECT_EQ(lines_of<float>(1), 1);
  EXPECT_EQ(lines_of<float>(32), 1);
  EXPECT_EQ(lines_of<float>(33), 2);
  EXPECT_EQ(lines_of<double>(33), 3);
  EXPECT_EQ(lines_of<double>(std::int64_t{1} << 40), std::int64_t{1} << 36);
}

TEST(lines, are_few_up_to_4_megabytes) {
  using loops::detail::reads_little;
  EXPECT_TRUE(reads_little(counted_lines{nullptr, 32768}));
  EXPECT_FALSE(reads_little(counted_lines{nullptr, 32769}));
  EXPECT_FALSE(reads_little(silent{}));
}

/// Asks for all lines of a map.
struct ask_for_all {
  counted_lines map;
  [[maybe_unused]] static constexpr int wanted_lanes = 0;
  struct nothing {};
  template <class Block>
  using storage = nothing;
  template <class Block>
  LOOPS_HD void operator()(Block& block, nothing&) const {
    loops::detail::fetch_lines(block, map);
  }
};
/// The same in bundles, whatever the share.
struct ask_in_shares : ask_for_all {
  LOOPS_HD void take_share(int, std::int64_t) {}
};

template <class Exec>
class lines : public support::on_executor<Exec> {
 protected:
  template <class Kernel, class Launcher>
  static void check(const Exec& exec, const Launcher& launcher, std::int64_t count) {
    SCOPED_TRACE(count);
    loops::array<int> asked(static_cast<std::size_t>(count) + 1, exec.memory());
    asked.fill(0);
    Kernel kernel{};
    kernel.map = {asked.data(), count};
    launcher.template launch<loops::shape<64, 3>>(3, kernel);
    std::vector<int> wanted(static_cast<std::size_t>(count), 1);
    wanted.push_back(0);
    EXPECT_EQ(asked.to_vector(), wanted);
  }
};
TYPED_TEST_SUITE(lines, support::executors, support::executor_name);

TYPED_TEST(lines, are_asked_for_once_each) {
  constexpr int width = TypeParam::template block<loops::shape<64, 3>>::threads > 1 ? 4 : 1;
  for (const auto& v : this->variants())
    for (const std::int64_t count : {0, 1, 191, 192, 193, 1000, 5000}) {
      this->template check<ask_for_all>(v.exec, v.exec, count);
      for (const int copies : {1, 2, 5}) {
        const loops::bundle_executor<TypeParam, width> bundles(v.exec, copies);
        this->template check<ask_in_shares>(v.exec, bundles, count);
      }
    }
}

}  // namespace
