// SPDX-License-Identifier: Apache-2.0
/// Every generator gives a well-formed matrix, the same one each time, with the facts it promises.
#include "loops/io/generate.hpp"

#include "loops/core/complex.hpp"
#include "loops/core/float16.hpp"
#include "loops/io/catalogue.hpp"
#include "support/few_threads.hpp"
#include "support/patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <new>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using loops::errc;
using loops::generate;
using support::columns;
using support::lengths;
using support::pattern;
using support::symmetric;

template <class Matrix>
void expect_well_formed(const Matrix& a, const std::string& spec) {
  SCOPED_TRACE(spec);
  ASSERT_EQ(a.offsets.size(), static_cast<std::size_t>(a.rows) + 1);
  ASSERT_EQ(a.offsets[0], 0);
  ASSERT_EQ(static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(a.rows)]),
            a.indices.size());
  ASSERT_EQ(a.values.size(), a.indices.size());
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
    ASSERT_LE(a.offsets[r], a.offsets[r + 1]);
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      ASSERT_GE(a.indices[k], 0);
      ASSERT_LT(a.indices[k], a.cols);
      ASSERT_TRUE(std::isfinite(a.values[k]));
      ASSERT_NE(a.values[k], 0);
      if (k == static_cast<std::size_t>(a.offsets[r])) continue;
      ASSERT_LT(a.indices[k - 1], a.indices[k]) << "row " << r;
    }
  }
}

template <class Make>
void expect_error(Make make, errc code, const std::string& part) {
  try {
    make();
    ADD_FAILURE() << "no error; expected one with: " << part;
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(e.message().find(part), std::string::npos) << e.message();
  }
}

void expect_refused(const std::string& spec, const std::string& part) {
  SCOPED_TRACE(spec);
  expect_error([&] { (void)loops::make_rows(spec); }, errc::invalid_argument, part);
}

TEST(generate, every_generator_is_well_formed_and_independent_of_threads) {
  for (const auto& g : loops::list_generators()) {
    const auto one = generate(g.name, 1);
    expect_well_formed(one, g.name);
    for (const unsigned threads : {2U, 7U}) {
      const auto many = generate(g.name, threads);
      ASSERT_EQ(loops::fingerprint(many.view()), loops::fingerprint(one.view())) << g.name;
      ASSERT_TRUE(std::equal(one.values.begin(), one.values.end(), many.values.begin())) << g.name;
    }
  }
}

TEST(generate, every_generator_says_what_its_parameters_mean) {
  std::set<std::string> names;
  for (const auto& g : loops::list_generators()) {
    EXPECT_TRUE(names.insert(g.name).second) << g.name;
    EXPECT_FALSE(g.summary.empty()) << g.name;
    std::string spelled = g.name + ':';
    for (const auto& p : g.parameters) {
      EXPECT_FALSE(p.meaning.empty()) << g.name << ' ' << p.name;
      spelled += (spelled.back() == ':' ? "" : ",") + p.name + '=' + p.fallback;
    }
    EXPECT_EQ(loops::make_rows(spelled)->rows(), loops::make_rows(g.name)->rows()) << spelled;
  }
}

