// SPDX-License-Identifier: Apache-2.0
/// Launch after launch of one plan: none hangs, none loses or keeps another launch's sums.
#include "algorithms/gemm/gemm.hpp"

#include "gemm/products.hpp"

namespace {

using namespace loops;
using products::col;
using products::owned;
using products::row;

/// Six plans in all: a hundred thousand launches on a GPU. The emulation runs each schedule
/// elsewhere.
#if LOOPS_CUDA || LOOPS_HIP
constexpr int launches = 17000;
using machines = support::executors;
#else
constexpr int launches = 12;
using machines = testing::Types<host_executor>;
#endif

template <class Exec>
class launches_on : public support::on_executor<Exec> {
 protected:
  /// Two products take turns in the same workspace: sums left by one would show in the other.
  template <class T, class Schedule>
  void launch(const Schedule& schedule, const products::sizes& s) {
    const Exec exec = this->any();
    products::check<T, T, float, row, col, row>(exec, schedule, s);
    const owned<T, row> a[] = {{exec, s.m, s.k, 0, 1, 0, 1}, {exec, s.m, s.k, 0, 1, 0, 2}};
    const owned<T, col> b(exec, s.k, s.n, 0, 1, 0, 3);
    owned<float, row> c[] = {{exec, s.m, s.n, 0, 1, 0, 4}, {exec, s.m, s.n, 0, 1, 0, 5}};
    const auto product = [&](int i) {
      return make_gemm_problem(a[i].view(), b.view(), c[i].target(), gemm_detail::chain());
    };
    auto plan = plan_gemm(exec, schedule, a[0].view(), b.view(), c[0].target());
    std::vector<float> first[2];
    for (int done = 0; done < launches; done += launches / 4) {
      for (int i = 0; i < launches / 4; ++i) plan(product(i % 2));
      plan.check();
      for (int i = 0; i < 2; ++i) {
        const std::vector<float> got = c[i].device.to_vector();
        if (done == 0) first[i] = got;
        ASSERT_TRUE(support::same_bits(first[i], got)) << "after " << done << " launches";
      }
    }
    EXPECT_FALSE(support::same_bits(first[0], first[1]));
  }

  /// Launches may start before the one in front of them has ended, and must not read before.
  template <class T, class Schedule>
  void follow(const Schedule& schedule, int m, int n) {
    const Exec exec = this->any();
    const owned<T, row> a[] = {{exec, m, n, 0, 1, 0, 1}, {exec, m, n, 0, 1, 0, 2}};
    const owned<T, col> b(exec, n, n, 0, 1, 0, 3);
    owned<T, row> between(exec, m, n, 0, 1, 0, 4);
    owned<T, row> c[] = {{exec, m, n, 0, 1, 0, 5}, {exec, m, n, 0, 1, 0, 6}};
    auto plan = plan_gemm(exec, schedule, a[0].view(), b.view(), between.target());
    const auto both = [&](int i, bool apart) {
      plan(make_gemm_problem(a[i].view(), b.view(), between.target(), gemm_detail::chain()));
      if (apart) exec.synchronize();
      plan(make_gemm_problem(between.view(), b.view(), c[i].target(), gemm_detail::chain()));
      if (apart) exec.synchronize();
    };
    std::vector<T> right[2];
    for (int i = 0; i < 2; ++i) {
      c[i].device.fill(0xff);
      both(i, true);
      right[i] = c[i].device.to_vector();
    }
    ASSERT_FALSE(support::same_bits(right[0], right[1]));
    for (int done = 0; done < launches / 10; ++done) {
      for (owned<T, row>& one : c) one.device.fill(0xff);
      for (int i = 0; i < 2; ++i) both(i, false);
      plan.check();
      for (int i = 0; i < 2; ++i)
        ASSERT_TRUE(support::same_bits(right[i], c[i].device.to_vector()))
            << "product " << i << ", pair " << done;
    }
  }
};
TYPED_TEST_SUITE(launches_on, machines, support::executor_name);

TYPED_TEST(launches_on, tiles_shared_by_many_workers) {
  this->template launch<bfloat16>(schedule::stream_k{}, {328, 200, 1032});
  this->template launch<float>(schedule::stream_k{}, {150, 70, 520});
}

TYPED_TEST(launches_on, tiles_shared_by_some) {
  this->template launch<bfloat16>(schedule::stream_k{.waves = 1}, {328, 456, 520});
  this->template launch<float>(schedule::stream_k{.waves = 2}, {150, 130, 264});
}

TYPED_TEST(launches_on, read_what_the_one_before_wrote) {
  this->template follow<bfloat16>(schedule::data_parallel{}, 1024, 1024);
  this->template follow<bfloat16>(schedule::stream_k{}, 328, 520);
  this->template follow<float>(schedule::stream_k{.waves = 2}, 150, 264);
}

TYPED_TEST(launches_on, parts_of_equal_size) {
  this->template launch<bfloat16>(schedule::split_k{3}, {200, 136, 648});
  this->template launch<float>(schedule::split_k{5}, {70, 70, 520});
}

}  // namespace
