// SPDX-License-Identifier: Apache-2.0
/// Reads and writes whole files.
#include "cli/files.hpp"

#include "loops/core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace loops::cli {

namespace {

/// Standard output as it was when the command began, once it is reserved for an output.
std::FILE* reserved = nullptr;

void reserve_standard_output() {
  std::fflush(stdout);
  const int copy = dup(STDOUT_FILENO);
  if (copy >= 0) reserved = fdopen(copy, "wb");
  if (!reserved || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw error(errc::io, "standard output cannot be written; is it closed?");
}

}  // namespace

std::string read_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  std::string text;
  char piece[1 << 16];
  for (std::size_t n; file && (n = std::fread(piece, 1, sizeof piece, file)) > 0;)
    text.append(piece, n);
  const bool read = file && !std::ferror(file);
  const std::string why = read ? "" : std::strerror(errno);
  if (file) std::fclose(file);
  if (!read)
    throw error(errc::io,
                path + " cannot be read: " + why + "; check the path and its permissions");
  return text;
}

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

void prepare_outputs(std::initializer_list<std::string> paths,
                     std::initializer_list<std::string_view> inputs) {
  namespace fs = std::filesystem;
  std::vector<fs::path> seen;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    for (const std::string_view ending : inputs)
      if (path.ends_with(ending))
        throw error(errc::invalid_argument,
                    path +
                        " cannot be an output, as it ends like the files that are read; the "
                        "output's own name comes first");
    if (path == "-") {
      require(!reserved, errc::invalid_argument,
              "only one output can be standard output: give the others a file name");
      reserve_standard_output();
      continue;
    }
    std::error_code ignored;
    const bool was_there = fs::exists(path, ignored);
    const fs::path same = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
    const bool kept = !was_there || fs::is_regular_file(path, ignored);
    if (kept && std::find(seen.begin(), seen.end(), same) != seen.end())
      throw error(errc::invalid_argument,
                  "two outputs are " + path + ": give each a file of its own");
    seen.push_back(same);
    std::FILE* const file = std::fopen(path.c_str(), "ab");
    if (!file)
      throw error(errc::io, path + " cannot be written: " + std::strerror(errno) +
                                "; does its folder exist, is it yours?");
    std::fclose(file);
    // Where the path is a link, it is what the link points to that was made.
    if (!was_there) fs::remove(fs::canonical(path, ignored), ignored);
  }
}

void require_picture(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty() && ending != ".svg")
    throw error(errc::invalid_argument,
                path + " cannot be written: pictures are SVG, so let its name end in .svg");
}

void write_file(const std::string& path, const std::string& text) {
  std::FILE* const standard = reserved ? reserved : stdout;
  std::FILE* const file = path == "-" ? standard : std::fopen(path.c_str(), "wb");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file && (file == standard ? std::fflush(file) : std::fclose(file)) == 0;
  if (!written || !closed)
    throw error(errc::io, path + " cannot be written; does its folder exist, is there room?");
}

void finish_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw error(errc::io, "standard output cannot be written to its end; is there room?");
}

}  // namespace loops::cli
