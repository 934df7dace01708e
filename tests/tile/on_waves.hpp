// SPDX-License-Identifier: Apache-2.0
/// Runs a function on all lanes of one wave, with shared memory: emulated, or on a GPU.
#pragma once

#include "loops/tile/load.hpp"
#include "loops/tile/mma.hpp"
#include "support/executors.hpp"

#include <type_traits>

namespace waves {

#if LOOPS_CUDA || LOOPS_HIP
template <int>
using executor = loops::gpu_executor;
/// Whether the device at hand has waves of this size.
template <int Wave>
inline bool ready() {
  return loops::gpu::device_count() > 0 &&
         loops::gpu::facts_of(loops::gpu::current_device()).wave == Wave;
}
#else
template <int Wave>
using executor = loops::emulation_executor<Wave>;
template <int>
inline bool ready() {
  return true;
}
#endif

}  // namespace waves
