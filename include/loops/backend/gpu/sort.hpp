// SPDX-License-Identifier: Apache-2.0
/// Thrust's sort on the executor's stream (rocThrust on AMD, CCCL on NVIDIA).
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/error.hpp"

#include <cstddef>

#if LOOPS_CUDA || LOOPS_HIP
#include "loops/backend/gpu/calls.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>

#include <new>
#include <string>
#endif

namespace loops::gpu {

#if LOOPS_CUDA || LOOPS_HIP
namespace detail {

/// Calls `sort(policy)` for the executor's device and stream, with its failures as errors of ours.
template <class Exec, class Sort>
void with_thrust(const Exec& exec, const Sort& sort) {
  const on_device here(exec.device());
  forget_last_error();
  try {
#if LOOPS_CUDA
    sort(thrust::cuda::par.on(exec.stream()));
#else
    sort(thrust::hip::par.on(exec.stream()));
#endif
  } catch (const std::bad_alloc& e) {
    throw error(errc::out_of_memory, std::string("sorting on the device: ") + e.what());
  } catch (const thrust::system_error& e) {
    throw error(errc::device, std::string("sorting on the device: ") + e.what());
  }
}

}  // namespace detail
#endif

/// Stable sort of device arrays; throws out_of_memory and device, and unsupported in a build
/// without a GPU.
template <class Exec, class Key, class Value>
void stable_sort_by_key([[maybe_unused]] const Exec& exec, [[maybe_unused]] Key* keys,
                        [[maybe_unused]] Value* values, [[maybe_unused]] std::size_t n) {
#if LOOPS_CUDA || LOOPS_HIP
  if constexpr (requires { exec.stream(); })
    detail::with_thrust(exec, [&](const auto& policy) {
      thrust::stable_sort_by_key(policy, keys, keys + n, values);
    });
#else
  throw error(errc::unsupported, "this build has no GPU to sort on");
#endif
}

/// Sorts device arrays of integers; throws as above.
template <class Exec, class Key>
void sort_keys([[maybe_unused]] const Exec& exec, [[maybe_unused]] Key* keys,
               [[maybe_unused]] std::size_t n) {
#if LOOPS_CUDA || LOOPS_HIP
  if constexpr (requires { exec.stream(); })
    detail::with_thrust(exec, [&](const auto& policy) { thrust::sort(policy, keys, keys + n); });
#else
  throw error(errc::unsupported, "this build has no GPU to sort on");
#endif
}

}  // namespace loops::gpu
