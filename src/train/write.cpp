// SPDX-License-Identifier: Apache-2.0
/// The generated header, in which a person can follow a choice with a finger.
#include "train/write.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "train/escaped.hpp"

namespace loops::train {

namespace {

/// The shortest text that reads back as the same number.
std::string exact(double x) {
  char text[40];
  if (x == std::floor(x) && std::abs(x) < 1e15) {
    std::snprintf(text, sizeof text, "%.0f", x);
    return text;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    if (std::strtod(text, nullptr) == x) break;
  }
  return text;
}

std::string number(const char* format, double x) {
  char text[40];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

std::string feature_name(select::feature f) {
  return std::string(select::words_of_features[static_cast<std::size_t>(f)].name);
}

/// Rounds a forecast as the header prints it, so that what is read back is what was judged.
std::string brief(double x) {
  return number("%.3g", x);
}

std::string substitutes(const select::candidate& c) {
  std::string out;
  for (const select::substitute& s : c.instead) {
    if (s.name.empty()) continue;
    out += std::string(out.empty() ? ", {{" : ", ") + "{.name = \"" + std::string(s.name) +
           "\", .where = placing::" +
           std::string(select::words_of_placings[static_cast<std::size_t>(s.where)].name);
    const auto field = [&out](const char* name, double value) {
      if (value > 0) out += std::string(", .") + name + " = " + exact(value);
    };
    field("from", s.from);
    field("mean", s.mean);
    field("most", s.most);
    field("crowded", s.crowded);
    field("large", s.large);
    if (s.by_lanes) out += ", .by_lanes = true";
    out += "}";
  }
  return out.empty() ? out : out + "}}";
}

std::string tree_text(const model& m, const owned_tree& t, const std::string& prefix) {
  std::string out = "inline constexpr node " + prefix + "_nodes[] = {\n";
  for (std::size_t i = 0; i < t.nodes.size(); ++i) {
    const select::node& n = t.nodes[i];
    std::string line = "    /* " + number("%2.0f", static_cast<double>(i)) + " */ ";
    if (n.by == select::feature::none) {
      line += "{feature::none, 0, " + std::to_string(n.other) + "},";
    } else {
      line += "{feature::" + feature_name(n.by) + ", " + exact(n.at_most) + ", " +
              std::to_string(n.other) + "},";
    }
    line.resize(std::max<std::size_t>(line.size(), 50), ' ');
    line += "  // " + words_of(m, t, i);
    if (n.by != select::feature::none) line += "? else line " + std::to_string(n.other);
    out += line + "\n";
  }
  out += "};\n";
  out += "// matrices, groups, sure, best, informed, plan then\n";
  out += "inline constexpr leaf " + prefix + "_leaves[] = {\n";
  for (const select::leaf& l : t.leaves)
    out += "    {" + std::to_string(l.matrices) + ", " + std::to_string(l.groups) + ", " +
           (l.sure ? "true" : "false") + ", " + brief(l.best) + ", " + brief(l.informed) + ", " +
           brief(l.informed_plan_us) + "},\n";
  out += "};\n";
  out += "// low, typical, high, loss\n";
  out += "inline constexpr forecast " + prefix + "_forecasts[] = {\n";
  for (std::size_t i = 0; i < t.forecasts.size(); ++i) {
    const std::size_t k = i % m.names.size();
    if (k == 0) out += "    // leaf " + std::to_string(i / m.names.size()) + "\n";
    const select::forecast& f = t.forecasts[i];
    std::string line = "    {" + brief(f.low) + ", " + brief(f.typical) + ", " + brief(f.high) +
                       ", " + brief(f.loss) + "},";
    line.resize(std::max<std::size_t>(line.size(), 34), ' ');
    out += line + "  // " + name_of(m, k) + "\n";
  }
  return out + "};\n";
}

}  // namespace

std::string name_of(const model& m, std::size_t k) {
  const select::candidate& c = m.schedules[k];
  if (c.lanes != select::candidate::fitted) return m.names[k];
  constexpr const char* times[] = {" / 4", " / 2", "", " * 2", " * 4"};
  return m.names[k] + ":fitting" + times[c.shift + 2];
}

std::string words_of(const model& m, const owned_tree& t, std::size_t line) {
  const select::node& n = t.nodes[line];
  if (n.by != select::feature::none) return feature_name(n.by) + " <= " + exact(n.at_most);
  const select::selector s = m.view();
  select::facts many;
  many.uses = 1'000'000'000;
  // Of a work so small that nothing can go wrong: what the leaf says for itself.
  const int choice = select::least_loss(s, t.view(), n.other, many, true);
  const select::leaf& l = t.leaves[static_cast<std::size_t>(n.other)];
  const auto& f = t.forecasts[static_cast<std::size_t>(n.other) * m.names.size() +
                              static_cast<std::size_t>(choice)];
  return name_of(m, static_cast<std::size_t>(choice)) + ", " + std::to_string(l.matrices) +
         " matrices of " + std::to_string(l.groups) + " groups, loses " +
         number("%.1f", 100 * f.loss) + " %";
}

std::string to_header(const model& m, const std::string& how,
                      const std::vector<std::string>& remarks) {
  std::string out =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "/// What `automatic` knows about the device class " +
      m.device + ". Generated; do not edit.\n";
  out += "///\n/// " + escaped(how) + "\n///\n";
  for (const std::string& r : remarks) out += "/// " + escaped(r) + "\n";
  out += "#pragma once\n\n#include \"loops/select/selector.hpp\"\n\n";
  out +=
      "// clang-format off\n\nnamespace loops::select {\n\nnamespace " + m.device + "_data {\n\n";
  out +=
      "// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to "
      "plan;\n"
      "// what takes its place, the last one that may: how columns lie there, from how many bytes\n"
      "// of atoms (far: that a tile lies over; everywhere: of all columns) on, and for how many "
      "atoms\n"
      "// per tile\n";
  out += "inline constexpr candidate schedules[] = {\n";
  for (std::size_t k = 0; k < m.names.size(); ++k)
    out +=
        "    {\"" + m.names[k] + "\", " +
        (m.schedules[k].lanes == select::candidate::fitted ? "candidate::fitted"
                                                           : std::to_string(m.schedules[k].lanes)) +
        ", " + std::to_string(m.schedules[k].shift) + ", " + brief(m.schedules[k].plan_us) +
        substitutes(m.schedules[k]) + "},\n";
  out += "};\n\n// By the size alone.\n" + tree_text(m, m.known, "known");
  out += "\n// After a pass over the tiles.\n" + tree_text(m, m.gathered, "gathered");
  const select::selector& n = m.numbers;
  out += "\n}  // namespace " + m.device + "_data\n\n/// The selector of the device class.\n";
  out += "inline constexpr selector " + m.device + "{\n";
  const auto field = [&](const char* name, const std::string& value) {
    out += std::string("    .") + name + " = " + value + ",\n";
  };
  const std::string data = m.device + "_data::";
  field("device", "\"" + m.device + "\"");
  field("basis", "\"" + escaped(m.basis) + "\"");
  field("proved", m.proved ? "true" : "false");
  field("launch_us", brief(n.launch_us));
  field("gb_per_s", brief(n.gb_per_s));
  field("gather_us", brief(n.gather_us));
  field("gather_ns", brief(n.gather_ns));
  field("copy_us", brief(n.copy_us));
  field("step_ns", brief(n.step_ns));
  field("schedules", data + "schedules");
  field("safe", std::to_string(n.safe));
  for (const std::string tree : {"known", "gathered"})
    field(tree.c_str(),
          "{" + data + tree + "_nodes, " + data + tree + "_leaves, " + data + tree + "_forecasts}");
  out += "};\nstatic_assert(well_formed(" + m.device + "));\n\n";
  return out + "}  // namespace loops::select\n\n// clang-format on\n";
}

std::string to_text(const std::vector<score>& scores) {
  std::string out =
      "                              total us   of oracle   geometric    worst   within     "
      "looked\n"
      "                               per use                    mean              5 %         "
      "at\n";
  for (const score& s : scores) {
    char line[200];
    std::snprintf(line, sizeof line, "  %-26s %10.1f %11.3f %11.3f %8.2f %7.1f%% %9.1f%%\n",
                  s.name.c_str(), s.total_us, s.total, s.geometric_mean, s.worst, 100 * s.close,
                  100 * s.looked);
    out += line;
  }
  return out;
}

}  // namespace loops::train
