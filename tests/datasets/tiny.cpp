// SPDX-License-Identifier: Apache-2.0
/// The tiny matrices are what datasets/README.md says of them.
#include "loops/core/complex.hpp"
#include "loops/io/catalogue.hpp"
#include "loops/io/generate.hpp"
#include "loops/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace {

using complex = std::complex<double>;
using dense = std::vector<std::vector<complex>>;

loops::csr<double> tiny(const std::string& name) {
  return loops::read_matrix_market<double>("datasets/tiny/" + name + ".mtx");
}

template <class Value>
dense full(const loops::csr<Value>& a) {
  dense out(static_cast<std::size_t>(a.rows),
            std::vector<complex>(static_cast<std::size_t>(a.cols)));
  for (std::size_t r = 0; r < out.size(); ++r)
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      const auto v = a.values[k];
      auto& to = out[r][static_cast<std::size_t>(a.indices[k])];
      if constexpr (std::is_same_v<Value, double>)
        to += v;
      else
        to += complex(v.re, v.im);
    }
  return out;
}

dense times(const dense& a, const dense& b) {
  dense out(a.size(), std::vector<complex>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) out[i][j] += a[i][k] * b[k][j];
  return out;
}

double determinant(dense a) {
  complex product = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < a.size(); ++r)
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    if (pivot != i) {
      std::swap(a[i], a[pivot]);
      product = -product;
    }
    product *= a[i][i];
    for (std::size_t r = i + 1; r < a.size(); ++r) {
      const auto factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < a.size(); ++c) a[r][c] -= factor * a[i][c];
    }
  }
  return product.real();
}

std::multiset<int> degrees(const loops::csr<double>& a) {
  std::multiset<int> out;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r)
    out.insert(a.offsets[r + 1] - a.offsets[r]);
  return out;
}

TEST(tiny, every_file_is_listed_small_and_of_its_size) {
  struct size {
    int rows, cols, nonzeros;
  };
  const std::map<std::string, size> known = {{"laplacian_8x8", {64, 64, 288}},
                                             {"petersen", {10, 10, 30}},
                                             {"trefethen_20", {20, 20, 158}},
                                             {"mycielskian4", {11, 11, 40}},
                                             {"hermitian_4", {4, 4, 12}},
                                             {"skew_6", {6, 6, 30}},
                                             {"hilbert_5", {5, 5, 25}},
                                             {"empty_rows", {9, 7, 8}},
                                             {"zero", {5, 4, 0}},
                                             {"de_bruijn_2_4", {16, 16, 32}},
                                             {"pairs_in_triples_9", {36, 84, 252}}};
  std::size_t files = 0;
  for (const auto& f : std::filesystem::directory_iterator("datasets/tiny")) {
    ++files;
    ASSERT_EQ(known.count(f.path().stem().string()), 1U) << f.path();
    EXPECT_LT(f.file_size(), 20000U) << f.path();
    const auto a = loops::read_matrix_market<loops::complex<double>>(f.path().string());
    const auto& expected = known.at(f.path().stem().string());
    EXPECT_EQ(a.rows, expected.rows) << f.path();
    EXPECT_EQ(a.cols, expected.cols) << f.path();
    EXPECT_EQ(a.nonzeros(), expected.nonzeros) << f.path();
  }
  EXPECT_EQ(files, known.size());
}

TEST(tiny, laplacian_has_its_eigenpairs) {
  const auto a = full(tiny("laplacian_8x8"));
  const double step = std::numbers::pi / 9;
  for (int i = 1; i <= 8; ++i)
    for (int j = 1; j <= 8; ++j) {
      dense v(64, std::vector<complex>(1));
      for (int r = 0; r < 64; ++r)
        v[static_cast<std::size_t>(r)][0] =
            std::sin(i * step * (r % 8 + 1)) * std::sin(j * step * (r / 8 + 1));
      const double eigenvalue = 4 - 2 * std::cos(i * step) - 2 * std::cos(j * step);
      const auto product = times(a, v);
      for (std::size_t r = 0; r < 64; ++r)
        ASSERT_NEAR(product[r][0].real(), eigenvalue * v[r][0].real(), 1e-13);
    }
}

