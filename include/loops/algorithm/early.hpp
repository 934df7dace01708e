// SPDX-License-Identifier: Apache-2.0
/// Kernels that come in while the one in front of them drains.
#pragma once

#include "loops/backend/block.hpp"

namespace loops::detail {

/// Whether a program, or what visits atoms, says that it may start while the kernel in front
/// drains.
template <class T>
constexpr bool starts_early() {
  if constexpr (requires { T::starts_early; }) return T::starts_early;
  return false;
}

/// A kernel for `launch_early`: it reads nothing before the kernel in front of it has ended, and
/// the next one, if launched early as well, comes in as soon as there is room. Worth while between
/// kernels that take microseconds, of which starting and draining are most.
template <class Kernel>
struct early : Kernel {
  template <class Block>
  using storage = typename Kernel::template storage<Block>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    block.await_previous();
    static_cast<const Kernel&> (*this)(block, shared);
  }
};
template <class Kernel>
early(Kernel) -> early<Kernel>;

}  // namespace loops::detail
