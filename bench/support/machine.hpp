// SPDX-License-Identifier: Apache-2.0
/// What a result must say about where it comes from: machine, runtime, commit.
#pragma once

#include "loops/execution/executor.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace loops::bench {

/// Names and values for the context of a benchmark's JSON. An empty `commit` stands for the one
/// that the build was made from.
std::vector<std::pair<std::string, std::string>> describe_machine(const executor& exec,
                                                                  const std::string& commit);

/// Bytes of the cache that has to be flushed between samples: the L2 of a GPU; 0 on the host, where
/// flushing would keep this library's threads awake and put those of others to sleep.
std::size_t cache_bytes(const executor& exec);

}  // namespace loops::bench
