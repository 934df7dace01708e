// SPDX-License-Identifier: Apache-2.0
/// Products of one type on one executor: random matrices, every schedule, a judgement of C.
#pragma once

#include "algorithms/gemm/gemm.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/io/generate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>
#include <variant>
#include <vector>

#include "cli/dense.hpp"
#include "cli/stopwatch.hpp"
#include "cli/verify.hpp"

namespace loops::cli {

/// Results have the type of the operands, except for tf32 and 8 bits, whose results have that of
/// sums.
template <class T>
using product_result =
    std::conditional_t<std::is_same_v<T, tfloat32> || sizeof(T) == 1, accumulator_t<T>, T>;

template <class Exec, class T, layout LB>
class typed_dense_session final : public dense_session {
  using sum = accumulator_t<T>;
  using result = product_result<T>;
  static constexpr bool integers = std::is_integral_v<T>;
  /// What alpha and beta are.
  using scalar = std::conditional_t<integers, float, sum>;

 public:
  typed_dense_session(const Exec& exec, const product& p)
      : exec_(exec),
        p_(roomy(exec, p)),
        host_a_(random(p.m * p.k, 1)),
        host_b_(random(p.k * p.n, 2)),
        a_(host_a_, exec.memory()),
        b_(host_b_, exec.memory()),
        c_(static_cast<std::size_t>(p.m * p.n), exec.memory()) {}

  bool has_cold_runs() const override { return cache_bytes(exec_) > 0; }

  dense_measurement measure(const dense_request& schedule, const run_options& options) override {
    const auto with = [&](const auto& s) { return run(s, options); };
    if (const auto* named = std::get_if<any_dense_schedule>(&schedule))
      return std::visit(with, *named);
    if (const auto* tried = std::get_if<schedule::measured>(&schedule)) return with(*tried);
    return with(schedule::automatic{});
  }

 private:
  /// The product, unless its matrices and their copies are more than the machine has: A and B, C
  /// before and after, twice, and all of them once more where they are computed here; and the
  /// numbers that C is judged by.
  static const product& roomy(const Exec& exec, const product& p) {
    const double operands = (double(p.m) + double(p.n)) * double(p.k) * sizeof(T);
    const double results = double(p.m) * double(p.n) * sizeof(result);
    const double judged = (double(p.n) + 2 * double(p.k)) * sizeof(double);
    const bool here = exec.memory()->on_host();
    loops::detail::require_room((here ? 2 : 1) * operands + (here ? 4 : 3) * results + judged,
                                "this product, with copies to judge it by,",
                                "take a smaller one or a narrower --type");
    return p;
  }

  static std::vector<T> random(std::int64_t count, unsigned seed) {
    std::vector<T> v(static_cast<std::size_t>(count));
    std::mt19937_64 bits(seed);
    for (T& x : v) {
      const double some = double(bits() >> 11) * 0x1p-52 - 1;
      x = T(sum(integers ? std::floor(128 * some) : some));
    }
    return v;
  }

  /// What C holds before, if anybody asks; sums of integers are large.
  static std::vector<result> random_results(std::int64_t count) {
    std::vector<result> v(static_cast<std::size_t>(count));
    std::mt19937_64 bits(4);
    for (result& x : v) {
      const double some = double(bits() >> 11) * 0x1p-52 - 1;
      x = result(sum(integers ? std::floor(32768 * some) : some));
    }
    return v;
  }

  template <class Schedule>
  dense_measurement run(const Schedule& schedule, const run_options& options) {
    const matrix<const T> a(a_.data(), p_.m, p_.k);
    const matrix<const T, LB> b(b_.data(), p_.k, p_.n);
    const matrix<result> c(c_.data(), p_.m, p_.n);
    const auto alpha = static_cast<scalar>(options.alpha);
    const auto beta = static_cast<scalar>(options.beta);
    dense_measurement out;
    exec_.synchronize();
    const double begin = seconds_now();
    auto plan = plan_gemm(exec_, schedule, a, b, c, epilogue::alpha<scalar>{alpha},
                          epilogue::beta<scalar>{beta});
    exec_.synchronize();
    out.plan_seconds = seconds_now() - begin;
    out.plan_bytes = plan.bytes();
    out.tile_m = plan.tiles().shape().m;
    out.tile_n = plan.tiles().shape().n;
    out.tile_k = plan.tiles().shape().k;
    out.tiles = plan.tiles().tiles() / plan.parts();
    out.steps = ceil_div(p_.k, std::int64_t{out.tile_k});
    out.workers = plan.resident();
    out.engine = plan.engine();
    out.schedule = plan.schedule();
    if (plan.parts() > 1) {
      out.schedule = schedule::split_k{static_cast<int>(plan.parts())};
      out.engine += ", parts of k added by a second launch";
    }
    if (options.beta != 0 && host_c_.empty()) host_c_ = random_results(p_.m * p_.n);
    const auto refresh = [&] {
      if (options.beta == 0) {
        c_.fill(0xff);  // NaN, or -1: what is not written shows
      } else if (!host_c_.empty()) {
        exec_.memory()->upload(c_.data(), host_c_.data(), host_c_.size() * sizeof(result));
      }
    };
    const auto once = [&] {
      refresh();
      plan();
      plan.check();
      return c_.to_vector();
    };
    const auto first = once();
    const auto again = once();
    out.result = judge(first, alpha, beta);
    out.result.repeatable = first.empty() || std::memcmp(first.data(), again.data(),
                                                         first.size() * sizeof(result)) == 0;
    refresh();
    for (int i = 0; i < options.warm_up; ++i) plan();
    out.seconds = time_runs(
        exec_, [&] { plan(); }, options.repeat, options.cold);
    plan.check();
    return out;
  }