// Computed on x86-64 and pinned: another platform, compiler or thread count must get these too.
TEST(generate, matrices_are_pinned) {
  const std::map<std::string, std::uint64_t> known = {
      // clang-format off
      {"arrow:rows=100", 0xaeaeeedfc520bcf0U},
      {"banded:rows=1000,width=7", 0xdfe9c1d06748df54U},
      {"block_diagonal:blocks=50,size=6", 0x3042983d3a1d02ebU},
      {"circuit:nodes=3000", 0x935d2345b32ba847U},
      {"de_bruijn:symbols=3,length=6", 0x68ff3d017b46ac63U},
      {"dense_column:rows=700", 0x23a897e64181c018U},
      {"dense_row:rows=700", 0x6f2e5e0fe5d0afcdU},
      {"empty_rows:rows=3000,run=10", 0x3bc40891cd7fc332U},
      {"mesh:nx=9,ny=8,nz=7", 0x459a45806eef0ff8U},
      {"mycielskian:order=9", 0xc1ec858fe384ef85U},
      {"pairs_in_subsets:points=12,subset=4", 0x59f0a7b20b5994bdU},
      {"power_law:rows=3000,nonzeros=40000", 0x5bc3ec13085430fdU},
      {"power_law:rows=3000,nonzeros=40000,exponent=1.5,seed=9", 0x7c5bc28fe9c834f1U},
      {"random:rows=2000,cols=3000,per_row=12,spread=5", 0x94fd1a4f62fc757bU},
      {"rmat:scale=10,edges=16", 0xc681bd6dd16357fdU},
      {"rmat:scale=11,edges=20,shuffle=0,seed=5", 0xa6784db4a05065afU},
      {"rmat:scale=12,edges=5,a=0.45,b=0.15,c=0.15", 0xeacbc14bc392a7f3U},
      {"saddle_point:nx=9,ny=8,nz=7", 0xe898d9efcf77432cU},
      {"scattered_band:rows=2000,width=50,per_row=12,spread=5", 0xc868a7cb2a5b1180U},
      {"short_wide:rows=10", 0x84199228290baf84U},
      {"stencil27:nx=9,ny=8,nz=7", 0xc5103db691704c75U},
      {"stencil5:nx=31,ny=17", 0xa9381dc39cb588beU},
      {"stencil7:nx=9,ny=8,nz=7", 0x6f7babd38b58023eU},
      {"stencil9:nx=31,ny=17", 0x3a9425c6a94cf049U},
      {"tall_thin:rows=3000", 0xa4d87f9ead73bc91U},
      {"trefethen:rows=500", 0xf69ab9f33899358eU},
      {"web:pages=5000", 0xcc165086db029c57U},
      // clang-format on
  };
  for (const auto& [spec, expected] : known)
    EXPECT_EQ(loops::fingerprint(generate(spec).view()), expected) << spec;
  const auto a = generate<double>("random:rows=1,cols=3,per_row=3");
  EXPECT_EQ(a.values[0], -12748903.0 / 16777216);
  EXPECT_EQ(a.values[1], -4095095.0 / 16777216);
}

TEST(generate, seed_decides_the_random_ones) {
  for (const std::string name :
       {"random", "short_wide", "tall_thin", "dense_row", "dense_column", "scattered_band",
        "empty_rows", "power_law", "rmat", "mesh", "web", "circuit"}) {
    const auto print = [&](const char* seed) {
      return loops::fingerprint(generate(name + ":seed=" + seed).view());
    };
    EXPECT_NE(print("1"), print("2")) << name;
    EXPECT_EQ(print("3"), print("3")) << name;
  }
}

TEST(generate, index_and_value_types_do_not_change_the_matrix) {
  const std::string spec = "rmat:scale=10,edges=8";
  const auto narrow = generate<float>(spec);
  const auto wide = generate<double, std::int64_t, std::int64_t>(spec);
  const auto mixed = generate<loops::half, std::int32_t, std::int64_t>(spec);
  const auto complex = generate<loops::complex<double>>(spec);
  EXPECT_EQ(loops::fingerprint(narrow.view()), loops::fingerprint(wide.view()));
  EXPECT_EQ(loops::fingerprint(narrow.view()), loops::fingerprint(mixed.view()));
  for (std::size_t k = 0; k < narrow.values.size(); ++k) {
    ASSERT_EQ(static_cast<double>(narrow.values[k]), wide.values[k]);
    ASSERT_EQ(complex.values[k].re, wide.values[k]);
    ASSERT_EQ(complex.values[k].im, 0);
  }
}

