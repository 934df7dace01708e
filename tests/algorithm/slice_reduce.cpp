// SPDX-License-Identifier: Apache-2.0
/// Slices reduced by groups: where they stop, what they close, what they leave open.
#include "loops/algorithm/slice_reduce.hpp"

#include "loops/core/functional.hpp"

#include <cstdint>
#include <vector>

#include "algorithm/slice_oracle.hpp"

namespace {

using loops::coordinate;
using loops::slice;

TEST(next_stop, reaches_the_end_in_steps_that_fit) {
  support::for_each_small_work(4, 7, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::segments<std::int32_t> w(offsets.data(), s.tiles(), s.atoms());
    const std::int64_t steps = s.tiles() + s.atoms();
    for (int capacity = 1; capacity < 6; ++capacity)
      for (std::int64_t begin = 0; begin <= steps; ++begin)
        for (std::int64_t end = begin; end <= steps; ++end) {
          coordinate at = loops::path_cut(w, begin);
          const coordinate stop = loops::path_cut(w, end);
          while (at != stop) {
            const coordinate next = loops::next_stop(w, at, stop, capacity);
            ASSERT_GT(next.diagonal(), at.diagonal()) << "no way forward";
            ASSERT_LE(next.diagonal(), stop.diagonal());
            ASSERT_LE(next.atom - at.atom, capacity);
            ASSERT_LE(next.tile - at.tile, capacity);
            ASSERT_EQ(next, loops::path_cut(w, next.diagonal())) << "off the path";
            // Few stops: either one bound is reached or all of the slice is.
            ASSERT_TRUE(next == stop || next.diagonal() - at.diagonal() >= capacity);
            at = next;
          }
        }
  });
}

struct by_rounds {
  template <class Block>
  using storage = loops::slice_storage<Block, int>;
  LOOPS_CALLS_USER
  template <class Group, class Storage, class Work, class Map, class... To>
  LOOPS_HD static void take(const Group& g, Storage& shared, const Work& w, const slice& s,
                            bool valid, const Map& map, const To&... to) {
    loops::reduce_slice<int>(g, shared, w, s, valid, map, loops::plus{}, to...);
  }
};

template <class Exec>
class slice_reduce : public slice_oracle<Exec> {
 protected:
  template <class Shape, class Map>
  void check_all(const Exec& exec, const Map& map) {
    using block = typename Exec::template block<Shape>;
    for (int lanes = 1; lanes <= block::threads; lanes *= 2) {
      const std::int64_t capacity = std::int64_t{lanes} * Shape::items;
      for (const support::sizes& s : support::awkward_sizes(capacity < 6 ? 6 : capacity, lanes)) {
        const std::int64_t steps = s.tiles() + s.atoms();
        // Slices much longer than the group holds at once, about as long, and shorter.
        for (const std::int64_t length : {5 * capacity + 1, capacity, capacity / 2 + 1}) {
          SCOPED_TRACE(testing::Message()
                       << s.name << ", " << lanes << " lanes, slices of " << length);
          std::vector<std::int64_t> cuts;
          for (std::int64_t d = 0; d < steps; d += length) cuts.push_back(d);
          cuts.push_back(steps);
          this->template check<by_rounds, 0, Shape>(exec, s, cuts, lanes, map);
          if (lanes == block::threads)
            this->template check<by_rounds, block::threads, Shape>(exec, s, cuts, lanes, map);
          if (this->HasFailure()) return;
        }
      }
    }
  }
};
TYPED_TEST_SUITE(slice_reduce, support::executors, support::executor_name);

TYPED_TEST(slice_reduce, hands_over_what_lies_in_each_slice) {
  using block = typename TypeParam::template block<loops::shape<64, 3>>;
  if constexpr (block::threads > 1)  // a block of one lane follows its slice without storage
    this->template check_all<loops::shape<64, 3>>(this->any(), value_of{});
}

TYPED_TEST(slice_reduce, also_when_the_map_asks_for_the_tile) {
  using block = typename TypeParam::template block<loops::shape<32, 9>>;
  if constexpr (block::threads > 1)
    this->template check_all<loops::shape<32, 9>>(this->any(), value_in{});
}

}  // namespace
