// SPDX-License-Identifier: Apache-2.0
/// A page of its own: template, style, script and data in one file.
#include "cli/report.hpp"

#include <string_view>

#include "cli/files.hpp"
#include "cli/record.hpp"

namespace loops::cli {

void write_page(const report_template& parts, const std::string& data, const std::string& pictures,
                const std::string& path) {
  std::string page(parts.page);
  const auto put = [&](std::string_view mark, const std::string& text) {
    const auto at = page.find(mark);
    if (at != std::string::npos) page.replace(at, mark.size(), text);
  };
  put("{{style}}", std::string(report_style()));
  put("{{pictures}}", pictures);
  put("{{script}}", std::string(report_helpers()) + std::string(parts.script));
  put("{{data}}", data);
  write_file(path, page);
}

void write_report(const run_record& run, const std::string& path) {
  write_page(spmv_report(), to_json(run), "", path);
}

}  // namespace loops::cli