TEST(generate, random_values_lie_on_both_sides_of_zero_and_can_be_chosen) {
  const auto a = generate("stencil5:nx=50,ny=50,values=random");
  double sum = 0;
  for (const float v : a.values) {
    ASSERT_LT(std::abs(v), 1);
    sum += static_cast<double>(v);
  }
  EXPECT_LT(std::abs(sum) / static_cast<double>(a.values.size()), 0.03);
  for (const float v : generate("random:rows=100,values=ones").values) ASSERT_EQ(v, 1);
}

TEST(generate, values_that_the_type_does_not_hold_are_refused) {
  // The last row's prime is 224737.
  expect_error([] { (void)generate<loops::half>("trefethen:rows=20000"); }, errc::overflow,
               "does not fit the type of the values");
  EXPECT_NO_THROW((void)generate<loops::half>("trefethen:rows=6000"));
  EXPECT_NO_THROW((void)generate<loops::bfloat16>("trefethen:rows=20000"));
  expect_error([] { (void)generate<int>("random:rows=9"); }, errc::overflow, "wider Value");
  expect_error([] { (void)generate<std::int16_t>("trefethen:rows=6000"); }, errc::overflow, "");
  EXPECT_EQ(generate<int>("random:rows=9,values=ones").values[0], 1);
  EXPECT_EQ(loops::detail::from_double<std::int64_t>(-0x1p63), std::int64_t{-1} << 63);
  expect_error([] { (void)loops::detail::from_double<std::int64_t>(0x1p63); }, errc::overflow, "");
  expect_error([] { (void)loops::detail::from_double<float>(1e300); }, errc::overflow, "");
  // What is infinite in the first place stays so.
  EXPECT_TRUE(std::isinf(loops::detail::from_double<float>(-HUGE_VAL)));
  EXPECT_TRUE(std::isinf(float(loops::detail::from_double<loops::half>(HUGE_VAL))));
  // Beyond the floats that are whole, as the first prime after 2^24.
  EXPECT_EQ(loops::detail::from_double<loops::complex<double>>(16777259).re, 16777259);
}

TEST(generate, dimensions_that_do_not_fit_are_refused) {
  expect_error([] { (void)generate<float, std::int16_t>("banded:rows=40000"); }, errc::overflow,
               "40000 rows");
  expect_error([] { (void)generate<float, std::int16_t>("random:rows=9,cols=40000,per_row=2"); },
               errc::overflow, "40000 columns");
  expect_error(
      [] { (void)generate<float, std::int32_t, std::int16_t>("banded:rows=3000,width=11"); },
      errc::overflow, "nonzeros");
  EXPECT_EQ((generate<float, std::int16_t, std::int32_t>("banded:rows=32767,width=1").rows), 32767);
  EXPECT_EQ(loops::make_rows("rmat:scale=3,edges=0")->rows(), 8);
}

TEST(generate, a_matrix_beyond_the_machines_memory_is_refused_before_it_is_made) {
  EXPECT_NO_THROW(loops::detail::require_room(1e6));
  expect_error([] { loops::detail::require_room(1e18); }, errc::out_of_memory, "GB");
  using wide = std::int64_t;
  expect_error([] { (void)generate<double, wide, wide>("banded:rows=100000G,width=1"); },
               errc::out_of_memory, "smaller");
  // All in one row; machines of less than half a petabyte are meant.
  for (const char* spec :
       {"short_wide:rows=1,cols=200000G,per_row=100000G",
        "short_wide:rows=1,cols=200000G,per_row=100000G,values=ones",
        "short_wide:rows=1,cols=200000G,per_row=100000G,spread=100000G",
        "dense_row:rows=9,cols=200000G,at=0", "dense_column:rows=1,cols=200000G,per_row=100000G",
        "scattered_band:rows=10G,width=10G,per_row=10G",
        "empty_rows:rows=1,cols=200000G,per_row=100000G", "banded:rows=1G,width=2G",
        "pairs_in_subsets:points=62,subset=31", "power_law:rows=100,cols=200000G,nonzeros=200000G",
        "block_diagonal:blocks=1,size=2G", "rmat:scale=31,edges=32768"})
    expect_error([&] { (void)generate<double, wide, wide>(spec); }, errc::out_of_memory, "smaller");
}

