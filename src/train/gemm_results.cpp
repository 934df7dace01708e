// SPDX-License-Identifier: Apache-2.0
/// From JSON to products.
#include "train/gemm_results.hpp"

#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "loops/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "train/results.hpp"

namespace loops::train {

namespace {

/// More than any cluster has.
constexpr double most_blocks = 1 << 16;
/// More rows or columns than any tile has.
constexpr double longest_side = 1 << 20;
/// More multiply-adds than anybody waits for, and few enough for all counts of tiles and steps.
constexpr double most_work = 0x1p60;

int bytes_of(const std::string& type) {
  if (type == "f64") return 8;
  if (type == "f32" || type == "tf32") return 4;
  if (type == "e4m3" || type == "e5m2" || type == "i8") return 1;
  return 2;
}

/// Of an element of C, as bench_gemm multiplies.
int result_bytes_of(const std::string& type) {
  return type == "i8" ? 4 : std::max(2, bytes_of(type));
}

class reader {
 public:
  reader(gemm_results& out, std::string layouts) : out_(out), layouts_(std::move(layouts)) {}

  void file(const std::string& name, const json& document) {
    name_ = name;
    const json& context = document["context"];
    if (document["products"].is != json::kind::list || context["menus"].is != json::kind::object)
      refuse("this is no result of bench_gemm");
    // Hosts are one class, whatever the processor is called.
    const bool host = context["backend"].text == "HOST";
    const std::string machine = host ? "host" : context["machine"].text;
    if (!out_.machine.empty() && out_.machine != machine)
      refuse("it is of another machine (" + machine + ") than those before (" + out_.machine + ")");
    out_.machine = machine;
    out_.commit = context["commit"].text;
    out_.command = context["command"].text;
    out_.copy_gb_per_s = context["copy_gb_per_s"].number_or(0);
    places_.clear();
    for (const auto& [key, list] : context["menus"].object)
      if (const std::size_t at = key.find('/'); key.compare(0, at, out_.type) == 0)
        places_[at == std::string::npos ? "" : key.substr(at + 1)] = menu(list, context);
    for (const json& p : document["products"].list)
      if (p["type"].text == out_.type && (layouts_.empty() || p["layouts"].text == layouts_))
        product(p);
  }

  void finish() {
    for (auto& [key, p] : products_) out_.products.push_back(std::move(p));
    out_.like.costs = out_.tiles;
    const auto same = [&](const gemm_measured& p) {
      return p.layouts == out_.products.front().layouts;
    };
    if (std::all_of(out_.products.begin(), out_.products.end(), same) && !out_.products.empty())
      out_.layouts = out_.products.front().layouts;
    if (out_.products.empty())
      throw error(errc::parse, "the results have no products of type " + out_.type +
                                   (layouts_.empty() ? "" : " with layouts " + layouts_));
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw error(errc::parse, name_ + ": " + why);
  }
  static int whole(const json& v) {
    return static_cast<int>(std::fmin(std::fmax(v.number_or(0), -2147483648.0), 2147483647.0));
  }

  /// The places of a menu's lines among all that there are. A menu may have grown since a file
  /// was written, or be shorter for other layouts.
  std::vector<int> menu(const json& list, const json& context) {
    std::vector<int> places;
    const select::gemm_table* known =
        select::gemm_table_for(out_.machine, out_.type, layouts_.empty() ? "nt" : layouts_);
    int depth = 64;
    for (const json& line : list.list) {
      select::gemm_costs c;
      c.tiling = {whole(line["rows"]),        whole(line["columns"]),
                  whole(line["tall"]),        whole(line["wide"]),
                  whole(line["split"]),       whole(line["stages"]),
                  whole(line["swapped"]) > 0, std::max(1, whole(line["teams"]))};
      if (c.tiling.rows <= 0 || c.tiling.columns <= 0 || c.tiling.tall <= 0 || c.tiling.wide <= 0 ||
          c.tiling.split <= 0 ||
          1.0 * c.tiling.tall * c.tiling.wide * c.tiling.split > most_blocks ||
          1.0 * c.tiling.rows * c.tiling.tall > longest_side ||
          1.0 * c.tiling.columns * c.tiling.wide > longest_side || whole(line["depth"]) <= 0)
        refuse("a tile of its menu has no size, or that of no cluster");
      depth = whole(line["depth"]);
      c.workers = whole(line["workers"]);
      c.paired = std::max(1, whole(line["paired"]));
      if (known)
        for (const select::gemm_costs& k : known->costs)
          if (k.tiling == c.tiling) {
            c.us = k.us;
            if (c.workers <= 0) c.workers = k.workers;
          }
      if (c.workers <= 0) {
        const int processors = std::atoi(context["processors"].text.c_str());
        c.workers = std::max(1, processors / c.tiling.blocks());
      }
      const auto same = [&c](const select::gemm_costs& other) { return other.tiling == c.tiling; };
      const auto at = std::find_if(out_.tiles.begin(), out_.tiles.end(), same);
      places.push_back(static_cast<int>(at - out_.tiles.begin()));
      if (at != out_.tiles.end()) continue;
      out_.tiles.push_back(c);
      out_.names.push_back(line["name"].text);
    }
    if (places.empty()) return places;
    if (known) out_.like = *known;
    out_.like.depth = depth;
    out_.like.operand_bytes = bytes_of(out_.type);
    out_.like.result_bytes = result_bytes_of(out_.type);
    if (out_.like.least <= 1) out_.like.least = 8;
    return places;
  }

