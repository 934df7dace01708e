// SPDX-License-Identifier: Apache-2.0
/// SpMV over the real matrices at hand, where there are some, against sums of higher precision.
#include "algorithms/spmv/spmv.hpp"
#include "loops/io/matrix_market.hpp"
#include "support/executors.hpp"
#include "support/real_matrices.hpp"
#include "support/schedules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace {

/// Per row: the sum in long double, and the classical bound on what an order of additions may lose.
template <class V>
struct reference {
  std::vector<long double> sum;
  std::vector<long double> bound;

  reference(const loops::csr<V>& a, const std::vector<V>& x) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
      long double s = 0;
      long double size = 0;
      for (auto k = static_cast<std::size_t>(a.offsets[r]);
           k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
        const long double term = static_cast<long double>(a.values[k]) *
                                 static_cast<long double>(x[std::size_t(a.indices[k])]);
        s += term;
        size += std::fabs(term);
      }
      const auto n = static_cast<long double>(a.offsets[r + 1] - a.offsets[r]);
      sum.push_back(s);
      // Products below the normal range lose up to the smallest number each.
      bound.push_back((n + 2) *
                      (static_cast<long double>(std::numeric_limits<V>::epsilon()) * size +
                       static_cast<long double>(std::numeric_limits<V>::denorm_min())));
    }
  }
};

template <class V>
void check(const loops::executor& exec, const loops::csr<V>& host) {
  std::vector<V> values;
  for (std::int64_t c = 0; c < host.cols; ++c)
    values.push_back(static_cast<V>(static_cast<double>(c * 37 % 101) / 64 - 0.75));
  const reference<V> wanted(host, values);
  const auto a = host.to(exec.memory());
  const loops::array<V> x(values, exec.memory());
  loops::array<V> y(static_cast<std::size_t>(a.rows), exec.memory());
  for (const auto& p : support::all_points())
    std::visit(
        [&](const auto& schedule) {
          const auto plan = loops::plan_spmv(exec, schedule, a.view());
          y.fill(0xff);
          plan(x, y);
          const std::vector<V> first = y.to_vector();
          for (std::size_t r = 0; r < first.size(); ++r) {
            const long double off = std::fabs(static_cast<long double>(first[r]) - wanted.sum[r]);
            // Sums too large for V are infinite there, and so is their error.
            if (!(off <= wanted.bound[r]) &&
                std::fabs(wanted.sum[r]) <
                    static_cast<long double>(std::numeric_limits<V>::max())) {
              ADD_FAILURE() << p.name << ": row " << r << " is " << first[r] << ", not "
                            << static_cast<double>(wanted.sum[r]);
              return;
            }
          }
          y.fill(0xff);
          plan(x, y);
          EXPECT_TRUE(support::same_bits(first, y.to_vector())) << p.name << " is not repeatable";
        },
        p.schedule);
}

TEST(matrices, products_are_within_the_error_bound) {
  const auto all = support::real_matrices();
  if (all.empty())
    GTEST_SKIP() << "NOT TESTED: no matrices; set LOOPS_MATRICES to a folder of *.mtx.gz";
  const loops::executor exec = loops::default_executor();
  int complex_ones = 0;
  for (const auto& file : all) {
    SCOPED_TRACE(file.filename().string());
    loops::csr<double> a;
    try {
      a = loops::read_matrix_market<double>(file.string());
    } catch (const loops::error& e) {
      // The only thing these files may hold that a real matrix cannot.
      ASSERT_NE(std::string(e.what()).find("complex"), std::string::npos) << e.what();
      ++complex_ones;
      continue;
    }
    check<double>(exec, a);
    std::vector<float> narrow;
    for (const double v : a.values) narrow.push_back(static_cast<float>(v));
    check<float>(exec, loops::csr<float>{a.rows, a.cols, a.offsets.to(loops::default_host_memory()),
                                         a.indices.to(loops::default_host_memory()),
                                         loops::array<float>(narrow)});
  }
  RecordProperty("matrices", static_cast<int>(all.size()) - complex_ones);
  EXPECT_LT(complex_ones, static_cast<int>(all.size()));
}

}  // namespace
