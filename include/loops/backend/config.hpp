// SPDX-License-Identifier: Apache-2.0
/// The only place that asks which compiler is at work, and the only macros of the library.
#pragma once

#if __cplusplus < 202002L
#error "loops needs C++20: -std=c++20, or target_compile_features(... cxx_std_20) in CMake"
#endif

/// 1 while a HIP compiler reads this file.
#if defined(__HIPCC__) || (defined(__clang__) && defined(__HIP__))
#define LOOPS_HIP 1
#else
#define LOOPS_HIP 0
#endif

/// 1 while a CUDA compiler reads this file.
#if defined(__CUDACC__) && !LOOPS_HIP
#define LOOPS_CUDA 1
#else
#define LOOPS_CUDA 0
#endif

/// 1 in the pass that generates GPU code, 0 in the host pass.
#if (LOOPS_CUDA && defined(__CUDA_ARCH__)) || \
    (LOOPS_HIP && defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__)
#define LOOPS_DEVICE_PASS 1
#else
#define LOOPS_DEVICE_PASS 0
#endif

#if LOOPS_HIP
#include <hip/hip_runtime.h>
#endif

/// Marks a function of the library that runs on host and device.
#if LOOPS_CUDA || LOOPS_HIP
#define LOOPS_HD __host__ __device__ __forceinline__
#else
#define LOOPS_HD inline
#endif

/// Marks a user's lambda: `[=] LOOPS_FN(auto atom) { … }`. Device-only under CUDA, because nvcc
/// refuses generic lambdas that are both; host and device under HIP; nothing in a host build.
#if LOOPS_CUDA
#define LOOPS_FN __device__
#elif LOOPS_HIP
#define LOOPS_FN __host__ __device__
#else
#define LOOPS_FN
#endif

/// Precedes a host-and-device template that calls what its caller passed in: the caller may have
/// passed a device-only lambda, which nvcc would otherwise report for the host half.
#if LOOPS_CUDA
#define LOOPS_CALLS_USER _Pragma("nv_exec_check_disable")
#else
#define LOOPS_CALLS_USER
#endif

/// Asks for the loop that follows to be left a loop: code that runs once per kernel costs more to
/// read from memory than to run.
#if LOOPS_DEVICE_PASS
#define LOOPS_ROLLED _Pragma("unroll 1")
#else
#define LOOPS_ROLLED
#endif

/// Asks for the loop that follows to be unrolled.
#if LOOPS_DEVICE_PASS || defined(__clang__)
#define LOOPS_UNROLL _Pragma("unroll")
#elif LOOPS_CUDA
#define LOOPS_UNROLL
#else
#define LOOPS_UNROLL _Pragma("GCC unroll 16")
#endif
