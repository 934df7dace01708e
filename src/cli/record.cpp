// SPDX-License-Identifier: Apache-2.0
/// A run as a table and as JSON.
#include "cli/record.hpp"

#include "loops/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "cli/counted.hpp"
#include "cli/json.hpp"
#include "cli/printable.hpp"

namespace loops::cli {

namespace {

std::string percent_of_copy(const run_record& run, double bytes, double seconds) {
  if (!run.timed || run.copy_bandwidth <= 0 || seconds <= 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * bytes / seconds / run.copy_bandwidth);
  return text;
}

std::string gigabytes(const run_record& run, double bytes, double seconds) {
  if (!run.timed || seconds <= 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", bytes / seconds * 1e-9);
  return text;
}

std::string verdict_of(const schedule_record& s) {
  if (!s.error.empty()) return s.error;
  char text[128];
  const verdict& v = s.measured.result;
  if (v.correct) {
    std::snprintf(text, sizeof text, "right (%.2g of the bound)", v.worst);
  } else {
    std::snprintf(text, sizeof text, "WRONG (%.3g times the bound, row %lld)", v.worst,
                  static_cast<long long>(v.worst_row));
  }
  return text;
}

long long wide(std::int64_t n) {
  return static_cast<long long>(n);
}

void write_schedule(json_writer& json, const run_record& run, const matrix_record& m,
                    const schedule_record& s) {
  json.begin('{').member("schedule", s.schedule);
  if (!s.error.empty()) {
    json.member("error", s.error).end('}');
    return;
  }
  const measurement& d = s.measured;
  const auto [least, most] = std::minmax_element(d.seconds.begin(), d.seconds.end());
  json.member("seconds", s.seconds)
      .member("seconds_min", d.seconds.empty() ? 0 : *least)
      .member("seconds_max", d.seconds.empty() ? 0 : *most)
      .member("plan_seconds", d.plan_seconds)
      .member("plan_bytes", d.plan_bytes)
      .member("gigabytes_per_second", s.seconds > 0 ? m.bytes / s.seconds * 1e-9 : 0.0)
      .member("fraction_of_copy", run.copy_bandwidth > 0 && s.seconds > 0
                                      ? m.bytes / s.seconds / run.copy_bandwidth
                                      : 0.0)
      .member("imbalance", d.imbalance)
      .member("correct", d.result.correct)
      .member("repeatable", d.result.repeatable)
      .member("worst_error_over_bound", d.result.worst)
      .member("worst_row", d.result.worst_row);
  json.key("shares").begin('[');
  // Three digits are more than a picture shows.
  for (const double share : d.shares) json.value(std::round(share * 1000) / 1000);
  json.end(']');
  if (!d.chosen.empty()) json.member("chosen", d.chosen);
  json.end('}');
}

}  // namespace

std::string format_seconds(double seconds) {
  char text[32];
  if (seconds < 1e-3) {
    std::snprintf(text, sizeof text, "%.2f us", seconds * 1e6);
  } else if (seconds < 1) {
    std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
  } else {
    std::snprintf(text, sizeof text, "%.3f s", seconds);
  }
  return text;
}

void print_matrix(const run_record& run, const matrix_record& m) {
  if (!m.error.empty()) return;
  std::printf("\n%s: %lld x %lld, %s, %s %s, %.2f MB per run\n", printable(m.name).c_str(),
              wide(m.rows), wide(m.cols), counted(m.nonzeros, "nonzero").c_str(), m.type.c_str(),
              run.format.c_str(), m.bytes * 1e-6);
  std::printf("  %-20s %12s %9s %10s %10s  %-10s  %s\n", "schedule", "time", "GB/s", "% of copy",
              "imbalance", "repeatable", "verdict");
  for (const schedule_record& s : m.schedules) {
    if (!s.error.empty()) {
      std::printf("  %-20s %s\n", s.schedule.c_str(), s.error.c_str());
      continue;
    }
    std::printf("  %-20s %12s %9s %10s %10.2f  %-10s  %s\n", s.schedule.c_str(),
                run.timed ? format_seconds(s.seconds).c_str() : "-",
                gigabytes(run, m.bytes, s.seconds).c_str(),
                percent_of_copy(run, m.bytes, s.seconds).c_str(), s.measured.imbalance,
                s.measured.result.repeatable ? "yes" : "NO", verdict_of(s).c_str());
    if (!s.measured.chosen.empty()) std::printf("  %-20s %s\n", "", s.measured.chosen.c_str());
  }
}

void print_summary(const run_record& run) {
  std::printf("\n%-28s %11s %-20s %11s %8s %9s %9s  %s\n", "matrix", "nonzeros", "best schedule",
              "time", "GB/s", "% of copy", "imbalance", "right");
  for (const matrix_record& m : run.matrices) {
    if (!m.error.empty()) {
      std::printf("%s %s\n", printable(m.name, 28, true).c_str(), "not run, see above");
      continue;
    }
    const auto right = std::count_if(m.schedules.begin(), m.schedules.end(),
                                     [](const schedule_record& s) { return s.right(); });
    const schedule_record* best = m.best();
    std::printf(
        "%s %11lld %-20s %11s %8s %9s %9.2f  %lld of %zu\n", printable(m.name, 28, true).c_str(),
        wide(m.nonzeros), best ? best->schedule.c_str() : "none",
        best && run.timed ? format_seconds(best->seconds).c_str() : "-",
        best ? gigabytes(run, m.bytes, best->seconds).c_str() : "-",
        best ? percent_of_copy(run, m.bytes, best->seconds).c_str() : "-",
        best ? best->measured.imbalance : 0.0, static_cast<long long>(right), m.schedules.size());
  }
}

std::string to_json(const run_record& run) {
  json_writer json;
  json.begin('{')
      .member("format_version", 1)
      .member("command", run.command_line)
      .member("commit", run.commit)
      .key("machine")
      .begin('{')
      .member("cpu", run.cpu)
      .member("device", run.device)
      .member("details", run.device_details)
      .member("copy_gigabytes_per_second", run.copy_bandwidth * 1e-9)
      .end('}')
      .key("options")
      .begin('{')
      .member("format", run.format)
      .member("index_bits", run.index_bits)
      .member("alpha", run.alpha)
      .member("beta", run.beta)
      .member("repeat", run.repeat)
      .member("cold", run.cold)
      .member("timed", run.timed)
      .end('}')
      .key("aliases")
      .begin('{');
  for (const alias& a : run.aliases) json.member(a.name, a.same_as);
  json.end('}').key("matrices").begin('[');
  for (const matrix_record& m : run.matrices) {
    json.begin('{').member("name", m.name).member("source", m.place);
    if (!m.error.empty()) {
      json.member("error", m.error).end('}');
      continue;
    }
    json.member("rows", m.rows)
        .member("cols", m.cols)
        .member("nonzeros", m.nonzeros)
        .member("type", m.type)
        .member("bytes", m.bytes)
        .key("results")
        .begin('[');
    for (const schedule_record& s : m.schedules) write_schedule(json, run, m, s);
    json.end(']').end('}');
  }
  json.end(']').end('}');
  return json.text();
}

}  // namespace loops::cli
