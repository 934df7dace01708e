// SPDX-License-Identifier: Apache-2.0
/// `loops gemm`: runs schedules over a product of random matrices, judges and times them.
#include "loops/core/error.hpp"
#include "loops/core/median.hpp"
#include "loops/execution/host.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "cli/dense.hpp"
#include "cli/dense_open.hpp"
#include "cli/device.hpp"
#include "cli/files.hpp"
#include "cli/gemm_picture.hpp"
#include "cli/json.hpp"
#include "cli/machine_facts.hpp"
#include "cli/record.hpp"
#include "cli/report.hpp"
#include "cli/schedule_names.hpp"
#include "cli/svg.hpp"

namespace loops::cli {

namespace {

/// A page with a dozen pictures of more tiles would take long to open.
constexpr std::int64_t most_reported_tiles = 3000;

/// A schedule, or who chooses one, by its name.
struct named_request {
  std::string name;
  dense_request schedule;
};

/// A schedule by its name. Throws: invalid_argument with the names there are.
named_request named(const std::string& name) {
  return request_named<named_request>("dense schedule", name, dense_schedule_named,
                                      dense_schedules());
}

/// The schedules of `--schedule`, names with commas between them, each once.
std::vector<named_request> choose(const std::string& wanted) {
  std::vector<named_request> out;
  const auto add = [&](const std::string& name) {
    named_request r = named(name);
    if (std::none_of(out.begin(), out.end(),
                     [&](const named_request& other) { return other.name == r.name; }))
      out.push_back(std::move(r));
  };
  for (const std::string& name : names_in(wanted)) {
    if (name != "all") {
      add(name);
      continue;
    }
    for (const named_dense_schedule& s : dense_schedules()) add(s.name);
    add("auto");
    add("measured");
  }
  return out;
}

std::unique_ptr<dense_session> open(const std::string& device, dense_kind kind, const product& p) {
  if (device == "host") return open_dense(host_executor(), kind, p);
  if (const std::optional<int> number = gpu_named(device)) return open_gpu_dense(*number, kind, p);
  throw error(errc::unsupported,
              "loops gemm runs on host, gpu and gpu:N; the tests run it emulated");
}

/// "A B", or "0.5 A B - 2 C": what is computed.
std::string formula(double alpha, double beta) {
  const auto factor = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g ", x);
    return x == 1 ? std::string() : std::string(text);
  };
  std::string out = factor(alpha) + "A B";
  if (beta != 0) out += (beta < 0 ? " - " : " + ") + factor(std::abs(beta)) + "C";
  return out;
}

struct row {
  std::string schedule;
  dense_measurement measured;
  double seconds = 0;
  std::optional<gemm_picture> picture;  ///< none of more tiles than can be drawn
};

std::string to_json(const gemm_request& r, const run_options& options, const std::string& device,
                    double operations, const std::vector<row>& rows) {
  json_writer w;
  w.begin('{')
      .member("format_version", 1)
      .member("command", r.command_line)
      .member("commit", commit())
      .member("cpu", cpu_name())
      .member("device", device)
      .member("m", r.m)
      .member("n", r.n)
      .member("k", r.k)
      .member("type", r.type)
      .member("layout", r.layout)
      .member("alpha", r.alpha)
      .member("beta", r.beta)
      .member("cold", options.cold)
      .key("schedules")
      .begin('[');
  for (const row& s : rows) {
    w.begin('{')
        .member("schedule", s.schedule)
        .member("runs", name_of(s.measured.schedule))
        .member("engine", s.measured.engine)
        .key("tile")
        .begin('[')
        .value(s.measured.tile_m)
        .value(s.measured.tile_n)
        .value(s.measured.tile_k)
        .end(']')
        .member("tiles", s.measured.tiles)
        .member("steps", s.measured.steps)
        .member("workers", s.measured.workers)
        .member("median_seconds", s.seconds)
        .member("flops", s.seconds > 0 ? operations / s.seconds : 0.0)
        .member("plan_seconds", s.measured.plan_seconds)
        .member("plan_bytes", s.measured.plan_bytes)
        .member("correct", s.measured.result.correct)
        .member("worst_error", s.measured.result.worst)
        .member("repeatable", s.measured.result.repeatable);
    if (s.picture)
      w.member("used_share", s.picture->used)
          .member("steps_to_end", s.picture->end)
          .member("parts", s.picture->parts);
    w.key("seconds").begin('[');
    for (const double t : s.measured.seconds) w.value(t);
    w.end(']').end('}');
  }
  w.end(']').end('}');
  return w.text();
}

/// The pictures, closed but for the fastest schedule's.
std::string to_pictures(const std::vector<row>& rows) {
  const auto fastest = std::min_element(
      rows.begin(), rows.end(), [](const row& a, const row& b) { return a.seconds < b.seconds; });
  std::string out;
  for (auto r = rows.begin(); r != rows.end(); ++r)
    if (r->picture)
      out += std::string(r == fastest ? "<details open>" : "<details>") + "<summary>" +
             escaped(r->schedule) + "</summary><figure>" + r->picture->svg +
             "</figure></details>\n";
  if (out.empty()) out = "<p>There are no tiles, or too many: no pictures.</p>\n";
  return out;
}

}  // namespace

