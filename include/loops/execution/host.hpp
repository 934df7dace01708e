// SPDX-License-Identifier: Apache-2.0
/// Executes kernels on the CPU: one lane per block, blocks over a pool of threads.
#pragma once

#include "loops/backend/host/block.hpp"
#include "loops/core/machine.hpp"
#include "loops/execution/memory.hpp"

#include <cstdint>
#include <memory>

namespace loops {

namespace host {

/// A reference to a callable `void(std::int64_t)`; the callable outlives the call it is passed to.
class task_ref {
 public:
  template <class F>
  explicit task_ref(F& f)
      : object_(&f), call_([](void* o, std::int64_t i) { (*static_cast<F*>(o))(i); }) {}
  void operator()(std::int64_t i) const { call_(object_, i); }

 private:
  void* object_;
  void (*call_)(void*, std::int64_t);
};

/// A fixed set of threads that run numbered tasks.
class pool {
 public:
  /// `threads` counts the caller; 0 means LOOPS_THREADS, or one per processor this process may use.
  /// Where the system does not start so many, there are fewer. Throws: invalid_argument for less
  /// than 0 or more than 4096.
  explicit pool(int threads = 0);
  ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  /// Runs task(0) … task(count - 1), and returns when all are done. A task may wait for tasks of
  /// lower numbers. The same thread takes the same tasks in every run of as many, unless it comes
  /// late. The first exception is rethrown here. Calls from inside a task run in place.
  void run(std::int64_t count, task_ref task);
  [[nodiscard]] int threads() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The pool that executors share unless they are given one.
const std::shared_ptr<pool>& default_pool();

}  // namespace host

/// The CPU as an executor. Launches return when the work is done.
class host_executor {
 public:
  explicit host_executor(std::shared_ptr<host::pool> threads = host::default_pool())
      : pool_(std::move(threads)) {
    require(pool_ != nullptr, errc::invalid_argument, "a host executor needs a pool of threads");
  }

  template <class Shape>
  using block = host::block<Shape>;

  /// Runs `kernel` in `blocks` blocks; a block may wait for blocks of lower numbers.
  template <class Shape, class Kernel>
  void launch(std::int64_t blocks, const Kernel& kernel) const {
    using block_type = block<Shape>;
    // Everything inlined into a copy of the task's own: then what the kernel holds can stay in
    // registers across the stores of a caller's functor.
    auto task = [&](std::int64_t id) __attribute__((flatten)) {
      const Kernel mine = kernel;
      typename Kernel::template storage<block_type> shared;
      block_type context(id, blocks);
      mine(context, shared);
    };
    pool_->run(blocks, host::task_ref(task));
  }

  /// The same: a launch returns when the work is done.
  template <class Shape, class Kernel>
  void launch_early(std::int64_t blocks, const Kernel& kernel) const {
    launch<Shape>(blocks, kernel);
  }

  /// What schedules see of this machine when kernels are launched with `Shape`.
  template <class Shape>
  [[nodiscard]] machine describe(int /*lanes*/ = 0, std::size_t /*storage*/ = 0) const {
    using block_type = block<Shape>;
    return {block_type::threads, block_type::wave, block_type::items,
            block_type::batch,   pool_->threads(), block_type::items};
  }

  /// Blocks of `Kernel` that run at the same time.
  template <class Shape, class Kernel>
  [[nodiscard]] std::int64_t resident(int /*cluster*/ = 1) const {
    return pool_->threads();
  }
  /// Looks at a flag before whoever waits for another block gives up: minutes.
  [[nodiscard]] std::int64_t patience() const { return std::int64_t{1} << 30; }

  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const {
    return default_host_memory();
  }
  /// As on a GPU; here it is the same.
  [[nodiscard]] const std::shared_ptr<loops::memory>& staging() const { return memory(); }
  [[nodiscard]] const std::shared_ptr<loops::memory>& answers() const { return memory(); }
  void synchronize() const {}

 private:
  std::shared_ptr<host::pool> pool_;
};

}  // namespace loops
