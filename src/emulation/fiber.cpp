// SPDX-License-Identifier: Apache-2.0
/// The lanes' stacks.
#include "fiber.hpp"

#include "loops/core/error.hpp"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace loops::emulation {

namespace {

// Stacks that start at the same offset of a page fight for the same cache sets; measured: a switch
// among 1024 lanes costs four times less when the tops are spread over this much.
constexpr std::size_t colour_step = 192;
constexpr std::size_t colours = 16 * 1024;

}  // namespace

stacks::stacks(int count, std::size_t bytes)
    : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      stride_(page_ + (bytes + colours + page_ - 1) / page_ * page_),
      bytes_(stride_ * static_cast<std::size_t>(count)) {
  void* p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    throw error(errc::out_of_memory, "emulation: cannot map " + std::to_string(bytes_) +
                                         " bytes of stacks; lower emulation_options::stack_bytes "
                                         "or residency");
  base_ = static_cast<char*>(p);
  for (int i = 0; i < count; ++i)
    mprotect(base_ + stride_ * static_cast<std::size_t>(i), page_, PROT_NONE);
}

stacks::~stacks() {
  // Frames that are still on the stacks leave redzones behind, which AddressSanitizer would hold
  // against whatever is mapped here next.
  if (under_asan()) __asan_unpoison_memory_region(base_, bytes_);
  munmap(base_, bytes_);
}

void stacks::prepare(fiber& f, int i, void (*entry)(boost::context::detail::transfer_t)) const {
  const auto n = static_cast<std::size_t>(i);
  char* bottom = base_ + stride_ * n + page_;
  const std::size_t size = stride_ - page_ - colour_step * n % colours;
  f.stack_bottom = bottom;
  f.stack_bytes = size;
  f.context = boost::context::detail::make_fcontext(bottom + size, size, entry);
  if (under_tsan()) {
    f.tsan = __tsan_create_fiber(0);
    __tsan_set_fiber_name(f.tsan, ("lane " + std::to_string(i)).c_str());
  }
}

}  // namespace loops::emulation
