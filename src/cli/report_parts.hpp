// SPDX-License-Identifier: Apache-2.0
/// The files of src/cli/report/ as text.
#pragma once

#include <string_view>

namespace loops::cli {

/// The page, with {{style}}, {{script}} and {{data}} where these go.
[[nodiscard]] std::string_view report_page();
[[nodiscard]] std::string_view report_style();
[[nodiscard]] std::string_view report_script();

}  // namespace loops::cli
