// SPDX-License-Identifier: Apache-2.0
/// What a report says of the machine and the program.
#pragma once

#include <string>

namespace loops::cli {

/// The commit of the sources, "-dirty" if they were changed since, or "unknown".
[[nodiscard]] const char* commit();
/// The processor's name, as the operating system gives it.
[[nodiscard]] std::string cpu_name();

}  // namespace loops::cli
