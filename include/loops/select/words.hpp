// SPDX-License-Identifier: Apache-2.0
/// Says in words what a selector decided, why, and what it expects of the others.
#pragma once

#include "loops/select/selector.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace loops::select {

namespace detail {

inline std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  if (x >= 1000 && x < 1e15) std::snprintf(text, sizeof text, "%.0f", x);
  return text;
}

inline std::string percent(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * x);
  return text;
}

/// The schedule as a catalogue calls it: "group_mapped:8", "merge_path".
inline std::string name_of(const candidate& c, const facts& x, int lanes) {
  return std::string(kernels_of(c, x)) +
         (c.lanes == candidate::fitted && lanes > 0 ? ":" + std::to_string(lanes) : "");
}

inline std::string answer(const node& n, const facts& x) {
  const double value = value_of(n.by, x);
  return std::string(words_of_features[static_cast<std::size_t>(n.by)].name) + " " + brief(value) +
         (value <= n.at_most ? " <= " : " > ") + brief(n.at_most);
}

/// Why another schedule took a candidate's place; nothing where none did.
inline std::string why_not(const candidate& c, const facts& x) {
  const substitute* other = substitute_of(c, x);
  if (!other) return {};
  std::string out = "in place of " + std::string(c.name) + ": ";
  const std::string strewn = "strewn " + brief(strewn_of(x)) + " >= " + brief(nearly_all_strewn);
  if (other->where == placing::strewn) out += strewn + " over " + brief(span_of(x)) + " bytes, ";
  if (other->where == placing::far || other->where == placing::everywhere)
    out += strewn + ", over ";
  if (other->where == placing::narrow_band || other->where == placing::band ||
      other->where == placing::wide_band)
    out += "strewn over a band of " + brief(span_of(x)) + " bytes, ";
  if (other->where == placing::held)
    out += "a cache holds all columns, " + brief(bytes_of_columns(x)) + " bytes, ";
  out += brief(bytes_for(other->where, x)) + " > " + brief(limit_of(*other, x));
  out += " " + std::string(words_of_placings[static_cast<std::size_t>(other->where)].bytes);
  if (other->crowded > 0 && is_crowded(x))
    out += ", crowded " + brief(value_of(feature::crowded, x));
  const std::string mean = brief(value_of(feature::mean, x));
  if (other->mean > 0) out += ", mean " + mean + " > " + brief(other->mean);
  if (other->most > 0) out += ", mean " + mean + " <= " + brief(other->most);
  return out;
}

inline const tree& tree_of(const selector& s, const decision& d) {
  return d.gathered ? s.gathered : s.known;
}

}  // namespace detail

/// The answers that lead `x` to its leaf, in order.
[[nodiscard]] inline std::vector<std::string> path_of(const tree& t, const facts& x) {
  std::vector<std::string> out;
  for (std::size_t at = 0; t.nodes[at].by != feature::none;) {
    const node& n = t.nodes[at];
    out.push_back(detail::answer(n, x));
    at = value_of(n.by, x) <= n.at_most ? at + 1 : static_cast<std::size_t>(n.other);
  }
  return out;
}

/// The chosen schedule and the reason for it on one line; begins with the schedule's name and a
/// colon.
[[nodiscard]] inline std::string reason_of(const selector& s, const decision& d) {
  const tree& t = detail::tree_of(s, d);
  const candidate& c = s.schedules[static_cast<std::size_t>(d.choice)];
  std::string out = detail::name_of(c, d.given, d.lanes) + ":";
  if (d.tried > 0) return out + " the fastest of " + std::to_string(d.tried) + " in a trial";
  out += d.gathered ? " chosen after a pass over the tiles" : " chosen by size alone";
  const std::vector<std::string> path = path_of(t, d.given);
  if (path.empty()) out += d.gathered ? " (one rule for all)" : " (one rule for all sizes)";
  for (std::size_t i = 0; i < path.size(); ++i)
    out += (i == 0 ? ", because " : i + 1 == path.size() ? " and " : ", ") + path[i];
  const leaf& l = t.leaves[static_cast<std::size_t>(d.leaf)];
  if (!d.sure) return out + "; too little was measured there, so the safe choice";
  const forecast& f = t.forecasts[static_cast<std::size_t>(d.leaf) * s.schedules.size() +
                                  static_cast<std::size_t>(d.choice)];
  return out + "; on the " + std::to_string(l.matrices) +
         " training matrices of this rule it was " + detail::percent(f.loss) +
         " slower than the best" + (s.proved ? "" : ", as predicted");
}

