// SPDX-License-Identifier: Apache-2.0
/// Downloads matrices of the SuiteSparse collection, and makes sure that they are what they should
/// be.
#pragma once

#include "loops/io/catalogue.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace loops {

/// How far a `fetch` has come.
struct fetch_progress {
  std::string_view stage;   ///< "download", "extract" or "verify"
  std::uint64_t done = 0;   ///< bytes of the archive; those of an earlier, interrupted run count
  std::uint64_t total = 0;  ///< 0: not known
};

/// From where, how patiently, and what is made of it.
struct fetch_options {
  std::string base_url = "https://sparse.tamu.edu/MM";
  int attempts = 5;  ///< to get the whole archive; each goes on where the last broke off
  std::chrono::milliseconds pause{
      1000};  ///< before the second attempt; twice as long before each next one
  std::chrono::seconds stall{60};  ///< an attempt that receives nothing for so long has failed
  std::uint64_t largest = std::uint64_t{1}
                          << 40;  ///< bytes of the .mtx that an archive may unpack to
  bool compress = true;           ///< keep NAME.mtx.gz instead of NAME.mtx
  bool verify = true;             ///< read the matrix and compare it with what is known of it
  std::function<void(const fetch_progress&)> progress;  ///< called often, from the calling thread
};

/// What `fetch` leaves behind.
struct fetch_result {
  std::filesystem::path path;  ///< DIRECTORY/GROUP/NAME.mtx.gz or .mtx
  catalogue_entry facts;       ///< what is known of the matrix, now that it is here
  bool downloaded = false;     ///< false: it had been fetched before
};

/// The matrix "name" or "group/name", from BASE_URL/GROUP/NAME.tar.gz unless it is in `directory`
/// already. What is received is kept in NAME.tar.gz.part, so that an interrupted fetch goes on
/// where it ended. The matrix appears under its name when all of it is verified: the archive's
/// checksums, the rows, columns, nonzeros and fingerprint of the catalogue and, where the catalogue
/// does not know them, those that the first fetch recorded in DIRECTORY/suitesparse.lock. Several
/// may be fetched into a directory at once, by threads or processes, but not the same one. Throws:
/// `invalid_argument` for a name that cannot be one or is not at that address; `io` when the server
/// or the disk fails; `parse` when what arrived is damaged or another matrix, which removes it, or
/// beyond a limit, which does not, or when suitesparse.lock is damaged; `unsupported` when the
/// library was built without libcurl.
fetch_result fetch(std::string_view name, const std::filesystem::path& directory,
                   const fetch_options& options = {});

}  // namespace loops
