// SPDX-License-Identifier: Apache-2.0
/// Operands are copied to where 16 bytes move at once, whatever they lie like, and products of
/// copies are those of the operands.
#include "algorithms/gemm/packed_operands.hpp"

#include "algorithms/gemm/gemm.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gemm/products.hpp"

namespace {

using loops::bfloat16;
using loops::float8_e4m3;
using loops::layout;
using loops::matrix;
using products::col;
using products::row;
using products::sizes;

template <class Exec>
class packed_operands : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(packed_operands, support::executors, support::executor_name);

/// A matrix of different bytes, in a batch, copied to another layout: each where it belongs.
template <class T, layout From, layout To, bool Whole = false, class Exec>
void check_copy(const Exec& exec, std::int64_t rows, std::int64_t cols, std::int64_t batch,
                std::int64_t gap, std::int64_t shift) {
  using operand = loops::gemm_detail::packed_operand<Exec, T, From, To, Whole>;
  const matrix<const T, From> shape(nullptr, rows, cols);
  const std::int64_t leading = shape.inner() + gap;
  const std::int64_t stride = shape.outer() * leading;
  std::vector<T> values(static_cast<std::size_t>(shift + stride * batch));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(static_cast<float>(i * 37 % 113));
  const loops::array<T> there(values, exec.memory());
  const matrix<const T, From> m(there.data() + shift, rows, cols, leading, batch, stride);
  ASSERT_TRUE(operand::can_copy(m));
  const operand packed(exec, m);
  const auto place = packed.place_of(m);
  const auto copy = packed.of(m, "A");
  EXPECT_EQ(place.data, copy.data);
  EXPECT_EQ(place.batch_stride, copy.batch_stride);
  EXPECT_TRUE(loops::by_16_bytes(copy));
  if (operand::as_it_is(m)) {
    EXPECT_EQ(copy.data, m.data);
    EXPECT_EQ(packed.bytes(), 0U);
    return;
  }
  EXPECT_GT(packed.bytes(), 0U);
  std::vector<T> got(static_cast<std::size_t>(copy.outer() * copy.leading * batch));
  exec.synchronize();
  exec.memory()->download(got.data(), copy.data, got.size() * sizeof(T));
  for (std::int64_t z = 0; z < batch; ++z)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c)
        ASSERT_EQ(got[static_cast<std::size_t>(z * copy.batch_stride + copy.offset(r, c))],
                  values[static_cast<std::size_t>(shift + z * stride + m.offset(r, c))])
            << rows << " x " << cols << ", matrix " << z << ", row " << r << ", column " << c;
  for (std::int64_t o = 0; o < copy.outer() * batch; ++o)
    for (std::int64_t i = copy.inner(); i < copy.leading; ++i)
      ASSERT_EQ(got[static_cast<std::size_t>(o * copy.leading + i)], T(0)) << "behind line " << o;
}

