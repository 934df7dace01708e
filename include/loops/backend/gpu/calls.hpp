// SPDX-License-Identifier: Apache-2.0
/// The calls that the CUDA and the HIP runtime share, under the names the GPU executor uses.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/error.hpp"

#if LOOPS_HIP
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

#include <cstddef>
#include <cstdint>
#include <string>

/// A word of the runtime, without what its name begins with.
#if LOOPS_HIP
#define LOOPS_GPU(word) hip##word
#else
#define LOOPS_GPU(word) cuda##word
#endif

namespace loops::gpu {

namespace detail {

#if LOOPS_HIP
using properties = hipDeviceProp_t;
inline std::string architecture(const properties& p) {
  return p.gcnArchName;
}
inline std::size_t scarce_storage(const properties& p) {
  return p.maxSharedMemoryPerMultiProcessor;
}
inline constexpr auto most_storage = hipDeviceAttributeMaxSharedMemoryPerBlock;
#else
using properties = cudaDeviceProp;
inline std::string architecture(const properties& p) {
  return "sm_" + std::to_string(p.major) + std::to_string(p.minor);
}
inline std::size_t scarce_storage(const properties&) {
  return 0;
}
inline constexpr auto most_storage = cudaDevAttrMaxSharedMemoryPerBlockOptin;
#endif

}  // namespace detail

using stream_t = LOOPS_GPU(Stream_t);
using event_t = LOOPS_GPU(Event_t);
using graph_t = LOOPS_GPU(Graph_t);
using graph_exec_t = LOOPS_GPU(GraphExec_t);

/// Throws `error(device)` unless `status` is success.
inline void check(LOOPS_GPU(Error_t) status, const char* what,
                  source_place where = source_place::here()) {
  if (status == LOOPS_GPU(Success)) return;
  (void)LOOPS_GPU(GetLastError)();
  throw error(status == LOOPS_GPU(ErrorMemoryAllocation) ? errc::out_of_memory : errc::device,
              std::string(what) + ": " + LOOPS_GPU(GetErrorString)(status), where);
}

/// Forgets the runtime's last error, which is the caller's: libraries that ask for it behind their
/// own calls would take it for theirs.
inline void forget_last_error() noexcept {
  (void)LOOPS_GPU(GetLastError)();
}

inline int device_count() {
  int n = 0;
  if (LOOPS_GPU(GetDeviceCount)(&n) == LOOPS_GPU(Success)) return n;
  forget_last_error();
  return 0;
}
inline int current_device() {
  int d = 0;
  check(LOOPS_GPU(GetDevice)(&d), "asking for the current device");
  return d;
}
inline void set_device(int d) {
  check(LOOPS_GPU(SetDevice)(d), "selecting a device");
}

/// Makes a device the current one of the calling thread for as long as this lives. Cost: a question
/// where it is already.
class on_device {
 public:
  explicit on_device(int d) noexcept {
    const bool known = LOOPS_GPU(GetDevice)(&before_) == LOOPS_GPU(Success);
    if (known && before_ == d) return;
    changed_ = known && LOOPS_GPU(SetDevice)(d) == LOOPS_GPU(Success);
    // What is called next says what is wrong, also where nothing may be thrown.
    if (!changed_) forget_last_error();
  }
  ~on_device() {
    if (changed_) (void)LOOPS_GPU(SetDevice)(before_);
  }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

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
  detail::properties p{};
  check(LOOPS_GPU(GetDeviceProperties)(&p, d), "reading device properties");
  return {p.name,
          detail::architecture(p),
          p.multiProcessorCount,
          p.warpSize,
          p.maxThreadsPerMultiProcessor,
          p.totalGlobalMem,
          static_cast<std::size_t>(p.l2CacheSize),
          detail::scarce_storage(p)};
}

using pool_t = LOOPS_GPU(MemPool_t);

/// A pool of device memory that keeps what is given back, for the next allocation.
inline pool_t create_pool(int device) {
  LOOPS_GPU(MemPoolProps) p{};
  p.allocType = LOOPS_GPU(MemAllocationTypePinned);
  p.location.type = LOOPS_GPU(MemLocationTypeDevice);
  p.location.id = device;
  pool_t pool = nullptr;
  check(LOOPS_GPU(MemPoolCreate)(&pool, &p), "creating a memory pool");
  std::uint64_t all = ~std::uint64_t{0};
  check(LOOPS_GPU(MemPoolSetAttribute)(pool, LOOPS_GPU(MemPoolAttrReleaseThreshold), &all),
        "configuring a memory pool");
  return pool;
}
inline void destroy(pool_t pool) noexcept {
  (void)LOOPS_GPU(MemPoolDestroy)(pool);
}
inline void* allocate(std::size_t bytes, pool_t pool, stream_t s) {
  void* p = nullptr;
  check(LOOPS_GPU(MallocFromPoolAsync)(&p, bytes, pool, s), "allocating device memory");
  return p;
}
inline void deallocate(void* p, stream_t s) noexcept {
  (void)LOOPS_GPU(FreeAsync)(p, s);
}
/// Memory of the host that kernels reach, too.
inline void* allocate_on_host(std::size_t bytes) {
  void* p = nullptr;
  check(LOOPS_GPU(HostAlloc)(&p, bytes, LOOPS_GPU(HostAllocMapped)),
        "allocating host memory for a device");
  return p;
}
inline void deallocate_on_host(void* p) noexcept {
  (void)LOOPS_GPU(FreeHost)(p);
}
inline void copy_in(void* to, const void* from, std::size_t bytes, stream_t s) {
  check(LOOPS_GPU(MemcpyAsync)(to, from, bytes, LOOPS_GPU(MemcpyHostToDevice), s),
        "copying to the device");
}
inline void copy_out(void* to, const void* from, std::size_t bytes, stream_t s) {
  check(LOOPS_GPU(MemcpyAsync)(to, from, bytes, LOOPS_GPU(MemcpyDeviceToHost), s),
        "copying from the device");
}
inline void fill(void* to, int byte, std::size_t bytes, stream_t s) {
  check(LOOPS_GPU(MemsetAsync)(to, byte, bytes, s), "filling device memory");
}

inline stream_t create_stream() {
  stream_t s = nullptr;
  check(LOOPS_GPU(StreamCreateWithFlags)(&s, LOOPS_GPU(StreamNonBlocking)), "creating a stream");
  return s;
}
inline void destroy(stream_t s) noexcept {
  (void)LOOPS_GPU(StreamDestroy)(s);
}
/// The device of a stream; the default stream is the current device's, and older runtimes do not
/// tell others.
inline int device_of(stream_t s) {
  int d = current_device();
#if LOOPS_HIP || CUDART_VERSION >= 12080
  if (s) check(LOOPS_GPU(StreamGetDevice)(s, &d), "asking for the device of a stream");
#endif
  return d;
}
inline void synchronize(stream_t s) {
  check(LOOPS_GPU(StreamSynchronize)(s), "waiting for a stream");
}

/// How a kernel is launched, apart from its arguments.
struct launch_config {
  unsigned blocks = 0;
  int threads = 0;
  std::size_t storage = 0;  ///< bytes of shared memory to be asked for
  int cluster = 1;          ///< blocks that run together; AMD GPUs have no clusters, so 1
  bool early = false;  ///< may start before the kernel in front of it has finished; not with HIP
  stream_t stream = nullptr;
  /// Percent of a processor's memory that blocks are to share, where cache and shared memory are
  /// one; negative: as the runtime likes. Fewer blocks may run at the same time then.
  int storage_share = -1;
};

inline event_t create_event() {
  event_t e = nullptr;
  check(LOOPS_GPU(EventCreate)(&e), "creating an event");
  return e;
}
inline void destroy(event_t e) noexcept {
  (void)LOOPS_GPU(EventDestroy)(e);
}
inline void record(event_t e, stream_t s) {
  check(LOOPS_GPU(EventRecord)(e, s), "recording an event");
}
inline void synchronize(event_t e) {
  check(LOOPS_GPU(EventSynchronize)(e), "waiting for an event");
}
/// Milliseconds between two recorded events.
inline float elapsed(event_t from, event_t to) {
  float ms = 0;
  check(LOOPS_GPU(EventElapsedTime)(&ms, from, to), "reading event times");
  return ms;
}

inline void begin_capture(stream_t s) {
  check(LOOPS_GPU(StreamBeginCapture)(s, LOOPS_GPU(StreamCaptureModeThreadLocal)),
        "beginning a graph capture");
}
inline graph_exec_t end_capture(stream_t s) {
  graph_t g = nullptr;
  check(LOOPS_GPU(StreamEndCapture)(s, &g), "ending a graph capture");
  graph_exec_t e = nullptr;
  const LOOPS_GPU(Error_t) status = LOOPS_GPU(GraphInstantiateWithFlags)(&e, g, 0);
  (void)LOOPS_GPU(GraphDestroy)(g);
  check(status, "instantiating a graph");
  return e;
}
inline void launch_graph(graph_exec_t g, stream_t s) {
  check(LOOPS_GPU(GraphLaunch)(g, s), "launching a graph");
}
inline void destroy(graph_exec_t g) noexcept {
  (void)LOOPS_GPU(GraphExecDestroy)(g);
}

/// Lets blocks of `entry` have `bytes` of shared memory. Throws: unsupported when there is less.
template <class Kernel>
void allow_storage(void (*entry)(Kernel), std::size_t bytes) {
  int most = 0;
  check(LOOPS_GPU(DeviceGetAttribute)(&most, detail::most_storage, current_device()),
        "asking for the size of shared memory");
  if (bytes > static_cast<std::size_t>(most))
    throw error(errc::unsupported, "a block of the kernel needs " + std::to_string(bytes) +
                                       " bytes of shared memory, and this device has " +
                                       std::to_string(most) + ": use fewer stages or items");
  check(LOOPS_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(entry),
                                    LOOPS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                    static_cast<int>(bytes)),
        "asking for shared memory");
}

}  // namespace loops::gpu

#undef LOOPS_GPU
