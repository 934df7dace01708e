// SPDX-License-Identifier: Apache-2.0
/// Products of different sizes in one launch are the products one by one.
#include "algorithms/gemm/grouped.hpp"

#include "gemm/products.hpp"

namespace {

using namespace loops;
using products::col;
using products::owned;
using products::plus_constant;
using products::row;

template <class Exec>
class grouped_gemm : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(grouped_gemm, support::executors, support::executor_name);

struct one {
  std::int64_t m, n, k;
  std::int64_t shift = 0;  ///< elements before the first: what spoils alignment
  std::int64_t gap = 0;    ///< elements between rows
};

/// Plans what `make(groups, parts...)` plans and runs it twice, with the same bits; every element
/// is right, and nothing else is touched.
template <class T, class TC, layout LB, class Exec, class Make>
void check(const Exec& exec, const std::vector<one>& sizes, const Make& make) {
  std::vector<owned<T, row>> a;
  std::vector<owned<T, LB>> b;
  std::vector<owned<TC, row>> c;
  std::vector<gemm_group<T, T, TC, row, LB>> groups;
  unsigned seed = 1;
  for (const one& s : sizes) {
    a.emplace_back(exec, s.m, s.k, s.gap, 1, s.shift, ++seed);
    b.emplace_back(exec, s.k, s.n, s.gap, 1, s.shift, ++seed);
    c.emplace_back(exec, s.m, s.n, s.gap, 1, s.shift, ++seed);
  }
  for (std::size_t g = 0; g < sizes.size(); ++g)
    groups.push_back({a[g].view(), b[g].view(), c[g].target()});
  std::vector<float> bias(sizes.size() * 512);
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = float(i % 7);
  const array<float> on_device(bias, exec.memory());
  auto plan =
      make(groups, epilogue::alpha{2.0f}, epilogue::per_column_bias<float>{on_device.data(), 512});
  plan();
  exec.synchronize();
  std::vector<std::vector<TC>> first;
  for (auto& matrix : c) first.push_back(matrix.device.to_vector());
  for (auto& matrix : c) matrix.device = array<TC>(matrix.values, exec.memory());
  for (std::size_t g = 0; g < sizes.size(); ++g) groups[g].c = c[g].target();
  auto again =
      make(groups, epilogue::alpha{2.0f}, epilogue::per_column_bias<float>{on_device.data(), 512});
  again();
  again();
  again.check();
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    SCOPED_TRACE("group " + std::to_string(g));
    const auto got = c[g].device.to_vector();
    EXPECT_TRUE(support::same_bits(got, first[g]));
    std::vector<bool> written(got.size());
    int wrong = 0;
    for (std::int64_t i = 0; i < sizes[g].m; ++i)
      for (std::int64_t j = 0; j < sizes[g].n; ++j) {
        double sum = 0, size = 0;
        for (std::int64_t q = 0; q < sizes[g].k; ++q) {
          const double term = a[g].at(0, i, q) * b[g].at(0, q, j);
          sum += term;
          size += std::abs(term);
        }
        const double expected = 2 * sum + bias[g * 512 + static_cast<std::size_t>(j)];
        const std::size_t at = c[g].index(0, i, j);
        written[at] = true;
        const double value = double(static_cast<accumulator_t<TC>>(got[at]));
        const double bound = 2 * size * double(sizes[g].k + 8) * products::unit<accumulator_t<T>> +
                             (2 * size + 8) * products::rounding<float>() +
                             std::abs(expected) * 2 * products::rounding<TC>();
        if (!(std::abs(value - expected) <= bound) && ++wrong < 4)
          ADD_FAILURE() << "element " << i << ", " << j << " is " << value << ", expected "
                        << expected << " +- " << bound;
      }
    EXPECT_EQ(wrong, 0);
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!written[i]) {
        EXPECT_EQ(std::memcmp(&got[i], &c[g].values[i], sizeof(TC)), 0)
            << "element " << i << " lies outside of C and was written";
      }
  }
}

/// The same by `plan_grouped_gemm`.
template <class T, class TC, layout LB, class Exec, class Schedule>
void check(const Exec& exec, const Schedule& schedule, const std::vector<one>& sizes) {
  check<T, TC, LB>(exec, sizes, [&](const auto& groups, const auto&... parts) {
    return plan_grouped_gemm(exec, schedule, groups, parts...);
  });
}

