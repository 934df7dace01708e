// SPDX-License-Identifier: Apache-2.0
/// `loops tune gemm`: from benchmark results to the costs that GEMM is chosen by.
#include "algorithms/gemm/hopper_menu.hpp"
#include "loops/core/error.hpp"

#include <cstddef>
#include <cstdio>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "train/gemm_judge.hpp"
#include "train/gemm_thin.hpp"
#include "train/gemm_write.hpp"

namespace loops::cli {

namespace {

/// Of a table: choosing looks at every line.
constexpr std::size_t most_lines = 400;

/// The lines of the tiles that `gemm` is compiled with on Hopper for operands that lie so.
std::vector<int> compiled_lines(const train::gemm_results& r) {
  std::vector<int> lines;
  const auto add = [&]<std::size_t... Tiles>(std::index_sequence<Tiles...>) {
    const auto is = [&]<class Tile>(const select::gemm_tiling& t, std::type_identity<Tile>) {
      return t.rows == Tile::rows && t.columns == Tile::columns && t.swapped == Tile::swapped &&
             t.teams == Tile::teams && (t.split > 1) == (Tile::deepest > 1);
    };
    for (std::size_t i = 0; i < r.tiles.size(); ++i)
      if ((is(r.tiles[i].tiling,
              std::type_identity<std::tuple_element_t<Tiles, hopper::menu_tiles>>{}) ||
           ...))
        lines.push_back(static_cast<int>(i));
  };
  if (r.layouts == "nn") {
    add(hopper::few::nn());
  } else if (r.layouts == "tt") {
    add(hopper::few::tt());
  } else if (r.layouts == "tn") {
    add(hopper::few::tn());
  } else {
    add(hopper::few::nt());
  }
  return lines;
}

/// The command that makes the same header, without the folders of this machine.
std::string command_of(const tune_gemm_request& request) {
  std::string out = "loops tune gemm";
  for (const std::string& path : request.results) out += " " + file_name(path);
  out += " --type " + request.type;
  if (!request.layouts.empty()) out += " --layouts " + request.layouts;
  return out + " -o " + file_name(request.out);
}

}  // namespace

int run_tune_gemm(const tune_gemm_request& request) {
  prepare_outputs({request.out, request.sieve}, {".json"});
  std::vector<std::pair<std::string, train::json>> files;
  for (const std::string& path : request.results)
    files.emplace_back(path, train::parse_json(read_file(path), path));
  train::gemm_results results = train::read_gemm_results(files, request.type, request.layouts);
  std::fputs(train::judge_gemm(results, request.sieve_rate).c_str(), stdout);
  if (request.out.empty() && request.sieve.empty()) return exit_right;
  const auto all = results.samples([](const auto&) { return true; });
  train::gemm_fit fit = train::fit_gemm(results.like, all);
  // Sieves count in the lines of the table.
  train::keep_lines(results, fit,
                    train::worthwhile_lines(results, fit, most_lines, compiled_lines(results)));
  if (!request.out.empty())
    write_file(request.out, train::gemm_header(results, fit, command_of(request)));
  if (!request.sieve.empty())
    write_file(request.sieve,
               select::sieve(train::winners_of(results, 0.01), request.sieve_rate).to_text());
  return exit_right;
}

}  // namespace loops::cli
