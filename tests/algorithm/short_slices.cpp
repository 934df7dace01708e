// SPDX-License-Identifier: Apache-2.0
/// Slices that one round of a block holds.
#include "loops/algorithm/short_slices.hpp"

#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

#include <type_traits>
#include <vector>

#include "algorithm/same_bits.hpp"
#include "algorithm/slice_oracle.hpp"

namespace {

struct in_one_round {
  template <class Block>
  using storage = loops::detail::short_storage<Block, int>;
  LOOPS_CALLS_USER
  template <class Group, class Storage, class Work, class Map, class... To>
  LOOPS_HD static void take(const Group& g, Storage& shared, const Work& w, const slice& s, bool,
                            const Map& map, const To&... to) {
    const bool begun = s.begin.tile < s.end.tile && s.begin.atom > w.offset(s.begin.tile);
    loops::detail::reduce_short_slice<int>(g, shared, w, s, begun, map, loops::plus{}, to...);
  }
};

/// As `value_of`, and may be asked twice.
struct pure_value_of : value_of {
  using pure = std::true_type;
};

/// Counts how often it is asked about an atom.
struct counted {
  int* asked;
  LOOPS_HD int operator()(std::int64_t a) const {
    support::count_up(asked + a);
    return 1;
  }
};
struct pure_counted : counted {
  using pure = std::true_type;
};
static_assert(loops::pure_map<pure_counted> && !loops::pure_map<counted>);

struct store_sum {
  int* to;
  LOOPS_HD void operator()(std::int64_t t, int v) const { to[t] = v; }
};

template <class Exec>
class short_slices : public slice_oracle<Exec> {
 protected:
  /// Slices of every length that a block holds, of works whose tiles are as awkward.
  template <class Shape, class Map>
  void check_all(const Exec& exec, const Map& map) {
    using block = typename Exec::template block<Shape>;
    constexpr std::int64_t capacity = std::int64_t{Shape::threads} * Shape::items;
    for (const support::sizes& s : support::awkward_sizes(capacity, Shape::threads)) {
      const std::int64_t steps = s.tiles() + s.atoms();
      for (const std::int64_t length :
           {capacity, capacity - 1, capacity / 2 + 1, std::int64_t{Shape::threads},
            std::int64_t{Shape::threads} - 1, std::int64_t{7}, std::int64_t{1}}) {
        if (length < 8 && steps > 4 * capacity) continue;
        SCOPED_TRACE(testing::Message() << s.name << ", slices of " << length);
        std::vector<std::int64_t> cuts;
        for (std::int64_t d = 0; d < steps; d += length) cuts.push_back(d);
        cuts.push_back(steps);
        this->template check<in_one_round, block::threads, Shape>(exec, s, cuts, block::threads,
                                                                  map);
        if (this->HasFailure()) return;
      }
    }
  }

