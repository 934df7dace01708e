// SPDX-License-Identifier: Apache-2.0
/// How CUDA launches a kernel, and how many of its blocks run at the same time.
#pragma once

#include "loops/backend/gpu/calls.hpp"

#include <cstdint>

namespace loops::gpu {

/// Lanes that a grid has at most: no limit of its own.
inline constexpr std::int64_t most_lanes = INT64_MAX;

namespace detail {

/// A launch in the runtime's words.
class native_config {
 public:
  explicit native_config(const launch_config& c) {
    config_.gridDim = dim3(c.blocks);
    config_.blockDim = dim3(static_cast<unsigned>(c.threads));
    config_.dynamicSmemBytes = c.storage;
    config_.stream = c.stream;
    config_.attrs = attributes_;
    if (c.early) {
      auto& early = attributes_[config_.numAttrs++];
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
    }
    if (c.cluster > 1) {
      auto& cluster = attributes_[config_.numAttrs++];
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = static_cast<unsigned>(c.cluster);
      cluster.val.clusterDim.y = 1;
      cluster.val.clusterDim.z = 1;
    }
    if (c.storage_share >= 0) {
      auto& share = attributes_[config_.numAttrs++];
      share.id = cudaLaunchAttributePreferredSharedMemoryCarveout;
      share.val.sharedMemCarveout = static_cast<unsigned>(c.storage_share);
    }
  }
  native_config(const native_config&) = delete;
  native_config& operator=(const native_config&) = delete;
  [[nodiscard]] const cudaLaunchConfig_t* get() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[3] = {};
  cudaLaunchConfig_t config_{};
};

}  // namespace detail

/// Launches a kernel as `c` says. Throws what this launch says, and not the runtime's last error,
/// which may be one that the caller has handled.
template <class Kernel>
void enqueue(const launch_config& c, void (*entry)(Kernel), const Kernel& kernel) {
  const detail::native_config config(c);
  check(cudaLaunchKernelEx(config.get(), entry, Kernel(kernel)), "launching a kernel");
}

/// Blocks of `entry` that run at the same time on a device of `processors` processors.
template <class Kernel>
std::int64_t resident_blocks(const launch_config& c, void (*entry)(Kernel), int processors) {
  int n = 0;
  if (c.cluster > 1) {
    const detail::native_config config(c);
    check(cudaOccupancyMaxActiveClusters(&n, entry, config.get()),
          "asking for a kernel's occupancy");
    return std::int64_t{n} * c.cluster;
  }
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, entry, c.threads, c.storage),
        "asking for a kernel's occupancy");
  return std::int64_t{n} * processors;
}

}  // namespace loops::gpu
