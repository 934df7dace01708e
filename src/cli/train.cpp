// SPDX-License-Identifier: Apache-2.0
/// `loops train`: from benchmark results to the selector behind `schedule::automatic`.
#include "loops/algorithm/statistics.hpp"
#include "loops/core/error.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/matrix.hpp"
#include "cli/printable.hpp"
#include "train/predict.hpp"
#include "train/write.hpp"

namespace loops::cli {

namespace {

/// Statistics of a matrix that the results know by name only.
class finder {
 public:
  explicit finder(const std::vector<std::string>& folders) {
    if (folders.empty()) return;
    for (const matrix_source& s : find_matrices(folders)) {
      if (!is_there(s))
        throw error(errc::io, s.place + ": " +
                                  (s.error.empty() ? "there is no such file or folder" : s.error));
      files_[s.name] = s;
    }
  }
  std::optional<tile_statistics> operator()(const std::string& name) const {
    matrix_source source;
    if (const auto found = files_.find(name); found != files_.end()) {
      source = found->second;
    } else if (train::is_generated(name)) {
      source = {matrix_source::kind::generated, name, name, {}};
    } else {
      return std::nullopt;
    }
    say("reading " + name + ", the results have no statistics of it");
    const host_matrix a = load(source);
    const auto view = a.parts.view();
    return statistics_of(rows_of(view), columns_in{view.indices});
  }

