// SPDX-License-Identifier: Apache-2.0
/// Thrust's sort on the executor's stream (rocThrust on AMD, CCCL on NVIDIA).
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/error.hpp"

#include <cstddef>

#if LOOPS_CUDA || LOOPS_HIP
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#endif

namespace loops::gpu {

/// Stable sort of device arrays; throws unsupported in a build without a GPU.
template <class Exec, class Key, class Value>
void stable_sort_by_key([[maybe_unused]] const Exec& exec, [[maybe_unused]] Key* keys,
                        [[maybe_unused]] Value* values, [[maybe_unused]] std::size_t n) {
#if LOOPS_CUDA
  if constexpr (requires { exec.stream(); })
    thrust::stable_sort_by_key(thrust::cuda::par.on(exec.stream()), keys, keys + n, values);
#elif LOOPS_HIP
  if constexpr (requires { exec.stream(); })
    thrust::stable_sort_by_key(thrust::hip::par.on(exec.stream()), keys, keys + n, values);
#else
  throw error(errc::unsupported, "this build has no GPU to sort on");
#endif
}

/// Sorts device arrays of integers; throws unsupported in a build without a GPU.
template <class Exec, class Key>
void sort_keys([[maybe_unused]] const Exec& exec, [[maybe_unused]] Key* keys,
               [[maybe_unused]] std::size_t n) {
#if LOOPS_CUDA
  if constexpr (requires { exec.stream(); })
    thrust::sort(thrust::cuda::par.on(exec.stream()), keys, keys + n);
#elif LOOPS_HIP
  if constexpr (requires { exec.stream(); })
    thrust::sort(thrust::hip::par.on(exec.stream()), keys, keys + n);
#else
  throw error(errc::unsupported, "this build has no GPU to sort on");
#endif
}

}  // namespace loops::gpu