  void product(const json& p) {
    gemm_measured m;
    m.layouts = p["layouts"].text;
    const auto bytes = static_cast<std::int64_t>(out_.like.operand_bytes);
    m.size.m = whole(p["m"]);
    m.size.n = whole(p["n"]);
    m.size.k = whole(p["k"]);
    if (p.has("batch")) m.size.batch = whole(p["batch"]);
    if (m.size.m <= 0 || m.size.n <= 0 || m.size.k <= 0 || m.size.batch <= 0)
      refuse("a product has no size, or a negative one");
    if (1.0 * m.size.m * m.size.n * m.size.k * m.size.batch > most_work)
      refuse("a product is larger than any that can have been measured");
    if (m.layouts != "nn" && m.layouts != "nt" && m.layouts != "tn" && m.layouts != "tt")
      refuse("a product has no layouts: there are nn, nt, tn and tt");
    m.size.a = select::row_starts_of((m.layouts[0] == 't' ? m.size.m : m.size.k) * bytes);
    m.size.b = select::row_starts_of((m.layouts[1] == 't' ? m.size.k : m.size.n) * bytes);
    m.size.c = select::row_starts_of(std::int64_t{m.size.n} * out_.like.result_bytes);
    const auto places = places_.find(m.layouts);
    for (const json& lap : p["ours"].list) {
      if (lap.list.size() < 3) refuse("a time of a product is incomplete");
      const int line = whole(lap.list[0]);
      const double us = lap.list[2].number_or(0);
      if (line < 0 || places == places_.end() || line >= static_cast<int>(places->second.size()) ||
          !(us >= least_us) || !std::isfinite(us))
        refuse("a time of a product is of a tile that its menu does not have, or is none");
      const int waves = whole(lap.list[1]);
      if (!select::is_gemm_policy(waves))
        refuse("a time of a product is of a schedule that the model does not know (waves " +
               std::to_string(waves) + "); measure with --waves from -1 to 6");
      m.ours.push_back({{places->second[static_cast<std::size_t>(line)], waves}, us});
    }
    for (const json& lap : p["peers"].list)
      if (lap.list.size() >= 2 && lap.list[1].number_or(0) > 0)
        m.peers.push_back(lap.list[1].number);
    m.failures = static_cast<int>(p["failures"].list.size());
    if (!m.ours.empty())
      products_[std::tuple(m.size.m, m.size.n, m.size.k, m.size.batch, m.layouts)] = std::move(m);
  }

  gemm_results& out_;
  std::string layouts_;
  std::string name_;
  std::map<std::string, std::vector<int>> places_;  ///< of the lines of a file's menu, by layouts
  std::map<std::tuple<int, int, int, int, std::string>, gemm_measured> products_;
};

/// The lines that some product has a time of, in order.
std::vector<int> measured_lines(const gemm_results& r) {
  std::vector<int> lines;
  for (const gemm_measured& p : r.products)
    for (const auto& [candidate, us] : p.ours) lines.push_back(candidate.config);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace

void keep_lines(gemm_results& r, const std::vector<int>& lines) {
  std::vector<int> place(r.tiles.size(), -1);
  for (std::size_t i = 0; i < lines.size(); ++i)
    place[static_cast<std::size_t>(lines[i])] = static_cast<int>(i);
  r.names = picked(r.names, lines);
  r.tiles = picked(r.tiles, lines);
  r.like.costs = r.tiles;
  for (gemm_measured& p : r.products) {
    for (auto& [candidate, us] : p.ours)
      candidate.config = place[static_cast<std::size_t>(candidate.config)];
    std::erase_if(p.ours, [](const auto& one) { return one.first.config < 0; });
  }
  std::erase_if(r.products, [](const gemm_measured& p) { return p.ours.empty(); });
}

gemm_results read_gemm_results(const std::vector<std::pair<std::string, json>>& files,
                               const std::string& type, const std::string& layouts) {
  gemm_results out;
  out.type = type;
  out.layouts = layouts;
  reader r(out, layouts);
  for (const auto& [name, document] : files) r.file(name, document);
  r.finish();
  keep_lines(out, measured_lines(out));
  return out;
}

}  // namespace loops::train