TEST(generate, as_many_nonzeros_as_are_expected_are_made) {
  for (const auto& g : loops::list_generators())
    EXPECT_LE(loops::make_rows(g.name)->least_nonzeros(), 1.02 * generate(g.name).nonzeros())
        << g.name;
  for (const char* spec :
       {"random:rows=20,cols=70,per_row=9", "scattered_band:rows=50,width=30,per_row=7",
        "dense_row:rows=30,cols=40,per_row=2", "dense_column:rows=30,per_row=4", "arrow:rows=1",
        "arrow:rows=9", "block_diagonal:blocks=3,size=5", "mycielskian:order=2",
        "mycielskian:order=6", "pairs_in_subsets:points=9,subset=4", "de_bruijn:symbols=3,length=4",
        "power_law:rows=40,nonzeros=333", "empty_rows:rows=40,empty=0", "banded:rows=5,width=1",
        "arrow:rows=9,values=ones"})
    EXPECT_EQ(loops::make_rows(spec)->least_nonzeros(), generate(spec).nonzeros()) << spec;
  for (int width = 1; width <= 14; ++width) {
    const std::string spec = "banded:rows=7,width=" + std::to_string(width);
    const double least = loops::make_rows(spec)->least_nonzeros();
    EXPECT_LE(least, generate(spec).nonzeros()) << spec;
    EXPECT_GE(2 * least, generate(spec).nonzeros()) << spec;
  }
}

TEST(generate, failures_of_a_source_reach_the_caller) {
  struct broken final : loops::row_source {
    std::int64_t rows() const override { return 1000; }
    std::int64_t cols() const override { return 1; }
    void row(std::int64_t r, std::vector<std::int64_t>& c) const override {
      if (r == 700) throw std::bad_alloc();
      c.push_back(0);
    }
    void values(std::int64_t, std::span<const std::int64_t>, std::span<double> out) const override {
      out[0] = 1;
    }
  };
  for (const unsigned threads : {1U, 4U})
    expect_error([&] { (void)generate(broken{}, threads); }, errc::out_of_memory, "memory");
}

