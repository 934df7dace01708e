// SPDX-License-Identifier: Apache-2.0
/// Streams, and the one kernel entry through which every kernel of the library is launched.
#pragma once

#include "loops/backend/gpu/block.hpp"
#include "loops/backend/gpu/runtime.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace loops::gpu {

/// A stream that is destroyed with its last user, or a borrowed one.
class stream {
 public:
  stream() : stream_(create_stream()), owned_(true) {}
  explicit stream(stream_t borrowed) : stream_(borrowed) {}
  ~stream() {
    if (owned_) destroy(stream_);
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  [[nodiscard]] stream_t get() const { return stream_; }

 private:
  stream_t stream_;
  bool owned_ = false;
};

/// Lanes a kernel wants resident per processor, so that the compiler keeps to few enough
/// registers; kernels that say nothing leave it to the compiler.
template <class Kernel>
constexpr int wanted_lanes() {
  if constexpr (requires { Kernel::wanted_lanes; }) return Kernel::wanted_lanes;
  return 0;
}

/// Blocks of a kernel that run together as a cluster, when it says so: on neighbouring processors,
/// with each other's shared memory in reach.
template <class Kernel>
constexpr int cluster_size(const Kernel& kernel) {
  if constexpr (requires { kernel.cluster; })
    return kernel.cluster;
  else
    return 1;
}

/// The percent of a processor's memory that blocks of a kernel are to share, as the schedule that
/// it is bound to says; of others as the runtime likes.
template <class Kernel>
constexpr int storage_share(const Kernel& kernel) {
  if constexpr (requires { kernel.bound.storage_share; })
    return kernel.bound.storage_share;
  else
    return -1;
}

/// Shared memory that every device has for a block without asking.
inline constexpr std::size_t static_storage_limit = 48 * 1024;

template <class Shape, class Kernel>
inline constexpr std::size_t storage_bytes =
    sizeof(typename Kernel::template storage<block<Shape>>);

/// Bytes that have to be asked for at launch: all of a large storage, none of a small one.
template <class Shape, class Kernel>
inline constexpr std::size_t dynamic_bytes =
    storage_bytes<Shape, Kernel> > static_storage_limit ? storage_bytes<Shape, Kernel> : 0;

/// The entry of every kernel. Its argument stays where the launch put it: descriptors that hardware
/// reads by address lie in it.
template <class Shape, class Kernel>
__global__ void __launch_bounds__(Shape::threads,
                                  blocks_wanted(wanted_lanes<Kernel>(), Shape::threads))
#if LOOPS_CUDA
    entry(const __grid_constant__ Kernel kernel) {
#else
    entry(const Kernel kernel) {
#endif
  using block_type = block<Shape>;
  using storage = typename Kernel::template storage<block_type>;
  block_type context;
  if constexpr (dynamic_bytes<Shape, Kernel> != 0) {
    // It begins where a block's memory does. Declared with the alignment that copy units want, it
    // would pad the storage of every kernel of the file, for which processors give up cache.
    extern __shared__ __align__(16) unsigned char large_storage[];
    kernel(context, *static_cast<storage*>(__builtin_assume_aligned(large_storage, 1024)));
  } else {
    constexpr std::size_t alignment = alignof(storage) > 16 ? alignof(storage) : 16;
    __shared__ alignas(alignment) unsigned char bytes[sizeof(storage)];
    kernel(context, *reinterpret_cast<storage*>(bytes));
  }
}

/// How a kernel is launched, apart from its arguments.
template <class Shape, class Kernel>
constexpr launch_config config_of(unsigned blocks, int cluster, stream_t s, bool early,
                                  int share = -1) {
  return {blocks, Shape::threads, dynamic_bytes<Shape, Kernel>, cluster, early, s, share};
}

/// Once per device and kernel, on the current device: what its storage needs. Throws: unsupported
/// when it is too large. Static, as nvcc gives every translation unit an `entry` of its own, which
/// wants asking for itself.
template <class Shape, class Kernel>
static void prepare(int device) {
  if constexpr (dynamic_bytes<Shape, Kernel> != 0) {
    static std::atomic<std::uint64_t> prepared{0};
    const std::uint64_t bit = device < 64 ? std::uint64_t{1} << device : 0;
    if (prepared.load(std::memory_order_relaxed) & bit) return;
    allow_storage(entry<Shape, Kernel>, dynamic_bytes<Shape, Kernel>);
    prepared.fetch_or(bit, std::memory_order_relaxed);
  }
}

/// Launches `kernel` on `s`, a stream of `device`; throws when the launch is refused, whatever the
/// runtime's last error was before.
template <class Shape, class Kernel>
void launch(int device, stream_t s, unsigned blocks, const Kernel& kernel) {
  const on_device here(device);
  prepare<Shape, Kernel>(device);
  enqueue(config_of<Shape, Kernel>(blocks, cluster_size(kernel), s, false, storage_share(kernel)),
          entry<Shape, Kernel>, kernel);
}

/// The same for a kernel that calls `await_previous` before it reads what the kernel before it
/// wrote: where the runtime can, it starts while that one drains.
template <class Shape, class Kernel>
void launch_early(int device, stream_t s, unsigned blocks, const Kernel& kernel) {
  const on_device here(device);
  prepare<Shape, Kernel>(device);
  enqueue(config_of<Shape, Kernel>(blocks, cluster_size(kernel), s, true, storage_share(kernel)),
          entry<Shape, Kernel>, kernel);
}

/// Blocks of `Kernel` that `device` holds at the same time, in whole clusters; 0 when not even one
/// fits.
template <class Shape, class Kernel>
std::int64_t resident(int device, int processors, int cluster) {
  const on_device here(device);
  prepare<Shape, Kernel>(device);
  return resident_blocks(
      config_of<Shape, Kernel>(static_cast<unsigned>(cluster), cluster, nullptr, false),
      entry<Shape, Kernel>, processors);
}

}  // namespace loops::gpu
