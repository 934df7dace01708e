// SPDX-License-Identifier: Apache-2.0
/// A trial leaves C alone, runs on a C that lies like it, and its choice is one of its candidates.
#include "algorithms/gemm/trial.hpp"

#include "algorithms/gemm/gemm.hpp"

#include <cstdint>
#include <set>
#include <string>

#include "gemm/products.hpp"

namespace {

using namespace loops;
using products::col;
using products::owned;
using products::row;

template <class Exec>
class trial_on : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(trial_on, support::executors, support::executor_name);

/// What is added to C is added once: by the plan, not by the trial.
TYPED_TEST(trial_on, leaves_c_alone) {
  const auto exec = this->any();
  for (const products::sizes& s :
       {products::sizes{70, 45, 50}, {64, 72, 24, 2, 5, 0}, {33, 20, 40, 1, 3, 1}, {5, 6, 0}})
    products::check_product<float, float, float, row, col, row>(
        exec, s,
        [&](const auto& a, const auto& b, const auto& c) {
          auto plan = plan_gemm(exec, schedule::measured{}, a, b, c, epilogue::alpha{1.5F},
                                epilogue::beta{-0.5F});
          plan();
          plan.check();
        },
        {1.5F, -0.5F});
  products::check<half, half, half, row, row, col>(exec, schedule::measured{3}, {66, 34, 40, 2});
}

TYPED_TEST(trial_on, chooses_a_candidate) {
  const auto exec = this->any();
  const owned<float, row> a(exec, 70, 64, 0, 1, 0, 1);
  const owned<float, row> b(exec, 64, 40, 0, 1, 0, 2);
  owned<float, row> c(exec, 70, 40, 0, 1, 0, 3);
  const auto name = [&](const auto& schedule) {
    return name_of(plan_gemm(exec, schedule, a.view(), b.view(), c.target()).schedule());
  };
  // Alone, the first candidate is what `automatic` takes.
  EXPECT_EQ(name(schedule::measured{1}), name(schedule::automatic{}));
  const std::set<std::string> all{"data_parallel", "stream_k", "stream_k:1", "stream_k:2"};
  EXPECT_EQ(all.count(name(schedule::measured{})), 1U);
  support::expect_error(errc::invalid_argument, "at least one candidate",
                        [&] { name(schedule::measured{0}); });
}

TYPED_TEST(trial_on, runs_every_plan_on_a_c_that_lies_like_the_callers) {
  const auto exec = this->any();
  const owned<float, row> a(exec, 30, 20, 0, 2, 0, 1);
  const owned<float, row> b(exec, 20, 10, 0, 2, 0, 2);
  for (const int shift : {0, 1, 7, 31, 32}) {
    owned<float, row> c(exec, 30, 10, 3, 2, shift, 3);
    const auto p = make_gemm_problem(a.view(), b.view(), c.target(), gemm_detail::chain());
    std::set<std::size_t> made;
    std::set<std::size_t> ran;
    const auto at = [](const float* of) { return reinterpret_cast<std::uintptr_t>(of) % 128; };
    gemm_detail::fastest_plan(exec, p, 3, [&](const auto& elsewhere, std::size_t i) {
      const auto& there = elsewhere.epilogue.c();
      EXPECT_NE(there.data, c.target().data);
      EXPECT_EQ(at(there.data), at(c.target().data));
      EXPECT_EQ(there.leading, c.leading);
      EXPECT_EQ(there.batch_stride, c.target().batch_stride);
      EXPECT_EQ(elsewhere.epilogue.widest(), p.epilogue.widest());
      made.insert(i);
      return [i, &ran] { ran.insert(i); };
    });
    EXPECT_EQ(made.size(), 3U);
    EXPECT_EQ(ran, made);
  }
}

TYPED_TEST(trial_on, has_nothing_to_try_for_an_empty_product) {
  const auto exec = this->any();
  const owned<float, row> a(exec, 0, 20, 0, 1, 0, 1);
  const owned<float, row> b(exec, 20, 10, 0, 1, 0, 2);
  owned<float, row> c(exec, 0, 10, 0, 1, 0, 3);
  const auto p = make_gemm_problem(a.view(), b.view(), c.target(), gemm_detail::chain());
  const auto never = [](const auto&, std::size_t) {
    ADD_FAILURE() << "a plan was made";
    return [] {};
  };
  EXPECT_EQ(gemm_detail::fastest_plan(exec, p, 3, never), 0U);
  gemm(exec, schedule::measured{}, a.view(), b.view(), c.target());
}

}  // namespace
