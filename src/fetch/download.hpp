// SPDX-License-Identifier: Apache-2.0
/// Downloads one file, going on where an earlier attempt ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace loops::fetching {

/// Downloads `url` behind the bytes that are in `part` already; when it returns, all are there. The
/// folder of `part` is made when the first byte arrives.
/// Throws `invalid_argument` when the server does not know the address, `io` when the attempts are
/// used up or the disk fails, `unsupported` in a build without libcurl.
void download(const std::string& url, const std::filesystem::path& part, int attempts,
              std::chrono::milliseconds pause, std::chrono::seconds stall,
              const std::function<void(std::uint64_t done, std::uint64_t total)>& progress);

}  // namespace loops::fetching
