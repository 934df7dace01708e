// SPDX-License-Identifier: Apache-2.0
/// Executes kernels on the CPU as a GPU would: every lane is real. For tests, never for speed.
#pragma once

#include "loops/backend/emulation/block.hpp"
#include "loops/core/machine.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace loops {

/// A GPU with waves of 32 or 64 lanes, emulated on the calling thread. Launches return when the
/// work is done and run the same way every time. Cost: about 30 ns per lane and barrier.
template <int Wave>
class emulation_executor {
 public:
  /// Throws: invalid_argument where the options mean nothing.
  explicit emulation_executor(const emulation_options& options = {}) : options_(options) {
    options.check();
  }

  template <class Shape>
  using block = emulation::block<Shape, Wave>;

  /// Runs `kernel` in `blocks` blocks, started in increasing order unless the options say otherwise
  /// and the kernel does not say that its blocks wait for earlier ones (`waits_for_blocks`).
  /// Throws: what a lane threw, after every other lane's locals were destroyed; `loops::error`
  /// where lanes diverge at a barrier or wave operation, read a lane that has exited, or wait for
  /// what never comes, and where the kernel's storage exceeds `options.shared_bytes`.
  template <class Shape, class Kernel>
  void launch(std::int64_t blocks, const Kernel& kernel) const {
    start<Shape, false>(blocks, kernel);
  }
  /// The same: a launch returns when the work is done. Throws also: device where a lane ends
  /// without having called `await_previous`, so that on a GPU it may have read what was not yet
  /// written.
  template <class Shape, class Kernel>
  void launch_early(std::int64_t blocks, const Kernel& kernel) const {
    start<Shape, true>(blocks, kernel);
  }

  /// What schedules see of this machine when kernels are launched with `Shape`.
  template <class Shape>
  [[nodiscard]] machine describe(int /*lanes*/ = 0, std::size_t /*storage*/ = 0) const {
    using block_type = block<Shape>;
    return {block_type::threads, block_type::wave,   block_type::items,
            block_type::batch,   options_.residency, std::max(1, block_type::items / 4)};
  }

  /// Blocks of `Kernel` that run at the same time.
  template <class Shape, class Kernel>
  [[nodiscard]] std::int64_t resident(int /*cluster*/ = 1) const {
    return options_.residency;
  }
  /// Looks at a flag before whoever waits for another block gives up: sooner than the launch does.
  [[nodiscard]] std::int64_t patience() const {
    return std::max<std::int64_t>(1, options_.patience / 2);
  }

  [[nodiscard]] const emulation_options& options() const { return options_; }
  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const {
    return default_host_memory();
  }
  /// As on a GPU; here it is the same.
  [[nodiscard]] const std::shared_ptr<loops::memory>& staging() const { return memory(); }
  [[nodiscard]] const std::shared_ptr<loops::memory>& answers() const { return memory(); }
  void synchronize() const {}

 private:
  template <class Shape, bool Early, class Kernel>
  void start(std::int64_t blocks, const Kernel& kernel) const {
    using block_type = block<Shape>;
    using storage = typename Kernel::template storage<block_type>;
    static_assert(std::is_trivially_destructible_v<storage> &&
                      std::is_trivially_default_constructible_v<storage>,
                  "shared memory runs no constructors: use loops::uninitialized for such members");
    const auto body = [](const void* k, emulation::seat& self, int lane, std::int64_t id,
                         std::int64_t count, void* shared) {
      block_type context(self, lane, id, count);
      (*static_cast<const Kernel*>(k))(context, *static_cast<storage*>(shared));
      if (Early && !context.awaited())
        throw error(errc::device,
                    "a lane of a kernel that is launched early ended without await_previous: on a "
                    "GPU it may have read what the kernel before it had not written yet");
    };
    emulation_options how = options_;
    if constexpr (requires { requires Kernel::waits_for_blocks; })
      how.blocks = emulation::order::up;
    emulation::run({&kernel, body, &typeid(Kernel), blocks, block_type::threads, block_type::wave,
                    sizeof(storage), alignof(storage)},
                   how);
  }

  emulation_options options_;
};

}  // namespace loops
