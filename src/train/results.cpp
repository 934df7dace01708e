// SPDX-License-Identifier: Apache-2.0
/// From Google Benchmark's JSON to measurements by matrix.
#include "train/results.hpp"

#include "loops/core/error.hpp"
#include "loops/core/median.hpp"
#include "loops/io/generate.hpp"
#include "loops/schedule/catalogue.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

namespace loops::train {

namespace {

/// GB/s that some memory may have.
constexpr double least_rate = 1e-3;
constexpr double most_rate = 1e6;

/// Microseconds that something may take: nobody waits for ten days.
constexpr double most_us = 1e12;

/// The names that may be chosen: those of the library, and groups of one lane.
std::set<std::string, std::less<>> names_of_schedules() {
  std::set<std::string, std::less<>> names{"group_mapped:1"};
  for (const named_schedule& s : all_schedules()) names.insert(s.name);
  return names;
}

struct entry_name {
  std::string matrix;
  std::string type;
  std::string contender;
};

/// "spmv/MATRIX/TYPE/CONTENDER/iterations:1/manual_time".
std::optional<entry_name> parse_name(const std::string& name) {
  std::vector<std::string> parts{""};
  for (const char c : name) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() < 4) return std::nullopt;
  return entry_name{parts[1], parts[2], parts[3]};
}

/// A time in us, where there is one: Google Benchmark writes numbers that are none, too.
std::optional<double> time_in(const json& v, double unit = 1) {
  const double us = v.number_or(-1) * unit;
  if (!(us >= 0 && us <= most_us)) return std::nullopt;
  return us;
}

/// A rate as a number, or as a text that is one: Google Benchmark writes what it is told as texts.
double rate_in(const std::string& file, const json& v) {
  const bool is_text = v.is == json::kind::text;
  double rate = v.number_or(0);
  const char* const end = v.text.data() + v.text.size();
  const auto read = std::from_chars(v.text.data(), end, rate);
  if ((is_text && (read.ec != std::errc{} || read.ptr != end)) || !std::isfinite(rate))
    throw error(errc::parse, file + ": \"copy_gb_per_s\" is \"" +
                                 (is_text ? v.text : std::to_string(rate)) +
                                 "\", which is no number");
  return rate;
}

std::vector<double> every_second(const std::vector<double>& of, std::size_t from) {
  std::vector<double> out;
  for (std::size_t i = from; i < of.size(); i += 2) out.push_back(of[i]);
  return out;
}

class collector {
 public:
  explicit collector(const statistics_finder& find) : find_(find) {}

  /// `for_limits`: what this file alone has teaches no tree.
  void take(const std::string& file, const json& whole, bool for_limits) {
    const json& context = whole["context"];
    const json& entries = whole["benchmarks"];
    if (entries.is != json::kind::list)
      throw error(errc::parse, file +
                                   ": there are no \"benchmarks\"; bench_spmv writes such files "
                                   "with --benchmark_out=FILE");
    if (!out_.machine.empty() && out_.machine != context["machine"].text)
      throw error(errc::parse, file + ": measured on " + context["machine"].text +
                                   ", the file before on " + out_.machine +
                                   "; train for one machine at a time");
    out_.machine = context["machine"].text;
    out_.backend = context["backend"].text;
    out_.commit = context["commit"].text;
    out_.copy_gb_per_s = rate_in(file, context["copy_gb_per_s"]);
    file_ = file;
    files_ += " " + file;
    for_limits_ = for_limits;
    rounds_.clear();
    for (const json& e : entries.list) take(e);
  }

  results finish() {
    for (auto& [key, row] : rows_) {
      // Older results do not time the plan, but a product that makes its own.
      for (const auto& [schedule, us] : once_[key])
        if (row.us.contains(schedule) && !row.plan_us.contains(schedule))
          row.plan_us[schedule] = std::max(0.0, us - row.us[schedule]);
      if (!row.us.empty()) out_.rows.push_back(std::move(row));
    }
    if (out_.rows.empty())
      throw error(
          errc::parse,
          "nothing to learn or to judge by: in" + files_ +
              " no matrix has both the time of a schedule and statistics of its rows; older "
              "results need --matrices FOLDER");
    if (!(out_.copy_gb_per_s >= least_rate && out_.copy_gb_per_s <= most_rate))
      throw error(errc::parse,
                  "the results do not say the machine's copy_gb_per_s, or none that can be");
    return std::move(out_);
  }

