// SPDX-License-Identifier: Apache-2.0
/// How many dies a GPU is made of, as far as caches go.
#pragma once

#include <string_view>

namespace loops {

/// Dies with a second-level cache of their own, to which blocks go in turn: accelerator complexes
/// of CDNA 3 and 4, of 38 and 32 processors, as many as the partition has. 1 where all processors
/// share one cache, and where the number of processors fits no known device.
constexpr int dies_of(std::string_view architecture, int processors) {
  const int each = architecture.starts_with("gfx942")   ? 38
                   : architecture.starts_with("gfx950") ? 32
                                                        : 0;
  return each > 0 && processors > 0 && processors % each == 0 ? processors / each : 1;
}

}  // namespace loops
