// SPDX-License-Identifier: Apache-2.0
/// Schedules and works that are not the library's: any point of the product, any cut, any grain.
#include "loops/algorithm/reduce_kernels.hpp"

#include "loops/schedule/dense_schedules.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "reduction.hpp"

namespace reduction {
namespace {

namespace measure = loops::measure;
namespace order = loops::order;
namespace worker = loops::worker;

/// A schedule as a user writes one: three tiles per group of eight, by arrival.
struct threes_for_eight {
  [[nodiscard]] static constexpr const char* name() { return "threes_for_eight"; }
  [[nodiscard]] constexpr auto compose() const {
    return loops::composed<measure::tiles, worker::group, order::arrival>{{8}, 3};
  }
};
static_assert(threes_for_eight::name() != nullptr);

template <class Exec>
class reduce_kernels : public support::on_executor<Exec> {
 protected:
  /// Works small enough for slices of one step each; many slices per tile all the same.
  template <class Schedule>
  void check(const std::string& name, const Schedule& schedule) {
    for (const support::sizes& s : support::few_sizes(40, 8))
      check_schedule<std::int64_t, loops::shape<64, 3>, of_tile_and_atom>(
          this->variants(), name, schedule, true, make_segments<std::int32_t>{s});
  }
  template <class Measure, class Worker, class Order>
  void check_composed(const std::string& name, Worker who, std::int64_t grain) {
    check(name + " by " + std::to_string(grain),
          support::point<loops::composed<Measure, Worker, Order>>{{who, grain}});
  }
};
TYPED_TEST_SUITE(reduce_kernels, support::executors, support::executor_name);

TYPED_TEST(reduce_kernels, join_tiles_cut_into_any_number_of_slices) {
  // From a slice per step, where a tile runs through hundreds, to a few.
  for (const std::int64_t grain : {1, 2, 5, 17, 51, 1000}) {
    this->template check_composed<measure::path, worker::block, order::in_order>("path", {}, grain);
    this->template check_composed<measure::atoms, worker::block, order::in_order>("atoms", {},
                                                                                  grain);
  }
}

TYPED_TEST(reduce_kernels, lanes_follow_slices_of_any_size) {
  for (const std::int64_t grain : {1, 2, 7, 64}) {
    this->template check_composed<measure::path, worker::lane, order::in_order>("path", {}, grain);
    this->template check_composed<measure::atoms, worker::lane, order::in_order>("atoms", {},
                                                                                 grain);
  }
}

TYPED_TEST(reduce_kernels, groups_cut_tiles_among_them) {
  for (const int lanes : {2, 8, 32, 64})
    for (const std::int64_t grain : {1, 13, 200}) {
      this->template check_composed<measure::path, worker::group, order::in_order>("path", {lanes},
                                                                                   grain);
      this->template check_composed<measure::atoms, worker::group, order::arrival>(
          "atoms by arrival", {lanes}, grain);
    }
}

/// The schedules of tile programs reduce rows as well.
TYPED_TEST(reduce_kernels, join_the_parts_of_dense_schedules) {
  this->check("data-parallel", loops::schedule::data_parallel{});
  this->check("Stream-K", loops::schedule::stream_k{});
  this->check("Stream-K, two tiles", loops::schedule::stream_k{2});
  this->check("Stream-K, two blocks", loops::schedule::stream_k{.waves = 1, .processors = 2});
  this->check("split-K in 3", loops::schedule::split_k{3});
  this->check("split-K in 50", loops::schedule::split_k{50});
}

TYPED_TEST(reduce_kernels, take_schedules_of_ones_own) {
  static_assert(loops::schedule_like<threes_for_eight>);
  this->check("threes_for_eight", threes_for_eight{});
}

/// A work as a user writes one: tile t has t % 5 atoms of a fixed pattern, and no array.
struct ragged {
  std::int64_t n = 0;
  [[nodiscard]] LOOPS_HD std::int64_t tiles() const { return n; }
  [[nodiscard]] LOOPS_HD std::int64_t atoms() const { return offset(n); }
  [[nodiscard]] LOOPS_HD std::int64_t offset(std::int64_t t) const {
    const std::int64_t rest = t % 5;
    return t / 5 * 10 + rest * (rest - 1) / 2;
  }
};

TYPED_TEST(reduce_kernels, take_works_of_ones_own) {
  for (const std::int64_t n : {0, 1, 2, 999}) {
    const ragged w{n};
    reduction::check<float, loops::shape<64, 3>>(
        this->variants(), support::all_points(), true, [&](const auto&, const auto& f) {
          f(scenario<ragged>{std::to_string(n) + " ragged tiles", w, w, w.tiles(), w.atoms()});
        });
  }
}

/// Greatest common divisors: associative, commutative, and nobody's built-in.
struct divisor {
  LOOPS_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    while (b != 0) {
      const std::int64_t r = a % b;
      a = b;
      b = r;
    }
    return a;
  }
};
struct number_of {
  LOOPS_HD std::int64_t operator()(std::int64_t t, std::int64_t a) const {
    return (t + 1) * (a % 6 + 1) * 10;
  }
};
struct keep {
  std::int64_t* out;
  LOOPS_HD void operator()(std::int64_t t, std::int64_t v) const { out[t] = v; }
};

TYPED_TEST(reduce_kernels, take_a_combination_of_ones_own) {
  const auto exec = this->any();
  const support::sizes s{"", {0, 3, 1, 0, 2000, 7, 5000, 0, 1}};
  const auto offsets = s.template offsets<std::int32_t>();
  const loops::array<std::int32_t> there(offsets, exec.memory());
  const loops::segments<std::int32_t> w(there.data(), s.tiles(), s.atoms());
  std::vector<std::int64_t> wanted;
  for (std::int64_t t = 0; t < s.tiles(); ++t) {
    std::int64_t v = 0;
    for (auto a = offsets[std::size_t(t)]; a < offsets[std::size_t(t) + 1]; ++a)
      v = std::gcd(v, number_of{}(t, a));
    wanted.push_back(v);
  }
  loops::array<std::int64_t> out(s.of.size(), exec.memory());
  const auto try_one = [&](const auto& schedule) {
    out.fill(0xff);
    loops::reduce_tiles(exec, schedule, w, number_of{},
                        loops::combine_with(divisor{}, std::int64_t{0}), keep{out.data()});
    EXPECT_EQ(out.to_vector(), wanted) << schedule.name();
  };
  try_one(loops::schedule::merge_path{});
  try_one(loops::schedule::nonzero_split{});
  try_one(loops::schedule::wave_mapped{});
  try_one(loops::schedule::work_oriented{});
  try_one(loops::schedule::tiles_in_groups{});
}

/// Two numbers that want an address of their own.
struct alignas(64) apart {
  double first = 0;
  std::int64_t second = 0;
  friend LOOPS_HD apart operator+(const apart& a, const apart& b) {
    return {a.first + b.first, a.second + b.second};
  }
};
struct apart_of {
  LOOPS_HD apart operator()(std::int64_t a) const { return {double(a % 3), a}; }
};
struct keep_apart {
  apart* out;
  LOOPS_HD void operator()(std::int64_t t, const apart& v) const { out[t] = v; }
};

TYPED_TEST(reduce_kernels, keep_values_where_their_alignment_wants_them) {
  const auto exec = this->any();
  const loops::uniform w(40, 1001);
  loops::array<apart> out(40, exec.memory());
  const auto try_one = [&](const auto& schedule) {
    SCOPED_TRACE(schedule.name());
    const auto p = loops::plan<apart>(exec, schedule, w);
    const auto [heads, tails] = p.template parts<apart>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(heads) % alignof(apart), 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tails) % alignof(apart), 0U);
    out.fill(0xff);
    loops::reduce_tiles<apart>(p, apart_of{}, loops::plus{}, keep_apart{out.data()});
    const auto got = out.to_vector();
    for (std::int64_t t = 0; t < w.tiles(); ++t) {
      apart sum;
      for (std::int64_t a = 1001 * t; a < 1001 * (t + 1); ++a) sum = sum + apart_of{}(a);
      EXPECT_EQ(got[std::size_t(t)].first, sum.first);
      EXPECT_EQ(got[std::size_t(t)].second, sum.second);
    }
  };
  try_one(loops::schedule::merge_path{});
  try_one(loops::schedule::nonzero_split{});
  try_one(loops::schedule::work_oriented{});
  try_one(loops::schedule::wave_mapped{});
}

