// SPDX-License-Identifier: Apache-2.0
/// `loops train`: from benchmark results to the selector behind `schedule::automatic`.
#include "loops/core/error.hpp"
#include "loops/model/histogram.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "cli/commands.hpp"
#include "cli/matrix.hpp"
#include "train/write.hpp"

namespace loops::cli {

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw error(errc::io, path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw error(errc::io, path + ": cannot be written");
}

/// Statistics of a matrix that the results know by name only.
class finder {
 public:
  explicit finder(const std::vector<std::string>& folders) {
    if (folders.empty()) return;
    for (const matrix_source& s : find_matrices(folders)) files_[s.name] = s;
  }
  std::optional<tile_statistics> operator()(const std::string& name) const {
    matrix_source source;
    if (const auto found = files_.find(name); found != files_.end()) {
      source = found->second;
    } else if (train::is_generated(name)) {
      source = {matrix_source::kind::generated, name, name};
    } else {
      return std::nullopt;
    }
    std::fprintf(stderr, "loops: reading %s, the results have no statistics of it\n", name.c_str());
    const host_matrix a = load(source);
    return model::statistics_of(rows_of(a.parts.view()));
  }

 private:
  std::map<std::string, matrix_source> files_;
};

std::string percent(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * x);
  return text;
}

void print_scores(const char* title, const std::vector<train::score>& scores) {
  std::printf("%s\n%s\n", title, train::to_text(scores).c_str());
}

}  // namespace

int run_train(const train_request& request) {
  std::vector<std::pair<std::string, train::json>> files;
  for (const std::string& path : request.results)
    files.emplace_back(path, train::parse_json(read_file(path), path));
  const train::results measured = train::read_results(files, finder(request.matrices));
  const std::string name =
      request.name.empty() ? train::class_of_backend(measured.backend) : request.name;
  const train::table all = train::tabulate(measured, train::device_class_named(name));

  const auto side = [](const train::table& t, bool tested) {
    return train::with_rows(t, [=](const train::row& r) { return train::is_tested(r) == tested; });
  };
  const train::table train_side = side(all, false);
  const train::table test_side = side(all, true);
  // Everything that is learnt is learnt on the training side: the kernels too.
  const auto subsets = train::best_subsets(train_side, 5);
  std::vector<std::string> kernels = request.kernels;
  if (kernels.empty()) kernels = train::smallest_subset(subsets, 0.01).kernels;
  const auto columns = train::columns_of(all, kernels);
  const train::table learn = train::with_columns(train_side, columns);
  const train::fitting how = train::tune(learn, {});
  const train::model m = train::fit(learn, how);

  std::vector<std::string> remarks{"Trained on " + m.basis + "."};
  std::printf("%zu rows to train on, %zu held out; depth %d and %d\n", train_side.rows.size(),
              test_side.rows.size(), how.known.depth, how.gathered.depth);
  for (const train::subset& b : subsets) {
    std::string names;
    for (const std::string& k : b.kernels) names += " " + k;
    std::printf("  %zu kernels: %s of all, total %.3f:%s\n", b.kernels.size(),
                percent(b.geometric_mean).c_str(), b.total, names.c_str());
  }
  const std::vector<std::int64_t> uses{1, 10, 100, 1000};
  const std::string single = train::best_single(train_side, 100);
  const std::vector<std::string> singles = single == "merge_path"
                                               ? std::vector<std::string>{single}
                                               : std::vector<std::string>{single, "merge_path"};
  const train::cross_validation cv =
      train::cross_validate(all, kernels, how, uses, singles);
  for (std::size_t u = request.report ? 0 : 2; u < (request.report ? uses.size() : 3); ++u) {
    std::printf("used %lld times\n", static_cast<long long>(uses[u]));
    print_scores(" training side", train::judge(m, train_side, uses[u], singles));
    print_scores(" held-out groups",
                 train::judge(m, test_side, uses[u], singles));
    print_scores(" cross-validation over groups", cv.by_uses[u]);
  }
  std::printf("forecast interval covers %s\n", percent(cv.covered).c_str());
  if (!request.out.empty()) write_file(request.out, train::to_header(m, request.command_line, remarks));
  return exit_right;
}

}  // namespace loops::cli
