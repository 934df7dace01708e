// SPDX-License-Identifier: Apache-2.0
/// `loops generate`: writes generated matrices as Matrix Market files.
#include "loops/io/generate.hpp"

#include "loops/io/matrix_market.hpp"
#include "loops/io/matrix_market_writer.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/failure.hpp"
#include "cli/matrix.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"

namespace loops::cli {

namespace {

namespace fs = std::filesystem;

/// One of each kind of imbalance, small enough for any machine.
const std::vector<std::string> sampler{
    "banded:rows=50k",
    "stencil5:nx=300,ny=300",
    "random:rows=30k,per_row=20",
    "short_wide:rows=60,cols=300k",
    "tall_thin",
    "empty_rows:rows=100k",
    "dense_row:rows=100k",
    "power_law:rows=50k,nonzeros=600k",
    "rmat:scale=15,edges=16",
    "block_diagonal:blocks=2k",
    "arrow:rows=100k",
    "mycielskian:order=12",
};

void list() {
  for (const generator& g : list_generators()) {
    std::printf("%s\n    %s\n", g.name.c_str(), g.summary.c_str());
    for (const generator_parameter& p : g.parameters)
      std::printf("    %-10s %-10s %s\n", p.name.c_str(), p.fallback.c_str(), p.meaning.c_str());
  }
}

/// A spec as a file name.
std::string file_name(std::string spec) {
  for (char& c : spec)
    if (c == ':' || c == ',' || c == '=' || c == '/') c = '-';
  return spec + ".mtx";
}

/// Whether `path` is a file, not a folder. Throws: invalid_argument where its ending is neither's.
bool is_file_name(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return false;
  if (path.ends_with(".mtx") || path.ends_with(".mtx.gz")) return true;
  if (fs::path(path).extension().empty()) return false;
  throw error(errc::invalid_argument,
              "--out " + path + " is neither a .mtx or .mtx.gz file nor a folder that is there; " +
                  "for a new folder end it with /");
}

}  // namespace

int run_generate(const generate_request& request) {
  if (request.list) {
    list();
    return exit_right;
  }
  require(request.out != "-", errc::invalid_argument,
          "matrices are written to files only: name a folder or, for one matrix, a file");
  const auto& specs = request.specs.empty() ? sampler : request.specs;
  for (const std::string& spec : specs) require_meant(spec);
  const bool one_file = is_file_name(request.out);
  require(!one_file || specs.size() == 1, errc::invalid_argument,
          "--out names a file, but there are several matrices; name a folder");
  std::vector<std::string> paths;
  for (const std::string& spec : specs) {
    paths.push_back(one_file ? request.out : (fs::path(request.out) / file_name(spec)).string());
    if (std::find(paths.begin(), paths.end() - 1, paths.back()) != paths.end() - 1)
      throw error(errc::invalid_argument,
                  "two matrices would be " + paths.back() + ": give each generator once");
  }
  std::error_code failed;
  const fs::path folder = one_file ? fs::path(request.out).parent_path() : fs::path(request.out);
  if (!folder.empty()) fs::create_directories(folder, failed);
  if (failed) throw error(errc::io, folder.string() + ": " + failed.message());
  progress shown(specs.size());
  int result = exit_right;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string& spec = specs[i];
    const std::string& path = paths[i];
    shown.show(path);
    try {
      const auto a = generate<double, std::int64_t, std::int64_t>(spec);
      write_matrix_market(path, a);
      shown.clear();
      std::printf("%s: %lld x %lld, %s\n", printable(path).c_str(), static_cast<long long>(a.rows),
                  static_cast<long long>(a.cols), counted(a.nonzeros(), "nonzero").c_str());
    } catch (...) {
      const failure why = caught();
      shown.clear();
      say(spec + ": " + why.message);
      result = std::max<int>(result, why.code());
    }
    shown.advance();
  }
  return result;
}

}  // namespace loops::cli
