# SPDX-License-Identifier: Apache-2.0
# Turns LOOPS_BACKEND into a language: LOOPS_LANGUAGE is what sources with kernels are compiled as.
#
# HOST is the default, also where a GPU compiler is installed: a build without a GPU is the common
# case, and a build for one should be asked for.

option(LOOPS_ROCPRIM
  "Build what needs rocPRIM or rocThrust; OFF for a GPU that the installed release does not know" ON)

if(LOOPS_BACKEND STREQUAL "HOST")
  set(LOOPS_LANGUAGE CXX)
elseif(LOOPS_BACKEND STREQUAL "CUDA")
  set(LOOPS_LANGUAGE CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90a-real)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.4)
    message(FATAL_ERROR "loops needs CUDA 12.4 or newer, found ${CMAKE_CUDA_COMPILER_VERSION}")
  endif()
elseif(LOOPS_BACKEND STREQUAL "HIP")
  set(LOOPS_LANGUAGE HIP)
  if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
    set(CMAKE_HIP_ARCHITECTURES gfx90a gfx942)
  endif()
  enable_language(HIP)
  find_package(hip REQUIRED)
else()
  message(FATAL_ERROR "LOOPS_BACKEND is '${LOOPS_BACKEND}'; it must be HOST, CUDA or HIP")
endif()

# What a target and its users need to compile kernels for the chosen backend.
function(loops_use_backend target)
  if(LOOPS_BACKEND STREQUAL "CUDA")
    # A plain flag: CMake before 3.28 does not know nvcc's C++20 (`cuda_std_20`).
    target_compile_options(${target} INTERFACE
      "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20;--extended-lambda;--expt-relaxed-constexpr>")
    target_link_libraries(${target} INTERFACE CUDA::cudart_static)
  elseif(LOOPS_BACKEND STREQUAL "HIP")
    target_compile_features(${target} INTERFACE hip_std_20)
    target_link_libraries(${target} INTERFACE hip::host)
  else()
    # The loop over a row has 28 bytes of code. Across a border of 32 it takes up to 1.4 times as long.
    target_compile_options(${target} INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-falign-loops=32>")
  endif()
endfunction()
