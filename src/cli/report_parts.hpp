// SPDX-License-Identifier: Apache-2.0
/// The files of src/cli/report/ as text.
#pragma once

#include <string_view>

namespace loops::cli {

/// What one kind of report has of its own.
struct report_template {
  std::string_view page;  ///< with {{style}}, {{script}} and {{data}} where these go
  std::string_view script;
};
[[nodiscard]] const report_template& spmv_report();
[[nodiscard]] const report_template& gemm_report();
/// What all have in common: the style, and what scripts begin with.
[[nodiscard]] std::string_view report_style();
[[nodiscard]] std::string_view report_helpers();

}  // namespace loops::cli
