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
  std::size_t storage_per_processor =
      0;         ///< shared memory, where blocks run short of it; 0: they do not
  int dies = 1;  ///< with a second-level cache each
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

/// How a kernel is launched, apart from its arguments.
struct launch_config {
  unsigned blocks = 0;
  int threads = 0;
  std::size_t storage = 0;  ///< bytes of shared memory to be asked for
  int cluster = 1;          ///< blocks that run together
  bool early = false;       ///< may start before the kernel in front of it has finished
  stream_t stream = nullptr;
};

namespace detail {

/// The same in the runtime's words.
class native_config {
 public:
  explicit native_config(const launch_config& c) {
    config_.gridDim = dim3(c.blocks);
    config_.blockDim = dim3(static_cast<unsigned>(c.threads));
    config_.dynamicSmemBytes = c.storage;
    config_.stream = c.stream;
    config_.attrs = attributes_;
    if (c.early) {
      auto& early = attributes_[config_.numAttrs++];
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
    }
    if (c.cluster > 1) {
      auto& cluster = attributes_[config_.numAttrs++];
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = static_cast<unsigned>(c.cluster);
      cluster.val.clusterDim.y = 1;
      cluster.val.clusterDim.z = 1;
    }
  }
  native_config(const native_config&) = delete;
  native_config& operator=(const native_config&) = delete;
  const cudaLaunchConfig_t* operator&() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[2] = {};
  cudaLaunchConfig_t config_{};
};

}  // namespace detail

/// Launches a kernel with what `<<<>>>` cannot say.
template <class Kernel>
void enqueue(const launch_config& c, void (*entry)(Kernel), const Kernel& kernel) {
  const detail::native_config config(c);
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

/// Lets blocks of `entry` have `bytes` of shared memory. Throws: unsupported when there is less.
template <class Kernel>
void allow_storage(void (*entry)(Kernel), std::size_t bytes) {
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, current_device()),
        "asking for the size of shared memory");
  if (bytes > static_cast<std::size_t>(most))
    throw error(errc::unsupported, "a block of the kernel needs " + std::to_string(bytes) +
                                       " bytes of shared memory, and this device has " +
                                       std::to_string(most) + ": use fewer stages or items");
  check(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "asking for shared memory");
}

/// Blocks of `entry` that run at the same time on a device of `processors` processors.
template <class Kernel>
std::int64_t resident_blocks(const launch_config& c, void (*entry)(Kernel), int processors) {
  int n = 0;
  if (c.cluster > 1) {
    const detail::native_config config(c);
    check(cudaOccupancyMaxActiveClusters(&n, entry, &config), "asking for a kernel's occupancy");
    return std::int64_t{n} * c.cluster;
  }
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, entry, c.threads, c.storage),
        "asking for a kernel's occupancy");
  return std::int64_t{n} * processors;
}

}  // namespace loops::gpu
