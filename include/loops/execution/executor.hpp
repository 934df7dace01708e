// SPDX-License-Identifier: Apache-2.0
/// The executor a program gets when it does not care: a GPU where there is one, else the CPU.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/execution/host.hpp"

#if LOOPS_CUDA || LOOPS_HIP
#include "loops/execution/gpu.hpp"
#endif

namespace loops {

#if LOOPS_CUDA || LOOPS_HIP
/// What this compilation unit was compiled for.
using executor = gpu_executor;
#else
using executor = host_executor;
#endif

/// GPU 0 in a GPU build (throws unsupported when there is none), the CPU in a host build.
inline executor default_executor() {
  return executor();
}

}  // namespace loops
