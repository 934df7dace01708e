// SPDX-License-Identifier: Apache-2.0
/// Reads files, memory and gzip.
#include "byte_source.hpp"

#include "loops/core/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace loops::detail {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

class file_source final : public byte_source {
 public:
  explicit file_source(const std::string& path) : path_(path) {
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) fail("cannot be opened");
    struct stat status {};
    if (::fstat(file_, &status) != 0) fail("cannot be examined");
    if (S_ISDIR(status.st_mode)) {
      errno = EISDIR;
      fail("cannot be read");
    }
    // Files that the system makes up as they are read say that they are empty.
    if (S_ISREG(status.st_mode) && status.st_size > 0)
      most_ = static_cast<std::uint64_t>(status.st_size);
  }
  file_source(const file_source&) = delete;
  file_source& operator=(const file_source&) = delete;
  ~file_source() override {
    if (file_ >= 0) ::close(file_);
  }
  std::size_t read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = ::read(file_, to + done, size - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot be read");
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  [[nodiscard]] std::uint64_t most() const override { return most_; }
  [[nodiscard]] std::uint64_t likely() const override { return most_ == unknown ? 0 : most_; }

 private:
  [[noreturn]] void fail(const char* what) {
    const std::string why = std::strerror(errno);
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    throw error(errc::io,
                path_ + ": " + what + ": " + why + "; check the path and its permissions");
  }
  std::string path_;
  int file_ = -1;
  std::uint64_t most_ = unknown;
};

class memory_source final : public byte_source {
 public:
  explicit memory_source(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t n = std::min(size, bytes_.size());
    if (n) std::memcpy(to, bytes_.data(), n);
    bytes_.remove_prefix(n);
    return n;
  }
  [[nodiscard]] std::uint64_t most() const override { return size_; }
  [[nodiscard]] std::uint64_t likely() const override { return size_; }

 private:
  std::string_view bytes_;
  std::uint64_t size_;
};

/// Puts the bytes that were read to recognise a format back in front.
class prefixed_source final : public byte_source {
 public:
  prefixed_source(std::string prefix, std::unique_ptr<byte_source> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t n = std::min(size, prefix_.size());
    if (n) {
      std::memcpy(to, prefix_.data(), n);
      prefix_.erase(0, n);
    }
    return n + rest_->read(to + n, size - n);
  }
  [[nodiscard]] std::uint64_t most() const override { return rest_->most(); }
  [[nodiscard]] std::uint64_t likely() const override { return rest_->likely(); }

 private:
  std::string prefix_;
  std::unique_ptr<byte_source> rest_;
};

class gzip_source final : public byte_source {
 public:
  gzip_source(std::unique_ptr<byte_source> packed, inflation_limit limit)
      : packed_(std::move(packed)),
        limit_(limit),
        input_(std::clamp<std::uint64_t>(packed_->most(), 1, 1 << 18)) {
    constexpr int gzip_only = 15 + 16;  // largest window; zlib's own header is not accepted
    if (inflateInit2(&state_, gzip_only) != Z_OK)
      throw error(errc::out_of_memory, "zlib cannot allocate its window");
  }
  gzip_source(const gzip_source&) = delete;
  gzip_source& operator=(const gzip_source&) = delete;
  ~gzip_source() override { inflateEnd(&state_); }

  std::size_t read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size && (!between_members_ || next_member())) {
      if (state_.avail_in == 0 && !refill())
        throw damaged{"the gzip data end too early; the file is truncated, fetch it again"};
      const auto room = static_cast<uInt>(std::min<std::size_t>(size - done, 1U << 30));
      state_.next_out = reinterpret_cast<Bytef*>(to + done);
      state_.avail_out = room;
      const int status = inflate(&state_, Z_NO_FLUSH);
      done += room - state_.avail_out;
      produced_ += room - state_.avail_out;
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status == Z_MEM_ERROR) {
        throw error(errc::out_of_memory, "zlib cannot allocate its state");
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw damaged{std::string("the gzip data are corrupt (") +
                      (state_.msg ? state_.msg : "zlib says no more") + "); fetch the file again"};
      }
      if (produced_ > limit_.always &&
          static_cast<double>(produced_) > limit_.ratio * static_cast<double>(consumed_))
        throw damaged{
            "the gzip data grow to more than limits::inflation times their size; "
            "if the file can be trusted, unpack it first or raise that limit"};
    }
    return done;
  }
  [[nodiscard]] std::uint64_t most() const override {
    constexpr std::uint64_t best = 1032;  // 258 bytes in two bits: deflate cannot do better
    const std::uint64_t packed = packed_->most();
    return packed > unknown / best ? unknown : packed * best;
  }
  [[nodiscard]] std::uint64_t likely() const override { return 4 * packed_->likely(); }

 private:
  bool refill() {
    const std::size_t got = packed_->read(input_.data(), input_.size());
    consumed_ += got;
    state_.next_in = reinterpret_cast<Bytef*>(input_.data());
    state_.avail_in = static_cast<uInt>(got);
    return got != 0;
  }
  /// Whether another member follows; zeros that pad the file to a block size are skipped.
  bool next_member() {
    for (;;) {
      if (state_.avail_in == 0 && !refill()) return false;
      if (*state_.next_in != 0) break;
      ++state_.next_in;
      --state_.avail_in;
      padded_ = true;
    }
    if (padded_ || *state_.next_in != 0x1f)
      throw damaged{"bytes that are not gzip follow the gzip data; fetch the file again"};
    inflateReset(&state_);
    between_members_ = false;
    return true;
  }

  std::unique_ptr<byte_source> packed_;
  inflation_limit limit_;
  std::vector<char> input_;
  z_stream state_{};
  std::uint64_t consumed_ = 0;
  std::uint64_t produced_ = 0;
  bool between_members_ = false;
  bool padded_ = false;
};

std::unique_ptr<byte_source> inflated(std::unique_ptr<byte_source> source, inflation_limit limit) {
  std::string start(2, '\0');
  start.resize(source->read(start.data(), start.size()));
  const bool gzip = start == "\x1f\x8b";
  std::unique_ptr<byte_source> whole =
      std::make_unique<prefixed_source>(std::move(start), std::move(source));
  if (!gzip) return whole;
  return std::make_unique<gzip_source>(std::move(whole), limit);
}

}  // namespace

std::unique_ptr<byte_source> open_file(const std::string& path, inflation_limit limit) {
  return inflated(std::make_unique<file_source>(path), limit);
}

std::unique_ptr<byte_source> open_memory(std::string_view bytes, inflation_limit limit) {
  return inflated(std::make_unique<memory_source>(bytes), limit);
}

}  // namespace loops::detail
