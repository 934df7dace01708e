// SPDX-License-Identifier: Apache-2.0
/// Times SpMV: every schedule of the library and what other libraries offer, on many matrices.
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/statistics.hpp"
#include "loops/execution/bandwidth.hpp"
#include "loops/execution/stopwatch.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/work/segments.hpp"
#include "support/empty_kernel.hpp"
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/replay.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>
#include <climits>

#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spmv/contenders.hpp"
#include "spmv/plug_ins.hpp"

namespace loops::bench {

namespace {

/// Bytes that y = A x has to move at least: A once, y once, and x once where a nonzero can reach
/// it.
template <class V>
double least_bytes(const csr<V>& a) {
  const double nonzeros = static_cast<double>(a.nonzeros());
  return nonzeros * (sizeof(V) + 4) + (a.rows + 1.0) * 4 + a.rows * double(sizeof(V)) +
         std::min(double(a.cols), nonzeros) * sizeof(V);
}

/// What a sample is made of.
struct sampling {
  int in_a_row = 1;     ///< products per sample
  bool replay = false;  ///< by launching a graph of them
};

/// The matrix and the type at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {
    stopwatch<executor> clock(exec());
    const double rate = read_bandwidth(exec(), clock, copy_bytes);
    benchmark::AddCustomContext("read_gb_per_s", std::to_string(1e-9 * rate));
  }

  template <class V>
  void run(benchmark::State& state, const matrix_source& source, const contender<V>& c,
           const sampling& how) {
    problem<V>* p = nullptr;
    double plan_seconds = 0;
    session::entry e;
    e.once = c.once;
    e.products = how.in_a_row;
    e.rival = c.multiplies;
    e.prepare = [&] {
      p = &have<V>(source);
      e.bytes = least_bytes(p->a);
      std::function<void()> multiply = c.prepare(*p);
      if (!c.once) plan_seconds = session_.seconds_of([&] { multiply = c.prepare(*p); });
      p->y.fill(0xff);
      return sampled(c, multiply, how);
    };
    e.check = [&] {
      if (c.multiplies) check(p->y.to_vector());
    };
    session_.run(state, e);
    if (p == nullptr) return;
    report(state.counters, p->a);
    if (!c.once) state.counters["plan_us"] = 1e6 * plan_seconds;
  }

 private:
  [[nodiscard]] const executor& exec() const { return session_.exec(); }

  template <class V>
  std::optional<problem<V>>& slot() {
    if constexpr (sizeof(V) == 4) {
      return single_;
    } else {
      return double_;
    }
  }

  template <class V>
  problem<V>& have(const matrix_source& source) {
    if (source.text != at_hand_) {
      single_.reset();
      double_.reset();
      host_ = {};
      at_hand_.clear();
      host_ = load(source);
      at_hand_ = source.text;
    }
    auto& here = slot<V>();
    if (!here) {
      single_.reset();
      double_.reset();
      session_.new_problem();
      here.emplace(problem<V>{exec(), converted<V>(host_.a, exec()), converted<V>(host_.x, exec()),
                              array<V>(static_cast<std::size_t>(host_.a.rows), exec().memory())});
      const segments<std::int32_t> rows(here->a.offsets.data(), here->a.rows,
                                        static_cast<std::int32_t>(here->a.nonzeros()));
      const columns_in columns{here->a.indices.data()};
      const select::facts known =
          schedule::facts_of(rows.tiles(), rows.atoms(), sizeof(V), 1,
                             exec().template describe<shape_for<sizeof(V)>>());
      const auto gather = [&] { (void)look_at(exec(), rows, columns, known); };
      gather();
      gather_seconds_ = session_.seconds_of(gather);
    }
    return *here;
  }

  /// What enqueues the products of a sample. The first run of what will be captured has loaded its
  /// code.
  template <class V>
  std::function<void()> sampled(const contender<V>& c, const std::function<void()>& multiply,
                                const sampling& how) const {
    const auto several = [multiply, n = how.in_a_row] {
      for (int i = 0; i < n; ++i) multiply();
    };
    if (!how.replay || c.once) return several;
    multiply();
    return replayed(exec(), several);
  }

