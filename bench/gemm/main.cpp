// SPDX-License-Identifier: Apache-2.0
/// Times products of dense matrices: tiles and schedules of the library, and other libraries.
///
/// Not a Google Benchmark: that finishes one contender before it begins the next, while here all
/// take turns, and hundreds of products times dozens of contenders want a line per product.
#include "algorithms/gemm/select/tables.hpp"
#include "loops/execution/bandwidth.hpp"
#include "support/machine.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "gemm/candidates.hpp"
#include "gemm/contenders.hpp"
#include "gemm/grouped.hpp"
#include "gemm/meter.hpp"
#include "gemm/options.hpp"

namespace loops::bench {

namespace {

using cli::json_writer;

/// Whether it is a plan that chooses by itself, instead of a tile of the menu.
bool chooses(const lap& l) {
  return l.ours && is_plan(l.choice);
}

/// The best of one side, of the menu or of the peer's offers; null when nobody has a time.
const lap* best_of(const std::vector<lap>& laps, bool ours) {
  const lap* best = nullptr;
  for (const lap& l : laps)
    if (l.ours == ours && l.failed.empty() && !chooses(l) && (!best || l.us < best->us)) best = &l;
  return best;
}

const lap* first_of_side(const std::vector<lap>& laps, bool ours) {
  for (const lap& l : laps)
    if (l.ours == ours) return l.failed.empty() ? &l : nullptr;
  return nullptr;
}

std::string label(const std::vector<menu_line>& menu, select::gemm_candidate c) {
  if (c == automatic) return "automatic";
  if (c == measured) return "measured";
  if (c == measured_menu) return "measured_menu";
  return menu[static_cast<std::size_t>(c.config)].name + "/" +
         (c.waves == 0    ? "dp"
          : c.waves == -1 ? "sk"
                          : "sk" + std::to_string(c.waves));
}

/// The file, written product by product so that nothing is lost when the time is up.
class journal {
 public:
  journal(const std::string& path, const std::string& context) {
    if (path.empty()) return;
    file_.open(path);
    require(file_.good(), errc::io, ("cannot write " + path).c_str());
    file_ << "{\"context\": " << context << ",\n\"products\": [";
  }
  void add(const std::string& line) {
    if (!file_.is_open()) return;
    file_ << (fresh_ ? "\n" : ",\n") << line << std::flush;
    require(file_.good(), errc::io, "--out cannot be written any more; is there room?");
    fresh_ = false;
  }
  ~journal() {
    if (file_.is_open()) file_ << "\n]}\n";
  }
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;

