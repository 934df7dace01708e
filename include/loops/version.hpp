// SPDX-License-Identifier: Apache-2.0
/// Which version of the library these headers are of.
#pragma once

namespace loops {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;
/// The three with points between them.
inline constexpr const char* version_string = "0.1.0";

}  // namespace loops
