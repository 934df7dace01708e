// SPDX-License-Identifier: Apache-2.0
/// Runs one kernel under both wave sizes and every set of options worth testing.
#pragma once

#include "loops/execution/emulation.hpp"

#include <gtest/gtest.h>

#include <string>

extern "C" [[gnu::weak]] void __tsan_init();

namespace emulation_tests {

/// Whether ThreadSanitizer watches: it rightly objects to kernels that lack a barrier on purpose.
inline bool under_tsan() {
  return __tsan_init != nullptr;
}

/// Calls `f(executor)` for waves of 32 and 64 and the whole sweep of options.
template <class F>
void everywhere(F f, int seeds = 3) {
  for (const auto& options : loops::emulation_options::sweep(seeds)) {
    SCOPED_TRACE(options.to_string());
    {
      SCOPED_TRACE("wave 32");
      f(loops::emulation_executor<32>(options));
    }
    {
      SCOPED_TRACE("wave 64");
      f(loops::emulation_executor<64>(options));
    }
  }
}

/// What `f` throws, or "" when it throws nothing.
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const loops::error& e) {
    return e.what();
  }
  return "";
}

/// Storage of kernels that share nothing.
struct nothing {};

}  // namespace emulation_tests