TYPED_TEST(packed_operands, are_copied_from_wherever_they_lie) {
  const auto exec = this->any();
  for (const auto& [rows, cols] :
       {std::pair{1, 1}, {37, 81}, {64, 128}, {130, 3}, {5, 200}, {3, 9001}, {9001, 2}})
    for (const std::int64_t gap : {0, 1, 16}) {
      check_copy<std::int8_t, row, row>(exec, rows, cols, 1, gap, 0);
      check_copy<std::int8_t, col, row>(exec, rows, cols, 1, gap, 3);
      check_copy<std::int8_t, row, col>(exec, rows, cols, 1, gap, 0);
      check_copy<std::int8_t, col, col>(exec, rows, cols, 3, gap, 1);
      check_copy<float, row, row>(exec, rows, cols, 2, gap, 1);
      check_copy<float, col, col>(exec, rows, cols, 1, gap, 0);
      check_copy<float, col, col, true>(exec, rows, cols, 1, gap, 0);
      check_copy<loops::half, row, row, true>(exec, rows, cols, 2, gap, 0);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(packed_operands, know_what_cannot_be_copied) {
  using same = loops::gemm_detail::packed_operand<TypeParam, float, row, row>;
  using turned = loops::gemm_detail::packed_operand<TypeParam, float, row, col>;
  const matrix<const float> one(nullptr, 3, 5);
  const matrix<const float> together(nullptr, 3, 5, 7, 2, 21);
  const matrix<const float> apart(nullptr, 3, 5, 7, 2, 22);
  EXPECT_TRUE(same::can_copy(one) && turned::can_copy(one));
  EXPECT_TRUE(same::can_copy(together));
  EXPECT_FALSE(turned::can_copy(together));
  EXPECT_FALSE(same::can_copy(apart));
}

// There would be no room for it, or its copy would be of what lies between its matrices.
TYPED_TEST(packed_operands, refuse_a_batch_that_lies_otherwise_than_planned) {
  const auto exec = this->any();
  const loops::array<float> values(std::vector<float>(100, 1), exec.memory());
  const auto batch = [&](std::int64_t count, std::int64_t stride) {
    return matrix<const float>(values.data(), 3, 5, 7, count, stride);
  };
  const loops::gemm_detail::packed_operand<TypeParam, float, row, row> packed(exec, batch(2, 21));
  EXPECT_NO_THROW(static_cast<void>(packed.of(batch(2, 21), "A")));
  for (const auto& other : {batch(1, 0), batch(3, 21), batch(2, 22)})
    support::expect_error(loops::errc::unsupported, "B is a batch that lies otherwise",
                          [&] { static_cast<void>(packed.of(other, "B")); });
  exec.synchronize();
}

// Rows of 16 bytes' multiples need no copy for what reads beyond their end; others do.
TYPED_TEST(packed_operands, lie_well_if_what_is_read_beyond_them_is_none_or_zero) {
  using any = loops::gemm_detail::packed_operand<TypeParam, float, row, row>;
  using whole = loops::gemm_detail::packed_operand<TypeParam, float, row, row, true>;
  alignas(16) const float values[16] = {};
  EXPECT_TRUE(any::as_it_is(matrix<const float>(values, 2, 5, 8)));
  EXPECT_FALSE(whole::as_it_is(matrix<const float>(values, 2, 5, 8)));
  EXPECT_TRUE(whole::as_it_is(matrix<const float>(values, 2, 4, 8)));
  EXPECT_FALSE(whole::as_it_is(matrix<const float>(values, 2, 4, 7)));
}

/// A product over copies, by an engine that could do without: as it was planned, and as if of
/// others.
template <class TA, class TC, layout LA, layout LB, layout DirectA, layout DirectB,
          bool Whole = false, class Exec>
void check_plan(const Exec& exec, const sizes& s) {
  constexpr bool has_whole = requires {
    typename loops::portable_blocking<Exec, TA>::whole;
  };
  products::expected_product<TA, TA, TC, LA, LB, row> product(exec, s);
  for (const bool of_others : {false, true})
    product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
      const auto p = loops::make_gemm_problem(a, b, c, loops::gemm_detail::chain());
      using problem = std::remove_const_t<decltype(p)>;
      using direct = loops::gemm_problem<TA, DirectA, TA, DirectB, typename problem::epilogue_type>;
      using packed = loops::gemm_detail::packed_operands<Exec, problem, direct, Whole>;
      packed operands(exec, p);
      using engines = loops::gemm_engines<Exec, direct>;
      auto inner =
          loops::gemm_detail::plan_by<typename engines::template list<loops::gemm_breadth::named>>(
              exec, loops::schedule::stream_k{}, operands.place_of(p), {}, {});
      loops::gemm_detail::packed_plan<packed> made(std::move(operands), p, std::move(inner));
      if (of_others)
        made.start(p);
      else
        made.start();
      made.check();
      EXPECT_GT(made.bytes(), 0U);
      if (Whole && has_whole) {
        EXPECT_NE(std::string(made.engine()), "portable") << "no engine for whole operands took it";
      }
    });
}

TYPED_TEST(packed_operands, give_the_product) {
  const auto exec = this->any();
  check_plan<bfloat16, float, row, col, row, col>(exec, {70, 45, 77});
  check_plan<bfloat16, float, col, row, col, row>(exec, {65, 33, 40, 2});
  check_plan<bfloat16, float, row, col, row, col>(exec, {21, 34, 41, 3});
  check_plan<float8_e4m3, float, col, row, row, col>(exec, {70, 45, 77});
  check_plan<float8_e4m3, float, row, row, row, col>(exec, {33, 100, 150, 1, 3, 1});
  check_plan<bfloat16, float, row, col, row, col, true>(exec, {70, 45, 77});
  check_plan<bfloat16, float, col, row, col, row, true>(exec, {65, 33, 41, 2});
  check_plan<float, float, row, row, row, row, true>(exec, {70, 45, 33, 1, 1, 1});
}

