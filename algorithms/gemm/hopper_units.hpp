// SPDX-License-Identifier: Apache-2.0
/// What a device is known by, and whether Hopper's programs can run on it.
#pragma once

#include "loops/backend/cuda/compiled_for.hpp"
#include "loops/execution/gpu.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace loops::hopper {

/// What a device is known by, a `T` made of an executor; made at the first call and kept.
template <class T>
const T& kept_for(const gpu_executor& exec) {
  static std::mutex lock;
  static std::vector<std::unique_ptr<const T>> by_device;
  const auto device = static_cast<std::size_t>(exec.device());
  const std::lock_guard<std::mutex> held(lock);
  if (by_device.size() <= device) by_device.resize(device + 1);
  if (!by_device[device]) by_device[device] = std::make_unique<const T>(exec);
  return *by_device[device];
}

namespace detail {
/// Whether they are there; asked of the runtime once for each device.
struct units {
  bool there;
  explicit units(const gpu_executor& exec)
      : there(exec.facts().architecture == "sm_90" && gpu::code_has_wgmma(exec.device())) {}
};
}  // namespace detail

/// Whether an executor's device has the units that the programs use, and its code the instructions:
/// kernels of these programs are empty where that was compiled for something else than sm_90a.
inline bool has_units(const gpu_executor& exec) {
  return kept_for<detail::units>(exec).there;
}

}  // namespace loops::hopper
