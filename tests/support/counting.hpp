// SPDX-License-Identifier: Apache-2.0
/// An executor that counts what is allocated on it, copied, and waited for.
#pragma once

#include "loops/execution/memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace support {

/// What plans may allocate from: it counts.
class counting_memory final : public loops::memory {
 public:
  explicit counting_memory(std::shared_ptr<loops::memory> base) : base_(std::move(base)) {}
  void* allocate(std::size_t bytes) override {
    ++allocations;
    held += bytes;
    return base_->allocate(bytes);
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    held -= bytes;
    base_->deallocate(p, bytes);
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    ++transfers;
    base_->upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    ++transfers;
    base_->download(to, from, bytes);
  }
  void fill(void* to, int byte, std::size_t bytes) override { base_->fill(to, byte, bytes); }
  [[nodiscard]] bool on_host() const noexcept override { return base_->on_host(); }

  int allocations = 0;
  int transfers = 0;
  std::size_t held = 0;

 private:
  std::shared_ptr<loops::memory> base_;
};

/// An executor that counts what it allocates and how often it is waited for.
template <class Exec>
struct counting_executor : Exec {
  std::shared_ptr<loops::memory> counted;
  int* waits;
  counting_executor(const Exec& exec, std::shared_ptr<loops::memory> m, int* w)
      : Exec(exec), counted(std::move(m)), waits(w) {}
  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const { return counted; }
  void synchronize() const {
    ++*waits;
    Exec::synchronize();
  }
};

/// Makes a plan on such an executor: it must hold as many bytes as it says, and give all back.
template <class Exec, class Make>
void expect_held(const Exec& base, const Make& make) {
  int waits = 0;
  const auto memory = std::make_shared<counting_memory>(base.memory());
  const counting_executor<Exec> exec(base, memory, &waits);
  {
    const auto plan = make(exec);
    EXPECT_EQ(plan.bytes(), memory->held);
  }
  EXPECT_EQ(memory->held, 0U) << "memory that nobody gave back";
}

}  // namespace support