TYPED_TEST(grouped_gemm, takes_groups_of_every_size) {
  const std::vector<one> skewed{{70, 45, 300}, {1, 1, 1},      {0, 30, 20},        {5, 100, 0},
                                {64, 32, 64},  {3, 7, 500, 1}, {130, 20, 33, 0, 3}};
  check<float, float, row>(this->any(), schedule::stream_k{}, skewed);
  check<float, float, row>(this->any(), schedule::data_parallel{}, skewed);
  check<float, float, row>(this->any(), schedule::stream_k{}, {{64, 64, 128}, {128, 32, 64}});
  check<float, float, row>(this->any(), schedule::stream_k{}, {});
}

/// Starts and rows on 16-byte boundaries but for C's, tails on all sides, some without steps or
/// elements, one whose rows all end before such a boundary.
const std::vector<one> aligned{{70, 45, 304},   {1, 1, 8},     {0, 32, 24},        {5, 104, 0},
                               {64, 32, 64},    {3, 8, 504},   {136, 0, 8},        {131, 24, 40},
                               {259, 296, 136}, {17, 264, 72}, {65, 73, 129, 0, 7}};

TYPED_TEST(grouped_gemm, takes_16_bit_groups_under_every_schedule) {
  const auto exec = this->any();
  // The emulation takes a second for a million multiplications.
  const std::vector<one> few{{70, 45, 72}, {1, 1, 8}, {0, 32, 24}, {5, 40, 0}, {3, 8, 136}};
  const std::vector<one>& sizes = LOOPS_CUDA || LOOPS_HIP ? aligned : few;
  check<bfloat16, bfloat16, col>(exec, schedule::automatic{}, sizes);
  check<bfloat16, bfloat16, col>(exec, schedule::data_parallel{}, sizes);
  for (const int pieces : {1, 3})
    check<bfloat16, bfloat16, col>(exec, schedule::split_k{pieces}, sizes);
  for (const int waves : {1, 2, schedule::stream_k::all})
    check<bfloat16, bfloat16, col>(exec, schedule::stream_k{.waves = waves}, sizes);
  check<bfloat16, bfloat16, col>(exec, schedule::stream_k{}, {});
  check<bfloat16, bfloat16, col>(exec, schedule::stream_k{}, {{0, 0, 8}, {8, 16, 0}});
  check<bfloat16, float, col>(exec, schedule::stream_k{}, sizes);
  std::vector<one> spoilt = sizes;
  spoilt[4].shift = 1;
  check<bfloat16, bfloat16, col>(exec, schedule::stream_k{}, spoilt);
}

TYPED_TEST(grouped_gemm, parts_need_no_assignment_and_no_default) {
  const auto exec = this->any();
  const array<float> x(std::vector<float>{1, 2, 3, 4}, exec.memory());
  array<float> c(4, exec.memory());
  std::vector<gemm_group<float, float, float>> groups;
  plan_grouped_gemm(exec, schedule::data_parallel{}, groups, plus_constant(1))();
  groups.push_back({{x.data(), 2, 2}, {x.data(), 2, 2}, {c.data(), 2, 2}});
  plan_grouped_gemm(exec, schedule::data_parallel{}, groups, plus_constant(1))();
  exec.synchronize();
  EXPECT_EQ(c.to_vector(), (std::vector<float>{8, 11, 16, 23}));
}

TYPED_TEST(grouped_gemm, names_the_group_that_is_wrong) {
  float x[16] = {};
  float y[8] = {};
  std::vector<gemm_group<float, float, float>> groups(2);
  groups[0] = {{x, 2, 2}, {x, 2, 2}, {y, 2, 2}};
  groups[1] = {{x, 2, 2}, {x, 3, 2}, {y, 2, 2}};
  support::expect_error(errc::invalid_argument, "group 1: A (2 x 2) times B (3 x 2)",
                        [&] { plan_grouped_gemm(this->any(), schedule::stream_k{}, groups); });
  const std::int64_t long_side = INT32_MAX;
  auto* const away = reinterpret_cast<float*>(std::uintptr_t{1} << 60);
  groups[1] = {{x, long_side, 2}, {x, 2, 2}, {away, long_side, 2}};
  support::expect_error(errc::overflow, "group 1: a product of 2147483647 x 2 x 2",
                        [&] { plan_grouped_gemm(this->any(), schedule::stream_k{}, groups); });
}

