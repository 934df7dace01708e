// SPDX-License-Identifier: Apache-2.0
/// Declares the sessions that other files define: compiled together they would take many minutes.
#pragma once

#include <memory>

#include "cli/device.hpp"

namespace loops::cli {

/// Formats that one translation unit holds.
enum class format_group { csr, compressed, padded, blocked };

/// Opens a session in one of a group's formats. Throws: `overflow` when the matrix does not fit V
/// or I; as the conversion to the format.
template <class Exec, class V, class I, format_group Group>
std::unique_ptr<session> make_session(const Exec& exec, const host_matrix& a, format_kind format);

}  // namespace loops::cli