/// What a schedule is expected to take.
struct expectation {
  std::string name;
  double low_us = 0;  ///< nine in ten lie between this …
  double typical_us = 0;
  double high_us = 0;  ///< … and this
  double plan_us = 0;
  bool refused = false;  ///< because it could go wrong
  bool chosen = false;
};

/// Every schedule that the selector weighed, as seen from the leaf that chose. Fitted lanes that
/// come to the same number are told once.
[[nodiscard]] inline std::vector<expectation> expectations_of(const selector& s,
                                                              const decision& d) {
  std::vector<expectation> out;
  const tree& t = detail::tree_of(s, d);
  const double unit = yardstick_us(s, d.given);
  for (std::size_t k = 0; k < s.schedules.size(); ++k) {
    const candidate& c = s.schedules[k];
    const forecast& f = t.forecasts[static_cast<std::size_t>(d.leaf) * s.schedules.size() + k];
    expectation e{detail::name_of(c, d.given, lanes_of(c, d.given, d.gathered)),
                  f.low * unit,
                  f.typical * unit,
                  f.high * unit,
                  c.plan_us,
                  can_go_wrong(s, c, d.given, d.gathered) || (!d.sure && c.lanes != 0),
                  static_cast<int>(k) == d.choice};
    bool told = false;
    for (expectation& other : out) {
      if (other.name != e.name) continue;
      told = true;
      if (e.chosen) other = e;
    }
    if (!told) out.push_back(std::move(e));
  }
  return out;
}

/// The whole decision, a line at a time: the path by size, whether looking pays, the path after
/// looking, and the expected time of every schedule.
[[nodiscard]] inline std::vector<std::string> explanation_of(const selector& s, const decision& d) {
  std::vector<std::string> out;
  const auto walk = [&](const tree& t) {
    const std::vector<std::string> path = path_of(t, d.given);
    if (path.empty()) out.push_back("  (one leaf for all works)");
    for (const std::string& answer : path) out.push_back("  " + answer);
  };
  decision by_size = decide_known(s, d.given);
  out.push_back("by the size alone: " +
                detail::name_of(s.schedules[static_cast<std::size_t>(by_size.choice)],
                                by_size.given, by_size.lanes));
  walk(s.known);
  out.push_back("a pass over the tiles saves " +
                detail::brief(std::max(0.0, saved_by_looking_us(s, by_size))) + " us over " +
                std::to_string(d.given.uses) + " uses and costs " +
                detail::brief(gathering_us(s, d.given)) +
                " us: " + (d.gathered ? "done" : "left out"));
  if (d.gathered) {
    out.push_back("after it: " + detail::name_of(s.schedules[static_cast<std::size_t>(d.choice)],
                                                 d.given, d.lanes));
    walk(s.gathered);
    const std::string instead =
        detail::why_not(s.schedules[static_cast<std::size_t>(d.choice)], d.given);
    if (!instead.empty()) out.push_back("  " + instead);
  }
  out.push_back("expected us per use (nine in ten), and to plan:");
  for (const expectation& e : expectations_of(s, d)) {
    char line[160];
    std::snprintf(line, sizeof line, "%c %-18s %8.1f  (%.1f to %.1f)  plan %.1f%s",
                  e.chosen ? '*' : ' ', e.name.c_str(), e.typical_us, e.low_us, e.high_us,
                  e.plan_us, e.refused ? "  refused: one long tile would hold it up" : "");
    out.emplace_back(line);
  }
  out.push_back("trained for " + std::string(s.device) + " on " + std::string(s.basis) +
                (s.proved ? "" : "; unproved: nobody has run it there yet"));
  return out;
}

}  // namespace loops::select