TYPED_TEST(grouped_gemm, refuses_two_groups_with_the_same_c) {
  const auto exec = this->any();
  array<float> x(16, exec.memory());
  array<float> y(8, exec.memory());
  std::vector<gemm_group<float, float, float>> groups;
  for (float* c : {y.data(), y.data() + 2, y.data()})
    groups.push_back({{x.data(), 2, 2}, {x.data(), 2, 2}, {c, 2, 2, 4}});
  const auto refuse = [&](const std::string& words) {
    support::expect_error(errc::invalid_argument, words,
                          [&] { plan_grouped_gemm(exec, schedule::stream_k{}, groups); });
  };
  refuse("C of group 2 overlaps C of group 0");
  groups[2].c.data = y.data() + 1;
  refuse("C of group 2 overlaps C of group 0");
  groups[2].c.data = y.data() + 3;
  groups[2].c.leading = 2;
  refuse("C of group 2 overlaps C of group 1");
  groups[2] = {{x.data(), 0, 2}, {x.data(), 2, 2}, {y.data(), 0, 2}};
  plan_grouped_gemm(exec, schedule::stream_k{}, groups)();
  exec.synchronize();
}

TYPED_TEST(grouped_gemm, refuses_a_c_that_others_read) {
  const auto exec = this->any();
  array<float> x(64, exec.memory());
  const auto refuse = [&](const std::string& words, const auto& groups, const auto&... parts) {
    support::expect_error(errc::invalid_argument, words,
                          [&] { plan_grouped_gemm(exec, schedule::stream_k{}, groups, parts...); });
  };
  float* const at = x.data();
  std::vector<gemm_group<float, float, float>> groups;
  groups.push_back({{at, 2, 2}, {at, 2, 2}, {at + 8, 2, 2}});
  groups.push_back({{at + 11, 2, 2}, {at + 4, 2, 2}, {at + 16, 2, 2}});
  refuse("A of group 1 overlaps C of group 0", groups);
  groups[1] = {{at, 2, 2}, {at + 5, 2, 2}, {at + 16, 2, 2}};
  refuse("C of group 0 overlaps B of group 1", groups);
  // Its rows are far apart: others begin behind the first one, and end before the second.
  groups[0] = {{at, 2, 2, 20}, {at + 4, 2, 2}, {at + 40, 2, 2}};
  groups[1] = {{at + 8, 2, 2}, {at + 12, 2, 2}, {at + 20, 2, 2}};
  refuse("C of group 1 overlaps A of group 0", groups);
  groups[0] = {{at, 2, 2}, {at, 2, 2}, {at + 8, 2, 2}};
  groups[1] = {{at, 2, 2}, {at + 4, 2, 2}, {at + 16, 2, 2}};
  plan_grouped_gemm(exec, schedule::stream_k{}, groups);
  // A group's own values, and only those.
  const epilogue::per_column_bias<float> bias{at + 24, 2};
  plan_grouped_gemm(exec, schedule::stream_k{}, groups, bias);
  groups[1].c.data = at + 27;
  refuse("group 1: C overlaps the values of per_column_bias", groups, bias);
  groups[1].c.data = at + 28;
  plan_grouped_gemm(exec, schedule::stream_k{}, groups, bias);
  exec.synchronize();
}

TYPED_TEST(grouped_gemm, refuses_batches) {
  const auto exec = this->any();
  array<float> x(32, exec.memory());
  std::vector<gemm_group<float, float, float>> groups(2);
  groups[0] = {{x.data(), 2, 2}, {x.data(), 2, 2}, {x.data() + 8, 2, 2}};
  groups[1] = {
      {x.data(), 2, 2, 2, 2, 4}, {x.data(), 2, 2, 2, 2, 4}, {x.data() + 16, 2, 2, 2, 2, 4}};
  support::expect_error(errc::invalid_argument, "group 1 is a batch",
                        [&] { plan_grouped_gemm(exec, schedule::stream_k{}, groups); });
}

