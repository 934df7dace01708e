// SPDX-License-Identifier: Apache-2.0
/// `loops spmv`: runs schedules over matrices, judges and times them.
#include "loops/core/median.hpp"
#include "loops/schedule/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <typeinfo>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/files.hpp"
#include "cli/machine_facts.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"
#include "cli/record.hpp"
#include "cli/schedule_names.hpp"

namespace loops::cli {

namespace {

/// What distinguishes schedules on one machine: two with the same signature run the same way.
std::string signature(const any_schedule& s, const machine& m) {
  return std::visit(
      [&](const auto& named) {
        const auto point = named.compose();
        using point_type = std::remove_const_t<decltype(point)>;
        std::string text = typeid(point_type).name();
        if constexpr (std::is_same_v<typename point_type::worker_type, worker::by_bin>) {
          for (int b = 0; b < worker::by_bin::bins; ++b)
            text += ":" + std::to_string(point.who.lanes(b, m));
        } else {
          text += ":" + std::to_string(point.who.lanes(m)) + ":" + std::to_string(point.grain);
        }
        if constexpr (requires { named.blocks_in_one; }) text += m.threads > 1 ? ":wide" : "";
        return text;
      },
      s);
}

/// A schedule by its name. Throws: invalid_argument with the names there are.
schedule_choice named(const std::string& name) {
  return request_named<schedule_choice>("schedule", name, schedule_named, all_schedules());
}

/// All schedules and `auto`, without those that are the same on this machine.
void add_all(std::vector<schedule_choice>& out, const machine& m, std::vector<alias>& aliases) {
  std::vector<std::string> seen;
  std::vector<std::string> kept;
  for (const named_schedule& s : all_schedules()) {
    const std::string mark = signature(s.schedule, m);
    const auto same = std::find(seen.begin(), seen.end(), mark);
    if (same != seen.end()) {
      aliases.push_back({s.name, kept[static_cast<std::size_t>(same - seen.begin())]});
      continue;
    }
    seen.push_back(mark);
    kept.push_back(s.name);
    out.push_back({s.name, s.schedule});
  }
  out.push_back({"auto", schedule::automatic{}});
}

/// The schedules of `--schedule`, each once.
std::vector<schedule_choice> choose(const std::string& wanted, const machine& m,
                                    std::vector<alias>& aliases) {
  std::vector<schedule_choice> asked;
  for (const std::string& name : names_in(wanted)) {
    if (name == "all") {
      aliases.clear();
      add_all(asked, m, aliases);
    } else {
      asked.push_back(named(name));
    }
  }
  std::vector<schedule_choice> out;
  for (schedule_choice& s : asked)
    if (std::none_of(out.begin(), out.end(),
                     [&](const schedule_choice& other) { return other.name == s.name; }))
      out.push_back(std::move(s));
  // What was asked for by its name is run, whatever it is the same as.
  std::erase_if(aliases, [&](const alias& a) {
    return std::any_of(out.begin(), out.end(),
                       [&](const schedule_choice& s) { return s.name == a.name; });
  });
  return out;
}

value_kind type_for(const std::string& wanted, const host_matrix& a) {
  if (wanted == "auto") return a.complex() ? value_kind::c32 : value_kind::f32;
  const auto kind = static_cast<value_kind>(position(value_names, wanted));
  if (a.complex() && !is_complex(kind))
    throw error(errc::parse, "its values are complex; pass --type c32 or c64");
  return kind;
}

matrix_record run_matrix(const device& on, const matrix_source& source, const spmv_request& request,
                         const std::vector<schedule_choice>& schedules, const run_options& options,
                         progress& shown) {
  matrix_record out;
  out.name = source.name;
  out.place = source.place;
  shown.show(source.name + ": reading");
  const host_matrix a = load(source);
  const value_kind type = type_for(request.type, a);
  out.type = to_string(type);
  out.rows = a.parts.rows;
  out.cols = a.parts.cols;
  out.nonzeros = a.parts.nonzeros();
  shown.show(source.name + ": preparing");
  const auto format = static_cast<format_kind>(position(format_names, request.format));
  const auto session = on.open(a, type, format, request.index_bits);
  out.bytes = session->bytes(options);
  for (const schedule_choice& s : schedules) {
    shown.show(source.name + ": " + s.name);
    schedule_record result;
    result.schedule = s.name;
    result.measured = session->measure(s, options);
    result.seconds = median(result.measured.seconds);
    out.schedules.push_back(std::move(result));
  }
  return out;
}

/// A row per schedule is read by people only when there are few of them.
bool is_long(std::size_t matrices, std::size_t schedules, const spmv_request& request) {
  return !request.all_rows && matrices > 3 && schedules > 1;
}

void print_head(const run_record& run) {
  std::printf("device: %s\n", run.device_details.c_str());
  if (run.copy_bandwidth > 0)
    std::printf("copy:   %.1f GB/s, read plus written; runs are timed with %s caches\n",
                run.copy_bandwidth * 1e-9, run.cold ? "cold" : "warm");
  if (!run.timed) std::printf("times:  none; an emulation's say nothing about a GPU\n");
  std::map<std::string, std::string> others;
  for (const alias& a : run.aliases) others[a.same_as] += " " + a.name;
  for (const auto& [name, same] : others)
    std::printf("same here as %s:%s\n", name.c_str(), same.c_str());
}

}  // namespace

int run_spmv(const spmv_request& request) {
  const std::string device_name = request.device.empty() ? default_device() : request.device;
  const auto on = open_device(device_name);
  run_record run;
  const machine m =
      on->describe(request.type == "auto"
                       ? 4
                       : sum_bytes(static_cast<value_kind>(position(value_names, request.type))));
  const auto schedules = choose(request.schedule, m, run.aliases);
  require_factors_fit(request.alpha, request.beta, request.type == "f64" || request.type == "c64");
  const auto sources = find_matrices(request.inputs);
  prepare_outputs({request.json, request.report});

  run.command_line = request.command_line;
  run.commit = commit();
  run.cpu = cpu_name();
  run.device = on->name();
  run.device_details = on->details();
  run.timed = on->worth_timing();
  run.cold = on->has_cold_runs() && !request.warm;
  run.format = request.format;
  run.index_bits = request.index_bits;
  run.alpha = request.alpha;
  run.beta = request.beta;
  run.repeat = request.repeat > 0 ? request.repeat : run.timed ? 20 : 1;
  const run_options options{request.alpha, request.beta, run.repeat, 3, run.cold};

  progress shown(sources.size());
  if (run.timed && std::any_of(sources.begin(), sources.end(), is_there)) {
    shown.show("measuring the copy bandwidth");
    run.copy_bandwidth = on->copy_bandwidth();
  }
  shown.clear();
  print_head(run);
  const bool brief = is_long(sources.size(), schedules.size(), request);
  int failed = exit_right;
  bool wrong = false;
  bool alive = true;
  for (const matrix_source& source : sources) {
    if (!alive) break;
    try {
      run.matrices.push_back(run_matrix(*on, source, request, schedules, options, shown));
    } catch (...) {
      const failure why = caught();
      // Only a type that the matrix chose can be one that the next matrix does without.
      if (why.kind == errc::unsupported && request.type != "auto") throw;
      shown.clear();
      say(source.name + ": " + why.message);
      matrix_record nothing;
      nothing.name = source.name;
      nothing.place = source.place;
      nothing.error = why.message;
      run.matrices.push_back(std::move(nothing));
      // By now an invalid argument is a matrix that a format cannot hold.
      failed =
          std::max<int>(failed, why.kind == errc::invalid_argument ? exit_unreadable : why.code());
      alive = why.kind != errc::device;  // a driver that has failed does so from then on
    }
    shown.clear();
    shown.advance();
    const matrix_record& done = run.matrices.back();
    for (const schedule_record& s : done.schedules) {
      if (s.right()) continue;
      wrong = true;
      if (brief) std::printf("%s, %s: WRONG\n", printable(done.name).c_str(), s.schedule.c_str());
    }
    if (!brief) print_matrix(run, done);
    std::fflush(stdout);
  }
  if (brief) print_summary(run);
  if (!request.json.empty()) write_file(request.json, to_json(run) + "\n");
  if (!request.report.empty()) write_report(run, request.report);
  return wrong ? exit_wrong : failed;
}

}  // namespace loops::cli