/// Launches a reduction on so many blocks, however many the plan has room for.
struct number_times_seven {
  LOOPS_HD std::int64_t operator()(std::int64_t a) const { return a * 7 % 1001; }
};
template <class Plan>
void reduce_on(std::int64_t blocks, const Plan& p, std::int64_t* out) {
  using bound = typename Plan::bound_type;
  using shape = typename Plan::shape_type;
  using functions = loops::detail::reduction<std::int64_t, number_times_seven, loops::plus, keep>;
  const auto [heads, tails] = p.template parts<std::int64_t>();
  const loops::detail::partials<functions> parts{heads, tails};
  const functions f{{}, {}, {out}};
  p.executor().template launch<shape>(
      blocks, loops::detail::reduce_slices<bound, functions>{p.bound_schedule(), f, parts});
  p.executor().template launch<shape>(
      1, loops::detail::join_slices<bound, functions>{p.bound_schedule(), f, parts});
}

TYPED_TEST(reduce_kernels, few_blocks_go_round_again) {
  const support::sizes s{"", {0, 3, 1, 0, 2000, 7, 500, 0, 1, 64, 64, 900, 2, 2}};
  const auto offsets = s.template offsets<std::int32_t>();
  std::vector<std::int64_t> wanted;
  for (std::int64_t t = 0; t < s.tiles(); ++t) {
    wanted.push_back(0);
    for (auto a = offsets[std::size_t(t)]; a < offsets[std::size_t(t) + 1]; ++a)
      wanted.back() += number_times_seven{}(a);
  }
  for (const auto& one_of_them : this->variants()) {
    const TypeParam& exec = one_of_them.exec;
    const loops::array<std::int32_t> there(offsets, exec.memory());
    const loops::segments<std::int32_t> w(there.data(), s.tiles(), s.atoms());
    loops::array<std::int64_t> out(s.of.size(), exec.memory());
    const auto try_one = [&](const auto& schedule) {
      const loops::tile_plan<TypeParam, std::remove_cvref_t<decltype(schedule)>,
                             loops::segments<std::int32_t>, std::int64_t, loops::shape<64, 3>>
          p(exec, schedule, w);
      for (const std::int64_t blocks : {1, 2, 5}) {
        out.fill(0xff);
        reduce_on(blocks, p, out.data());
        EXPECT_EQ(out.to_vector(), wanted)
            << schedule.name() << " on " << blocks << ", " << one_of_them.name;
      }
    };
    try_one(loops::schedule::merge_path{});
    try_one(loops::schedule::nonzero_split{});
    try_one(loops::schedule::block_mapped{});
    try_one(loops::schedule::wave_mapped{});
  }
}

/// Machines of other sizes cut and take turns differently; sums of integers do not change.
TYPED_TEST(reduce_kernels, do_not_depend_on_how_many_blocks_are_resident) {
#if !LOOPS_CUDA && !LOOPS_HIP
  if constexpr (!std::is_same_v<TypeParam, loops::host_executor>) {
    for (const int residency : {1, 2, 9}) {
      loops::emulation_options options;
      options.residency = residency;
      options.lanes = loops::emulation::order::seeded;
      const std::vector<support::variant_of<TypeParam>> one{
          {options.to_string(), TypeParam(options)}};
      for (const support::sizes& s : support::few_sizes(40, 8))
        for (const auto& p : support::points_named({"work_oriented", "dynamic_merge_path", "queue",
                                                    "lrb", "merge_path", "nonzero_split"}))
          std::visit(
              [&](const auto& schedule) {
                check_schedule<std::int64_t, loops::shape<64, 3>, of_tile_and_atom>(
                    one, p.name, schedule, true, make_segments<std::int32_t>{s});
              },
              p.schedule);
    }
  }
#endif
}

}  // namespace
}  // namespace reduction
