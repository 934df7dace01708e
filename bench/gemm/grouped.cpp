// SPDX-License-Identifier: Apache-2.0
/// Takes turns among all contenders for a list of products, and checks their results.
#include "gemm/grouped.hpp"

#include "loops/execution/bandwidth.hpp"
#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"
#include "support/machine.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <random>

#include "cli/json.hpp"
#include "gemm/plug_ins.hpp"
#include "gemm/verify.hpp"

namespace loops::bench {

namespace {

using cli::json_writer;

constexpr const char* schedules[] = {"automatic",  "data_parallel", "stream_k:1",
                                     "stream_k:2", "stream_k:3",    "stream_k"};
constexpr int least_rounds = 21;
constexpr int most_sets = 8;

/// A contender and its samples.
struct entrant {
  std::string name;
  bool ours = false;
  std::unique_ptr<prepared> product;
  std::vector<double> seconds;
  std::string failed;
  [[nodiscard]] summary times() const { return summarise(seconds); }
};

/// What is wrong with the results, of any product; empty when nothing is.
std::string complaint(const std::vector<std::unique_ptr<reference>>& right) {
  for (std::size_t g = 0; g < right.size(); ++g)
    if (const std::string wrong = right[g]->complaint(); !wrong.empty())
      return "group " + std::to_string(g) + ": " + wrong;
  return {};
}

std::vector<entrant> contenders(const grouped_operands& operands, const options& settings) {
  std::vector<entrant> all;
  for (const char* name : schedules) {
    if (settings.selected_only && !all.empty()) break;
    entrant e;
    e.name = name;
    e.ours = true;
    try {
      e.product = prepare_grouped(operands, name);
    } catch (const std::exception& problem) {
      e.failed = problem.what();
    }
    all.push_back(std::move(e));
  }
  const auto add = [&all](std::vector<named_peer> peers) {
    for (named_peer& p : peers) {
      entrant e;
      e.name = p.name;
      e.product = std::move(p.product);
      all.push_back(std::move(e));
    }
  };
  if (settings.offers > 0) add(prepare_grouped_peers(operands));
  for (const std::string& file : settings.peers) add(prepare_plug_in(file, operands));
  return all;
}

class grouped_session {
 public:
  explicit grouped_session(const options& settings)
      : settings_(settings), cache_(cache_bytes(exec_)), clock_(exec_), flush_(exec_, 2 * cache_) {}

