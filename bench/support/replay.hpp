// SPDX-License-Identifier: Apache-2.0
/// What an executor was asked to do once, done again from a graph.
#pragma once

#include "loops/core/error.hpp"
#include "loops/execution/executor.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>

namespace loops::bench {

#if LOOPS_CUDA || LOOPS_HIP

/// Enqueues what `f` enqueues, by launching a graph of it. Throws: device when `f` allocates or
/// waits, which a graph cannot hold.
inline std::function<void()> replayed(const executor& exec, const std::function<void()>& f) {
  gpu::begin_capture(exec.stream());
  std::exception_ptr failure;
  try {
    f();
  } catch (...) {
    failure = std::current_exception();
  }
  const gpu::graph_exec_t graph = gpu::end_capture(exec.stream());
  const auto kept =
      std::shared_ptr<std::remove_pointer_t<gpu::graph_exec_t>>(graph, [exec](gpu::graph_exec_t g) {
        exec.synchronize();
        gpu::destroy(g);
      });
  if (failure) std::rethrow_exception(failure);
  return [exec, kept] { gpu::launch_graph(kept.get(), exec.stream()); };
}

#else

/// Throws: unsupported.
inline std::function<void()> replayed(const executor&, const std::function<void()>&) {
  throw error(errc::unsupported, "there are no graphs to replay on this machine");
}

#endif

}  // namespace loops::bench
