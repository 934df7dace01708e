// SPDX-License-Identifier: Apache-2.0
/// A kernel that does nothing: what a launch takes on the device, which no product can go below.
#pragma once

#include "loops/backend/block.hpp"
#include "loops/backend/config.hpp"
#include "loops/core/machine.hpp"

namespace loops::bench {

struct empty_kernel {
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block&, storage<Block>&) const {}
};

/// Enqueues one block of it.
template <class Exec>
void launch_empty(const Exec& exec) {
  exec.template launch<shape<128, 1>>(1, empty_kernel{});
}

}  // namespace loops::bench
