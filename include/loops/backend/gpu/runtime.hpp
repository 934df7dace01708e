// SPDX-License-Identifier: Apache-2.0
/// The GPU runtime and lane operations of whichever vendor's compiler is at work.
#pragma once

#include "loops/backend/config.hpp"

#if LOOPS_HIP
#include "loops/backend/hip/intrinsics.hpp"
#include "loops/backend/hip/runtime.hpp"
#elif LOOPS_CUDA
#include "loops/backend/cuda/compiled_for.hpp"
#include "loops/backend/cuda/intrinsics.hpp"
#include "loops/backend/cuda/runtime.hpp"
#endif