TEST(packing_pays, unless_bytes_take_longer_than_steps) {
  struct size {
    std::int64_t m_, n_, k_;
    [[nodiscard]] std::int64_t m() const { return m_; }
    [[nodiscard]] std::int64_t n() const { return n_; }
    [[nodiscard]] std::int64_t k() const { return k_; }
    [[nodiscard]] std::int64_t batch() const { return 1; }
  };
  const auto pays = [](const size& s, double of_an_element = 2) {
    const double bytes = of_an_element * double(s.k_) * double(s.m_ + s.n_);
    return loops::gemm_detail::packing_pays(s, bytes, 132);
  };
  EXPECT_TRUE(pays({64, 64, 65}));
  EXPECT_TRUE(pays({333, 77, 1001}));
  EXPECT_TRUE(pays({4095, 4095, 4095}));
  EXPECT_TRUE(pays({2047, 2047, 63}));
  EXPECT_TRUE(pays({128, 16896, 4096}));
  EXPECT_FALSE(pays({128, 16896, 4096}, 8)) << "one turn";
  EXPECT_TRUE(pays({256, 16896, 4096}, 8)) << "two";
}

/// What is automatic copies operands of any kind where that pays.
template <class TA, class TC, layout LA, layout LB, class Schedule, class Exec>
void check_engine(const Exec& exec, const Schedule& schedule, const sizes& s) {
  products::expected_product<TA, TA, TC, LA, LB, row> product(exec, s);
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    auto plan = loops::plan_gemm(exec, schedule, a, b, c);
    plan();
    plan();
    plan.check();
    EXPECT_NE(std::string(plan.engine()), "portable");
  });
}

#if !LOOPS_CUDA && !LOOPS_HIP
/// Counts the sums that are not as they should be, also in trials.
struct counts_others {
  float right;
  std::int64_t* others;
  template <class S, class Old>
  S operator()(S sum, std::int32_t, std::int32_t, const Old&) const {
    if (sum != right) ++std::atomic_ref(*others);
    return sum;
  }
};

TYPED_TEST(packed_operands, are_there_when_plans_are_tried) {
  const auto exec = this->any();
  constexpr int m = 33, n = 77, k = 133;
  const loops::array<bfloat16> ones(std::vector<bfloat16>(k * (m + n), bfloat16(1)), exec.memory());
  loops::array<float> c(m * n, exec.memory());
  std::int64_t others = 0;
  const auto plan =
      loops::plan_gemm(exec, loops::schedule::measured{}, matrix<const bfloat16>(ones.data(), m, k),
                       matrix<const bfloat16, col>(ones.data() + m * k, k, n),
                       matrix<float>(c.data(), m, n), counts_others{k, &others});
  plan();
  EXPECT_EQ(others, 0);
  EXPECT_EQ(c.to_vector(), std::vector<float>(m * n, k));
}
#endif

TYPED_TEST(packed_operands, let_automatic_take_the_fast_engine) {
  const auto exec = this->any();
  using blocking = loops::portable_blocking<TypeParam, bfloat16>;
  bool faster = requires {
    typename blocking::whole;
  };
#if LOOPS_CUDA
  faster = exec.facts().architecture == "sm_90";
#endif
  if (!faster) GTEST_SKIP() << "no engine here is faster than that for any operands";
  using loops::schedule::automatic;
  using loops::schedule::measured;
  check_engine<bfloat16, bfloat16, row, col>(exec, automatic{}, {70, 45, 133});
  check_engine<bfloat16, float, row, row>(exec, automatic{}, {70, 45, 133, 2});
  check_engine<std::int8_t, std::int32_t, col, row>(exec, automatic{}, {69, 65, 133});
  check_engine<bfloat16, bfloat16, row, col>(exec, measured{}, {33, 77, 133, 1, 0, 1});
  if constexpr (!requires { exec.facts().processors; }) return;  // the emulation takes a minute
  check_engine<bfloat16, bfloat16, row, col>(exec, automatic{}, {333, 77, 1001});
  check_engine<bfloat16, float, row, row>(exec, automatic{}, {130, 75, 1001, 2});
  check_engine<float8_e4m3, float, row, row>(exec, automatic{}, {200, 136, 1004});
  check_engine<std::int8_t, std::int32_t, col, row>(exec, automatic{}, {129, 65, 999});
  check_engine<float, float, row, row>(exec, automatic{}, {513, 257, 1001});
  check_engine<double, double, col, row>(exec, automatic{}, {255, 129, 1001, 2});
  check_engine<bfloat16, bfloat16, row, col>(exec, measured{}, {333, 77, 1001, 1, 0, 1});
}

}  // namespace