TYPED_TEST(grouped_gemm, whole_tiles_have_a_few_bytes_each) {
  auto* const some = reinterpret_cast<float*>(std::uintptr_t{4096});
  auto* const other = reinterpret_cast<float*>(std::uintptr_t{1} << 40);
  const std::vector<gemm_group<float, float, float>> groups{
      {{some, 4000, 8}, {some, 8, 4000}, {other, 4000, 4000}}};
  const auto plan = plan_grouped_gemm(this->any(), schedule::data_parallel{}, groups);
  EXPECT_GT(plan.tiles(), 300);
  EXPECT_LE(plan.bytes(), 512 + 24 * static_cast<std::size_t>(plan.tiles()) + 8);
}

TYPED_TEST(grouped_gemm, refuses_a_schedule_that_means_nothing) {
  const auto exec = this->any();
  const array<bfloat16> room(8192, exec.memory());
  array<bfloat16> out(8192, exec.memory());
  std::vector<gemm_group<bfloat16, bfloat16, bfloat16, row, col>> groups;
  groups.push_back({{room.data(), 16, 24}, {room.data(), 24, 16}, {out.data(), 16, 16}});
  support::expect_error(errc::invalid_argument, "`waves` is `all`",
                        [&] { plan_grouped_gemm(exec, schedule::stream_k{.waves = -2}, groups); });
  support::expect_error(errc::invalid_argument, "cannot be negative", [&] {
    plan_grouped_gemm(exec, schedule::stream_k{.processors = -1}, groups);
  });
}

#if LOOPS_CUDA

class hopper_grouped : public support::on_executor<gpu_executor> {
 protected:
  void SetUp() override {
    on_executor::SetUp();
    if (!IsSkipped() && any().facts().architecture != "sm_90")
      GTEST_SKIP() << "this GPU is no Hopper";
  }
  /// By a tile and clusters, whatever would be chosen.
  template <class Tile>
  static void check_tile(hopper::cluster_shape cluster) {
    SCOPED_TRACE(std::to_string(cluster.tall) + " x " + std::to_string(cluster.wide));
    const auto exec = any();
    for (const int waves : {0, 1, schedule::stream_k::all})
      check<bfloat16, bfloat16, col>(exec, aligned, [&](const auto& groups, const auto&... parts) {
        using group = typename std::remove_cvref_t<decltype(groups)>::value_type;
        using problem = typename gemm_detail::parts_of<
            std::remove_cvref_t<decltype(parts)>...>::template problem<group>;
        std::vector<problem> problems;
        for (const auto& g : groups)
          problems.push_back(make_gemm_problem(g.a, g.b, g.c, gemm_detail::chain(parts...)));
        return hopper::grouped_plan<schedule::stream_k, problem, Tile>(
            exec, schedule::stream_k{.waves = waves}, problems, cluster);
      });
  }
};

TEST_F(hopper_grouped, takes_tiles_and_clusters_of_every_shape) {
  using hopper::roles;
  for (const hopper::cluster_shape c : {hopper::cluster_shape{1, 1}, {2, 1}, {1, 2}, {2, 2}}) {
    check_tile<hopper::gemm_tile<128, 64>>(c);
    check_tile<hopper::gemm_tile<64, 80, roles::swapped>>(c);
  }
}

TEST_F(hopper_grouped, leaves_what_it_cannot_address_to_the_portable_program) {
  const auto exec = any();
  const array<bfloat16> room(8192, exec.memory());
  array<bfloat16> out(8192, exec.memory());
  std::vector<gemm_group<bfloat16, bfloat16, bfloat16, row, col>> groups;
  groups.push_back({{room.data(), 16, 24}, {room.data(), 24, 16}, {out.data(), 16, 16}});
  const auto engine = [&] {
    return std::string(plan_grouped_gemm(exec, schedule::stream_k{}, groups).engine());
  };
  EXPECT_EQ(engine(), "hopper");
  groups.push_back({{room.data(), 16, 0, 8}, {room.data(), 0, 16, 8}, {out.data() + 256, 16, 16}});
  EXPECT_EQ(engine(), "hopper");
  groups.push_back({{room.data(), 16, 20}, {room.data(), 20, 16}, {out.data() + 512, 16, 16}});
  EXPECT_NE(engine(), "hopper");
}

#endif

}  // namespace
