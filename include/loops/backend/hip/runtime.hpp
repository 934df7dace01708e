// SPDX-License-Identifier: Apache-2.0
/// The HIP runtime under the names the GPU executor uses; mirrored by backend/cuda/runtime.hpp.
#pragma once

#include "loops/core/error.hpp"

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace loops::gpu {

using stream_t = hipStream_t;
using event_t = hipEvent_t;
using graph_t = hipGraph_t;
using graph_exec_t = hipGraphExec_t;

/// Throws `error(device)` unless `status` is success.
inline void check(hipError_t status, const char* what, source_place where = source_place::here()) {
  if (status == hipSuccess) return;
  (void)hipGetLastError();
  throw error(status == hipErrorOutOfMemory ? errc::out_of_memory : errc::device,
              std::string(what) + ": " + hipGetErrorString(status), where);
}

inline int device_count() {
  int n = 0;
  return hipGetDeviceCount(&n) == hipSuccess ? n : ((void)hipGetLastError(), 0);
}
inline int current_device() {
  int d = 0;
  check(hipGetDevice(&d), "asking for the current device");
  return d;
}
inline void set_device(int d) {
  check(hipSetDevice(d), "selecting a device");
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
  std::size_t storage_per_processor =
      0;         ///< shared memory, where blocks run short of it; 0: they do not
  int dies = 1;  ///< with a second-level cache each
};
inline device_facts facts_of(int d) {
  hipDeviceProp_t p{};
  check(hipGetDeviceProperties(&p, d), "reading device properties");
  return {p.name,
          p.gcnArchName,
          p.multiProcessorCount,
          p.warpSize,
          p.maxThreadsPerMultiProcessor,
          p.totalGlobalMem,
          static_cast<std::size_t>(p.l2CacheSize),
          p.maxSharedMemoryPerMultiProcessor};
}

using pool_t = hipMemPool_t;

/// A pool of device memory that keeps what is given back, for the next allocation.
inline pool_t create_pool(int device) {
  hipMemPoolProps p{};
  p.allocType = hipMemAllocationTypePinned;
  p.location.type = hipMemLocationTypeDevice;
  p.location.id = device;
  pool_t pool = nullptr;
  check(hipMemPoolCreate(&pool, &p), "creating a memory pool");
  std::uint64_t all = ~std::uint64_t{0};
  check(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &all),
        "configuring a memory pool");
  return pool;
}
inline void destroy(pool_t pool) noexcept {
  (void)hipMemPoolDestroy(pool);
}
inline void* allocate(std::size_t bytes, pool_t pool, stream_t s) {
  void* p = nullptr;
  check(hipMallocFromPoolAsync(&p, bytes, pool, s), "allocating device memory");
  return p;
}
inline void deallocate(void* p, stream_t s) noexcept {
  (void)hipFreeAsync(p, s);
}
inline void copy_in(void* to, const void* from, std::size_t bytes, stream_t s) {
  check(hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, s), "copying to the device");
}
inline void copy_out(void* to, const void* from, std::size_t bytes, stream_t s) {
  check(hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, s), "copying from the device");
}
inline void fill(void* to, int byte, std::size_t bytes, stream_t s) {
  check(hipMemsetAsync(to, byte, bytes, s), "filling device memory");
}

inline stream_t create_stream() {
  stream_t s = nullptr;
  check(hipStreamCreateWithFlags(&s, hipStreamNonBlocking), "creating a stream");
  return s;
}
inline void destroy(stream_t s) noexcept {
  (void)hipStreamDestroy(s);
}
inline void synchronize(stream_t s) {
  check(hipStreamSynchronize(s), "waiting for a stream");
}
inline void check_launch() {
  check(hipGetLastError(), "launching a kernel");
}

/// How a kernel is launched, apart from its arguments.
struct launch_config {
  unsigned blocks = 0;
  int threads = 0;
  std::size_t storage = 0;  ///< bytes of shared memory to be asked for
  int cluster = 1;          ///< blocks that run together: there are no clusters, so 1
  bool early = false;       ///< has no effect: HIP has no way to start a kernel early
  stream_t stream = nullptr;
};

/// Launches a kernel as `c` says.
template <class Kernel>
void enqueue(const launch_config& c, void (*entry)(Kernel), const Kernel& kernel) {
  require(c.cluster == 1, errc::unsupported, "AMD GPUs have no clusters of blocks");
  entry<<<c.blocks, c.threads, c.storage, c.stream>>>(kernel);
}

inline event_t create_event() {
  event_t e = nullptr;
  check(hipEventCreate(&e), "creating an event");
  return e;
}
inline void destroy(event_t e) noexcept {
  (void)hipEventDestroy(e);
}
inline void record(event_t e, stream_t s) {
  check(hipEventRecord(e, s), "recording an event");
}
inline void synchronize(event_t e) {
  check(hipEventSynchronize(e), "waiting for an event");
}
/// Milliseconds between two recorded events.
inline float elapsed(event_t from, event_t to) {
  float ms = 0;
  check(hipEventElapsedTime(&ms, from, to), "reading event times");
  return ms;
}

inline void begin_capture(stream_t s) {
  check(hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal), "beginning a graph capture");
}
inline graph_exec_t end_capture(stream_t s) {
  graph_t g = nullptr;
  check(hipStreamEndCapture(s, &g), "ending a graph capture");
  graph_exec_t e = nullptr;
  const hipError_t status = hipGraphInstantiate(&e, g, nullptr, nullptr, 0);
  (void)hipGraphDestroy(g);
  check(status, "instantiating a graph");
  return e;
}
inline void launch_graph(graph_exec_t g, stream_t s) {
  check(hipGraphLaunch(g, s), "launching a graph");
}
inline void destroy(graph_exec_t g) noexcept {
  (void)hipGraphExecDestroy(g);
}

/// Lets blocks of `entry` have `bytes` of shared memory. Throws: unsupported when there is less.
template <class Kernel>
void allow_storage(void (*entry)(Kernel), std::size_t bytes) {
  int most = 0;
  check(hipDeviceGetAttribute(&most, hipDeviceAttributeMaxSharedMemoryPerBlock, current_device()),
        "asking for the size of shared memory");
  if (bytes > static_cast<std::size_t>(most))
    throw error(errc::unsupported, "a block of the kernel needs " + std::to_string(bytes) +
                                       " bytes of shared memory, and this device has " +
                                       std::to_string(most) + ": use fewer stages or items");
  check(hipFuncSetAttribute(reinterpret_cast<const void*>(entry),
                            hipFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
}

/// Blocks of `entry` that run at the same time on a device of `processors` processors.
template <class Kernel>
std::int64_t resident_blocks(const launch_config& c, void (*entry)(Kernel), int processors) {
  require(c.cluster == 1, errc::unsupported, "AMD GPUs have no clusters of blocks");
  int n = 0;
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(&n, entry, c.threads, c.storage),
        "asking for a kernel's occupancy");
  return std::int64_t{n} * processors;
}

}  // namespace loops::gpu
