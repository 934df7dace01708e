// SPDX-License-Identifier: Apache-2.0
/// How HIP launches a kernel, and how many of its blocks run at the same time.
#pragma once

#include "loops/backend/gpu/calls.hpp"

#include <cstdint>

namespace loops::gpu {

/// Lanes that a grid has at most.
inline constexpr std::int64_t most_lanes = 0xffffffff;

/// Whether kernels may start while the one before them drains.
inline bool code_starts_early(int /*device*/) {
  return false;
}

/// Launches a kernel as `c` says. Throws what this launch says, and not the runtime's last error,
/// which may be one that the caller has handled.
template <class Kernel>
void enqueue(const launch_config& c, void (*entry)(Kernel), const Kernel& kernel) {
  require(c.cluster == 1, errc::unsupported, "AMD GPUs have no clusters of blocks");
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  check(hipLaunchKernel(reinterpret_cast<const void*>(entry), dim3(c.blocks),
                        dim3(static_cast<unsigned>(c.threads)), arguments, c.storage, c.stream),
        "launching a kernel");
}

/// Blocks of `entry` that run at the same time on a device of `processors` processors.
template <class Kernel>
std::int64_t resident_blocks(const launch_config& c, void (*entry)(Kernel), int processors) {
  require(c.cluster == 1, errc::unsupported, "AMD GPUs have no clusters of blocks");
  int n = 0;
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(&n, entry, c.threads, c.storage),
        "asking for a kernel's occupancy");
  return std::int64_t{n} * processors;
}

}  // namespace loops::gpu
