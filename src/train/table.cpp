// SPDX-License-Identifier: Apache-2.0
/// Which schedules differ on a device, what they cost, and how few of them suffice.
#include "train/table.hpp"

#include "loops/core/error.hpp"
#include "loops/core/median.hpp"
#include "loops/schedule/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

namespace loops::train {

namespace {

constexpr double unmeasured = 20;  ///< times the best

/// The lanes that take a tile alone; 0 when long tiles are cut.
int lanes_of(const std::string& name, const machine& m) {
  return std::visit(
      [&](const auto& s) {
        const auto composed = s.compose();
        using point = std::remove_const_t<decltype(composed)>;
        if constexpr (point::measure_type::splits_tiles) {
          return 0;
        } else if constexpr (std::is_same_v<typename point::worker_type, worker::by_bin>) {
          return m.threads;
        } else {
          return composed.who.lanes(m);
        }
      },
      schedule_named(name));
}

/// A column and the names that amount to it: a device lowers what its blocks have no lanes for.
struct names_of_column {
  column as;
  std::vector<std::string> names;
};

std::vector<names_of_column> distinct(const results& r, const machine& m) {
  std::set<std::string> names;
  for (const measured& x : r.rows)
    for (const auto& [name, us] : x.us) names.insert(name);
  if (names.contains("group_mapped:2") && names.contains("thread_mapped"))
    names.insert("group_mapped:1");
  std::vector<names_of_column> out;
  for (const std::string& name : names) {
    const int lanes = lanes_of(name, m);
    const auto same = std::find_if(out.begin(), out.end(), [&](const names_of_column& c) {
      return lanes > 0 && c.as.lanes == lanes && kernels_of(c.as.name) == kernels_of(name);
    });
    if (same == out.end()) {
      names_of_column fresh;
      fresh.as.name = name;
      fresh.as.lanes = lanes;
      fresh.names.push_back(name);
      out.push_back(std::move(fresh));
    } else {
      same->names.push_back(name);
    }
  }
  return out;
}

/// The median of what was measured under these names.
std::optional<double> found_in(const std::map<std::string, double>& times,
                               const std::vector<std::string>& names) {
  std::vector<double> us;
  for (const std::string& name : names)
    if (const auto at = times.find(name); at != times.end()) us.push_back(at->second);
  if (us.empty() && names.front() == "group_mapped:1")
    if (const auto at = times.find("thread_mapped"); at != times.end()) us.push_back(at->second);
  if (us.empty()) return std::nullopt;
  return median(us);
}

/// What plans cost: the median over matrices; kernels of which none was timed, that of all.
void cost_plans(table& t, const results& r, const std::vector<names_of_column>& named) {
  std::vector<double> all;
  for (std::size_t i = 0; i < named.size(); ++i) {
    column& c = t.columns[i];
    std::vector<double> us;
    for (const measured& x : r.rows)
      if (const auto found = found_in(x.plan_us, named[i].names)) us.push_back(*found);
    c.planned = !us.empty();
    c.plan_us = median(us);
    if (c.planned) all.push_back(c.plan_us);
  }
  for (column& c : t.columns) {
    if (c.planned) continue;
    std::vector<double> relatives;
    for (const column& other : t.columns)
      if (other.planned && (other.lanes == 0) == (c.lanes == 0)) relatives.push_back(other.plan_us);
    c.plan_us = median(relatives.empty() ? all : relatives);
  }
}

/// What looking costs: so much where ends are copied, and elsewhere so much for few tiles, and so
/// much per tile of many.
void cost_looking(table& t, const results& r) {
  std::vector<double> copied;
  std::vector<double> few;
  std::vector<double> each;
  for (const measured& x : r.rows) {
    if (!x.gather_us) continue;
    if (select::copied_to_look(select::on_machine(x.given, t.device.shape))) {
      copied.push_back(*x.gather_us);
    } else if (x.given.seen.tiles <= 20'000) {
      few.push_back(*x.gather_us);
    }
  }
  t.gather_measured = !copied.empty() || !few.empty();
  if (!t.gather_measured) {
    // An allocation, a fill, a launch and a wait for the answer; offsets are read once.
    t.gather_us = t.device.shape.threads == 1 ? 5 : 25;
    t.copy_us = t.gather_us / 2;
    t.gather_ns = 8 / t.copy_gb_per_s;
    return;
  }
  t.gather_us = median(few.empty() ? copied : few);
  t.copy_us = median(copied.empty() ? few : copied);
  for (const measured& x : r.rows)
    if (x.gather_us && x.given.seen.tiles >= 200'000)
      each.push_back(std::max(0.0, *x.gather_us - t.gather_us) * 1e3 /
                     static_cast<double>(x.given.seen.tiles));
  t.gather_ns = each.empty() ? 8 / t.copy_gb_per_s : median(each);
}

}  // namespace

bool counts_as_measured(const row& r, double us) {
  return us < unmeasured * r.best_us;
}

std::string kernels_of(const std::string& schedule) {
  return schedule.substr(0, schedule.find(':'));
}

device_class device_class_named(const std::string& name) {
  if (name == "h200") return {name, {128, 32, 16, 1, 2112, 4}};
  if (name == "cdna") return {name, {128, 64, 16, 1, 4864, 4}};
  if (name == "host") return {name, {1, 1, 32768, 1024, 2, 16384}};
  throw error(errc::invalid_argument,
              "there is no device class '" + name + "'; there are: h200 host cdna");
}

std::string class_of_backend(const std::string& backend) {
  if (backend == "CUDA") return "h200";
  if (backend == "HIP") return "cdna";
  if (backend == "HOST") return "host";
  throw error(errc::parse, "the results have the backend '" + backend +
                               "'; those of bench_spmv have CUDA, HIP or HOST");
}

table tabulate(const results& r, const device_class& device) {
  table t;
  t.device = device;
  t.basis = r.machine + ", commit " + r.commit.substr(0, 12);
  t.copy_gb_per_s = r.copy_gb_per_s;
  const std::vector<names_of_column> named = distinct(r, device.shape);
  for (const names_of_column& c : named) t.columns.push_back(c.as);
  if (std::none_of(t.columns.begin(), t.columns.end(),
                   [](const column& c) { return c.name == "merge_path"; }))
    throw error(errc::parse, "the results have no times of merge_path, the safe choice");
  cost_plans(t, r, named);
  cost_looking(t, r);
  for (const measured& x : r.rows) {
    row out;
    out.matrix = x.matrix;
    out.group = x.group;
    out.generated = x.generated;
    out.for_limits = x.for_limits;
    out.given = select::on_machine(x.given, device.shape);
    out.best_us = HUGE_VAL;
    for (std::size_t c = 0; c < named.size(); ++c) {
      out.us.push_back(found_in(x.us, named[c].names).value_or(HUGE_VAL));
      out.plan_us.push_back(found_in(x.plan_us, named[c].names).value_or(t.columns[c].plan_us));
      out.best_us = std::min(out.best_us, out.us.back());
    }
    for (double& us : out.us) us = std::min(us, unmeasured * out.best_us);
    if (!x.halves[0].empty())
      for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t c = 0; c < named.size(); ++c)
          out.halves[h].push_back(found_in(x.halves[h], named[c].names).value_or(out.us[c]));
    out.gather_us =
        x.gather_us.value_or(t.gather_us + 1e-3 * t.gather_ns * double(x.given.seen.tiles));
    t.rows.push_back(std::move(out));
  }
  return t;
}

table with_columns(const table& t, const std::vector<std::size_t>& columns) {
  table out = t;
  out.columns.clear();
  for (const std::size_t c : columns) out.columns.push_back(t.columns[c]);
  for (std::size_t r = 0; r < t.rows.size(); ++r) {
    out.rows[r].us.clear();
    out.rows[r].plan_us.clear();
    for (std::size_t h = 0; h < 2; ++h) {
      const std::vector<double>& half = t.rows[r].halves[h];
      out.rows[r].halves[h].clear();
      if (!half.empty())
        for (const std::size_t c : columns) out.rows[r].halves[h].push_back(half[c]);
    }
    for (const std::size_t c : columns) {
      out.rows[r].us.push_back(t.rows[r].us[c]);
      out.rows[r].plan_us.push_back(t.rows[r].plan_us[c]);
    }
  }
  return out;
}

void require_known(const table& t, const std::vector<std::string>& kernels) {
  std::set<std::string> known;
  for (const column& c : t.columns) known.insert(kernels_of(c.name));
  for (const std::string& k : kernels) {
    if (known.contains(k)) continue;
    std::string names;
    for (const std::string& name : known) names += " " + name;
    throw error(errc::invalid_argument,
                "the results have no kernels '" + k + "'; they have:" + names);
  }
  require(
      kernels.empty() || std::find(kernels.begin(), kernels.end(), "merge_path") != kernels.end(),
      errc::invalid_argument,
      "the kernels to choose from lack merge_path, which a selector takes when it is unsure; "
      "add it");
}

std::vector<std::size_t> columns_of(const table& t, const std::vector<std::string>& kernels) {
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    if (std::find(kernels.begin(), kernels.end(), kernels_of(t.columns[c].name)) != kernels.end())
      out.push_back(c);
  // By lanes, those that cut tiles last: the order in which people think of them.
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t c) {
      return std::tuple(t.columns[c].lanes == 0, kernels_of(t.columns[c].name), t.columns[c].lanes);
    };
    return key(a) < key(b);
  });
  return out;
}