 private:
  std::ofstream file_;
  bool fresh_ = true;
};

std::string context_of(const executor& exec, const options& settings, std::size_t flush_bytes,
                       double copy_rate,
                       const std::map<std::string, std::vector<menu_line>>& menus) {
  json_writer w;
  w.begin('{');
  for (const auto& [name, value] : describe_machine(exec, settings.commit)) w.member(name, value);
  w.member("command", settings.command);
  w.member("copy_gb_per_s", 1e-9 * copy_rate);
  w.member("flush_bytes", flush_bytes);
  w.member("fast_sums", settings.fast_sums);
  w.key("menus").begin('{');
  for (const auto& [key, menu] : menus) {
    w.key(key).begin('[');
    for (const menu_line& line : menu) {
      w.begin('{').member("name", line.name).member("rows", line.tiling.rows);
      w.member("columns", line.tiling.columns).member("tall", line.tiling.tall);
      w.member("wide", line.tiling.wide)
          .member("split", line.tiling.split)
          .member("stages", line.tiling.stages)
          .member("swapped", line.tiling.swapped ? 1 : 0)
          .member("teams", line.tiling.teams);
      w.member("depth", line.depth).member("paired", line.paired);
      w.member("workers", line.workers).end('}');
    }
    w.end(']');
  }
  w.end('}').end('}');
  return w.text();
}

std::string line_of(const product& p, const std::vector<lap>& laps) {
  json_writer w;
  w.begin('{').member("m", p.size.m).member("n", p.size.n).member("k", p.size.k);
  if (p.size.batch > 1) w.member("batch", p.size.batch);
  w.member("type", name_of(p.kind)).member("layouts", p.layouts());
  // [tile, waves, µs, rounds, spread]; the first is what the library would choose.
  w.key("ours").begin('[');
  for (const lap& l : laps) {
    if (!l.ours || !l.failed.empty() || chooses(l)) continue;
    w.begin('[').value(l.choice.config).value(l.choice.waves).value(std::round(l.us * 1e3) / 1e3);
    w.value(l.rounds).value(std::round(l.spread * 1e4) / 1e4).end(']');
  }
  w.end(']').key("peers").begin('[');
  for (const lap& l : laps) {
    if (l.ours || !l.failed.empty()) continue;
    w.begin('[').value(l.peer).value(std::round(l.us * 1e3) / 1e3).value(l.rounds);
    w.value(std::round(l.spread * 1e4) / 1e4).end(']');
  }
  w.end(']');
  for (const lap& l : laps) {
    if (!chooses(l) || !l.failed.empty()) continue;
    w.key(label({}, l.choice)).begin('[').value(std::round(l.us * 1e3) / 1e3).value(l.rounds);
    w.value(std::round(l.spread * 1e4) / 1e4).value(std::round(l.plan_ms * 1e3) / 1e3).end(']');
  }
  bool any = false;
  for (const lap& l : laps) any = any || !l.failed.empty();
  if (any) {
    w.key("failures").begin('[');
    for (const lap& l : laps) {
      if (l.failed.empty()) continue;
      w.begin('{');
      if (l.ours) w.member("tile", l.choice.config).member("waves", l.choice.waves);
      if (!l.ours) w.member("peer", l.peer);
      w.member("message", l.failed).end('}');
    }
    w.end(']');
  }
  w.end('}');
  return w.text();
}

/// Ratios of one kind over all products.
struct tally {
  double logs = 0;
  double least = HUGE_VAL;
  int count = 0;
  void add(double ratio) {
    logs += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
};

class session {
 public:
  explicit session(const options& settings)
      : settings_(settings),
        flush_bytes_(2 * cache_bytes(exec_)),
        meter_(exec_, flush_bytes_),
        begin_(seconds_now()) {}

  int run() {
    stopwatch<executor> clock(exec_);
    const double rate = copy_bandwidth(exec_, clock, std::size_t{1} << 28);
    std::map<std::string, std::vector<menu_line>> menus;
    each_kind([&](product p) {
      menus[std::string(name_of(p.kind)) + "/" + p.layouts()] = our_menu(exec_, p);
    });
    journal out(settings_.out, context_of(exec_, settings_, flush_bytes_, rate, menus));
    std::printf("%-28s %-16s %9s  %-16s %9s %9s %9s %7s %7s\n", "product", "chosen", "us", "best",
                "us", "peer us", "its best", "ratio", "ratio");
    each_kind([&](product p) {
      const auto& menu = menus[std::string(name_of(p.kind)) + "/" + p.layouts()];
      std::vector<select::gemm_costs> tiles;
      for (const menu_line& line : menu)
        tiles.push_back({line.tiling, line.workers, line.paired, {}});
      std::optional<menu_costs> costs;
      // As the library does: what is known of another machine is only hoped for on such a one, and
      // Hopper's programs, of which its tables are, take 8-bit operands along k.
      const auto known = LOOPS_CUDA ? select::gemm_table_for : select::gemm_table_of;
      const bool along_k = !p.a_turned && p.b_turned;
      if (!LOOPS_CUDA || p.operand_bytes() > 1 || along_k)
        if (const auto* like = known(machine_name(), name_of(p.kind), p.layouts()))
          costs.emplace(tiles, *like);
      for (const shape_mnk& size : shapes(p)) {
        if (settings_.limit > 0 && seconds_now() - begin_ > settings_.limit) {
          stopped_ = true;
          break;
        }
        p.size = size;
        one(p, menu, costs ? &*costs : nullptr, out);
      }
    });
    summary_lines();
    return failures_ == 0 ? 0 : 1;
  }