 private:
  void take(const json& e) {
    if (e["name"].text.rfind("spmv/", 0) != 0)
      throw error(errc::parse, file_ + ": this is no result of bench_spmv: it has the time of \"" +
                                   e["name"].text + "\"");
    const auto name = parse_name(e["name"].text);
    const double unit = e["time_unit"].text == "ns" ? 1e-3 : e["time_unit"].text == "ms" ? 1e3 : 1;
    const double us = time_in(e["real_time"], unit).value_or(0);
    if (!name || e["error_occurred"].truth || us < least_us) return;
    const auto comma = name->contender.find(',');
    const std::string schedule = name->contender.substr(0, comma);
    if (!names_.contains(schedule)) return;
    const auto statistics = statistics_of(name->matrix, e);
    if (!statistics) return;
    const auto [place, fresh] = rows_.try_emplace({name->matrix, name->type});
    measured& row = place->second;
    if (fresh) row.for_limits = for_limits_;
    row.matrix = name->matrix;
    row.generated = is_generated(name->matrix);
    row.group = group_of(name->matrix);
    row.given.seen = *statistics;
    row.given.value_bytes = name->type == "f64" ? 8 : 4;
    if (e.has("columns")) row.given.columns = count(e, "columns");
    if (comma != std::string::npos) {  // with its preparation inside
      once_[{name->matrix, name->type}][schedule] = median(rounds_of(e, "real_time", us));
      return;
    }
    const auto& rounds = rounds_of(e, "real_time", us);
    row.us[schedule] = median(rounds);
    for (std::size_t h = 0; h < 2; ++h) {
      row.halves[h].erase(schedule);
      if (rounds.size() > 1) row.halves[h][schedule] = median(every_second(rounds, h));
    }
    if (const auto plan_us = time_in(e["plan_us"]))
      row.plan_us[schedule] = median(rounds_of(e, "plan_us", *plan_us));
    if (const auto gather_us = time_in(e["gather_us"])) row.gather_us = gather_us;
  }

  /// What the file has said of that name so far, which comes as often as there were rounds: the
  /// newest value is `us`.
  const std::vector<double>& rounds_of(const json& e, const char* what, double us) {
    auto& all = rounds_[{e["name"].text, what}];
    all.push_back(us);
    return all;
  }

  /// A number of things, of which a multiple by `times` is still one that a double holds exactly.
  /// Throws: `parse` for any other.
  std::int64_t count(const json& e, const char* what, std::int64_t times = 1) const {
    constexpr double most = 0x1p53;
    const double x = e[what].number_or(0);
    if (!(x >= 0 && x * static_cast<double>(times) <= most))
      throw error(errc::parse, file_ + ": \"" + what + "\" of " + e["name"].text +
                                   " is no number of things that can be; measure it again");
    return static_cast<std::int64_t>(x);
  }

  std::optional<tile_statistics> statistics_of(const std::string& matrix, const json& e) {
    if (!e.has("padded")) return found(matrix);
    tile_statistics s{count(e, "rows"),       count(e, "nonzeros"), count(e, "longest_row"),
                      count(e, "empty_rows"), count(e, "crowded"),  count(e, "padded"),
                      count(e, "sampled"),    count(e, "strewn")};
    // Of older results' tiles it is not known where their columns end.
    s.span = e.has("span") ? count(e, "span") : s.sampled * count(e, "columns", s.sampled);
    if (e.has("sampled")) return s;
    if (const auto known = found(matrix)) {
      s.sampled = known->sampled;
      s.strewn = known->strewn;
      s.span = known->span;
    }
    return s;
  }

  std::optional<tile_statistics> found(const std::string& matrix) {
    const auto known = found_.find(matrix);
    if (known != found_.end()) return known->second;
    return found_[matrix] = find_(matrix);
  }

  const statistics_finder& find_;
  std::string file_;   ///< that is being read
  std::string files_;  ///< so far
  bool for_limits_ = false;
  std::set<std::string, std::less<>> names_ = names_of_schedules();
  std::map<std::string, std::optional<tile_statistics>> found_;
  std::map<std::pair<std::string, std::string>, std::vector<double>> rounds_;  ///< of a file
  std::map<std::pair<std::string, std::string>, measured> rows_;
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> once_;
  results out_;
};

}  // namespace

results read_results(const std::vector<std::pair<std::string, json>>& files,
                     const statistics_finder& find, std::size_t teaching) {
  collector all(find);
  for (std::size_t i = 0; i < files.size(); ++i)
    all.take(files[i].first, files[i].second, i >= teaching);
  return all.finish();
}

bool is_generated(const std::string& matrix) {
  const std::string name = matrix.substr(0, matrix.find(':'));
  const auto& all = list_generators();
  return std::any_of(all.begin(), all.end(), [&](const generator& g) { return g.name == name; });
}

std::string group_of(const std::string& matrix) {
  const auto colon = matrix.find(':');
  if (colon != std::string::npos) return matrix.substr(0, colon);
  return matrix.substr(0, matrix.find("__"));
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace loops::train
