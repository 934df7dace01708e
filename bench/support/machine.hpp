// SPDX-License-Identifier: Apache-2.0
/// What a result must say about where it comes from: machine, runtime, commit.
#pragma once

#include "loops/execution/executor.hpp"

#include <string>
#include <utility>
#include <vector>

namespace loops::bench {

/// Names and values for the context of a benchmark's JSON. An empty `commit` stands for the one
/// that the build was made from.
std::vector<std::pair<std::string, std::string>> describe_machine(const executor& exec,
                                                                  const std::string& commit);

}  // namespace loops::bench