 private:
  std::map<std::string, matrix_source> files_;
};

/// What a model was learnt from, how, and from which kernels it may choose.
struct learnt {
  train::model model;
  train::fitting how;
  std::vector<std::string> kernels;
  std::vector<train::subset> subsets;
};

/// Everything is learnt on one side: the kernels too.
learnt learn(const train::table& side, const std::vector<std::string>& kernels, bool predicted) {
  learnt out;
  constexpr double slack = 0.01;
  out.subsets = train::best_subsets(side, 5);
  out.kernels = kernels.empty() ? train::smallest_subset(out.subsets, slack).kernels : kernels;
  const train::table t = train::with_columns(side, train::columns_of(side, out.kernels));
  // What is predicted is too coarse for questions that gain little.
  out.how = train::tune(t, {}, predicted ? 0.02 : 0);
  out.model = train::fit(t, out.how);
  return out;
}

train::table side_of(const train::table& t, bool tested) {
  return train::with_rows(t, [=](const train::row& r) { return train::is_tested(r) == tested; });
}

/// What may be learnt from. Throws: `parse` when nothing is left of it.
train::table training_side(const train::table& t) {
  train::table side = side_of(t, false);
  if (!side.rows.empty()) return side;
  std::set<std::string> groups;
  for (const train::row& r : t.rows) groups.insert(r.group);
  std::string names;
  for (const std::string& g : groups) names += (names.empty() ? "" : ", ") + g;
  throw error(errc::parse, "nothing to train on: all matrices are of groups that are held out (" +
                               names + "); add results of other groups or of generated matrices");
}

std::size_t groups_in(const train::table& t) {
  std::set<std::string> groups;
  for (const train::row& r : t.rows) groups.insert(r.group);
  return groups.size();
}

void print_report(const train_request& request, const learnt& l, const train::table& all) {
  const train::table train_side = side_of(all, false);
  const train::table test_side = side_of(all, true);
  std::printf("%s: %zu rows of %zu groups to train on, %zu rows of %zu groups held out\n",
              l.model.device.c_str(), train_side.rows.size(), groups_in(train_side),
              test_side.rows.size(), groups_in(test_side));
  std::printf("kernels that lose least when the best of them is always known\n");
  for (const train::subset& b : l.subsets) {
    std::string names;
    for (const std::string& k : b.kernels) names += " " + k;
    std::printf("  %5.1f %% of all, %.3f of their time:%s\n", 100 * b.geometric_mean, b.total,
                names.c_str());
  }
  if (!all.gather_measured)
    std::printf("the results do not time the pass over the tiles: %.3g us are assumed\n",
                all.gather_us);
  std::vector<std::int64_t> uses{100};
  if (request.report) uses = {1, 10, 100, 1000};
  const std::string single = train::best_single(train_side, 100);
  std::vector<std::string> singles{single};
  if (single != "merge_path") singles.emplace_back("merge_path");
  train::cross_validation cv;
  if (request.report) cv = train::cross_validate(all, l.kernels, l.how, uses, singles);
  for (std::size_t u = 0; u < uses.size(); ++u) {
    const auto title = [&](const char* side) {
      std::printf("\n%s, a plan used %lld times\n", side, static_cast<long long>(uses[u]));
    };
    title("training side");
    std::printf("%s", train::to_text(train::judge(l.model, train_side, uses[u], singles)).c_str());
    title("held-out groups");
    std::printf("%s", train::to_text(train::judge(l.model, test_side, uses[u], singles)).c_str());
    if (!request.report) continue;
    title("cross-validation over groups");
    std::printf("%s", train::to_text(cv.by_uses[u]).c_str());
  }
  if (request.report)
    std::printf(
        "\n"
        "in cross-validation, %.0f %% of the times fell into the forecast of nine in ten\n",
        100 * cv.covered);
}

/// `limits`: further files, what they alone have teaches no tree.
train::results results_in(std::vector<std::string> paths, const finder& statistics,
                          const std::vector<std::string>& limits = {}) {
  const std::size_t teaching = paths.size();
  paths.insert(paths.end(), limits.begin(), limits.end());
  std::vector<std::pair<std::string, train::json>> files;
  for (const std::string& path : paths)
    files.emplace_back(path, train::parse_json(read_file(path), path));
  return train::read_results(files, statistics, teaching);
}

/// A run that nothing is learnt from.
struct judge {
  std::string name;
  train::table all;
};

judge judge_at(const std::string& path, const train::device_class& device,
               const finder& statistics) {
  const train::results measured = results_in({path}, statistics);
  require(train::class_of_backend(measured.backend) == device.name, errc::invalid_argument,
          (path + " is of another class than what was trained on").c_str());
  return {printable(file_name(path)), train::tabulate(measured, device)};
}

/// What the selector is worth there.
void print_judgement(const learnt& l, const judge& by) {
  const train::table held_out = side_of(by.all, true);
  for (const std::int64_t uses : {100, 1000})
    for (const train::table* side : {&held_out, &by.all}) {
      if (side->rows.empty()) continue;
      std::printf("\n%s: %s, a plan used %lld times\n%s", by.name.c_str(),
                  side == &by.all ? "all rows" : "held-out groups", static_cast<long long>(uses),
                  train::to_text(train::judge(l.model, *side, uses, {"merge_path"})).c_str());
    }
}

/// The command that makes the same header, without the folders of this machine.
std::string command_of(const train_request& request, const std::string& name) {
  std::string out = "loops train";
  for (const std::string& path : request.results) out += " " + file_name(path);
  if (!request.limits.empty()) out += " --limits";
  for (const std::string& path : request.limits) out += " " + file_name(path);
  out += " --name " + name;
  if (request.predict) out += " --predict";
  std::string kernels;
  for (const std::string& k : request.kernels) kernels += (kernels.empty() ? "" : ",") + k;
  if (!kernels.empty()) out += " --schedules " + kernels;
  return out + " -o " + name + ".hpp";
}

std::vector<std::string> remarks_on(const learnt& l, const train::table& all) {
  const train::table test_side = side_of(all, true);
  std::vector<std::string> out{"Trained on " + l.model.basis + "."};
  if (!l.model.proved)
    out.emplace_back("Unproved: the times are predictions, nobody has run it on such a device.");
  if (!all.gather_measured)
    out.emplace_back("What the pass over the tiles costs is an assumption.");
  for (const std::int64_t uses : {100, 1000}) {
    const auto scores = train::judge(l.model, test_side, uses, {});
    char line[200];
    std::snprintf(
        line, sizeof line,
        "On %zu rows of %zu groups held out, %lld uses: %.1f %% of the oracle in geometric "
        "mean,",
        test_side.rows.size(), groups_in(test_side), static_cast<long long>(uses),
        100 * scores[1].geometric_mean);
    out.emplace_back(line);
    std::snprintf(line, sizeof line, "%.3f of its time in total, %.2f at worst.", scores[1].total,
                  scores[1].worst);
    out.emplace_back(line);
  }
  return out;
}

}  // namespace

int run_train(const train_request& request) {
  require_picture(request.picture);
  prepare_outputs({request.out, request.picture}, {".json"});
  const finder statistics(request.matrices);
  const train::results measured = results_in(request.results, statistics, request.limits);
  const std::string own = train::class_of_backend(measured.backend);
  const std::string name = request.name.empty() ? own : request.name;
  const train::device_class device = train::device_class_named(name);
  require(request.predict || name == own, errc::invalid_argument,
          ("these results are of the class " + own + "; for " + name +
           " they can serve with --predict only")
              .c_str());
  const train::table learn_from =
      train::tabulate(request.predict ? train::predicted(measured, device) : measured, device);
  train::require_known(learn_from, request.kernels);
  std::vector<judge> judges;
  for (const std::string& path : request.judges)
    judges.push_back(judge_at(path, device, statistics));
  learnt l = learn(training_side(learn_from), request.kernels, request.predict);
  l.model.proved = !request.predict;
  if (!request.out.empty())
    write_file(request.out,
               train::to_header(l.model, command_of(request, name), remarks_on(l, learn_from)));
  if (!request.picture.empty()) write_file(request.picture, train::to_picture(l.model));
  print_report(request, l, learn_from);
  for (const judge& by : judges) print_judgement(l, by);
  // How far predictions carry: judged by what was measured on the same class of device.
  if (request.predict && name == own) {
    const train::table truth = train::tabulate(measured, device);
    std::printf("\nagainst what was measured, all rows, a plan used 1000 times\n%s",
                train::to_text(train::judge(l.model, truth, 1000, {"merge_path"})).c_str());
  }
  return exit_right;
}

}  // namespace loops::cli