 private:
  template <class F>
  void each_kind(const F& f) {
    for (const operand_kind kind : settings_.kinds)
      for (const std::string& layouts : settings_.layouts)
        f(product{{}, kind, layouts[0] == 't', layouts[1] == 't'});
  }
  [[nodiscard]] std::vector<shape_mnk> shapes(const product& p) const {
    if (!settings_.shapes.empty()) return settings_.shapes;
    const auto multiple = std::max<int>(8, 16 / static_cast<int>(p.operand_bytes()));
    return corpus_sample(settings_.sample, settings_.from, multiple);
  }
  [[nodiscard]] std::string machine_name() const {
#if LOOPS_CUDA || LOOPS_HIP
    return exec_.facts().name;
#else
    return "host";
#endif
  }

  void one(const product& p, const std::vector<menu_line>& menu, const menu_costs* costs,
           journal& out) {
    std::vector<select::gemm_candidate> candidates;
    if (!menu.empty()) {
      candidates = candidates_for(p, costs, menu.size(), settings_);
      candidates.push_back(automatic);
      if (settings_.measured) {
        candidates.push_back(measured);
        if (menu.size() > 1) candidates.push_back(measured_menu);
      }
    }
    const std::vector<lap> laps = meter_.measure(p, candidates, settings_);
    out.add(line_of(p, laps));
    std::string name = std::to_string(p.size.m) + "x" + std::to_string(p.size.n) + "x" +
                       std::to_string(p.size.k) +
                       (p.size.batch > 1 ? "x" + std::to_string(p.size.batch) : "") + " " +
                       name_of(p.kind) + " " + p.layouts();
    const lap* chosen = first_of_side(laps, true);
    const lap* best = best_of(laps, true);
    const lap* peer = first_of_side(laps, false);
    const lap* best_peer = best_of(laps, false);
    const auto us = [](const lap* l) { return l ? l->us : NAN; };
    std::printf("%-28s %-16s %9.2f  %-16s %9.2f %9.2f %9.2f %7.3f %7.3f\n", name.c_str(),
                chosen ? label(menu, chosen->choice).c_str() : "-", us(chosen),
                best ? label(menu, best->choice).c_str() : "-", us(best), us(peer), us(best_peer),
                us(peer) / us(chosen), us(best_peer) / us(chosen));
    for (const lap& l : laps) {
      if (l.failed.empty()) continue;
      ++failures_;
      std::printf("  failed: %s: %s\n", l.ours ? label(menu, l.choice).c_str() : l.peer.c_str(),
                  l.failed.c_str());
    }
    std::fflush(stdout);
    for (const lap& l : laps)
      if (chooses(l) && l.failed.empty() && peer)
        tallies_[label(menu, l.choice) + " against the peer's first"].add(peer->us / l.us);
    if (chosen && best) tallies_["chosen against the best of ours"].add(best->us / chosen->us);
    if (chosen && peer) tallies_["chosen against the peer's first"].add(peer->us / chosen->us);
    if (chosen && best_peer)
      tallies_["chosen against the peer's best"].add(best_peer->us / chosen->us);
    if (best && peer) tallies_["our best against the peer's first"].add(peer->us / best->us);
    if (best && best_peer)
      tallies_["our best against the peer's best"].add(best_peer->us / best->us);
  }

  void summary_lines() const {
    for (const auto& [name, t] : tallies_)
      std::printf("%-40s geometric mean %.4f, least %.4f of %d\n", name.c_str(),
                  std::exp(t.logs / t.count), t.least, t.count);
    std::printf("%.1f s%s, %d failures\n", seconds_now() - begin_,
                stopped_ ? ", stopped at the limit" : "", failures_);
  }

  const options& settings_;
  executor exec_ = default_executor();
  std::size_t flush_bytes_;
  meter meter_;
  double begin_;
  std::map<std::string, tally> tallies_;
  int failures_ = 0;
  bool stopped_ = false;
};

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i)
      if (std::string(argv[i]) == "--help") {
        loops::bench::print_usage();
        return 0;
      }
    const loops::bench::options settings = loops::bench::parse(argc, argv);
    if (!settings.grouped.empty()) return loops::bench::run_grouped(settings);
    return loops::bench::session(settings).run();
  } catch (const std::exception& e) {
    std::cerr << "bench_gemm: " << e.what() << '\n';
    return 2;
  }
}
