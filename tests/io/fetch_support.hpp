// SPDX-License-Identifier: Apache-2.0
/// What the tests of fetch need: archives made by hand, a folder, and the server with faults.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fetch_support {

namespace fs = std::filesystem;

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string gzip(const std::string& text) {
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

/// A tar header with a right checksum; `size_field` replaces the octal size.
inline std::string tar_header(const std::string& name, std::size_t size, char type = '0',
                              std::string size_field = {}) {
  std::string h(512, '\0');
  const auto set = [&h](std::size_t at, const std::string& text) {
    h.replace(at, text.size(), text);
  };
  char octal[16];
  std::snprintf(octal, sizeof octal, "%011zo", size);
  set(0, name.substr(0, 100));
  set(100, "0000644");
  set(124, size_field.empty() ? octal : size_field);
  set(148, "        ");
  h[156] = type;
  set(257, std::string("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : h) sum += static_cast<unsigned char>(c);
  char checksum[16];
  std::snprintf(checksum, sizeof checksum, "%06o", sum);
  set(148, std::string(checksum, 7) + ' ');
  return h;
}

inline std::string tar_member(const std::string& name, const std::string& contents,
                              char type = '0') {
  return tar_header(name, contents.size(), type) + contents +
         std::string((512 - contents.size() % 512) % 512, '\0');
}

inline std::string tar_end() {
  return std::string(1024, '\0');
}

/// "LENGTH key=value\n", whose length counts itself.
inline std::string pax(const std::string& key, const std::string& value) {
  const auto rest = " " + key + "=" + value + "\n";
  auto length = rest.size() + 1;
  while (std::to_string(length).size() + rest.size() != length) ++length;
  return std::to_string(length) + rest;
}

/// An empty folder that goes away.
class folder {
 public:
  folder() {
    std::string pattern = (fs::temp_directory_path() / "loops_fetch_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// http_server.py over a folder, ended with the object.
class server {
 public:
  explicit server(const fs::path& root) : log_(root / "requests.log") {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      dup2(to[0], 0);
      dup2(from[1], 1);
      for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
      execlp("python3", "python3", "tests/io/http_server.py", root.c_str(), log_.c_str(),
             static_cast<char*>(nullptr));
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    input_ = to[1];
    std::string port;
    for (char c = 0; ::read(from[0], &c, 1) == 1 && c != '\n';) port += c;
    close(from[0]);
    if (!port.empty()) address_ = "http://127.0.0.1:" + port;
  }
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server() {
    if (input_ >= 0) close(input_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }
  /// Empty when there is no python3.
  [[nodiscard]] const std::string& address() const { return address_; }
  /// The requests so far as {path, range, status}.
  [[nodiscard]] std::vector<std::vector<std::string>> requests() const {
    std::istringstream log(bytes_of(log_));
    std::vector<std::vector<std::string>> out;
    for (std::string path, range, status; log >> path >> range >> status;)
      out.push_back({path, range, status});
    return out;
  }

 private:
  fs::path log_;
  pid_t child_ = -1;
  int input_ = -1;
  std::string address_;
};

}  // namespace fetch_support