  int run() {
    // What is written wrongly, and what cannot be written, is said before anything is measured.
    std::vector<group_list> lists;
    for (const std::string& name : settings_.grouped) lists.push_back(groups_named(name));
    std::ofstream file;
    if (!settings_.out.empty()) file.open(settings_.out);
    require(file.good(), errc::io, ("cannot write " + settings_.out).c_str());
    json_writer w;
    w.begin('{').key("context").begin('{');
    for (const auto& [name, value] : describe_machine(exec_, settings_.commit))
      w.member(name, value);
    w.member("command", settings_.command);
    w.member("copy_gb_per_s", 1e-9 * copy_bandwidth(exec_, clock_, std::size_t{1} << 28));
    w.end('}').key("groups").begin('[');
    for (const group_list& list : lists) one(list, w);
    w.end(']').end('}');
    if (file.is_open()) file << w.text() << '\n' << std::flush;
    require(file.good(), errc::io, ("cannot write " + settings_.out).c_str());
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void one(const group_list& list, json_writer& w) {
    double bytes = 0;
    double flops = 0;
    for (const shape_mnk& size : list.sizes) {
      const product p{size, grouped_kind};
      bytes += p.bytes();
      flops += p.flops();
    }
    const int sets =
        std::clamp(static_cast<int>(3.0 * static_cast<double>(cache_) / bytes) + 1, 1, most_sets);
    const grouped_operands operands(exec_, list, sets);
    std::vector<std::unique_ptr<reference>> right;
    for (std::size_t g = 0; g < operands.groups(); ++g)
      right.push_back(std::make_unique<reference>(operands.of(g)));
    std::vector<entrant> all = contenders(operands, settings_);
    for (entrant& e : all) {
      if (!e.product) continue;
      try {
        for (std::size_t g = 0; g < operands.groups(); ++g) operands.of(g).poison(reference::set);
        e.product->start(reference::set);
        e.product->check();
        e.failed = complaint(right);
      } catch (const std::exception& problem) {
        e.failed = problem.what();
      }
      if (!e.failed.empty()) e.product.reset();
    }
    const double begin = seconds_now();
    // The first round warms up.
    for (int round = 0; round <= least_rounds || seconds_now() - begin < settings_.seconds; ++round)
      for (entrant& e : all) {
        if (!e.product) continue;
        const auto seconds = clock_.sample(
            1, sample_when::queued, [this] { flush_(); }, [&] { e.product->start(round); });
        if (round > 0) e.seconds.push_back(seconds.front());
      }
    for (entrant& e : all) {
      if (!e.product) continue;
      try {
        e.product->check();
      } catch (const std::exception& problem) {
        e.failed = problem.what();
      }
    }
    tell(list, all, flops);
    write(list, all, flops, bytes, sets, w);
  }

  /// A line per contender, its speed and that of the best peer against it.
  void tell(const group_list& list, const std::vector<entrant>& all, double flops) {
    double peer = NAN;
    for (const entrant& e : all)
      if (!e.ours && e.failed.empty() && !(e.times().median > peer)) peer = e.times().median;
    std::printf("%s: %zu products, %lld rows, %.1f GFLOP\n", list.name.c_str(), list.sizes.size(),
                static_cast<long long>(list.rows()), 1e-9 * flops);
    for (const entrant& e : all) {
      if (!e.failed.empty()) {
        ++failures_;
        std::printf("  %-24s failed: %s\n", e.name.c_str(), e.failed.c_str());
        continue;
      }
      const summary s = e.times();
      std::printf("  %-24s %9.1f us, spread %4.1f %%, %6.1f TFLOP/s, best peer's time %.3f of it\n",
                  e.name.c_str(), 1e6 * s.median,
                  100 * (s.upper_quartile - s.lower_quartile) / s.median, 1e-12 * flops / s.median,
                  peer / s.median);
    }
    std::fflush(stdout);
  }

  static void write(const group_list& list, const std::vector<entrant>& all, double flops,
                    double bytes, int sets, json_writer& w) {
    w.begin('{').member("name", list.name).member("type", name_of(grouped_kind));
    w.member("layouts", "nt").member("products", list.sizes.size()).member("rows", list.rows());
    w.member("flops", flops).member("bytes", bytes).member("sets", sets);
    // [name, µs, rounds, spread]
    for (const bool ours : {true, false}) {
      w.key(ours ? "ours" : "peers").begin('[');
      for (const entrant& e : all) {
        if (e.ours != ours || !e.failed.empty()) continue;
        const summary s = e.times();
        w.begin('[').value(e.name).value(std::round(s.median * 1e9) / 1e3);
        w.value(static_cast<int>(e.seconds.size()));
        w.value(std::round((s.upper_quartile - s.lower_quartile) / s.median * 1e4) / 1e4).end(']');
      }
      w.end(']');
    }
    w.key("failures").begin('[');
    for (const entrant& e : all)
      if (!e.failed.empty())
        w.begin('{').member("name", e.name).member("message", e.failed).end('}');
    w.end(']').end('}');
  }

  const options& settings_;
  executor exec_ = default_executor();
  std::size_t cache_;
  stopwatch<executor> clock_;
  cache_flush<executor> flush_;
  int failures_ = 0;
};

}  // namespace

std::int64_t group_list::rows() const {
  std::int64_t all = 0;
  for (const shape_mnk& s : sizes) all += s.m;
  return all;
}

group_list groups_named(const std::string& text) {
  const auto refuse = [&] {
    throw error(errc::invalid_argument,
                "groups are written 64x2048 or 64xmixed, not '" + text + "'");
  };
  const auto number = [&](std::string_view digits) {
    int n = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || n < 1) refuse();
    return n;
  };
  const auto at = text.find('x');
  if (at == std::string::npos) refuse();
  const std::string_view sides = std::string_view(text).substr(at + 1);
  const bool mixed = sides == "mixed";
  group_list list{text, std::vector<shape_mnk>(static_cast<std::size_t>(
                            number(std::string_view(text).substr(0, at))))};
  const int side = mixed ? 0 : number(sides);
  std::mt19937 random(7);
  const auto uniform = [&] { return 0x1p-32 * static_cast<double>(random()); };
  for (shape_mnk& s : list.sizes) {
    s.m = static_cast<int>(std::lround(16 * std::pow(256.0, uniform())));
    s.n = mixed ? 8 * static_cast<int>(std::lround(32 * std::pow(16.0, uniform()))) : side;
    s.k = mixed ? 8 * static_cast<int>(std::lround(32 * std::pow(16.0, uniform()))) : side;
  }
  return list;
}

grouped_operands::grouped_operands(const executor& exec, const group_list& list, int sets)
    : exec_(exec), sets_(sets) {
  for (const shape_mnk& size : list.sizes)
    all_.push_back(std::make_unique<operand_sets>(exec, product{size, grouped_kind}, sets));
}

int run_grouped(const options& settings) {
  return grouped_session(settings).run();
}

}  // namespace loops::bench