int run_gemm(const gemm_request& r) {
  const std::string device = r.device.empty() ? default_device() : r.device;
  const auto schedules = choose(r.schedule);
  const auto kind = static_cast<dense_kind>(position(dense_names, r.type));
  require_factors_fit(r.alpha, r.beta, kind == dense_kind::f64);
  prepare_outputs({r.json, r.report});
  const auto session = open(device, kind, {r.m, r.n, r.k, r.layout == "nt"});
  const run_options options{r.alpha, r.beta, r.repeat, 3, session->has_cold_runs() && !r.warm};
  const double operations = 2.0 * double(r.m) * double(r.n) * double(r.k);
  std::printf("device: %s\nC (%lld x %lld, row-major) = %s over k = %lld, %s, %s\n\n",
              device.c_str(), static_cast<long long>(r.m), static_cast<long long>(r.n),
              formula(r.alpha, r.beta).c_str(), static_cast<long long>(r.k), r.type.c_str(),
              r.layout == "nt" ? "B by columns" : "B by rows");
  std::printf("%-16s %10s %10s %8s %8s %8s  %s\n", "schedule", "time", "GFLOP/s", "tiles", "steps",
              "workers", "result");
  std::vector<row> rows;
  bool wrong = false;
  for (const named_request& s : schedules) {
    row done{s.name, session->measure(s.schedule, options), 0, {}};
    done.seconds = median(done.measured.seconds);
    const dense_measurement& d = done.measured;
    if (d.tiles > 0 && d.tiles <= most_reported_tiles)
      done.picture = picture_of(name_of(d.schedule), d.schedule, {r.m, r.n, r.k},
                                {d.tile_m, d.tile_n, d.tile_k}, d.workers);
    const verdict& v = done.measured.result;
    wrong = wrong || !v.correct || !v.repeatable;
    std::printf("%-16s %10s %10.1f %8lld %8lld %8lld  %s%s\n", s.name.c_str(),
                format_seconds(done.seconds).c_str(),
                done.seconds > 0 ? operations / done.seconds * 1e-9 : 0.0,
                static_cast<long long>(done.measured.tiles),
                static_cast<long long>(done.measured.steps),
                static_cast<long long>(done.measured.workers),
                !v.correct     ? "WRONG"
                : v.repeatable ? "right"
                               : "NOT REPEATABLE",
                std::holds_alternative<any_dense_schedule>(s.schedule)
                    ? ""
                    : (", as " + name_of(d.schedule)).c_str());
    std::fflush(stdout);
    rows.push_back(std::move(done));
  }
  if (!r.report.empty())
    write_page(gemm_report(), to_json(r, options, device, operations, rows), to_pictures(rows),
               r.report);
  if (!r.json.empty()) write_file(r.json, to_json(r, options, device, operations, rows) + "\n");
  return wrong ? exit_wrong : exit_right;
}

}  // namespace loops::cli
