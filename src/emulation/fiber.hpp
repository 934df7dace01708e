// SPDX-License-Identifier: Apache-2.0
/// Stacks to switch between, and what the sanitizers have to be told about it.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

// Present only in programs linked with the sanitizer in question.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom,
                                                   std::size_t* size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t size);
[[gnu::weak]] void* __tsan_get_current_fiber(void);
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_set_fiber_name(void* fiber, const char* name);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
}

namespace loops::emulation {

/// A stack to switch to: a lane's, or the launching thread's own.
struct fiber {
  boost::context::detail::fcontext_t context = nullptr;  // where it stopped
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's
  void* tsan = nullptr;        // ThreadSanitizer's view of it
  fiber* target = nullptr;     // what it switched to last
};

// Not inline functions with static state: these are evaluated in the hottest path there is.
inline bool under_asan() {
  return __sanitizer_start_switch_fiber != nullptr;
}
inline bool under_tsan() {
  return __tsan_create_fiber != nullptr;
}

/// Orders what this fiber did before what a fiber does that `order_after`s the same address.
inline void order_before(void* address) {
  if (under_tsan()) __tsan_release(address);
}
inline void order_after(void* address) {
  if (under_tsan()) __tsan_acquire(address);
}

/// To be called first thing on whichever stack a switch arrived at.
inline void arrived(boost::context::detail::transfer_t from, fiber& self) {
  auto& previous = *static_cast<fiber*>(from.data);
  previous.context = from.fctx;
  if (under_asan())
    __sanitizer_finish_switch_fiber(self.fake_stack, &previous.stack_bottom, &previous.stack_bytes);
}

/// Leaves `from`, which is running, for `to`; returns when something switches back. Orders nothing
/// for ThreadSanitizer.
inline void switch_to(fiber& from, fiber& to) {
  constexpr unsigned no_sync = 1;
  from.target = &to;
  if (under_asan())
    __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_bytes);
  if (under_tsan()) __tsan_switch_to_fiber(to.tsan, no_sync);
  arrived(boost::context::detail::jump_fcontext(to.context, &from), from);
}

/// `count` stacks in one mapping, each below a guard page that turns an overflow into a fault.
class stacks {
 public:
  stacks(int count, std::size_t bytes);
  ~stacks();
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;
  /// Makes `f` a fiber on stack `i` that enters `entry` when it is first switched to.
  void prepare(fiber& f, int i, void (*entry)(boost::context::detail::transfer_t)) const;

 private:
  std::size_t page_;
  std::size_t stride_;
  std::size_t bytes_;  // of the whole mapping
  char* base_;
};

}  // namespace loops::emulation
