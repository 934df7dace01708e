// SPDX-License-Identifier: Apache-2.0
/// A trial leaves C alone, runs on a C that lies like it, and its choice is one of its candidates.
#include "algorithms/gemm/trial.hpp"

#include "algorithms/gemm/gemm.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

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
  products::check<loops::half, loops::half, loops::half, row, row, col>(exec, schedule::measured{3},
                                                                        {66, 34, 40, 2});
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
  EXPECT_EQ(name(schedule::among_all(schedule::measured{1})),
            name(schedule::among_all(schedule::automatic{})));
  const std::set<std::string> all{"data_parallel", "stream_k", "stream_k:1", "stream_k:2"};
  EXPECT_EQ(all.count(name(schedule::measured{})), 1U);
  EXPECT_EQ(all.count(name(schedule::among_all(schedule::measured{}))), 1U);
  support::expect_error(errc::invalid_argument, "at least one candidate",
                        [&] { name(schedule::measured{0}); });
}

/// Where a matrix lies, as far as programs ask.
template <class T, layout L>
void expect_twins(const matrix<T, L>& a, const matrix<T, L>& b) {
  const auto at = [](const T* of) { return reinterpret_cast<std::uintptr_t>(of) % 128; };
  EXPECT_NE(a.data, b.data);
  EXPECT_EQ(at(a.data), at(b.data));
  EXPECT_EQ(a.leading, b.leading);
  EXPECT_EQ(a.batch, b.batch);
  EXPECT_EQ(a.batch_stride, b.batch_stride);
}

TYPED_TEST(trial_on, runs_every_plan_on_matrices_that_lie_like_the_callers) {
  const auto exec = this->any();
  for (const int shift : {0, 1, 7, 31, 32}) {
    const owned<float, row> a(exec, 30, 20, 1, 2, shift, 1);
    const owned<float, col> b(exec, 20, 10, 0, 2, 3, 2);
    owned<float, row> c(exec, 30, 10, 3, 2, shift, 3);
    const auto p = make_gemm_problem(a.view(), b.view(), c.target(), gemm_detail::chain());
    using problem = std::remove_const_t<decltype(p)>;
    std::set<std::size_t> made;
    std::set<std::size_t> ran;
    gemm_detail::fastest_plan(exec, p, 3, [&](const problem&, std::size_t i) {
      made.insert(i);
      return [i, &ran, &p](const problem& q) {
        ran.insert(i);
        expect_twins(p.a, q.a);
        expect_twins(p.b, q.b);
        expect_twins(p.epilogue.c(), q.epilogue.c());
        EXPECT_EQ(q.epilogue.widest(), p.epilogue.widest());
      };
    });
    EXPECT_EQ(made.size(), 3U);
    EXPECT_EQ(ran, made);
  }
}

TYPED_TEST(trial_on, goes_on_without_plans_that_find_no_memory) {
  const auto exec = this->any();
  const owned<float, row> a(exec, 30, 20, 0, 1, 0, 1);
  const owned<float, row> b(exec, 20, 10, 0, 1, 0, 2);
  owned<float, row> c(exec, 30, 10, 0, 1, 0, 3);
  const auto p = make_gemm_problem(a.view(), b.view(), c.target(), gemm_detail::chain());
  using problem = std::remove_const_t<decltype(p)>;
  const auto fastest_where = [&](const std::set<std::size_t>& fit) {
    return gemm_detail::fastest_plan(exec, p, 4, [&](const problem&, std::size_t i) {
      if (fit.count(i) == 0) throw error(errc::out_of_memory, "no room");
      return [](const problem&) {};
    });
  };
  EXPECT_EQ(fastest_where({2}), 2U);
  EXPECT_EQ((std::set<std::size_t>{1, 3}).count(fastest_where({1, 3})), 1U);
  EXPECT_EQ(fastest_where({}), 0U);
}

