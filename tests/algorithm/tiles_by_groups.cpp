// SPDX-License-Identifier: Apache-2.0
/// Groups of every size reduce whole tiles, having asked for all that the map reads if that is
/// little.
#include "loops/algorithm/tiles_by_groups.hpp"

#include "loops/algorithm/plan.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/schedule/wide_groups.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

/// Counts how often it is asked for what. Pure: may be asked about an atom more than once.
template <bool Pure>
struct counting {
  using pure = std::bool_constant<Pure>;
  int* asked;
  int* fetched;
  std::int64_t count;
  LOOPS_HD int operator()(std::int64_t a) const {
    support::count_up(asked + a);
    return static_cast<int>(a % 11 - 3);
  }
  [[nodiscard]] LOOPS_HD std::int64_t lines() const { return count; }
  LOOPS_HD void fetch(std::int64_t line) const { support::count_up(fetched + line); }
};

using counting_map = counting<false>;
using pure_counting_map = counting<true>;
static_assert(loops::pure_map<pure_counting_map> && !loops::pure_map<counting_map>);

/// The same, asked in two steps.
struct asking_map {
  int* asked;
  int* fetched;
  std::int64_t count;
  struct atom {
    std::int64_t number;
  };
  LOOPS_HD atom ask(std::int64_t a) const { return {a}; }
  LOOPS_HD int finish(const atom& a) const { return counting_map{asked, fetched, count}(a.number); }
  LOOPS_HD int operator()(std::int64_t a) const { return finish(ask(a)); }
  [[nodiscard]] LOOPS_HD std::int64_t lines() const { return count; }
  LOOPS_HD void fetch(std::int64_t line) const { support::count_up(fetched + line); }
};
static_assert(loops::detail::asks_first<asking_map> && !loops::detail::asks_first<counting_map>);
static_assert(!loops::detail::knows_places<asking_map>);

/// The same, asked in three: where it reads, what is there, and what comes of it.
struct placed_map : asking_map {
  struct spot {
    std::int64_t number;
  };
  [[nodiscard]] LOOPS_HD spot place(std::int64_t a) const { return {a}; }
  using asking_map::ask;
  LOOPS_HD atom ask(std::int64_t /*a*/, const spot& at) const { return {at.number}; }
};
static_assert(loops::detail::knows_places<placed_map>);

/// The same, which depends on the tile.
struct tile_map {
  int* asked;
  int* fetched;
  std::int64_t count;
  LOOPS_HD int operator()(std::int64_t t, std::int64_t a) const {
    return counting_map{asked, fetched, count}(a) + static_cast<int>(t % 7);
  }
  [[nodiscard]] LOOPS_HD std::int64_t lines() const { return count; }
  LOOPS_HD void fetch(std::int64_t line) const { support::count_up(fetched + line); }
};

/// Sums, and how often a tile was emitted.
struct counting_store {
  int* sums;
  int* emitted;
  LOOPS_HD void operator()(std::int64_t t, int v) const {
    sums[t] = v;
    support::count_up(emitted + t);
  }
};

