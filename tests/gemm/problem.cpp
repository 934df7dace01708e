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

TEST(gemm_problem, of_one_row_asks_for_no_distance_between_rows) {
  float x[64] = {};
  float y[64] = {};
  for (const std::int64_t apart : {0, 1, 4}) {
    const matrix<const float> a(x, 1, 5, apart);
    const matrix<const float, layout::column_major> b(x, 5, 1, apart);
    const auto p = make_gemm_problem(a, b, matrix<float>(y, 1, 1, 0), gemm_detail::chain());
    EXPECT_EQ(p.k(), 5);
  }
}

TEST(gemm_problem, of_integers_is_as_deep_as_their_sums_allow) {
  constexpr std::int64_t most = 131071;  // times 2^14 is less than 2^31
  const auto make = [](std::int64_t k) {
    return make_gemm_problem(matrix<const std::int8_t>(nullptr, 0, k),
                             matrix<const std::int8_t>(nullptr, k, 0),
                             matrix<std::int32_t>(nullptr, 0, 0), gemm_detail::chain());
  };
  EXPECT_EQ(make(most).k(), most);
  support::expect_error(errc::overflow, "parts of k of up to 131071", [&] { make(most + 1); });
}

TEST(gemm_problem, refuses_a_result_that_overlaps_an_operand) {
  float x[64] = {};
  float y[64] = {};
  using in = matrix<const float>;
  using out = matrix<float>;
  using out_by_columns = matrix<float, layout::column_major>;
  refused(errc::invalid_argument, "C overlaps A, which is read", in(x, 4, 3), in(y, 3, 5),
          out(x, 4, 5));
  refused(errc::invalid_argument, "C overlaps B, which is read", in(y, 4, 3), in(x, 3, 5),
          out_by_columns(x, 4, 5));
  // Neither begins where the other does.
  refused(errc::invalid_argument, "C overlaps A", in(x, 4, 3), in(y, 3, 5), out(x + 11, 4, 5));
  refused(errc::invalid_argument, "C overlaps A", in(x + 19, 4, 3), in(y, 3, 5), out(x, 4, 5));
  refused(errc::invalid_argument, "C overlaps B", in(y, 4, 3), in(x + 6, 3, 5),
          out_by_columns(x, 4, 5));
  EXPECT_NO_THROW(
      make_gemm_problem(in(x, 4, 3), in(y, 3, 5), out(x + 12, 4, 5), gemm_detail::chain()));
  EXPECT_NO_THROW(
      make_gemm_problem(in(x + 20, 4, 3), in(y, 3, 5), out(x, 4, 5), gemm_detail::chain()));
  // Nothing is read, or nothing is written.
  EXPECT_NO_THROW(make_gemm_problem(in(x, 4, 0), in(x, 0, 5), out(x, 4, 5), gemm_detail::chain()));
  EXPECT_NO_THROW(make_gemm_problem(in(x, 0, 3), in(x, 3, 5), out(x, 0, 5), gemm_detail::chain()));
}