std::vector<subset> best_subsets(const table& t, std::size_t most) {
  require(!t.rows.empty(), errc::invalid_argument, "kernels are compared on one row at least");
  std::vector<std::string> others;
  for (const column& c : t.columns) {
    const std::string k = kernels_of(c.name);
    if (k != "merge_path" && std::find(others.begin(), others.end(), k) == others.end())
      others.push_back(k);
  }
  // The best time of each row by kernel; the sets are then cheap to try.
  const auto best_of = [&](const row& r, const std::string& kernels) {
    double best = unmeasured * r.best_us;
    for (std::size_t c = 0; c < t.columns.size(); ++c)
      if (kernels_of(t.columns[c].name) == kernels) best = std::min(best, r.us[c]);
    return best;
  };
  std::vector<std::vector<double>> by_kernel(others.size() + 1);
  for (const row& r : t.rows) {
    for (std::size_t k = 0; k < others.size(); ++k) by_kernel[k].push_back(best_of(r, others[k]));
    by_kernel.back().push_back(best_of(r, "merge_path"));
  }
  std::vector<subset> out(std::min(most, others.size() + 1));
  std::vector<double> least(out.size(), HUGE_VAL);
  for (std::uint32_t set = 0; set < (1u << others.size()); ++set) {
    const auto size = static_cast<std::size_t>(__builtin_popcount(set));
    if (size >= out.size()) continue;
    double logs = 0;
    double time = 0;
    double all = 0;
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
      double best = by_kernel.back()[r];
      for (std::size_t k = 0; k < others.size(); ++k)
        if (set >> k & 1) best = std::min(best, by_kernel[k][r]);
      logs += std::log(best / t.rows[r].best_us);
      time += best;
      all += t.rows[r].best_us;
    }
    const double mean = std::exp(-logs / static_cast<double>(t.rows.size()));
    const double loss = 1 / mean + time / all;
    if (loss >= least[size]) continue;
    least[size] = loss;
    out[size] = {{"merge_path"}, mean, time / all};
    for (std::size_t k = 0; k < others.size(); ++k)
      if (set >> k & 1) out[size].kernels.push_back(others[k]);
  }
  return out;
}

subset smallest_subset(const std::vector<subset>& best, double slack) {
  for (const subset& s : best)
    if (s.geometric_mean >= 1 - slack && s.total <= 1 + slack) return s;
  return best.back();
}

}  // namespace loops::train