template <class Exec>
class tiles_by_groups : public support::on_executor<Exec> {
 protected:
  template <class Map, class Schedule = loops::schedule::group_mapped>
  static void check(const Exec& exec, const support::sizes& s, int lanes, std::size_t lines = 700) {
    SCOPED_TRACE(testing::Message() << s.name << ", " << lanes << " lanes");
    using work = loops::segments<std::int32_t>;
    using shape = loops::shape_for<sizeof(int)>;
    using block = typename Exec::template block<shape>;
    const auto offsets = s.template offsets<std::int32_t>();
    const auto& m = exec.memory();
    const loops::array<std::int32_t> there(offsets, m);
    const auto atoms = static_cast<std::size_t>(s.atoms());
    loops::array<int> asked(atoms + 1, m), fetched(lines, m), sums(s.of.size(), m),
        emitted(s.of.size(), m);
    asked.fill(0);
    fetched.fill(0);
    emitted.fill(0);
    const Schedule how{lanes};
    const auto p = loops::plan<int>(exec, how, work(there.data(), s.tiles(), s.atoms()));
    using functions = loops::detail::reduction<int, Map, loops::plus, counting_store>;
    const functions f{{asked.data(), fetched.data(), static_cast<std::int64_t>(lines)},
                      {},
                      {sums.data(), emitted.data()}};
    const loops::detail::pieces_to_join cut = p.pieces_to_join();
    loops::detail::by_groups<block::threads>(
        p.bound_schedule(), f, lanes % 2 == 0, cut, [&](const auto& kernel) {
          exec.template launch_early<shape>(p.blocks() + cut.blocks(block::threads), kernel);
        });
    std::vector<int> wanted;
    for (std::size_t t = 0; t < s.of.size(); ++t) {
      wanted.push_back(0);
      for (auto a = offsets[t]; a < offsets[t + 1]; ++a)
        wanted.back() += a % 11 - 3 + (std::is_same_v<Map, tile_map> ? static_cast<int>(t % 7) : 0);
    }
    EXPECT_EQ(sums.to_vector(), wanted);
    EXPECT_EQ(emitted.to_vector(), std::vector<int>(s.of.size(), 1));
    if (p.blocks() > 0) {
      EXPECT_EQ(fetched.to_vector(), std::vector<int>(lines, lines > 32768 ? 0 : 1));
    }
    // What a group has no atom for is asked about an atom of its own tile, if at all.
    std::vector<int> times = asked.to_vector();
    EXPECT_EQ(times.back(), 0);
    times.pop_back();
    if (loops::pure_map<Map>)
      for (int& n : times) n = n > 1 ? 1 : n;
    EXPECT_EQ(times, std::vector<int>(atoms, 1));
  }
};
TYPED_TEST_SUITE(tiles_by_groups, support::executors, support::executor_name);

TYPED_TEST(tiles_by_groups, are_summed_by_groups_of_every_size) {
  using block = typename TypeParam::template block<loops::shape_for<sizeof(int)>>;
  if constexpr (block::threads > 1) {
    for (const auto& v : this->variants())
      for (const support::sizes& s : support::few_sizes(300, 64))
        for (int lanes = 1; lanes <= block::threads; lanes *= 2) {
          this->template check<counting_map>(v.exec, s, lanes);
          this->template check<asking_map>(v.exec, s, lanes);
          this->template check<placed_map>(v.exec, s, lanes);
          this->template check<pure_counting_map>(v.exec, s, lanes);
          this->template check<tile_map>(v.exec, s, lanes);
          if (lanes == 8) this->template check<counting_map>(v.exec, s, lanes, 32769);
          using loops::schedule::long_first;
          if (lanes <= 4) {
            this->template check<counting_map, long_first>(v.exec, s, lanes);
            this->template check<placed_map, long_first>(v.exec, s, lanes);
            this->template check<tile_map, long_first>(v.exec, s, lanes);
            this->template check<pure_counting_map, long_first>(v.exec, s, lanes);
          }
          if (this->HasFailure()) return;
        }
  }
}

/// Groups of some lanes, on so many processors or on as many as it takes.
struct some_lanes {
  int lanes = 4;
  std::int64_t processors = 0;
  [[nodiscard]] static constexpr const char* name() { return "some_lanes"; }
  [[nodiscard]] constexpr auto compose() const {
    return loops::composed<loops::measure::one_tile, loops::worker::group, loops::order::in_order>{
        .who = {lanes}, .processors = processors};
  }
};

#if !LOOPS_CUDA && !LOOPS_HIP

/// A lane alone, which knows whether it has waited for the kernel before.
struct waiting_block : loops::host::block<loops::shape<1, 1>> {
  using block::block;
  inline static bool waited = false;
  void await_previous() const { waited = true; }
};

/// What was read before the wait, and after it.
struct reads {
  int offsets = 0;
  int places = 0;
  int others = 0;  ///< atoms asked for and finished, tiles emitted
};
reads early, late;
reads& now() {
  return waiting_block::waited ? late : early;
}

/// Two tiles of three atoms, and what is read of them.
struct watched_work {
  [[nodiscard]] std::int64_t tiles() const { return 2; }
  [[nodiscard]] std::int64_t atoms() const { return 6; }
  [[nodiscard]] std::int64_t offset(std::int64_t t) const {
    ++now().offsets;
    return 3 * t;
  }
};
struct watched_map {
  struct spot {
    std::int64_t number;
  };
  [[nodiscard]] spot place(std::int64_t a) const {
    ++now().places;
    return {a};
  }
  [[nodiscard]] spot ask(std::int64_t a) const { return ask(a, place(a)); }
  [[nodiscard]] spot ask(std::int64_t /*a*/, const spot& at) const {
    ++now().others;
    return at;
  }
  [[nodiscard]] int finish(const spot& at) const {
    ++now().others;
    return static_cast<int>(at.number);
  }
  int operator()(std::int64_t a) const { return finish(ask(a)); }
  [[nodiscard]] std::int64_t lines() const { return 0; }
  void fetch(std::int64_t) const {}
};
struct watched_store {
  int* sum;
  void operator()(std::int64_t, int v) const {
    ++now().others;
    *sum = v;
  }
};

