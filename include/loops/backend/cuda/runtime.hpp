// SPDX-License-Identifier: Apache-2.0
/// The CUDA runtime under the names the GPU executor uses; mirrored by backend/hip/runtime.hpp.
#pragma once

#include "loops/core/error.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace loops::gpu {

using stream_t = cudaStream_t;
using event_t = cudaEvent_t;
using graph_t = cudaGraph_t;
using graph_exec_t = cudaGraphExec_t;

/// Throws `error(device)` unless `status` is success.
inline void check(cudaError_t status, const char* what, source_place where = source_place::here()) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  throw error(status == cudaErrorMemoryAllocation ? errc::out_of_memory : errc::device,
              std::string(what) + ": " + cudaGetErrorString(status), where);
}

inline int device_count() {
  int n = 0;
  return cudaGetDeviceCount(&n) == cudaSuccess ? n : ((void)cudaGetLastError(), 0);
}
inline int current_device() {
  int d = 0;
  check(cudaGetDevice(&d), "asking for the current device");
  return d;
}
inline void set_device(int d) {
  check(cudaSetDevice(d), "selecting a device");
}

/// Facts of one device.
struct device_facts {
  std::string name;
  std::string architecture;
  int processors = 0;
  int wave = 0;
  int lanes_per_processor = 0;
  std::size_t memory_bytes = 0;
  std::size_t cache_bytes = 0;
};
inline device_facts facts_of(int d) {
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, d), "reading device properties");
  return {p.name,
          "sm_" + std::to_string(p.major) + std::to_string(p.minor),
          p.multiProcessorCount,
          p.warpSize,
          p.maxThreadsPerMultiProcessor,
          p.totalGlobalMem,
          static_cast<std::size_t>(p.l2CacheSize)};
}

using pool_t = cudaMemPool_t;

/// A pool of device memory that keeps what is given back, for the next allocation.
inline pool_t create_pool(int device) {
  cudaMemPoolProps p{};
  p.allocType = cudaMemAllocationTypePinned;
  p.location.type = cudaMemLocationTypeDevice;
  p.location.id = device;
  pool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &p), "creating a memory pool");
  std::uint64_t all = ~std::uint64_t{0};
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all),
        "configuring a memory pool");
  return pool;
}
inline void destroy(pool_t pool) noexcept {
  (void)cudaMemPoolDestroy(pool);
}
inline void* allocate(std::size_t bytes, pool_t pool, stream_t s) {
  void* p = nullptr;
  check(cudaMallocFromPoolAsync(&p, bytes, pool, s), "allocating device memory");
  return p;
}
inline void deallocate(void* p, stream_t s) noexcept {
  (void)cudaFreeAsync(p, s);
}
inline void copy_in(void* to, const void* from, std::size_t bytes, stream_t s) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, s), "copying to the device");
}
inline void copy_out(void* to, const void* from, std::size_t bytes, stream_t s) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, s), "copying from the device");
}
inline void fill(void* to, int byte, std::size_t bytes, stream_t s) {
  check(cudaMemsetAsync(to, byte, bytes, s), "filling device memory");
}

inline stream_t create_stream() {
  stream_t s = nullptr;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "creating a stream");
  return s;
}
inline void destroy(stream_t s) noexcept {
  (void)cudaStreamDestroy(s);
}
inline void synchronize(stream_t s) {
  check(cudaStreamSynchronize(s), "waiting for a stream");
}
inline void check_launch() {
  check(cudaGetLastError(), "launching a kernel");
}

/// Launches a kernel that may start before the one in front of it has finished.
template <class Kernel>
void enqueue_early(void (*entry)(Kernel), unsigned blocks, int threads, stream_t s,
                   const Kernel& kernel) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = s;
  config.attrs = &early;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, entry, Kernel(kernel)), "launching a kernel");
}

inline event_t create_event() {
  event_t e = nullptr;
  check(cudaEventCreate(&e), "creating an event");
  return e;
}
inline void destroy(event_t e) noexcept {
  (void)cudaEventDestroy(e);
}
inline void record(event_t e, stream_t s) {
  check(cudaEventRecord(e, s), "recording an event");
}
inline void synchronize(event_t e) {
  check(cudaEventSynchronize(e), "waiting for an event");
}
/// Milliseconds between two recorded events.
inline float elapsed(event_t from, event_t to) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, from, to), "reading event times");
  return ms;
}

inline void begin_capture(stream_t s) {
  check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal), "beginning a graph capture");
}
inline graph_exec_t end_capture(stream_t s) {
  graph_t g = nullptr;
  check(cudaStreamEndCapture(s, &g), "ending a graph capture");
  graph_exec_t e = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&e, g, 0);
  (void)cudaGraphDestroy(g);
  check(status, "instantiating a graph");
  return e;
}
inline void launch_graph(graph_exec_t g, stream_t s) {
  check(cudaGraphLaunch(g, s), "launching a graph");
}
inline void destroy(graph_exec_t g) noexcept {
  (void)cudaGraphExecDestroy(g);
}

/// Blocks of `kernel` that fit one processor.
template <class Kernel>
int resident_blocks(Kernel* kernel, int threads) {
  int n = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, threads, 0),
        "asking for a kernel's occupancy");
  return n;
}

}  // namespace loops::gpu
