// SPDX-License-Identifier: Apache-2.0
/// No other library was found.
#include "gemm/grouped.hpp"

namespace loops::bench {

std::vector<named_peer> prepare_grouped_peers(const grouped_operands&) {
  return {};
}

}  // namespace loops::bench
