// SPDX-License-Identifier: Apache-2.0
/// Where bytes live, and arrays that own some.
#pragma once

#include "loops/core/error.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace loops {

/// A source of memory that one executor can reach. Allocation and copies are ordered with the
/// work of the executor that handed the resource out; `download` returns when the bytes are there.
class memory {
 public:
  virtual ~memory() = default;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* p, std::size_t bytes) noexcept = 0;
  /// Copies from ordinary host memory.
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  /// Copies to ordinary host memory.
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  /// Sets every byte.
  virtual void fill(void* to, int byte, std::size_t bytes) = 0;
  /// Whether the CPU may dereference the pointers.
  [[nodiscard]] virtual bool on_host() const noexcept = 0;
};

/// Memory that the CPU copies from and to by itself.
class host_side_memory : public memory {
 public:
  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes) std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes) std::memcpy(to, from, bytes);
  }
  void fill(void* to, int byte, std::size_t bytes) override {
    if (bytes) std::memset(to, byte, bytes);
  }
  [[nodiscard]] bool on_host() const noexcept override { return true; }
};

/// Plain memory of the process, aligned to cache lines.
class host_memory final : public host_side_memory {
 public:
  static constexpr std::size_t alignment = 128;
  void* allocate(std::size_t bytes) override {
    void* p = ::operator new(bytes ? bytes : 1, alignment_of(bytes), std::nothrow);
    if (!p)
      throw error(errc::out_of_memory,
                  "cannot allocate " + std::to_string(bytes) + " bytes on the host");
#if defined(MADV_HUGEPAGE)
    // Without them every 4 KiB that are touched at random want an entry of a cache that has some
    // thousand, and when touched first a visit to the system. A wish: it may well be refused.
    if (bytes >= large) static_cast<void>(::madvise(p, bytes, MADV_HUGEPAGE));
#endif
    return p;
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    ::operator delete(p, alignment_of(bytes));
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static constexpr std::size_t large = 2 * huge_page;
  static constexpr std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= large ? huge_page : alignment};
  }
};

/// The host's memory, shared by everybody.
inline const std::shared_ptr<memory>& default_host_memory() {
  static const std::shared_ptr<memory> instance = std::make_shared<host_memory>();
  return instance;
}

/// What `make()` returns, or nothing where there is no memory for it. Throws: what else `make`
/// does.
template <class Make>
auto if_it_fits(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const error& e) {
    if (e.code() != errc::out_of_memory) throw;
    return std::nullopt;
  }
}

/// A fixed-size array of trivially copyable elements in some memory. Elements start
/// uninitialised. Movable, which leaves none behind, and not copyable: copying between memories is
/// spelled `to`.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>, "loops::array holds trivially copyable elements");
  static_assert(alignof(T) <= host_memory::alignment,
                "memory is aligned to 128 bytes, and this type wants more");

 public:
  array() = default;
  explicit array(std::size_t size, std::shared_ptr<memory> where = default_host_memory())
      : memory_(std::move(where)), size_(size) {
    require(memory_ != nullptr, errc::invalid_argument, "an array needs a memory to live in");
    if (size > std::size_t(-1) / 2 / sizeof(T))
      throw error(errc::overflow,
                  "an array of " + std::to_string(size) + " elements cannot be addressed");
    if (size) data_ = static_cast<T*>(memory_->allocate(size * sizeof(T)));
  }
  /// Copies `values` into `where`.
  explicit array(std::span<const T> values, std::shared_ptr<memory> where = default_host_memory())
      : array(values.size(), std::move(where)) {
    if (size_) memory_->upload(data_, values.data(), size_ * sizeof(T));
  }
  explicit array(const std::vector<T>& values,
                 std::shared_ptr<memory> where = default_host_memory())
      : array(std::span<const T>(values), std::move(where)) {}

  array(array&& o) noexcept
      : memory_(o.memory_),
        data_(std::exchange(o.data_, nullptr)),
        size_(std::exchange(o.size_, 0)) {}
  array& operator=(array&& o) noexcept {
    array taken(std::move(o));
    std::swap(memory_, taken.memory_);
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~array() {
    if (data_) memory_->deallocate(data_, size_ * sizeof(T));
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Elements and iteration; only where `where()->on_host()`.
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }

  /// The memory the elements live in.
  [[nodiscard]] const std::shared_ptr<memory>& where() const noexcept { return memory_; }
  /// A copy in ordinary host memory.
  [[nodiscard]] std::vector<T> to_vector() const {
    std::vector<T> out(size_);
    if (size_) memory_->download(out.data(), data_, size_ * sizeof(T));
    return out;
  }
  /// A copy in `where`.
  [[nodiscard]] array to(const std::shared_ptr<memory>& where) const {
    if (!size_) return array(0, where);
    if (memory_->on_host()) return array(span(), where);
    array out(size_, where);
    if (where->on_host()) {
      memory_->download(out.data_, data_, size_ * sizeof(T));
    } else {
      const std::vector<T> staged = to_vector();
      where->upload(out.data_, staged.data(), size_ * sizeof(T));
    }
    return out;
  }
  /// Sets every byte: `fill(0xff)` poisons floating-point elements with NaN.
  void fill(int byte) {
    if (size_) memory_->fill(data_, byte, size_ * sizeof(T));
  }

 private:
  std::shared_ptr<memory> memory_ = default_host_memory();
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace loops