TEST(tiles_by_groups, are_not_read_before_the_kernel_before_has_ended_but_for_a_settled_pattern) {
  const auto p =
      loops::plan<int>(loops::host_executor(), loops::schedule::group_mapped{1}, watched_work());
  for (const bool settled : {false, true}) {
    early = late = {};
    waiting_block::waited = false;
    int sum = 0;
    using functions = loops::detail::reduction<int, watched_map, loops::plus, watched_store>;
    using bound = typename decltype(p)::bound_type;
    const loops::detail::reduce_by_groups<bound, functions, 1> kernel{
        p.bound_schedule(), {{}, {}, {&sum}}, settled};
    waiting_block block(1, 2);
    decltype(kernel)::storage<waiting_block> shared;
    kernel(block, shared);
    EXPECT_EQ(sum, 3 + 4 + 5);
    EXPECT_EQ(early.others, 0);
    EXPECT_EQ(late.others, 3 + 3 + 1);
    EXPECT_EQ(early.offsets > 0, settled);
    EXPECT_EQ(late.offsets > 0, !settled);
    EXPECT_EQ(early.places > 0, settled);
    EXPECT_EQ(late.places > 0, !settled);
  }
}

#endif

/// A map of which nobody knows what it reads.
template <class V>
struct silent_map {
  LOOPS_HD V operator()(std::int64_t a) const { return static_cast<V>(a); }
};
struct no_store {
  template <class V>
  LOOPS_HD void operator()(std::int64_t, V) const {}
};

TYPED_TEST(tiles_by_groups, want_a_group_each) {
  const auto takes = [&]<class V, class Map>(V, const Map& map, std::int64_t atoms,
                                             const auto& how) {
    const auto p = loops::plan<V>(this->any(), how, loops::uniform(1000, atoms));
    using functions = loops::detail::reduction<V, Map, loops::plus, no_store>;
    using block = typename TypeParam::template block<typename decltype(p)::shape_type>;
    return loops::detail::goes_by_groups<block>(p.bound_schedule(), functions{map, {}, {}});
  };
  const counting_map little{nullptr, nullptr, 32768}, much{nullptr, nullptr, 32769};
  EXPECT_TRUE(takes(0, little, 5, some_lanes{}));
  EXPECT_FALSE(takes(0, little, 2'000'000, some_lanes{})) << "more atoms than 32 bits count";
  if constexpr (TypeParam::template block<loops::shape_for<sizeof(int)>>::threads > 1) {
    EXPECT_TRUE(takes(0, much, 5, some_lanes{}));
    EXPECT_TRUE(takes(0, silent_map<int>(), 5, some_lanes{}));
    EXPECT_FALSE(takes(0, little, 5, some_lanes{4, 2})) << "blocks that go round again";
  }
  EXPECT_TRUE(takes(0, little, 5, some_lanes{1}));
  EXPECT_FALSE(takes(0, much, 5, some_lanes{1})) << "small values of a lone lane";
  EXPECT_FALSE(takes(0, silent_map<int>(), 5, some_lanes{1}));
  EXPECT_TRUE(takes(0., silent_map<double>(), 5, some_lanes{1}));
  EXPECT_FALSE(takes(0., silent_map<double>(), 8, some_lanes{1}))
      << "lanes of large values that go round";
  if constexpr (TypeParam::template block<loops::shape_for<sizeof(int)>>::threads > 1) {
    EXPECT_TRUE(takes(0., silent_map<double>(), 31, some_lanes{4}));
    EXPECT_FALSE(takes(0., silent_map<double>(), 32, some_lanes{4}));
    EXPECT_TRUE(takes(0, silent_map<int>(), 3200, some_lanes{4}));
    EXPECT_TRUE(takes(0, little, 5, loops::schedule::wide_groups{32}));
    EXPECT_FALSE(takes(0, little, 5, loops::schedule::wide_groups{64})) << "of a large block";
    EXPECT_TRUE(takes(0, little, 5, loops::schedule::group_mapped{64}));
  }
}

}  // namespace
