// SPDX-License-Identifier: Apache-2.0
/// Noted cuts agree with the schedule's; those of small works spare short tiles.
#include "loops/algorithm/cuts.hpp"

#include "loops/algorithm/plan.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using work = loops::segments<std::int32_t>;
using shape = loops::shape<128, 12>;
using loops::coordinate;

template <class T>
std::vector<T> read(const std::shared_ptr<loops::memory>& m, const T* at, std::size_t n) {
  std::vector<T> out(n);
  m->download(out.data(), at, n * sizeof(T));
  return out;
}

template <class Exec>
class cuts : public support::on_executor<Exec> {
 protected:
  template <class Schedule>
  void check(const Exec& exec, const support::sizes& s) {
    SCOPED_TRACE(testing::Message() << s.name << ", " << Schedule::name());
    const auto offsets = s.template offsets<std::int32_t>();
    const work host(offsets.data(), s.tiles(), s.atoms());
    const loops::array<std::int32_t> there(offsets, exec.memory());
    const loops::tile_plan<Exec, Schedule, work, float, shape> p(
        exec, Schedule{}, work(there.data(), s.tiles(), s.atoms()));
    const auto& b = p.bound_schedule();
    const auto n = static_cast<std::size_t>(b.a.slices);
    const std::vector<coordinate> noted = read(exec.memory(), b.cuts, n + 1);
    const bool posts = p.boxes().words != nullptr;
    std::vector<std::int32_t> begun(n + 1, -1);
    if (posts) begun = read<std::int32_t>(exec.memory(), p.boxes().begun, n + 1);
    for (std::size_t i = 0; i <= n; ++i) {
      const coordinate wanted = b.a.cut(host, static_cast<std::int64_t>(i));
      const coordinate c = b.a.noted(host, static_cast<std::int64_t>(i), noted[i]);
      ASSERT_EQ(c.tile, wanted.tile) << "cut " << i;
      const bool inside = c.tile < s.tiles() && wanted.atom > host.offset(c.tile);
      const bool spared =
          posts && inside && s.of[static_cast<std::size_t>(c.tile)] <= loops::detail::whole_tile;
      ASSERT_EQ(c.atom, spared ? host.offset(c.tile) : wanted.atom) << "cut " << i;
      if (i > 0) {
        ASSERT_LE(noted[i - 1].diagonal(), c.diagonal());
        if (posts) {
          ASSERT_LE(c.diagonal() - noted[i - 1].diagonal(),
                    std::int64_t{shape::threads} * loops::detail::short_shape<shape>::items)
              << "slice " << i - 1 << " does not fit its block";
        }
      }
      if (!posts) continue;
      const std::int64_t wants = inside && !spared ? b.a.slice_of(host, c.tile) : -1;
      ASSERT_EQ(begun[i], wants) << "cut " << i;
      // The slice that is named has the tile's first atom.
      if (wants >= 0) {
        const auto first = static_cast<std::size_t>(wants);
        ASSERT_LE(noted[first].atom, host.offset(c.tile));
        ASSERT_GT(noted[first + 1].atom, host.offset(c.tile));
      }
    }
    seen_ = seen_ || posts;
  }
  bool seen_ = false;
};
TYPED_TEST_SUITE(cuts, support::executors, support::executor_name);

TYPED_TEST(cuts, agree_with_the_schedule_and_spare_short_tiles) {
  const auto exec = this->any();
  for (const std::int64_t size : {shape::threads * 4, shape::threads * 12})
    for (const support::sizes& s : support::awkward_sizes(size, shape::threads)) {
      this->template check<loops::schedule::merge_path>(exec, s);
      this->template check<loops::schedule::nonzero_split>(exec, s);
      if (this->HasFailure()) return;
    }
  // Around the longest tile that is spared.
  for (const std::int64_t n : {31, 32, 33}) {
    this->template check<loops::schedule::merge_path>(
        exec, {"tiles of " + std::to_string(n), std::vector<std::int64_t>(50, n)});
    if (this->HasFailure()) return;
  }
  const bool lone_lanes = TypeParam::template block<shape>::threads == 1;
  EXPECT_EQ(this->seen_, !lone_lanes) << "whether small works had boxes";
}

}  // namespace