/// As a factorisation updates the rest of a matrix by its first rows and columns.
TEST(gemm_problem, blocks_of_one_matrix_do_not_overlap) {
  float x[500] = {};
  for (const std::int64_t batch : {1, 3}) {
    const matrix<const float> a(x + 20, 8, 2, 10, batch, 100);
    const matrix<const float> b(x + 2, 2, 8, 10, batch, 100);
    const auto c = [&](std::int64_t from) { return matrix<float>(x + from, 8, 8, 10, batch, 100); };
    EXPECT_NO_THROW(make_gemm_problem(a, b, c(22), gemm_detail::chain(epilogue::beta{1.0F})));
    refused(errc::invalid_argument, "C overlaps A", a, b, c(21));
    refused(errc::invalid_argument, "C overlaps B", a, b, c(12));
    // The second matrix of each begins here.
    if (batch > 1) {
      refused(errc::invalid_argument, "C overlaps B", a, b, c(112));
    } else {
      EXPECT_NO_THROW(make_gemm_problem(a, b, c(112), gemm_detail::chain()));
    }
  }
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

TEST(gemm_problem, looks_at_the_values_of_the_products_it_is_of) {
  float x[16] = {};
  float y[64] = {};
  const matrix<const float> a(x, 4, 4);
  const auto parts = gemm_detail::chain(epilogue::per_row_bias<float>{y, 16});
  const auto make = [&](float* c, std::int64_t first) {
    return make_gemm_problem(a, a, matrix<float>(c, 4, 4), parts, source_place::here(), first);
  };
  EXPECT_NO_THROW(make(y + 4, 0));
  EXPECT_NO_THROW(make(y, 1));
  for (const std::int64_t first : {0, 1, 2})
    support::expect_error(errc::invalid_argument, "C overlaps the values of per_row_bias",
                          [&] { make(y + 16 * first, first); });
}

TEST(gemm_problem, refuses_a_result_over_the_values_of_parts) {
  float x[16] = {};
  float y[64] = {};
  const auto make = [&](const auto& part, std::int64_t first = 0) {
    make_gemm_problem(matrix<const float>(x, 2, 2), matrix<const float>(x, 2, 3),
                      matrix<float, layout::column_major>(y + 20, 2, 3, 4, 2, 12),
                      gemm_detail::chain(epilogue::relu{}, part), {}, first);
  };
  const auto refuse = [&](const std::string& name, const auto& part, std::int64_t first = 0) {
    support::expect_error(errc::invalid_argument, "C overlaps the values of " + name,
                          [&] { make(part, first); });
  };
  // Of two values by row, of three by column; of C, two of every four elements from 20 to 42.
  EXPECT_NO_THROW(make(epilogue::per_row_bias<float>{y + 18}));
  refuse("per_row_bias", epilogue::per_row_bias<float>{y + 19});
  EXPECT_NO_THROW(make(epilogue::per_row_scale<float>{y + 22}));
  refuse("per_row_scale", epilogue::per_row_scale<float>{y + 23});
  EXPECT_NO_THROW(make(epilogue::per_column_bias<float>{y + 17}));
  refuse("per_column_bias", epilogue::per_column_bias<float>{y + 18});
  EXPECT_NO_THROW(make(epilogue::per_column_scale<float>{y + 42}));
  refuse("per_column_scale", epilogue::per_column_scale<float>{y + 41});
  // A vector for each matrix, of which the second would be overwritten; or the third.
  EXPECT_NO_THROW(make(epilogue::per_row_bias<float>{y, 18}));
  refuse("per_row_bias", epilogue::per_row_bias<float>{y, 19});
  refuse("per_row_bias", epilogue::per_row_bias<float>{y + 1, 19}, 1);
  EXPECT_NO_THROW(make(epilogue::per_row_bias<float>{y + 60, -18}));
  refuse("per_row_bias", epilogue::per_row_bias<float>{y + 60, -19});
}

TEST(gemm_problem, refuses_values_of_parts_that_cannot_be_addressed) {
  float x[16] = {};
  float y[64] = {};
  constexpr std::int64_t most = INT64_MAX / 4;
  const auto make = [&](std::int64_t batch, std::int64_t stride, std::int64_t first) {
    make_gemm_problem(matrix<const float>(x, 2, 2), matrix<const float>(x, 2, 3),
                      matrix<float>(y, 2, 3, 3, batch, 6),
                      gemm_detail::chain(epilogue::per_column_bias<float>{x + 8, stride}), {},
                      first);
  };
  for (const std::int64_t stride : {INT64_MAX, most, most - 2, -most, INT64_MIN}) {
    SCOPED_TRACE(stride);
    const auto refuse = [&](std::int64_t batch, std::int64_t first) {
      support::expect_error(errc::overflow,
                            "the values of per_column_bias span more bytes than can be addressed",
                            [&] { make(batch, stride, first); });
    };
    refuse(2, 0);
    refuse(3, 0);
    refuse(1, 1);  // of a group
    EXPECT_NO_THROW(make(1, stride, 0));
  }
  EXPECT_NO_THROW(make(2, most / 2, 0));
}

/// Every layout of a few matrices is legal if no element is in two of them.
TEST(gemm_problem, batches_of_c_may_interleave_but_not_overlap) {
  float x[64] = {};
  float y[128] = {};
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