  /// Freivalds: C x against alpha A (B x) + beta C0 x for a random x, row by row, with the bound
  /// that every element of C has; C0 is what C held before. A wrong element passes with a chance
  /// that is nothing, at the cost of reading the matrices once. An element at the end of its type's
  /// range is worked out by itself.
  verdict judge(const std::vector<result>& c, scalar alpha, scalar beta) const {
    const auto at = [](const auto& v, std::int64_t i) { return v[static_cast<std::size_t>(i)]; };
    const auto b_at = [&](std::int64_t q, std::int64_t j) {
      const std::int64_t i = LB == layout::row_major ? q * p_.n + j : j * p_.k + q;
      return double(sum(at(host_b_, i)));
    };
    std::mt19937_64 bits(3);
    std::vector<double> x(static_cast<std::size_t>(p_.n));
    for (double& v : x) v = double(bits() >> 11) * 0x1p-52 - 1;
    std::vector<double> bx(static_cast<std::size_t>(p_.k)), size(bx.size());
    for (std::int64_t q = 0; q < p_.k; ++q)
      for (std::int64_t j = 0; j < p_.n; ++j) {
        bx[static_cast<std::size_t>(q)] += b_at(q, j) * at(x, j);
        size[static_cast<std::size_t>(q)] += std::abs(b_at(q, j) * at(x, j));
      }
    const double unit = std::is_same_v<sum, double> ? 0x1p-51 : 0x1p-22;
    // Operands of tf32 may lose what is below ten bits of mantissa; not every machine cuts it.
    const double cut = std::is_same_v<T, tfloat32> ? 0x1.01p-10 : 0.0;
    const double store = sizeof(result) == 2 ? (std::is_same_v<result, half> ? 0x1p-10 : 0x1p-8)
                         : std::is_same_v<result, double> ? 0x1p-52
                                                          : 0x1p-23;
    // Integers are rounded by up to a half, and numbers near zero by steps of one size.
    const double least = integers ? 0.5 : 4 * rounding<result>::tiny;
    // Scaled by a power of two, so that no sum of doubles overflows here.
    const double most = std::max({1.0, std::abs(double(alpha)), std::abs(double(beta))});
    const double by = std::ldexp(1.0, -std::ilogb(most));
    const double new_part = double(alpha) * by;
    const double old_part = double(beta) * by;
    verdict v;
    for (std::int64_t i = 0; i < p_.m; ++i) {
      double expected = 0, bound = 0, old = 0, old_size = 0, got = 0, stored = 0;
      for (std::int64_t q = 0; q < p_.k; ++q) {
        const double a = double(sum(at(host_a_, i * p_.k + q)));
        expected += a * at(bx, q);
        bound += std::abs(a) * at(size, q);
      }
      for (std::int64_t j = 0; j < p_.n; ++j) {
        const double as_stored = double(sum(at(c, i * p_.n + j)));
        double value = as_stored * by;
        const double before = beta == scalar(0) ? 0 : old_part * c_before(i, j);
        // A sum that has no value becomes a zero of the integers.
        if (!(std::abs(as_stored) < rounding<result>::largest) || (integers && as_stored == 0)) {
          double product = 0;
          for (std::int64_t q = 0; q < p_.k; ++q)
            product += double(sum(at(host_a_, i * p_.k + q))) * b_at(q, j);
          product *= new_part;
          if (may_not_fit(product / by, before / by, as_stored)) value = product + before;
        }
        old += before * at(x, j);
        old_size += std::abs(before * at(x, j));
        got += value * at(x, j);
        stored += (std::abs(value) * store + by * least) * std::abs(at(x, j));
      }
      bound *= std::abs(new_part);
      const double allowed =
          (bound + old_size) * unit * double(p_.k + 8) + bound * cut + stored + 1e-300;
      const double error = std::abs(got - new_part * expected - old) / allowed;
      // The first NaN stays.
      if (!(error <= v.worst) && !std::isnan(v.worst)) {
        v.worst = error;
        v.worst_row = i;
      }
    }
    v.correct = v.worst <= 1;
    return v;
  }

  double c_before(std::int64_t i, std::int64_t j) const {
    return double(sum(host_c_[static_cast<std::size_t>(i * p_.n + j)]));
  }

  /// Whether `value` is right for a sum that may not fit its type: as large as can be, of the
  /// sum's sign, or anything where a part of the sum does not fit either.
  static bool may_not_fit(double product, double before, double value) {
    constexpr double nearly = 1 - 0x1p-7;
    if (std::abs(product) + std::abs(before) > nearly * rounding<scalar>::largest) return true;
    const double all = product + before;
    return std::abs(all) > nearly * rounding<result>::largest &&
           std::signbit(all) == std::signbit(value);
  }

  Exec exec_;
  product p_;
  std::vector<T> host_a_;
  std::vector<T> host_b_;
  std::vector<result> host_c_;  ///< before; empty until a beta asks for it
  array<T> a_;
  array<T> b_;
  array<result> c_;
};

template <class Exec, class T>
std::unique_ptr<dense_session> make_dense_session(const Exec& exec, const product& p) {
  if (p.b_by_columns)
    return std::make_unique<typed_dense_session<Exec, T, layout::column_major>>(exec, p);
  return std::make_unique<typed_dense_session<Exec, T, layout::row_major>>(exec, p);
}

}  // namespace loops::cli
