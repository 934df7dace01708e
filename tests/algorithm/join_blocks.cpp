// SPDX-License-Identifier: Apache-2.0
/// Tiles that slices cut are emitted once, whole, by the last blocks of the launch.
#include "loops/algorithm/join_blocks.hpp"

#include "loops/schedule/long_first.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/uniform.hpp"

#include "algorithm/same_bits.hpp"

namespace {

/// A value of an odd number of words.
struct three {
  float at[3] = {};
  three() = default;
  LOOPS_HD explicit three(double v) : at{float(v), float(2 * v), float(-v)} {}
  friend LOOPS_HD three operator+(const three& a, const three& b) {
    three c;
    for (int i = 0; i < 3; ++i) c.at[i] = a.at[i] + b.at[i];
    return c;
  }
  friend bool operator==(const three&, const three&) = default;
};

template <class Exec>
class join_blocks : public support::on_executor<Exec> {
 protected:
  template <class Schedule>
  void check(const Schedule& schedule, const support::sizes& s) {
    SCOPED_TRACE(testing::Message() << schedule.name() << ", " << s.name);
    for (const int blocks : {2, 5}) {
      const auto with = [&](const Exec& exec) { return with_blocks(exec, blocks); };
      const auto by = loops::detail::joiner::last_blocks;
      expect_the_same_bits<float>(schedule, by, s, this->variants(), with);
      expect_the_same_bits<double>(schedule, by, s, this->variants(), with);
    }
  }
};
TYPED_TEST_SUITE(join_blocks, support::executors, support::executor_name);

#if !LOOPS_CUDA && !LOOPS_HIP
TYPED_TEST(join_blocks, emit_what_is_cut_and_always_the_same_bits) {
  // Through no slice, some, and dozens, with a tile that ends where a slice does; and so many
  // slices that several blocks join.
  const support::sizes few{"tiles of every length",
                           {0,    30000, 2,   2,   700, 1536, 1535, 1537, 0,   0,    100, 1,
                            1280, 3000,  256, 257, 0,   9000, 900,  4608, 600, 2100, 0,   0}};
  support::sizes many{"tiles of 700", std::vector<std::int64_t>(300, 700)};
  for (const support::sizes& s : {few, many}) {
    this->check(loops::schedule::nonzero_split{}, s);
    this->check(loops::schedule::merge_path{}, s);
    for (const int lanes : {1, 8, 32}) this->check(loops::schedule::long_first{lanes}, s);
  }
}

TYPED_TEST(join_blocks, begin_afresh_after_one_that_gave_up) {
  const TypeParam exec = with_blocks(this->any(), 2);
  const loops::uniform w(20, 1000);
  loops::array<float> out(20, exec.memory());
  auto p = loops::plan<float>(exec, loops::schedule::nonzero_split{}, w);
  if (!p.boxes().heads) return;
  const auto use = [&] {
    out.fill(0xff);
    loops::reduce_tiles<float>(p, part_of<float>{}, loops::plus{}, store_as<float>{out.data()});
    return out.to_vector();
  };
  const std::vector<float> wanted = use();
  // What a use that was broken off leaves in a box.
  const std::uint64_t left = loops::detail::post_mark | 7;
  exec.memory()->upload(p.boxes().words + 2, &left, sizeof left);
  exec.memory()->upload(p.boxes().heads + 3, &left, sizeof left);
  const std::int64_t who = 3;
  exec.memory()->upload(p.boxes().lost, &who, sizeof who);
  support::expect_error(loops::errc::device, "slice 3 gave up waiting", [&] { p.check(); });
  EXPECT_EQ(use(), wanted);
}
#endif

struct three_of {
  LOOPS_HD three operator()(std::int64_t a) const { return three(double(a % 5)); }
};
struct add_three {
  LOOPS_HD three operator()(const three& a, const three& b) const { return a + b; }
};

TYPED_TEST(join_blocks, join_values_of_many_words) {
  const TypeParam exec = with_blocks(this->any(), 2);
  const loops::uniform w(40, 1000);
  loops::array<three> out(40, exec.memory());
  const auto p = loops::plan<three>(exec, loops::schedule::nonzero_split{}, w);
  for (int use = 0; use < 2; ++use) {
    out.fill(0xff);
    loops::reduce_tiles<three>(p, three_of{}, loops::combine_with(add_three{}, three{}),
                               store_as<three>{out.data()});
    for (const three& v : out.to_vector()) ASSERT_EQ(v, three(2000));
  }
}

}  // namespace
