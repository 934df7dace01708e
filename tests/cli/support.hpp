// SPDX-License-Identifier: Apache-2.0
/// Runs the built `loops` command and keeps what it says.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace cli_support {

namespace fs = std::filesystem;

/// The command: LOOPS_COMMAND, or what lies beside this test.
inline std::string command() {
  if (const char* given = std::getenv("LOOPS_COMMAND")) return given;
  return (fs::read_symlink("/proc/self/exe").parent_path() / "loops").string();
}

struct outcome {
  int code = -1;
  std::string out;  ///< standard output and standard error
};

/// Runs a line of the shell.
inline outcome shell(const std::string& line) {
  outcome result;
  std::FILE* const pipe = popen(("{ " + line + "; } 2>&1").c_str(), "r");
  if (!pipe) return result;
  std::array<char, 4096> piece;
  for (std::size_t n; (n = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;)
    result.out.append(piece.data(), n);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return result;
}

/// Runs `loops` with arguments as a shell would read them.
inline outcome loops(const std::string& arguments) {
  return shell("'" + command() + "' " + arguments);
}

/// A folder of one test's own, removed with it.
class folder {
 public:
  folder() {
    std::string name = (fs::temp_directory_path() / "loops-cli-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }

 private:
  fs::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cli_support
