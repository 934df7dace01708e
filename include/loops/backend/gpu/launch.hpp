// SPDX-License-Identifier: Apache-2.0
/// Streams, and the one kernel entry through which every kernel of the library is launched.
#pragma once

#include "loops/backend/gpu/block.hpp"
#include "loops/backend/gpu/runtime.hpp"

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

template <class Shape, class Kernel>
__global__ void __launch_bounds__(Shape::threads,
                                  blocks_wanted(wanted_lanes<Kernel>(), Shape::threads))
    entry(const Kernel kernel) {
  using block_type = block<Shape>;
  using storage = typename Kernel::template storage<block_type>;
  static_assert(sizeof(storage) <= 48 * 1024, "a kernel's storage exceeds 48 KiB: use fewer items");
  __shared__ alignas(16) unsigned char bytes[sizeof(storage)];
  block_type context;
  kernel(context, *reinterpret_cast<storage*>(bytes));
}

/// Launches `kernel` on `s`; throws when the launch is refused.
template <class Shape, class Kernel>
void launch(stream_t s, unsigned blocks, const Kernel& kernel) {
  entry<Shape, Kernel><<<blocks, Shape::threads, 0, s>>>(kernel);
  check_launch();
}

/// The same for a kernel that calls `await_previous` before it reads what the kernel before it
/// wrote: where the runtime can, it starts while that one drains.
template <class Shape, class Kernel>
void launch_early(stream_t s, unsigned blocks, const Kernel& kernel) {
  enqueue_early(entry<Shape, Kernel>, blocks, Shape::threads, s, kernel);
  check_launch();
}

}  // namespace loops::gpu
