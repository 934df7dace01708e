// SPDX-License-Identifier: Apache-2.0
/// What a GPU executor hands out: memory of the device, and of the host within a kernel's reach.
#pragma once

#include "loops/backend/gpu/launch.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace loops {

/// Memory of the host that kernels reach, over the bus. A runtime takes as long to get some as for
/// many launches, so what is given back is kept for the next who asks. All who ask launch and copy
/// on one stream, so that memory may be given back while kernels still read it: those of the next
/// who has it come later. The host does not: it reads and writes here after a wait only, for what
/// was launched before and since.
class gpu_staging final : public host_side_memory {
 public:
  explicit gpu_staging(int device) : device_(device) {}
  ~gpu_staging() override {
    // Runtimes wait for the device before they let go of memory that it reaches.
    for (const piece& p : free_) gpu::deallocate_on_host(p.at);
  }
  gpu_staging(const gpu_staging&) = delete;
  gpu_staging& operator=(const gpu_staging&) = delete;
  void* allocate(std::size_t bytes) override {
    bytes = rounded(bytes);
    const std::lock_guard lock(door_);
    const auto fits = [&](const piece& p) { return p.bytes == bytes; };
    if (const auto p = std::find_if(free_.begin(), free_.end(), fits); p != free_.end()) {
      void* at = p->at;
      *p = free_.back();
      free_.pop_back();
      return at;
    }
    const gpu::on_device here(device_);
    free_.reserve(pieces_ + 1);  // giving back must not fail
    void* at = gpu::allocate_on_host(bytes);
    ++pieces_;
    return at;
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    const std::lock_guard lock(door_);
    free_.push_back({p, rounded(bytes)});
  }

 private:
  struct piece {
    void* at;
    std::size_t bytes;
  };
  static std::size_t rounded(std::size_t bytes) {
    return std::bit_ceil(std::max<std::size_t>(bytes, 4096));
  }
  int device_;
  std::mutex door_;
  std::vector<piece> free_;
  std::size_t pieces_ = 0;  ///< in all
};

/// Device memory, allocated and released in stream order.
class gpu_memory final : public memory {
 public:
  /// `staging` is where few bytes come by on their way to the caller.
  gpu_memory(int device, std::shared_ptr<gpu::stream> stream, std::shared_ptr<memory> staging)
      : device_(device),
        stream_(std::move(stream)),
        staging_(std::move(staging)),
        pool_(gpu::create_pool(device)) {}
  ~gpu_memory() override { gpu::destroy(pool_); }
  gpu_memory(const gpu_memory&) = delete;
  gpu_memory& operator=(const gpu_memory&) = delete;
  void* allocate(std::size_t bytes) override {
    const gpu::on_device here(device_);
    return gpu::allocate(bytes ? bytes : 1, pool_, stream_->get());
  }
  void deallocate(void* p, std::size_t) noexcept override {
    const gpu::on_device here(device_);
    gpu::deallocate(p, stream_->get());
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    const gpu::on_device here(device_);
    gpu::copy_in(to, from, bytes, stream_->get());
    // The source is ordinary memory: the caller may free it as soon as this returns.
    gpu::synchronize(stream_->get());
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    constexpr std::size_t few = 64 << 10;
    if (bytes > few) return copy_out(to, from, bytes);
    // A runtime takes a third longer to bring them where they could be paged out.
    array<std::byte> piece(bytes, staging_);
    copy_out(piece.data(), from, bytes);
    if (bytes) std::memcpy(to, piece.data(), bytes);
  }
  void fill(void* to, int byte, std::size_t bytes) override {
    const gpu::on_device here(device_);
    gpu::fill(to, byte, bytes, stream_->get());
  }
  [[nodiscard]] bool on_host() const noexcept override { return false; }

 private:
  void copy_out(void* to, const void* from, std::size_t bytes) const {
    const gpu::on_device here(device_);
    gpu::copy_out(to, from, bytes, stream_->get());
    gpu::synchronize(stream_->get());
  }

  int device_;
  std::shared_ptr<gpu::stream> stream_;
  std::shared_ptr<memory> staging_;
  gpu::pool_t pool_;
};

}  // namespace loops
