// SPDX-License-Identifier: Apache-2.0
/// Operands that cannot be multiplied are refused, with words that say why.
#include "algorithms/gemm/problem.hpp"

#include "support/executors.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace {

using namespace loops;

template <class A, class B, class C>
void refused(errc code, const std::string& words, const A& a, const B& b, const C& c) {
  support::expect_error(code, words, [&] { make_gemm_problem(a, b, c, gemm_detail::chain()); });
}

TEST(gemm_problem, refuses_what_does_not_fit) {
  float x[64] = {};
  float y[64] = {};
  using in = matrix<const float>;
  using out = matrix<float>;
  const in a(x, 4, 3);
  const in b(x, 3, 5);
  const out c(y, 4, 5);
  refused(errc::invalid_argument, "A (4 x 3) times B (4 x 5) does not give C", a, in(x, 4, 5), c);
  refused(errc::invalid_argument, "does not give C (5 x 5)", a, b, out(y, 5, 5));
  refused(errc::invalid_argument, "A (4 x 3) has leading dimension 2, but its rows have 3",
          in(x, 4, 3, 2), b, c);
  refused(errc::invalid_argument, "its columns have 4",
          matrix<const float, layout::column_major>(x, 4, 3, 3), b, c);
  refused(errc::invalid_argument, "B (3 x 5) is a null pointer", a, in(nullptr, 3, 5), c);
  refused(errc::invalid_argument, "negative size", in(x, -4, 3), b, c);
  refused(errc::invalid_argument, "batches of 2 A and 1 B do not give 1 C", in(x, 4, 3, 3, 2, 12),
          b, c);
  refused(errc::invalid_argument, "the matrices of C overlap", a, b, out(y, 4, 5, 5, 2, 0));
  refused(errc::invalid_argument, "the matrices of C overlap", a, b, out(y, 4, 5, 5, 2, 5));
  refused(errc::invalid_argument, "multiple of its element's size",
          in(reinterpret_cast<const float*>(reinterpret_cast<const char*>(x) + 1), 4, 3), b, c);
  refused(errc::overflow, "more bytes than can be addressed", in(x, 4, 3, std::int64_t(1) << 61), b,
          c);
}

TEST(gemm_problem, refuses_a_result_that_begins_where_an_operand_does) {
  float x[64] = {};
  float y[64] = {};
  using in = matrix<const float>;
  refused(errc::invalid_argument, "C begins where A does", in(x, 4, 3), in(y, 3, 5),
          matrix<float>(x, 4, 5));
  refused(errc::invalid_argument, "C begins where B does", in(y, 4, 3), in(x, 3, 5),
          matrix<float, layout::column_major>(x, 4, 5));
  // Nothing is read, or nothing is written.
  EXPECT_NO_THROW(
      make_gemm_problem(in(x, 4, 0), in(x, 0, 5), matrix<float>(x, 4, 5), gemm_detail::chain()));
  EXPECT_NO_THROW(
      make_gemm_problem(in(x, 0, 3), in(x, 3, 5), matrix<float>(x, 0, 5), gemm_detail::chain()));
}

TEST(gemm_problem, refuses_parts_without_values) {
  float x[16] = {};
  float y[16] = {};
  const matrix<const float> a(x, 4, 4);
  const float* none = nullptr;
  const auto refuse = [&](const std::string& name, const auto& part) {
    support::expect_error(errc::invalid_argument, "the values of " + name + " are a null pointer",
                          [&] {
                            make_gemm_problem(a, a, matrix<float, layout::column_major>(y, 4, 4),
                                              gemm_detail::chain(epilogue::relu{}, part));
                          });
    EXPECT_NO_THROW(make_gemm_problem(matrix<const float>(x, 0, 4), a, matrix<float>(y, 0, 4),
                                      gemm_detail::chain(part)));
  };
  refuse("per_row_bias", epilogue::per_row_bias<float>{none});
  refuse("per_column_bias", epilogue::per_column_bias<float>{none});
  refuse("per_row_scale", epilogue::per_row_scale<float>{none});
  refuse("per_column_scale", epilogue::per_column_scale<float>{none});
}

/// Every layout of a few matrices is legal if no element is in two of them.
TEST(gemm_problem, batches_of_c_may_interleave_but_not_overlap) {
  float x[64] = {};
  float y[64] = {};
  int legal = 0;
  for (const std::int64_t rows : {1, 2, 3, 4})
    for (std::int64_t ld = 3; ld < 14; ++ld)
      for (std::int64_t stride = 0; stride < 20; ++stride)
        for (const std::int64_t batch : {1, 2, 3, 5}) {
          std::set<std::int64_t> places;
          for (std::int64_t z = 0; z < batch; ++z)
            for (std::int64_t i = 0; i < rows; ++i)
              for (std::int64_t j = 0; j < 3; ++j) places.insert(z * stride + i * ld + j);
          const bool apart = std::int64_t(places.size()) == batch * rows * 3;
          const auto make = [&] {
            make_gemm_problem(matrix<const float>(x, rows, 2), matrix<const float>(x, 2, 3),
                              matrix<float>(y, rows, 3, ld, batch, stride), gemm_detail::chain());
          };
          SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(ld) + " apart, stride " +
                       std::to_string(stride) + ", batch " + std::to_string(batch));
          legal += apart;
          if (apart)
            EXPECT_NO_THROW(make());
          else
            support::expect_error(errc::invalid_argument, "the matrices of C overlap", make);
        }
  EXPECT_GT(legal, 1000);
}

TEST(gemm_problem, a_column_major_result_is_the_transposed_problem) {
  float x[64] = {};
  float y[64] = {};
  const auto p = make_gemm_problem(matrix<const float>(x, 4, 3), matrix<const float>(x, 3, 5),
                                   matrix<float, layout::column_major>(y, 4, 5),
                                   gemm_detail::chain(epilogue::per_row_bias<float>{x}));
  EXPECT_EQ(p.m(), 5);
  EXPECT_EQ(p.n(), 4);
  EXPECT_EQ(p.k(), 3);
  using chain = typename decltype(p)::epilogue_type::chain_type;
  static_assert(std::is_same_v<chain, gemm_detail::part_chain<epilogue::per_column_bias<float>>>);
}

}  // namespace
