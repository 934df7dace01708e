// SPDX-License-Identifier: Apache-2.0
/// `loops fetch`: downloads matrices of the SuiteSparse collection.
#include "loops/io/fetch.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"

namespace loops::cli {

namespace {

std::string known(const std::optional<std::int64_t>& n) {
  return n ? std::to_string(*n) : "-";
}

void list() {
  std::printf("%-40s %10s %10s %12s  %s\n", "matrix", "rows", "columns", "nonzeros", "kind");
  for (const catalogue_entry& e : catalogue())
    std::printf("%-40s %10s %10s %12s  %s\n", (e.group + "/" + e.name).c_str(),
                known(e.rows).c_str(), known(e.cols).c_str(), known(e.nonzeros).c_str(),
                e.kind.c_str());
}

}  // namespace

int run_fetch(const fetch_request& request) {
  if (request.list) {
    list();
    return exit_right;
  }
  require(!request.names.empty(), errc::invalid_argument,
          "name a matrix, such as Williams/cant, or pass --list");
  require(request.out != "-", errc::invalid_argument,
          "matrices are fetched into a folder: name one");
  progress shown(request.names.size());
  fetch_options options;
  options.compress = !request.plain;
  if (!request.url.empty()) options.base_url = request.url;
  int result = exit_right;
  for (const std::string& name : request.names) {
    options.progress = [&](const fetch_progress& p) {
      std::string text = name + ": " + std::string(p.stage) + " " + std::to_string(p.done >> 20);
      if (p.total > 0) text += " of " + std::to_string(p.total >> 20);
      shown.show(text + " MB");
    };
    try {
      const fetch_result got = fetch(name, request.out, options);
      shown.clear();
      std::printf("%s%s\n", printable(got.path.string()).c_str(),
                  got.downloaded ? "" : " (was there already)");
    } catch (...) {
      const failure why = caught();
      shown.clear();
      say(name + ": " + why.message);
      result = std::max<int>(result, why.code());
    }
    shown.advance();
  }
  return result;
}

}  // namespace loops::cli
