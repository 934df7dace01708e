// SPDX-License-Identifier: Apache-2.0
/// Peers for groups of products, from shared libraries that are named on the command line.
#pragma once

#include <string>
#include <vector>

#include "gemm/grouped.hpp"

namespace loops::bench {

/// What the library in `file` offers, prepared for all sets of these operands, as "peer_NAME". What
/// it refuses is said on standard error and left out. Throws: io when the file cannot be loaded,
/// unsupported when it offers no peer or another version of the interface.
std::vector<named_peer> prepare_plug_in(const std::string& file, const grouped_operands& operands);

}  // namespace loops::bench