  /// How often a reduction asks about each atom of a work of few steps.
  template <class Map>
  std::vector<int> asked(const Exec& exec, const support::sizes& s) {
    const auto& m = exec.memory();
    const loops::array<std::int32_t> offsets(s.offsets<std::int32_t>(), m);
    loops::array<int> count(static_cast<std::size_t>(s.atoms()) + 1, m);
    loops::array<int> sums(s.of.size(), m);
    count.fill(0);
    sums.fill(0xff);
    Map map;
    map.asked = count.data();
    loops::reduce_tiles<int>(exec, loops::schedule::merge_path{},
                             loops::segments<std::int32_t>(offsets.data(), s.tiles(), s.atoms()),
                             map, loops::plus{}, store_sum{sums.data()});
    const std::vector<int> found = sums.to_vector();
    for (std::size_t t = 0; t < s.of.size(); ++t) EXPECT_EQ(found[t], s.of[t]) << "tile " << t;
    return count.to_vector();
  }
};
TYPED_TEST_SUITE(short_slices, support::executors, support::executor_name);

TYPED_TEST(short_slices, hand_over_what_lies_in_each) {
  using block = typename TypeParam::template block<loops::shape<64, 3>>;
  if constexpr (block::threads > 1) {
    this->template check_all<loops::shape<64, 3>>(this->any(), value_of{});
    this->template check_all<loops::shape<64, 3>>(this->any(), pure_value_of{});
    this->template check_all<loops::shape<128, 4>>(this->any(), pure_value_of{});
    this->template check_all<loops::shape<64, 8>>(this->any(), pure_value_of{});
    this->template check_all<loops::shape<32, 12>>(this->any(), value_of{});
  }
}

TYPED_TEST(short_slices, ask_about_every_atom_and_twice_only_where_they_may) {
  for (const support::sizes& s : support::awkward_sizes(128 * 4, 128)) {
    SCOPED_TRACE(s.name);
    std::vector<int> once(static_cast<std::size_t>(s.atoms()) + 1, 1);
    once.back() = 0;
    EXPECT_EQ(this->template asked<counted>(this->any(), s), once);
    std::vector<int> often = this->template asked<pure_counted>(this->any(), s);
    EXPECT_EQ(often.back(), 0) << "asked about an atom that does not exist";
    often.pop_back();
    for (const int n : often) ASSERT_GE(n, 1);
    if (this->HasFailure()) return;
  }
}

struct block_of_64_by_8 {
  static constexpr int threads = 64;
  static constexpr int items = 8;
};
struct block_of_64_by_4 {
  static constexpr int threads = 64;
  static constexpr int items = 4;
};
struct block_of_16_by_12 {
  static constexpr int threads = 16;
  static constexpr int items = 12;
};

TEST(places_before, lets_a_slice_begin_where_a_line_does) {
  using loops::detail::places_before;
  for (std::int64_t first = 0; first < 200; ++first) {
    const int before = places_before<block_of_64_by_8>(first, 100);
    EXPECT_EQ((first - before) % 32, 0) << first;
    EXPECT_TRUE(before >= 0 && before < 32) << first;
    EXPECT_EQ(places_before<block_of_64_by_4>(first, 100), 0) << "few steps per lane";
    EXPECT_EQ(places_before<block_of_16_by_12>(first, 100), 0) << "a line is more than the lanes";
  }
  EXPECT_EQ(places_before<block_of_64_by_8>(31, 512 - 31), 31);
  EXPECT_EQ(places_before<block_of_64_by_8>(31, 512 - 30), 0) << "there is no room";
  EXPECT_EQ(places_before<block_of_64_by_8>((std::int64_t{1} << 40) + 5, 0), 5);
}

TEST(placed_slice, leaves_a_tile_open_where_it_ends_inside_of_one) {
  using loops::detail::place_slice;
  const auto within = [](std::int64_t from, std::int64_t to) {
    return place_slice<block_of_64_by_8>(slice{{3, from}, {3, to}});
  };
  EXPECT_TRUE(within(37, 38).leaves_open(nullptr));
  EXPECT_FALSE(within(37, 37).leaves_open(nullptr)) << "it is empty";
  const std::uint16_t ends[] = {9};
  const auto closes = [](std::int64_t to) {
    return place_slice<block_of_64_by_8>(slice{{3, 37}, {4, to}});
  };
  EXPECT_FALSE(closes(41).leaves_open(ends));
  EXPECT_TRUE(closes(42).leaves_open(ends));
}

TYPED_TEST(short_slices, emit_what_they_cut_in_one_launch_and_always_the_same_bits) {
  // Through no slice, some, and dozens; neighbours that are cut; ends at every place of a slice.
  support::sizes s{"",
                   {0,   9000, 2, 2,   700, 33,  32,   31,   0,    0,   100,  1,   512, 480, 481,
                    479, 3000, 0, 256, 257, 255, 1280, 1281, 1279, 900, 1536, 600, 600, 600, 600}};
  for (int i = 0; i < 90; ++i) s.of.push_back(i % 40);
  for (int i = 0; i < 1600; ++i) s.of.push_back(i % 7 == 0);
  for (const int blocks : {80, 17, 3}) {
    SCOPED_TRACE(testing::Message() << blocks << " blocks");
    const auto with = [&](const TypeParam& exec) { return with_blocks(exec, blocks); };
    const auto by = loops::detail::joiner::closing_slice;
    const loops::schedule::merge_path how;
    expect_the_same_bits<float>(how, by, s, this->variants(), with);
    expect_the_same_bits<double>(how, by, s, this->variants(), with);
  }
}

TYPED_TEST(short_slices, begin_afresh_after_one_that_gave_up) {
  const TypeParam exec = with_blocks(this->any(), 16);
  const loops::uniform w(2, 600);
  loops::array<float> out(2, exec.memory());
  auto p = loops::plan<float>(exec, loops::schedule::merge_path{}, w);
  const auto use = [&] {
    out.fill(0xff);
    loops::reduce_tiles<float>(p, part_of<float>{}, loops::plus{}, store_as<float>{out.data()});
    return out.to_vector();
  };
  const std::vector<float> wanted = use();
  ASSERT_EQ(p.boxes().words != nullptr,
            (TypeParam::template block<loops::shape_for<4>>::threads > 1));
  if (!p.boxes().words) return;
  const std::int64_t who = 3;
  exec.memory()->upload(p.boxes().lost, &who, sizeof who);
  support::expect_error(loops::errc::device, "slice 3 gave up waiting", [&] { p.check(); });
  EXPECT_NO_THROW(p.check());
  EXPECT_EQ(use(), wanted);
}

}  // namespace