  /// Sums are exact, so every row must be, bit for bit.
  template <class V>
  void check(const std::vector<V>& y) const {
    for (std::size_t r = 0; r < y.size(); ++r) {
      if (static_cast<double>(y[r]) == host_.y[r]) continue;
      std::ostringstream message;
      message << "wrong: y[" << r << "] is " << y[r] << ", not " << host_.y[r];
      throw error(errc::device, message.str());
    }
  }

  template <class V>
  void report(benchmark::UserCounters& out, const csr<V>& a) const {
    out["rows"] = static_cast<double>(a.rows);
    out["columns"] = static_cast<double>(a.cols);
    out["nonzeros"] = static_cast<double>(a.nonzeros());
    out["longest_row"] = static_cast<double>(host_.seen.longest);
    out["empty_rows"] = static_cast<double>(host_.seen.empty);
    out["crowded"] = static_cast<double>(host_.seen.crowded);
    out["padded"] = static_cast<double>(host_.seen.padded);
    out["sampled"] = static_cast<double>(host_.seen.sampled);
    out["strewn"] = static_cast<double>(host_.seen.strewn);
    out["span"] = static_cast<double>(host_.seen.span);
    out["gather_us"] = 1e6 * gather_seconds_;
  }

  session& session_;
  std::string at_hand_;
  exact_problem host_;
  std::optional<problem<float>> single_;
  std::optional<problem<double>> double_;
  double gather_seconds_ = 0;  ///< of the statistics of the matrix at hand
};

/// What is timed beside products and computes nothing: on a GPU a kernel that does nothing.
template <class V>
std::vector<contender<V>> yardsticks() {
#if LOOPS_CUDA || LOOPS_HIP
  const auto empty = [](problem<V>& p) -> std::function<void()> {
    return [&p] { launch_empty(p.exec); };
  };
  return {{"empty_kernel", false, empty, false}};
#else
  return {};
#endif
}

template <class V>
void add(workbench& w, const options& settings, const sampling& how,
         const std::vector<plug_in>& plug_ins, const matrix_source& source) {
  std::vector<contender<V>> others = yardsticks<V>();
  std::ranges::move(peers<V>(), std::back_inserter(others));
  for (const plug_in& from_outside : plug_ins)
    std::ranges::move(from_outside.contenders<V>(), std::back_inserter(others));
  std::vector<contender<V>> ours = schedules<V>();
  if (!settings.once)
    for (auto* side : {&others, &ours})
      std::erase_if(*side, [](const contender<V>& c) { return c.once; });
  add_contenders(settings.rounds, "spmv/" + source.name + "/" + type_name<V>, std::move(others),
                 std::move(ours),
                 [&w, source, how](benchmark::State& state, const contender<V>& c) {
                   w.run(state, source, c, how);
                 });
}

void print_usage() {
  std::cout
      << "bench_spmv [options] [--] [matrix ...]\n"
      << "  --in-a-row=N      a sample is N products, the first with cold caches, and their "
         "mean (1)\n"
      << "  --replay          a sample is captured in a graph, and the graph is launched; what "
         "makes\n"
         "                    its plan inside the time is not\n"
      << "  --peer=FILE.so    also time what this library offers by "
         "bench/spmv/peers/plug_in.hpp;\n"
         "                    may be repeated\n"
      << shared_usage << "; names are spmv/MATRIX/TYPE/SCHEDULE\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  sampling how;
  std::vector<plug_in> plug_ins;
  program which{"bench_spmv", print_usage};
  which.extra = [&](std::string_view name, std::string_view value) {
    if (name == "--peer") {
      plug_ins.emplace_back(std::string(value));
    } else if (name == "--in-a-row") {
      how.in_a_row = static_cast<int>(positive(name, value, INT_MAX));
    } else if (name == "--replay") {
      how.replay = true;
    } else {
      return false;
    }
    return true;
  };
  return run_program<workbench>(
      argc, argv, which, [&](workbench& w, const options& settings, const matrix_source& source) {
        if (settings.f32) add<float>(w, settings, how, plug_ins, source);
        if (settings.f64) add<double>(w, settings, how, plug_ins, source);
      });
}