TEST(generate, goes_on_with_the_threads_that_there_are) {
  if (support::under_sanitizers()) GTEST_SKIP() << "NOT TESTED: sanitizers need the room";
  const auto child = [] {
    support::leave_room_for_few_threads();
    std::atomic<std::int64_t> sum{0};
    loops::detail::for_each_chunk(100000, 2000, [&](std::int64_t c) { sum += c; });
    _exit(sum == 4999950000 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

TEST(generate, bad_specs_are_refused_with_what_is_legal) {
  expect_refused("", "there are: banded");
  expect_refused("bandit", "no generator \"bandit\"");
  expect_refused("banded:wide=3", "it has: rows, width, seed, values");
  expect_refused("banded:", "it has: rows");
  expect_refused("banded:width=3,", "it has: rows");
  expect_refused("banded:,width=3", "it has: rows");
  expect_refused("banded:width", "write width=VALUE");
  expect_refused("banded:width=", "write width=VALUE");
  expect_refused("banded:width=3,width=4", "given twice");
  expect_refused("rmat:a=1.5", "a must be a number between 0 and 1, not \"1.5\"");
  expect_refused("banded:width=0", "width must be an integer between 1 and");
  expect_refused("banded:width=3x", "not \"3x\"");
  expect_refused("banded:width=-3", "not \"-3\"");
  expect_refused("banded:rows=99999999999999999999", "rows must be");
  expect_refused("banded:rows=9000000000G", "rows must be");
  expect_refused("banded:rows=3,,width=2", "no parameter \"\"");
  expect_refused("random:rows=10,cols=5,per_row=6", "per_row must be an integer between 0 and 5");
  expect_refused("random:cols=10,per_row=8,spread=3", "spread must be an integer between 0 and 2");
  expect_refused("empty_rows:empty=1.5", "empty must be a number");
  expect_refused("empty_rows:empty=nan", "empty must be a number");
  expect_refused("rmat:a=0.6,b=0.3,c=0.3", "a + b + c");
  expect_refused("rmat:a=1,b=0,c=0", "a + b must be above 0 and below 1");
  expect_refused("rmat:shuffle=2", "shuffle must be one of 0, 1");
  expect_refused("banded:values=zero", "values must be one of natural, random, ones");
  expect_refused("power_law:rows=10,nonzeros=101",
                 "nonzeros must be an integer between 10 and 100");
  expect_refused("power_law:exponent=1", "exponent must be");
  expect_refused("mycielskian:order=1", "order must be");
  expect_refused("trefethen:rows=1,minor=1", "rows must be");
  expect_refused("pairs_in_subsets:points=5,subset=6", "subset must be an integer between 2 and 5");
  expect_refused("de_bruijn:symbols=1000,length=48", "2^48");
  EXPECT_EQ(loops::make_rows("banded:rows=3k")->rows(), 3000);
  EXPECT_EQ(loops::make_rows("banded:rows=2M")->rows(), 2000000);
}

TEST(generate, banded) {
  const auto a = generate("banded:rows=6,width=4");
  EXPECT_EQ(columns(a, 0), (std::vector{0, 1, 2}));
  EXPECT_EQ(columns(a, 2), (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(columns(a, 5), (std::vector{4, 5}));
  EXPECT_EQ(generate("banded:rows=5,width=10").nonzeros(), 25);
}

TEST(generate, stencils_are_laplacians) {
  const std::map<std::string, int> nonzeros = {
      {"stencil5:nx=7,ny=4", 5 * 28 - 2 * 7 - 2 * 4},
      {"stencil9:nx=7,ny=4", (3 * 7 - 2) * (3 * 4 - 2)},
      {"stencil7:nx=3,ny=4,nz=5", 7 * 60 - 2 * (12 + 15 + 20)},
      {"stencil27:nx=3,ny=4,nz=5", 7 * 10 * 13},
  };
  for (const auto& [spec, expected] : nonzeros) {
    const auto a = generate(spec);
    EXPECT_EQ(a.nonzeros(), expected) << spec;
    EXPECT_TRUE(symmetric(a)) << spec;
    // A row without a border adds up to zero, every other one to more.
    int zero_sums = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
      float sum = 0;
      for (auto k = static_cast<std::size_t>(a.offsets[r]);
           k < static_cast<std::size_t>(a.offsets[r + 1]); ++k)
        sum += a.values[k];
      EXPECT_GE(sum, 0);
      zero_sums += sum == 0;
    }
    EXPECT_EQ(zero_sums, spec.find("nz") == std::string::npos ? 5 * 2 : 1 * 2 * 3) << spec;
  }
  const auto a = generate("stencil5:nx=3,ny=2");
  EXPECT_EQ(columns(a, 1), (std::vector{0, 1, 2, 4}));
  EXPECT_EQ(columns(a, 3), (std::vector{0, 3, 4}));
}

TEST(generate, one_dense_row_or_column) {
  auto many = lengths(generate("dense_row:rows=1000,per_row=3,at=17"));
  EXPECT_EQ(many[17], 1000);
  many.erase(many.begin() + 17);
  EXPECT_EQ(std::set<int>(many.begin(), many.end()), std::set<int>{3});
  EXPECT_EQ(lengths(generate("dense_row:rows=9,cols=5"))[4], 5);

  for (const int at : {0, 500, 999}) {
    const auto a = generate("dense_column:rows=800,cols=1000,per_row=4,at=" + std::to_string(at));
    std::vector<int> uses(1000);
    for (const int c : a.indices) ++uses[static_cast<std::size_t>(c)];
    EXPECT_EQ(uses[static_cast<std::size_t>(at)], 800);
    EXPECT_EQ(a.nonzeros(), 3200);
    uses.erase(uses.begin() + at);
    EXPECT_LT(*std::max_element(uses.begin(), uses.end()), 20);
  }
}

TEST(generate, empty_rows_come_in_runs) {
  const auto many = lengths(generate("empty_rows:rows=40000,per_row=2,empty=0.25,run=4"));
  EXPECT_NEAR(static_cast<double>(std::count(many.begin(), many.end(), 0)), 10000, 5 * 4 * 43);
  for (std::size_t r = 0; r < many.size(); r += 4)
    for (std::size_t k = 1; k < 4; ++k) ASSERT_EQ(many[r], many[r + k]);
  EXPECT_EQ(generate("empty_rows:empty=1").nonzeros(), 0);
  EXPECT_EQ(generate("empty_rows:rows=100,per_row=3,empty=0").nonzeros(), 300);
}

TEST(generate, random_columns_are_uniform_at_every_density) {
  for (const int per_row : {0, 1, 16, 49, 50, 51, 99, 100}) {
    const auto a = generate("random:rows=4000,cols=100,per_row=" + std::to_string(per_row));
    EXPECT_EQ(a.nonzeros(), 4000 * per_row);
    std::vector<int> uses(100);
    for (const int c : a.indices) ++uses[static_cast<std::size_t>(c)];
    const double p = per_row / 100.0;
    for (const int n : uses)
      EXPECT_NEAR(n, 4000 * p, 5 * std::sqrt(4000 * p * (1 - p)) + 1e-9) << per_row;
  }
  const auto spread = lengths(generate("random:rows=5000,cols=100,per_row=10,spread=4"));
  EXPECT_EQ(std::set<int>(spread.begin(), spread.end()),
            (std::set<int>{6, 7, 8, 9, 10, 11, 12, 13, 14}));
  // Long enough for the radix sort, with columns above one digit of it.
  expect_well_formed(generate("short_wide:rows=2,cols=3000000,per_row=5000"), "short_wide");
}

TEST(generate, scattered_bands_stay_as_wide_at_the_corners) {
  const auto a = generate("scattered_band:rows=500,width=20,per_row=7,spread=3");
  expect_well_formed(a, "scattered_band");
  std::vector<int> offset(20);
  for (int r = 0; r < 500; ++r)
    for (int i = a.offsets[std::size_t(r)]; i < a.offsets[std::size_t(r) + 1]; ++i)
      ++offset.at(std::size_t(a.indices[std::size_t(i)] - std::clamp(r - 10, 0, 480)));
  for (const int n : offset) EXPECT_NEAR(n, 500 * 7 / 20, 60);
  const auto full = generate("scattered_band:rows=9,width=3,per_row=3");
  EXPECT_EQ(full.nonzeros(), 27);
  expect_refused("scattered_band:width=5,per_row=6", "per_row must be an integer between 0 and 5");
  expect_refused("scattered_band:rows=5,width=6",
                 "width must be an integer between 1 and 5, not \"6\"");
  expect_refused("scattered_band:rows=5",
                 "between 1 and 5, not its default \"1000\": write width=VALUE");
}

TEST(generate, block_diagonal_and_arrow) {
  const auto a = generate("block_diagonal:blocks=3,size=2");
  EXPECT_EQ(pattern(a), (std::set<std::pair<int, int>>{{0, 0},
                                                       {0, 1},
                                                       {1, 0},
                                                       {1, 1},
                                                       {2, 2},
                                                       {2, 3},
                                                       {3, 2},
                                                       {3, 3},
                                                       {4, 4},
                                                       {4, 5},
                                                       {5, 4},
                                                       {5, 5}}));
  EXPECT_EQ(generate("arrow:rows=46500").nonzeros(), 139498);  // SPQR's arrow
  EXPECT_EQ(generate("arrow:rows=1").nonzeros(), 1);
}

TEST(generate, power_law_has_its_exponent_and_its_nonzeros) {
  for (const double exponent : {1.8, 2.1, 3.0}) {
    const auto text = std::to_string(exponent);
    const auto many = lengths(generate("power_law:rows=200000,nonzeros=3000000,exponent=" + text));
    std::int64_t sum = 0;
    for (const int n : many) sum += n;
    EXPECT_EQ(sum, 3000000);
    // The share of rows longer than k falls as k^(1 - exponent).
    const auto longer = [&](int k) {
      return static_cast<double>(
          std::count_if(many.begin(), many.end(), [k](int n) { return n >= k; }));
    };
    const double slope = std::log(longer(40) / longer(160)) / std::log(4.0);
    EXPECT_NEAR(slope, exponent - 1, 0.15) << text;
  }
  const auto bounded = lengths(generate("power_law:rows=1000,nonzeros=20000,least=15,most=40"));
  EXPECT_EQ(*std::min_element(bounded.begin(), bounded.end()), 15);
  EXPECT_EQ(*std::max_element(bounded.begin(), bounded.end()), 40);
  EXPECT_EQ(generate("power_law:rows=30,nonzeros=900").nonzeros(), 900);
  EXPECT_EQ(generate("power_law:rows=30,nonzeros=0,least=0").nonzeros(), 0);
}

TEST(generate, rmat_fills_its_quadrants_as_asked) {
  // So few edges that hardly any is drawn twice.
  const auto a = generate("rmat:scale=16,edges=4,a=0.5,b=0.25,c=0.15,shuffle=0");
  double quadrant[2][2] = {};
  for (const auto& [r, c] : pattern(a)) quadrant[r >> 15][c >> 15] += 1;
  const double n = 4 * 65536;
  EXPECT_NEAR(quadrant[0][0] / n, 0.50, 0.02);
  EXPECT_NEAR(quadrant[0][1] / n, 0.25, 0.01);
  EXPECT_NEAR(quadrant[1][0] / n, 0.15, 0.01);
  EXPECT_NEAR(quadrant[1][1] / n, 0.10, 0.01);
  // The lowest bits follow the same probabilities.
  double low[2][2] = {};
  for (const auto& [r, c] : pattern(a)) low[r & 1][c & 1] += 1;
  EXPECT_NEAR(low[0][1] / n, 0.25, 0.02);
  EXPECT_NEAR(low[1][0] / n, 0.15, 0.02);
}

TEST(generate, rmat_shuffling_is_a_renumbering) {
  for (const int scale : {1, 2, 3, 7, 12}) {
    const auto name = "rmat:edges=6,scale=" + std::to_string(scale);
    auto plain = lengths(generate(name + ",shuffle=0")), mixed = lengths(generate(name));
    // Streams are named by the label, so only what decides the lengths before duplicates is shared.
    EXPECT_EQ(plain.size(), mixed.size());
    EXPECT_EQ(std::count(plain.begin(), plain.end(), 0), std::count(mixed.begin(), mixed.end(), 0))
        << name;
    if (scale == 12) {
      EXPECT_NE(plain, mixed);
    }
  }
}

TEST(generate, meshes_are_symmetric_blocks_of_unknowns) {
  const auto a = generate("mesh:nx=5,ny=4,nz=3,unknowns=2,keep=0.5");
  EXPECT_EQ(a.rows, 120);
  EXPECT_TRUE(symmetric(a));
  for (std::int64_t r = 0; r < a.rows; ++r) {
    const auto row = columns(a, static_cast<std::size_t>(r));
    EXPECT_EQ(row, columns(a, static_cast<std::size_t>(r ^ 1)));  // the other unknown of the point
    EXPECT_TRUE(std::count(row.begin(), row.end(), r)) << r;
    for (std::size_t k = 0; k < row.size(); k += 2) {
      EXPECT_EQ(row[k] % 2, 0);
      EXPECT_EQ(row[k + 1], row[k] + 1);
    }
  }
  EXPECT_EQ(generate("mesh:nx=5,ny=4,nz=3,unknowns=1,keep=1").nonzeros(), 13 * 10 * 7);
  EXPECT_EQ(generate("mesh:nx=5,ny=4,nz=3,unknowns=3,keep=0").nonzeros(), 60 * 9);
  // Of the 26 around a point, so many as are kept.
  const auto large = generate("mesh:nx=30,ny=30,nz=30,unknowns=1,keep=0.7");
  const double pairs = 88.0 * 88 * 88 - 27000;
  EXPECT_NEAR(static_cast<double>(large.nonzeros()) - 27000, 0.7 * pairs, 0.005 * pairs);
  expect_refused("mesh:nx=1M,ny=1M,nz=1M,unknowns=1", "nz must be an integer between 1 and");
}

TEST(generate, saddle_points_have_two_bands_above_one) {
  const auto a = generate("saddle_point:nx=3,ny=2,nz=2");
  const auto inner = generate("stencil7:nx=3,ny=2,nz=2");
  ASSERT_EQ(a.rows, 24);
  EXPECT_TRUE(symmetric(a));
  for (std::size_t r = 0; r < 12; ++r) {
    auto expected = columns(inner, r);
    EXPECT_EQ(columns(a, r + 12), expected);
    for (const int c : columns(inner, r)) expected.push_back(c + 12);
    EXPECT_EQ(columns(a, r), expected);
  }
}

TEST(generate, pages_link_within_their_site_and_to_few_others) {
  const auto a = generate("web:pages=50000,site=100,local=0.8");
  std::vector<int> uses(50000);
  std::int64_t near = 0;
  for (int r = 0; r < 50000; ++r)
    for (const int c : columns(a, static_cast<std::size_t>(r))) {
      ++uses[static_cast<std::size_t>(c)];
      near += std::abs(c - r) < 1600;
    }
  EXPECT_NEAR(static_cast<double>(near), 0.8 * static_cast<double>(a.nonzeros()),
              0.1 * static_cast<double>(a.nonzeros()));
  EXPECT_GT(*std::max_element(uses.begin(), uses.end()), 1000);
  const auto many = lengths(a);
  EXPECT_GT(*std::max_element(many.begin(), many.end()), 200);
  EXPECT_LE(*std::max_element(many.begin(), many.end()), 5000);
  // All on sites of at most 16 times the usual size, the last of which may be cut off.
  for (const auto& [r, c] : pattern(generate("web:pages=999,site=10,local=1")))
    EXPECT_EQ(r / 160, c / 160);
  EXPECT_EQ(generate("web:pages=1").nonzeros(), 1);
  EXPECT_EQ(generate("web:pages=40,least=0").nonzeros(), 0);
  expect_refused("web:least=9,most=8", "most must be an integer between 9 and");
}

TEST(generate, circuits_are_symmetric_and_their_rails_long) {
  const auto a = generate("circuit:nodes=3000,per_row=5,reach=50,rails=2,on_rail=0.25");
  EXPECT_TRUE(symmetric(a));
  auto many = lengths(a);
  for (const std::size_t rail : {750U, 2250U}) EXPECT_NEAR(many[rail], 750, 120);
  for (const auto& [r, c] : pattern(a))
    if (r != 750 && r != 2250 && c != 750 && c != 2250) {
      ASSERT_LE(std::abs(r - c), 50);
    }
  const auto plain = generate("circuit:nodes=100000,per_row=3,rails=0");
  EXPECT_NEAR(static_cast<double>(plain.nonzeros()), 3e5, 2e4);
  EXPECT_EQ(generate("circuit:nodes=7,per_row=1,rails=0").nonzeros(), 7);
  EXPECT_EQ(generate("circuit:nodes=5,per_row=1,rails=5,on_rail=1").nonzeros(), 25);
  expect_refused("circuit:nodes=5,rails=6", "rails must be an integer between 0 and 5");
}

}  // namespace
