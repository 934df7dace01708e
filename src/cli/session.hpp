// SPDX-License-Identifier: Apache-2.0
/// A session's code for one executor, value type, format and index; instantiated in files of its
/// own.
#pragma once

#include "algorithms/spmv/csc_rows.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/convert.hpp"
#include "loops/io/generate.hpp"
#include "loops/io/generate_random.hpp"
#include "loops/model/imbalance.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "cli/device.hpp"
#include "cli/session_factory.hpp"
#include "cli/stopwatch.hpp"
#include "cli/verify.hpp"

namespace loops::cli {

namespace detail {

/// A value from its parts. Throws: `overflow` when it does not fit.
template <class V>
V narrow_value(double re, double im) {
  if (std::abs(re) > rounding<V>::largest || std::abs(im) > rounding<V>::largest)
    throw error(
        errc::overflow,
        "a value of this matrix does not fit the type; take a wider one, such as --type f64");
  if constexpr (std::is_same_v<V, complex<float>>) {
    return {static_cast<float>(re), static_cast<float>(im)};
  } else if constexpr (std::is_same_v<V, complex<double>>) {
    return {re, im};
  } else if constexpr (std::is_same_v<V, double>) {
    return re;
  } else {
    return V(static_cast<float>(re));
  }
}

template <class V, class I>
csr<V, I> narrow_matrix(const host_matrix& a) {
  const auto& from = a.parts;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<I>::max());
  for (const std::int64_t n : {from.rows, from.cols, from.nonzeros()})
    if (static_cast<std::uint64_t>(n) > most)
      throw error(errc::overflow, "this matrix does not fit 32-bit indices; pass --index 64");
  csr<V, I> out;
  out.rows = static_cast<I>(from.rows);
  out.cols = static_cast<I>(from.cols);
  out.offsets = array<I>(from.offsets.size());
  for (std::size_t i = 0; i < from.offsets.size(); ++i)
    out.offsets[i] = static_cast<I>(from.offsets[i]);
  out.indices = array<I>(from.indices.size());
  out.values = array<V>(from.values.size());
  for (std::size_t i = 0; i < from.indices.size(); ++i) {
    out.indices[i] = static_cast<I>(from.indices[i]);
    out.values[i] = narrow_value<V>(from.values[i], a.complex() ? a.imaginary[i] : 0);
  }
  return out;
}

/// Numbers in (-1, 1), the same for everybody.
template <class V>
std::vector<V> random_vector(std::int64_t size, std::uint64_t seed) {
  std::vector<V> out;
  out.reserve(static_cast<std::size_t>(size));
  random_stream bits(seed, 0);
  for (std::int64_t i = 0; i < size; ++i) {
    const double re = random_value(bits.next());
    const double im = std::is_class_v<accumulator_t<V>> ? random_value(bits.next()) : 0;
    out.push_back(narrow_value<V>(re, im));
  }
  return out;
}

template <class T>
double bytes_of(const array<T>& a) {
  return static_cast<double>(a.size() * sizeof(T));
}
/// Bytes of a matrix as it is stored.
template <class M>
double stored_bytes(const M& m) {
  double sum = bytes_of(m.values);
  if constexpr (requires { m.offsets; }) sum += bytes_of(m.offsets);
  if constexpr (requires { m.indices; }) sum += bytes_of(m.indices);
  if constexpr (requires { m.row_indices; })
    sum += bytes_of(m.row_indices) + bytes_of(m.col_indices);
  if constexpr (requires { m.diagonals; }) sum += bytes_of(m.diagonals);
  return sum;
}

/// A point of the product under the name that plans ask for: schedules that are the same point
/// share their kernels.
template <class Composed>
struct point {
  Composed composed;
  [[nodiscard]] static constexpr const char* name() { return "point"; }
  [[nodiscard]] constexpr Composed compose() const { return composed; }
};

template <class Exec, class M>
class typed_session final : public session {
  using view = typename M::view_type;
  using V = typename view::value_type;
  using sum = typename spmv_plan<Exec, schedule::merge_path, view>::sum;
  using scalar = accumulator_t<V>;

 public:
  /// `rows` are those of the format as a work on the host; `indexed` keeps their offsets alive.
  template <class Rows>
  typed_session(const Exec& exec, const csr_view<V, typename view::index_type>& a, const M& stored,
                const Rows& rows)
      : exec_(exec),
        matrix_(stored.to(exec.memory())),
        matrix_bytes_(stored_bytes(stored)),
        x_host_(random_vector<V>(static_cast<std::int64_t>(a.cols), 1)),
        y_host_(random_vector<V>(static_cast<std::int64_t>(a.rows), 2)),
        x_(x_host_, exec.memory()),
        y_(y_host_.size(), exec.memory()),
        reference_(reference_of(a, x_host_)) {
    const machine m = exec_.template describe<shape_for<sizeof(sum)>>();
    for (std::int64_t t = 0; t <= rows.tiles(); ++t) offsets_.push_back(rows.offset(t));
    machine_ = m;
  }

  double bytes(const run_options& options) const override {
    const double rows = static_cast<double>(y_host_.size() * sizeof(V));
    return matrix_bytes_ + static_cast<double>(x_host_.size() * sizeof(V)) +
           (options.beta != 0 ? 2 * rows : rows);
  }

  measurement measure(const schedule_choice& choice, const run_options& options) const override {
    const auto named = [&](const auto& s) {
      return run(point<decltype(s.compose())>{s.compose()}, options);
    };
    if (const auto* s = std::get_if<any_schedule>(&choice.schedule)) return std::visit(named, *s);
    if (const auto* s = std::get_if<schedule::measured>(&choice.schedule)) return run(*s, options);
    return run(schedule::automatic{}, options);
  }

