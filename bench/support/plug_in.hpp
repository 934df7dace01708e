// SPDX-License-Identifier: Apache-2.0
/// Loads what a shared library offers to a benchmark: a table that one function returns.
#pragma once

#include "loops/core/error.hpp"
#include "loops/execution/executor.hpp"

#include <cstdint>
#include <dlfcn.h>
#include <memory>
#include <string>

namespace loops::bench {

/// What a library is told to enqueue on; null on the host.
inline void* stream_of([[maybe_unused]] const executor& exec) {
#if LOOPS_CUDA || LOOPS_HIP
  return exec.stream();
#else
  return nullptr;
#endif
}

/// The table that `entry` of a shared library returns; the library stays loaded as long as a copy
/// of the pointer lives. `header` defines the interface, whose version is `version`. Throws: io
/// when the file cannot be loaded, unsupported when it has no such function or another version.
template <class Table>
std::shared_ptr<const Table> load_plug_in(const std::string& file, const char* entry,
                                          std::int32_t version, const std::string& header) {
  // A name without a slash would be looked for among the system's libraries.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded) {
    const char* const why = dlerror();
    throw error(errc::io, "cannot load the peer " + file + ": " + (why ? why : "no reason given"));
  }
  const std::shared_ptr<void> library(loaded, [](void* l) { (void)dlclose(l); });
  using function = const Table* (*)();
  const auto offer = reinterpret_cast<function>(dlsym(loaded, entry));
  const Table* const table = offer ? offer() : nullptr;
  if (!table)
    throw error(errc::unsupported,
                file + " offers no peer: define " + entry + "() of " + header + " in it");
  if (table->version != version)
    throw error(errc::unsupported, "the peer " + file + " has version " +
                                       std::to_string(table->version) + " of " + header +
                                       ", this program has version " + std::to_string(version) +
                                       ": build it with this header");
  return {library, table};
}

}  // namespace loops::bench
