// SPDX-License-Identifier: Apache-2.0
/// A run as a page of its own: template, style, script and the JSON of the run in one file.
#include <string>
#include <string_view>

#include "cli/record.hpp"
#include "cli/report_parts.hpp"

namespace loops::cli {

void write_report(const run_record& run, const std::string& path) {
  std::string page(report_page());
  const auto put = [&](std::string_view mark, std::string_view text) {
    const auto at = page.find(mark);
    if (at != std::string::npos) page.replace(at, mark.size(), text);
  };
  put("{{style}}", report_style());
  put("{{script}}", report_script());
  put("{{data}}", to_json(run));
  write_file(path, page);
}

}  // namespace loops::cli