 private:
  template <class Schedule>
  measurement run(const Schedule& schedule, const run_options& options) const {
    measurement out;
    const auto view_of_it = matrix_.view();
    exec_.synchronize();
    const double begin = seconds_now();
    const auto plan = plan_spmv(exec_, schedule, view_of_it);
    exec_.synchronize();
    out.plan_seconds = seconds_now() - begin;
    out.plan_bytes = plan.bytes();
    const auto alpha = static_cast<scalar>(narrow_value<scalar>(options.alpha, 0));
    const auto beta = static_cast<scalar>(narrow_value<scalar>(options.beta, 0));
    const auto once = [&] { plan(x_.data(), y_.data(), alpha, beta); };
    const auto fresh = [&] {
      if (options.beta == 0) {
        y_.fill(0xff);  // NaN: what is not written shows
      } else if (!y_host_.empty()) {
        exec_.memory()->upload(y_.data(), y_host_.data(), y_host_.size() * sizeof(V));
      }
      once();
      return y_.to_vector();
    };
    const std::vector<V> first = fresh();
    const std::vector<V> second = fresh();
    out.result = judge(reference_, first, y_host_, options);
    out.result.repeatable =
        first.empty() || std::memcmp(first.data(), second.data(), first.size() * sizeof(V)) == 0;
    for (int i = 2; i < options.warm_up; ++i) once();
    out.seconds = time_runs(exec_, once, options.repeat, options.cold);
    const segments<std::int64_t> work(
        offsets_.data(), static_cast<std::int64_t>(offsets_.size()) - 1, offsets_.back());
    const auto balance = [&](const auto& s) {
      constexpr std::size_t shown = 40;
      const model::load_balance of = model::balance_of(s.compose(), work, machine_);
      out.imbalance = of.imbalance();
      out.shares = of.shares(shown);
    };
    if constexpr (requires { typename Schedule::decided_by_plan; }) {
      out.chosen = plan.plan().reason();
      if constexpr (requires { plan.passes(); }) {
        if (plan.passes() > 1) out.chosen += "; " + plan.way();
        // Nobody asked the schedule's plan.
        if (plan.passes() == 0) out.chosen = plan.way();
      }
      std::visit(balance, schedule::chosen_schedule(schedule::selector_for(machine_),
                                                    plan.plan().decision()));
    } else {
      balance(schedule);
    }
    return out;
  }

  Exec exec_;
  M matrix_;
  double matrix_bytes_;
  std::vector<V> x_host_;
  std::vector<V> y_host_;
  array<V> x_;
  mutable array<V> y_;
  std::vector<reference_row> reference_;
  std::vector<std::int64_t> offsets_;
  machine machine_;
};

/// Throws: `out_of_memory` when the matrix, x and y with their copies are more than the machine
/// has.
template <class V, class I, class Exec>
void require_roomy(const Exec& exec, const host_matrix& matrix, format_kind format) {
  const auto& from = matrix.parts;
  const double copies = exec.memory()->on_host() ? 2 : 1;
  const auto rows = static_cast<double>(from.rows);
  const auto cols = static_cast<double>(from.cols);
  double each = copies * (rows + cols) * sizeof(V) + rows * sizeof(reference_row);
  if (format == format_kind::csc) each += copies * cols * sizeof(I);
  const double nonzero = sizeof(double) + sizeof(std::int64_t) + copies * (sizeof(V) + sizeof(I));
  loops::detail::require_room(each + static_cast<double>(from.nonzeros()) * nonzero,
                              "this matrix, with x and y and copies to judge them by,",
                              "take a smaller one or a narrower --type");
}

template <class Exec, class V, class I, class M, class Rows>
std::unique_ptr<session> make_typed(const Exec& exec, const csr<V, I>& a, const M& stored,
                                    const Rows& rows) {
  return std::make_unique<typed_session<Exec, M>>(exec, a.view(), stored, rows);
}

}  // namespace detail

template <class Exec, class V, class I, format_group Group>
std::unique_ptr<session> make_session(const Exec& exec, const host_matrix& matrix,
                                      format_kind format) {
  detail::require_roomy<V, I>(exec, matrix, format);
  const csr<V, I> a = detail::narrow_matrix<V, I>(matrix);
  if constexpr (Group == format_group::csr) {
    return detail::make_typed(exec, a, a, rows_of(a.view()));
  } else if constexpr (Group == format_group::compressed) {
    if (format == format_kind::coo)
      return detail::make_typed(exec, a, to_coo(a), rows_of(a.view()));
    return detail::make_typed(exec, a, to_csc(a), rows_of(a.view()));
  } else if constexpr (Group == format_group::padded) {
    if (format == format_kind::ell) {
      const auto stored = to_ell(a);
      return detail::make_typed(exec, a, stored, rows_of(stored.view()));
    }
    const auto stored = to_dia(a);
    return detail::make_typed(exec, a, stored, rows_of(stored.view()));
  } else {
    if (format == format_kind::bcsr2) {
      const auto stored = to_bcsr<2, 2>(a);
      return detail::make_typed(exec, a, stored, block_rows_of(stored.view()));
    }
    const auto stored = to_bcsr<4, 4>(a);
    return detail::make_typed(exec, a, stored, block_rows_of(stored.view()));
  }
}

}  // namespace loops::cli