TEST(trial, copies_are_as_many_as_a_cache_is_worth) {
  using gemm_detail::copies_of;
  constexpr std::size_t cache = 50'000'000;
  EXPECT_EQ(copies_of(1000, 0), 1U);
  EXPECT_EQ(copies_of(1000, cache), 32U);
  for (const std::size_t tenths : {1U, 6U, 10U, 20U, 80U}) {
    const std::size_t bytes = tenths * cache / 10;
    const std::size_t all = copies_of(bytes, cache) * bytes;
    EXPECT_GE(all, 3 * cache - bytes / 10) << bytes;
    EXPECT_LE(all, 3 * cache + bytes) << bytes;
  }
  // Little is multiplied to a large C, of which each copy has one.
  auto* const some = reinterpret_cast<float*>(std::uintptr_t{4096});
  auto* const other = reinterpret_cast<float*>(std::uintptr_t{1} << 40);
  const matrix<const float> a(some, 32768, 8);
  const matrix<const float> b(some, 8, 32768);
  const auto p = make_gemm_problem(a, b, matrix<float>(other, 32768, 32768), gemm_detail::chain());
  const std::size_t bytes =
      gemm_detail::problem_twin<std::remove_const_t<decltype(p)>>::bytes_of(p);
  EXPECT_EQ(bytes, (std::size_t{1} << 32) + (std::size_t{1} << 21));
  EXPECT_EQ(copies_of(bytes, cache), 1U);
}

TYPED_TEST(trial_on, copies_elements_and_nothing_between) {
  const auto exec = this->any();
  const owned<float, row> a(exec, 30, 20, 3, 2, 5, 1);
  const gemm_detail::twin<const float, row> copy(exec, a.view());
  owned<float, row> to(exec, 30, 20, 3, 2, 5, 2);
  // From the copy into another one of the same shape: gaps keep what they have.
  loops::detail::launch_flat(exec,
                             gemm_detail::copy_elements<float, row>{to.target(), copy.view()});
  exec.synchronize();
  std::vector<float> right = to.values;
  for (int z = 0; z < 2; ++z)
    for (int i = 0; i < 30; ++i)
      for (int j = 0; j < 20; ++j) right[to.index(z, i, j)] = a.values[a.index(z, i, j)];
  EXPECT_TRUE(support::same_bits(to.device.to_vector(), right));
}

/// Counts how often it is written.
struct counted {
  int value = 0;
  int writes = 0;
  counted() = default;
  counted(const counted&) = default;
  LOOPS_HD counted& operator=(const counted& o) {
    value = o.value;
    ++writes;
    return *this;
  }
};

TEST(trial, copies_an_element_once_where_matrices_overlap) {
  const host_executor exec;
  for (const std::int64_t leading : {5, 8, 11})
    for (const std::int64_t rows : {1, 4})
      for (const std::int64_t stride : {0, 1, 3, 5, 7, 8, 12, 16, 40}) {
        SCOPED_TRACE(std::to_string(rows) + " rows, leading " + std::to_string(leading) +
                     ", stride " + std::to_string(stride));
        constexpr std::int64_t batch = 6;
        const std::int64_t cols = 5;
        const auto size =
            static_cast<std::size_t>((batch - 1) * stride + (rows - 1) * leading + cols);
        std::vector<counted> there(size);
        std::vector<counted> copy(size);
        std::vector<int> wanted(size);
        for (std::size_t i = 0; i < size; ++i) there[i].value = static_cast<int>(i) + 1;
        for (std::int64_t b = 0; b < batch; ++b)
          for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < cols; ++j)
              wanted[static_cast<std::size_t>(b * stride + i * leading + j)] = 1;
        const matrix<const counted> from(there.data(), rows, cols, leading, batch, stride);
        const matrix<counted> to(copy.data(), rows, cols, leading, batch, stride);
        loops::detail::launch_flat(exec, gemm_detail::copy_elements<counted, row>{
                                             to, from, gemm_detail::batches_overlap(from)});
        exec.synchronize();
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_EQ(copy[i].writes, wanted[i]) << i;
          ASSERT_EQ(copy[i].value, wanted[i] * there[i].value) << i;
        }
      }
}

TYPED_TEST(trial_on, takes_operands_whose_matrices_overlap) {
  const auto exec = this->any();
  const owned<float, row> all(exec, 40, 20, 0, 1, 0, 1);
  for (const std::int64_t stride : {0, 3, 20, 45}) {
    const matrix<const float> a(all.device.data(), 20, 20, 20, 8, stride);
    const gemm_detail::twin<const float, row> copy(exec, a);
    EXPECT_EQ(copy.view().batch, 8);
    EXPECT_EQ(copy.view().batch_stride, stride);
    std::vector<float> got(static_cast<std::size_t>(7 * stride + 400));
    exec.synchronize();
    exec.memory()->download(got.data(), copy.view().data, got.size() * sizeof(float));
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], all.values[i]) << stride;
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
    return [](const auto&) {};
  };
  EXPECT_EQ(gemm_detail::fastest_plan(exec, p, 3, never), 0U);
  gemm(exec, schedule::measured{}, a.view(), b.view(), c.target());
}

}  // namespace
