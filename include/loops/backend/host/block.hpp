// SPDX-License-Identifier: Apache-2.0
/// The host's block: one lane, for which barriers and shuffles vanish.
#pragma once

#include "loops/backend/block.hpp"

#include <atomic>

namespace loops::host {

/// For a task of a pool that waits for another: lets other threads run. Throws: device when a task
/// of the run has thrown, as the one that is waited for may never come.
void give_way();

/// The number of this thread in the pool whose run it takes part in, less than the threads of that;
/// 0 of one that takes part in none.
[[nodiscard]] int worker();

/// One lane that does what a whole block would; see `block_context`.
/// `items` is raised to what amortises handing a block to a thread.
template <class Shape>
class block {
 public:
  static constexpr int threads = 1;
  static constexpr int wave = 1;
  static constexpr int items =
      Shape::threads * Shape::items > 4096 ? Shape::threads* Shape::items : 4096;
  static constexpr int batch = 256;

  block(std::int64_t id, std::int64_t blocks) : id_(id), blocks_(blocks) {}
  [[nodiscard]] int lane() const { return 0; }
  [[nodiscard]] std::int64_t id() const { return id_; }
  [[nodiscard]] std::int64_t blocks() const { return blocks_; }
  /// Who runs this block: of those that run at a time, no two have the same.
  [[nodiscard]] int worker() const { return host::worker(); }

  void sync(site = site::here()) const {}
  [[nodiscard]] bool sync_any(bool p, site = site::here()) const { return p; }
  void wave_sync(site = site::here()) const {}
  template <class T>
  T uniform(T v, site = site::here()) const {
    return v;
  }
  template <class T>
  T shuffle(T v, int, site = site::here()) const {
    return v;
  }
  template <class T>
  T shuffle_up(T v, int, site = site::here()) const {
    return v;
  }
  template <class T>
  T shuffle_down(T v, int, site = site::here()) const {
    return v;
  }
  template <class T>
  T shuffle_xor(T v, int, site = site::here()) const {
    return v;
  }
  [[nodiscard]] std::uint64_t ballot(bool p, site = site::here()) const { return p ? 1u : 0u; }

  template <class T>
  T atomic_add(T* at, T v) const {
    if constexpr (std::is_integral_v<T>) {
      return std::atomic_ref<T>(*at).fetch_add(v, std::memory_order_relaxed);
    } else {
      return update(at, [v](T old) { return old + v; });
    }
  }
  template <class T>
  T add_together(T* at, T v) const {
    return atomic_add(at, v);
  }
  template <class T>
  void accumulate(T* at, T v) const {
    atomic_add(at, v);
  }
  template <class T>
  T atomic_max(T* at, T v) const {
    return update(at, [v](T old) { return old < v ? v : old; });
  }
  template <class T>
  T atomic_min(T* at, T v) const {
    return update(at, [v](T old) { return v < old ? v : old; });
  }
  template <class T>
  T atomic_or(T* at, T v) const {
    return std::atomic_ref<T>(*at).fetch_or(v, std::memory_order_relaxed);
  }
  template <class T>
  T load_acquire(T* at) const {
    return std::atomic_ref<T>(*at).load(std::memory_order_acquire);
  }
  template <class T>
  void store_release(T* at, T v) const {
    std::atomic_ref<T>(*at).store(v, std::memory_order_release);
  }
  template <class T>
  T load_relaxed(T* at) const {
    return std::atomic_ref<T>(*at).load(std::memory_order_relaxed);
  }
  template <class T>
  void store_relaxed(T* at, T v) const {
    std::atomic_ref<T>(*at).store(v, std::memory_order_relaxed);
  }
  template <class T>
  void answer(T* at, T v) const {
    store_relaxed(at, v);
  }
  template <class T>
  bool reached(T* at, T v) const {
    return load_acquire(at) == v;
  }
  void relax() const { give_way(); }
  void await_previous() const {}
  void let_next_start() const {}

 private:
  template <class T, class F>
  static T update(T* at, F f) {
    std::atomic_ref<T> ref(*at);
    T old = ref.load(std::memory_order_relaxed);
    while (!ref.compare_exchange_weak(old, f(old), std::memory_order_relaxed)) {
    }
    return old;
  }

  std::int64_t id_;
  std::int64_t blocks_;
};

static_assert(block_context<block<shape<256, 8>>>);

}  // namespace loops::host
