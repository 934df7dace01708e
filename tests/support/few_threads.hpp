// SPDX-License-Identifier: Apache-2.0
/// A process in which a few threads can be started, and no more.
#pragma once

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

extern "C" [[gnu::weak]] void __asan_init();
extern "C" [[gnu::weak]] void __tsan_init();

namespace support {

/// Whether a sanitizer watches: it needs more address space than can be left to it.
inline bool under_sanitizers() {
  return __asan_init != nullptr || __tsan_init != nullptr;
}

/// From now on this process has room for the stacks of a few threads. Call it in a child: there is
/// no way back. The child ends, too, when it has not ended after a minute.
inline void leave_room_for_few_threads() {
  alarm(60);
  std::ifstream sizes("/proc/self/statm");
  rlim_t pages = 0;
  sizes >> pages;
  const rlim_t room = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{100} << 20);
  const rlimit limit{room, room};
  if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
}

}  // namespace support
