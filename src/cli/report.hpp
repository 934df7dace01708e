// SPDX-License-Identifier: Apache-2.0
/// A page of its own: template, style, script and data in one file.
#pragma once

#include <string>

#include "cli/report_parts.hpp"

namespace loops::cli {

/// Writes a report. `data` is the JSON that its script reads; `pictures` replaces {{pictures}},
/// where the template has that. Throws: `io` when it cannot be written.
void write_page(const report_template& parts, const std::string& data, const std::string& pictures,
                const std::string& path);

}  // namespace loops::cli
