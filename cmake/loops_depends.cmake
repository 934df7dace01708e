# SPDX-License-Identifier: Apache-2.0
# Every dependency of the tree. Only Threads is required; what else is missing takes the parts that
# need it out of the build, and says so.

# loops_want(<target> <part that goes without it> <Debian package> <find_package arguments…>)
function(loops_want target part package)
  find_package(${ARGN})
  if(NOT TARGET ${target})
    message(STATUS "loops: no ${target}, so no ${part} (Debian, Ubuntu: ${package})")
  endif()
endfunction()

# Whoever includes this tree links its static parts, and so has to see what they link.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
loops_want(ZLIB::ZLIB "loops::io" zlib1g-dev ZLIB)
# Static: newer shared ones keep the bare context switch, which kernels inline, to themselves.
set(Boost_USE_STATIC_LIBS ON)
loops_want(Boost::context "loops::emulation" libboost-context-dev Boost 1.65 COMPONENTS context)
loops_want(CURL::libcurl "download of matrices" libcurl4-openssl-dev CURL)

if(LOOPS_BACKEND STREQUAL "HIP")
  find_package(rocthrust QUIET CONFIG)
  find_package(rocsparse QUIET CONFIG)
elseif(LOOPS_BACKEND STREQUAL "CUDA")
  find_package(CCCL QUIET CONFIG HINTS ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_TARGET_DIR})
endif()

if(LOOPS_TESTS)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_package(GTest)
  if(NOT TARGET GTest::gtest_main)
    message(FATAL_ERROR "The tests need GoogleTest: install libgtest-dev (Debian, Ubuntu), or pass -DLOOPS_TESTS=OFF")
  endif()
  # They read matrices everywhere, and emulate GPUs where there is none.
  if(NOT TARGET ZLIB::ZLIB OR (LOOPS_BACKEND STREQUAL "HOST" AND NOT TARGET Boost::context))
    message(FATAL_ERROR "The tests need zlib and Boost.Context: install zlib1g-dev and "
      "libboost-context-dev (Debian, Ubuntu), or pass -DLOOPS_TESTS=OFF")
  endif()
endif()
if(LOOPS_TOOLS)
  loops_want(CLI11::CLI11 "loops command" libcli11-dev CLI11 CONFIG)
endif()
if(LOOPS_BENCH)
  loops_want(benchmark::benchmark "benchmarks" libbenchmark-dev benchmark CONFIG)
  find_package(Eigen3 QUIET CONFIG)
  if(LOOPS_BACKEND STREQUAL "HOST")
    set(BLA_VENDOR OpenBLAS)
    find_package(BLAS QUIET)
  elseif(LOOPS_BACKEND STREQUAL "HIP")
    find_package(rocblas QUIET CONFIG)
  endif()
  find_package(OpenMP QUIET COMPONENTS CXX)
endif()
if(LOOPS_BACKEND STREQUAL "HOST" AND (LOOPS_TESTS OR LOOPS_BENCH))
  find_path(GRAPHBLAS_INCLUDE_DIR GraphBLAS.h PATH_SUFFIXES suitesparse)
  find_library(GRAPHBLAS_LIBRARY graphblas)
  mark_as_advanced(GRAPHBLAS_INCLUDE_DIR GRAPHBLAS_LIBRARY)
  if(GRAPHBLAS_INCLUDE_DIR AND GRAPHBLAS_LIBRARY)
    add_library(loops_graphblas INTERFACE)
    target_include_directories(loops_graphblas SYSTEM INTERFACE ${GRAPHBLAS_INCLUDE_DIR})
    target_link_libraries(loops_graphblas INTERFACE ${GRAPHBLAS_LIBRARY})
  else()
    message(WARNING "loops: no GraphBLAS, so the graph algorithms are tested against plain serial ones only, "
      "and bench_graph has no peer (Debian, Ubuntu: libgraphblas-dev)")
  endif()
endif()