TEST(tiny, petersen_graph_satisfies_its_equation) {
  const auto a = full(tiny("petersen"));
  const auto square = times(a, a);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(square[i][j] + a[i][j], complex(i == j ? 3 : 1));
}

TEST(tiny, mycielskian_is_the_groetzsch_graph) {
  const auto matrix = tiny("mycielskian4");
  EXPECT_EQ(degrees(matrix), (std::multiset<int>{3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5}));
  const auto a = full(matrix);
  const auto square = times(a, a);
  for (std::size_t i = 0; i < 11; ++i)
    for (std::size_t j = 0; j < 11; ++j)
      EXPECT_EQ(a[i][j] * square[i][j], complex(0)) << "a triangle";
}

TEST(tiny, generators_give_the_same_matrices) {
  const std::map<std::string, std::string> specs = {
      {"laplacian_8x8", "stencil5:nx=8,ny=8"},
      {"trefethen_20", "trefethen:rows=20"},
      {"mycielskian4", "mycielskian:order=4"},
      {"de_bruijn_2_4", "de_bruijn:symbols=2,length=4"},
      {"pairs_in_triples_9", "pairs_in_subsets:points=9,subset=3"}};
  for (const auto& [name, spec] : specs)
    EXPECT_EQ(full(tiny(name)), full(loops::generate<double>(spec))) << name;
}

TEST(tiny, hermitian_matrix_satisfies_its_equation) {
  const auto h =
      full(loops::read_matrix_market<loops::complex<double>>("datasets/tiny/hermitian_4.mtx"));
  EXPECT_EQ(h[0][3], complex(0, 1));
  const auto square = times(h, h);
  const auto fourth = times(square, square);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(h[i][j], std::conj(h[j][i]));
      EXPECT_EQ(fourth[i][j] - 6.0 * square[i][j], complex(i == j ? -1 : 0));
    }
}

TEST(tiny, skew_matrix_is_skew_with_determinant_one) {
  const auto a = full(tiny("skew_6"));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(a[i][j], complex(i < j ? 1 : i > j ? -1 : 0));
  EXPECT_NEAR(determinant(a), 1, 1e-12);
}

TEST(tiny, hilbert_matrix_is_an_array_down_its_columns) {
  const auto a = full(tiny("hilbert_5"));
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_EQ(a[i][j], complex(1.0 / static_cast<double>(i + j + 1)));
  EXPECT_NEAR(determinant(a) * 266716800000.0, 1, 1e-9);
}

TEST(tiny, empty_rows_and_columns_are_where_they_should_be) {
  const auto a = full(tiny("empty_rows"));
  std::set<std::size_t> rows, cols;
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 7; ++j)
      if (a[i][j] != complex(0)) rows.insert(i + 1), cols.insert(j + 1);
  EXPECT_EQ(rows, (std::set<std::size_t>{2, 3, 6, 7, 8}));
  EXPECT_EQ(cols, (std::set<std::size_t>{1, 2, 4, 7}));
}

TEST(tiny, de_bruijn_graph_reaches_everything_in_four_steps) {
  const auto a = full(tiny("de_bruijn_2_4"));
  const auto square = times(a, a);
  EXPECT_EQ(times(square, square), dense(16, std::vector<complex>(16, 1)));
}

TEST(tiny, pairs_in_triples_are_a_design) {
  const auto a = full(tiny("pairs_in_triples_9"));
  dense transposed(84, std::vector<complex>(36));
  for (std::size_t i = 0; i < 36; ++i)
    for (std::size_t j = 0; j < 84; ++j) transposed[j][i] = a[i][j];
  const auto gram = times(a, transposed);
  for (std::size_t i = 0; i < 36; ++i) {
    int neighbours = 0;
    for (std::size_t j = 0; j < 36; ++j) neighbours += i != j && gram[i][j] == complex(1);
    EXPECT_EQ(gram[i][i], complex(7));
    EXPECT_EQ(neighbours, 14);  // 2 * 7 pairs share one point; two triples share at most one pair
  }
}

}  // namespace
