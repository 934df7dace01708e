// SPDX-License-Identifier: Apache-2.0
/// SpMV on compressed columns: exact under every schedule.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class csc : public spmv<Exec> {};
TYPED_TEST_SUITE(csc, support::executors, support::executor_name);

TYPED_TEST(csc, float32) {
  check<as_csc, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(csc, other_types) {
  check_other_types<as_csc>(this->any());
}

TYPED_TEST(csc, unsigned_offsets) {
  const auto exec = this->any();
  for (const auto& [name, a] : matrices<float, std::int32_t, std::size_t>()) {
    SCOPED_TRACE(name);
    check_one(exec, loops::schedule::merge_path{}, loops::to_csc(a).to(exec.memory()), product(a),
              a.cols, static_cast<const float*>(nullptr));
    if (this->HasFailure()) return;
  }
}

/// Where a row, a column or a pass ends inside another, or is empty.
TYPED_TEST(csc, in_passes) {
  const auto exec = this->any();
  for (const auto& [name, a] : matrices<float, std::int32_t, std::int32_t>()) {
    const auto exact = product(a);
    std::vector<float> x_values;
    for (std::int64_t c = 0; c < a.cols; ++c) x_values.push_back(narrow<float>(small<float>(c)));
    std::vector<float> old;
    std::vector<float> plain;
    std::vector<float> scaled;
    for (std::size_t r = 0; r < exact.size(); ++r) {
      old.push_back(static_cast<float>(r % 5));
      plain.push_back(static_cast<float>(exact[r]));
      scaled.push_back(static_cast<float>(2 * exact[r] - 3 * double(r % 5)));
    }
    const auto device = loops::to_csc(a).to(exec.memory());
    const loops::array<float> x(x_values, exec.memory());
    const auto most = std::max<std::int64_t>(1, a.nonzeros());
    for (const int count : {1, 2, 3, 7, 64}) {
      SCOPED_TRACE(name + ", passes: " + std::to_string(count));
      const auto step = loops::plan_spmv(exec, loops::schedule::merge_path{}, device.view(),
                                         loops::passes{count});
      EXPECT_EQ(step.passes(), std::min<std::int64_t>(count, most));
      loops::array<float> y(exact.size(), exec.memory());
      y.fill(0xff);
      step(x, y);
      const auto first = y.to_vector();
      expect_equal(first, plain, "A x");
      y.fill(0xff);
      step(x, y);
      EXPECT_TRUE(support::same_bits(first, y.to_vector())) << "the second run has other bits";
      loops::array<float> z(old, exec.memory());
      step(x, z, 2.0F, -3.0F);
      expect_equal(z.to_vector(), scaled, "2 A x - 3 y");
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(csc, under_every_schedule_in_passes) {
  const auto exec = this->any();
  auto a = loops::generate<double>("random:rows=121,cols=95,per_row=7");
  std::vector<double> x_values;
  for (std::int64_t c = 0; c < a.cols; ++c) x_values.push_back(small<double>(c));
  for (std::size_t k = 0; k < a.values.size(); ++k)
    a.values[k] = small<double>(static_cast<std::int64_t>(k));
  const auto exact = product(a);
  const auto device = loops::to_csc(a).to(exec.memory());
  const loops::array<double> x(x_values, exec.memory());
  for (const support::named_point& p : some_points()) {
    SCOPED_TRACE(p.name);
    std::visit(
        [&](const auto& schedule) {
          auto step = loops::plan_spmv(exec, schedule, device.view(), loops::passes{5});
          loops::array<double> y(exact.size(), exec.memory());
          y.fill(0xff);
          step(x, y);
          step.check();
          expect_equal(y.to_vector(), exact, "A x");
        },
        p.schedule);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(csc, in_no_more_passes_than_there_are_nonzeros) {
  const auto exec = this->any();
  const auto a = loops::to_csc(loops::generate<float>("banded:rows=4,width=3")).to(exec.memory());
  const auto step = loops::plan_spmv(exec, loops::schedule::merge_path{}, a.view(),
                                     loops::passes{std::numeric_limits<int>::max()});
  EXPECT_EQ(step.passes(), a.nonzeros());
}

TYPED_TEST(csc, refuses_fewer_than_one_pass) {
  const auto exec = this->any();
  const auto a = loops::to_csc(loops::generate<float>("banded:rows=9,width=3")).to(exec.memory());
  for (const int count : {0, -1})
    support::expect_error(loops::errc::invalid_argument, "passes; it takes one at least", [&] {
      loops::plan_spmv(exec, loops::schedule::merge_path{}, a.view(), loops::passes{count});
    });
}

// In two hops nobody would ask again where rows end.
TYPED_TEST(csc, refuses_rows_that_it_has_not) {
  const auto exec = this->any();
  for (const int wrong : {-1, 2}) {
    const auto a = loops::csc<float>{2, 2, loops::array<int>(std::vector<int>{0, 2, 3}),
                                     loops::array<int>(std::vector<int>{0, 1, wrong}),
                                     loops::array<float>(std::vector<float>(3, 1.0F))}
                       .to(exec.memory());
    const auto refused = [](const auto& f) {
      support::expect_error(loops::errc::invalid_argument, "but it has 2 rows", f);
    };
    refused([&] { loops::plan_spmv(exec, a.view(), loops::in_hops{}); });
    refused([&] { loops::plan_spmv(exec, loops::schedule::merge_path{}, a.view()); });
    refused(
        [&] { loops::plan_spmv(exec, loops::schedule::merge_path{}, a.view(), loops::passes{3}); });
  }
}

// 60000 + 60000 is no half, and what passes have summed so far is kept in y.
TYPED_TEST(csc, does_not_round_between_passes) {
  const auto exec = this->any();
  using loops::half;
  const auto ones = [&](std::size_t n) {
    return loops::array<half>(std::vector<half>(n, half(1.0F)), exec.memory());
  };
  const std::vector<half> values{half(60000.0F), half(60000.0F), half(-60000.0F), half(-60000.0F)};
  const auto a =
      loops::csc<half>{1, 4, loops::array<int>(std::vector<int>{0, 1, 2, 3, 4}),
                       loops::array<int>(std::vector<int>{0, 0, 0, 0}), loops::array<half>(values)}
          .to(exec.memory());
  const loops::schedule::merge_path how;
  const auto x = ones(4);
  auto y = ones(1);
  loops::plan_spmv(exec, how, a.view(), loops::passes{1})(x, y);
  EXPECT_EQ(float(y.to_vector()[0]), 0);
  y = ones(1);
  loops::plan_spmv(exec, a.view(), loops::in_hops{})(x, y);
  EXPECT_EQ(float(y.to_vector()[0]), 0);
  support::expect_error(loops::errc::unsupported, "y would round what 2 passes have summed",
                        [&] { loops::plan_spmv(exec, how, a.view(), loops::passes{2}); });
}

// The offsets of rows are made by counting: nobody behind the sort could tell.
TYPED_TEST(csc, refuses_a_matrix_that_does_not_know_how_many_nonzeros_it_has) {
  const auto exec = this->any();
  const auto a = loops::to_csc(loops::generate<float>("banded:rows=9,width=3")).to(exec.memory());
  for (const std::int32_t wrong : {0, 3}) {
    SCOPED_TRACE(wrong);
    auto bad = a.view();
    bad.nonzeros = wrong;
    const auto refused = [&](const auto& plan) {
      support::expect_error(loops::errc::invalid_argument,
                            "does a matrix not know how many nonzeros it has?", plan);
    };
    refused([&] { loops::plan_spmv(exec, loops::schedule::merge_path{}, bad); });
    refused([&] { loops::plan_spmv(exec, loops::schedule::automatic{}, bad); });
    refused([&] { loops::plan_spmv(exec, loops::schedule::merge_path{}, bad, loops::passes{2}); });
  }
  auto without = a.view();
  without.cols = 0;
  const auto refused = [&](const auto& plan) {
    support::expect_error(loops::errc::invalid_argument, "a work with atoms must have tiles", plan);
  };
  refused([&] { loops::plan_spmv(exec, loops::schedule::merge_path{}, without); });
  refused([&] { loops::plan_spmv(exec, without, loops::in_hops{}); });
}

/// Values of 64 MB and of 16, read at random.
TYPED_TEST(csc, goes_in_hops_or_in_as_many_passes_as_pay) {
  if constexpr (is_emulated<TypeParam>) {
    GTEST_SKIP() << "millions of nonzeros are too many for an emulation";
  } else {
    const auto exec = this->any();
    const auto cache = static_cast<double>(loops::cache_bytes(exec));
    if (cache == 0) GTEST_SKIP() << "this machine tells of no cache: one pass";
    const auto passes_of = [&](const char* spec) {
      SCOPED_TRACE(spec);
      auto a = loops::generate<double>(spec);
      for (std::size_t k = 0; k < a.values.size(); ++k)
        a.values[k] = small<double>(static_cast<std::int64_t>(k));
      const auto device = loops::to_csc(a).to(exec.memory());
      std::vector<double> x_values;
      for (std::int64_t c = 0; c < a.cols; ++c) x_values.push_back(small<double>(c));
      const loops::array<double> x(x_values, exec.memory());
      loops::array<double> y(static_cast<std::size_t>(a.rows), exec.memory());
      const auto step = loops::plan_spmv(exec, loops::schedule::automatic{}, device.view());
      y.fill(0xff);
      step(x, y);
      expect_equal(y.to_vector(), product(a), "A x");
      EXPECT_EQ(loops::plan_spmv(exec, loops::schedule::merge_path{}, device.view()).passes(), 1);
      return step.passes();
    };
    EXPECT_EQ(passes_of("random:rows=500k,cols=500k,per_row=16"), 0) << "two hops";
    // Three quarters of them in columns of one or two, and x itself.
    const double used = 0.74 * 16e6 + 24e6;
    const int wanted = cache >= 0.5 * used ? 1 + static_cast<int>(used / (0.4 * cache)) : 1;
    EXPECT_EQ(passes_of("random:rows=497k,cols=3M,per_row=4"), wanted);
  }
}

TEST(passes_that_pay, follow_what_is_in_use_and_the_length_of_rows) {
  struct {
    std::int64_t rows, columns, nonzeros;
    int bytes;
    double crowded;
    double cache;
    int passes;
    const char* why;
  } const cases[] = {
      {3'000'000, 3'000'000, 48'000'000, 4, 0, 60e6, 9, "192 MB of values, 12 MB of x"},
      {3'000'000, 3'000'000, 48'000'000, 8, 0, 60e6, 17, "384 MB of lines, 24 MB of x"},
      {1'000'000, 1'000'000, 16'000'000, 4, 0.8, 60e6, 1, "a fifth of them spread"},
      {1'000'000, 1'000'000, 16'000'000, 8, 0.8, 60e6, 2, "a fifth of them spread"},
      {500'000, 500'000, 4'000'000, 4, 0, 60e6, 1, "18 MB"},
      {2'000'000, 2'000'000, 6'000'000, 4, 0, 60e6, 2, "24 MB of values, 8 MB of x"},
      {4'000'000, 150'000, 32'000'000, 8, 0, 60e6, 1, "few columns, each with a line"},
      {5'000'000, 5'000'000, 15'000'000, 8, 0, 60e6, 4, "one more than a row has nonzeros"},
      {16'000'000, 16'000'000, 16'000'000, 4, 0, 60e6, 2, "one more than a row has nonzeros"},
      {60'000'000, 60'000'000, 180'000'000, 8, 0, 60e6, 1, "each would take 480 MB"},
      {3'000'000, 3'000'000, 48'000'000, 4, 0, 4e6, 1, "each would take 12 MB"},
      {3'000'000, 3'000'000, 48'000'000, 4, 0, 0, 1, "no cache that is known of"},
      {10'000, 3'000'000, 48'000'000, 4, 0, 0.3e6, 1024, "no more than that are made"},
      {2'000'000, 5'000'000, 6'000'000, 8, 0, 60e6, 4, "48 MB of values, 40 MB of x"},
      {0, 0, 0, 4, 0, 60e6, 1, "nothing"},
  };
  for (const auto& c : cases) {
    loops::spmv_detail::pass_facts f{};
    f.rows.seen.tiles = c.rows;
    f.rows.seen.atoms = f.columns.atoms = c.nonzeros;
    f.rows.value_bytes = c.bytes;
    f.columns.tiles = c.columns;
    f.columns.crowded = static_cast<std::int64_t>(c.crowded * static_cast<double>(c.nonzeros));
    f.cache_bytes = c.cache;
    EXPECT_EQ(loops::spmv_detail::passes_that_pay(f), c.passes)
        << c.rows << " x " << c.columns << ": " << c.why;
  }
}

}  // namespace
}  // namespace products
