// SPDX-License-Identifier: Apache-2.0
/// The emulation's block: real lanes, each on a stack of its own, as many as on a GPU.
#pragma once

#include "loops/backend/block.hpp"
#include "loops/backend/emulation/engine.hpp"
#include "loops/backend/host/block.hpp"
#include "loops/core/error.hpp"

#include <cstring>
#include <type_traits>

namespace loops::emulation {

/// One lane's view of its block; see `block_context`. A block smaller than `Wave` is one small
/// wave. Every barrier and wave operation checks that all live lanes are at the same place and
/// throws `loops::error` naming both places when they are not; so does a shuffle from a lane that
/// exited. As on a GPU, only `sync`, `sync_any` and `wave_sync` order shared memory; shuffles do
/// not. Requires: no call while an exception is being handled.
template <class Shape, int Wave>
class block {
  static_assert(Wave == 32 || Wave == 64, "the emulation knows waves of 32 and of 64 lanes");
  static_assert(Shape::threads <= 1024, "a GPU block has at most 1024 lanes");

 public:
  static constexpr int threads = Shape::threads;
  static constexpr int wave = Wave < Shape::threads ? Wave : Shape::threads;
  static constexpr int items = Shape::items;
  static constexpr int batch = 1;
  static_assert(threads % wave == 0 && (wave & (wave - 1)) == 0,
                "a team is made of whole waves, or is a smaller one of a power of two of lanes");

  block(seat& self, int lane, std::int64_t id, std::int64_t blocks)
      : self_(&self), lane_(lane), id_(id), blocks_(blocks) {}
  [[nodiscard]] int lane() const { return lane_; }
  [[nodiscard]] std::int64_t id() const { return id_; }
  [[nodiscard]] std::int64_t blocks() const { return blocks_; }

  [[gnu::always_inline]] void sync(site where = site::here()) const {
    go(arrive_sync(*self_, where));
    finish_sync(*self_);
  }
  [[nodiscard, gnu::always_inline]] bool sync_any(bool p, site where = site::here()) const {
    go(arrive_sync_any(*self_, p, where));
    return finish_sync_any(*self_);
  }
  [[gnu::always_inline]] void wave_sync(site where = site::here()) const {
    go(arrive_wave_sync(*self_, where));
    finish_wave_sync(*self_);
  }

  /// Throws: device when the lanes of the wave disagree.
  template <class T>
  [[gnu::always_inline]] T uniform(T v, site where = site::here()) const {
    const T first = exchange(operation::shuffle, v, 0, where);
    if (std::memcmp(&first, &v, sizeof(T)) != 0)
      throw error(errc::device, "the lanes of a wave disagree on a value called uniform",
                  {where.file, where.line});
    return v;
  }
  template <class T>
  [[gnu::always_inline]] T shuffle(T v, int l, site where = site::here()) const {
    return exchange(operation::shuffle, v, l, where);
  }
  template <class T>
  [[gnu::always_inline]] T shuffle_up(T v, int d, site where = site::here()) const {
    return exchange(operation::shuffle_up, v, inside(wave_lane() - d), where);
  }
  template <class T>
  [[gnu::always_inline]] T shuffle_down(T v, int d, site where = site::here()) const {
    return exchange(operation::shuffle_down, v, inside(wave_lane() + d), where);
  }
  template <class T>
  [[gnu::always_inline]] T shuffle_xor(T v, int d, site where = site::here()) const {
    return exchange(operation::shuffle_xor, v, inside(wave_lane() ^ d), where);
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t ballot(bool p, site where = site::here()) const {
    go(arrive_ballot(*self_, p, where));
    return finish_ballot(*self_);
  }

  template <class T>
  T atomic_add(T* at, T v) const {
    if (v != T(0)) progressed(*self_);
    return cpu().atomic_add(at, v);
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
    const T old = cpu().atomic_max(at, v);
    if (old < v) progressed(*self_);
    return old;
  }
  template <class T>
  T atomic_min(T* at, T v) const {
    const T old = cpu().atomic_min(at, v);
    if (v < old) progressed(*self_);
    return old;
  }
  template <class T>
  T atomic_or(T* at, T v) const {
    const T old = cpu().atomic_or(at, v);
    if ((old | v) != old) progressed(*self_);
    return old;
  }
  template <class T>
  T load_acquire(T* at, site where = site::here()) const {
    looked(*self_, where);
    return cpu().load_acquire(at);
  }
  template <class T>
  void store_release(T* at, T v) const {
    progressed(*self_);
    cpu().store_release(at, v);
  }
  template <class T>
  T load_relaxed(T* at, site where = site::here()) const {
    looked(*self_, where);
    return cpu().load_relaxed(at);
  }
  template <class T>
  void store_relaxed(T* at, T v) const {
    progressed(*self_);
    cpu().store_relaxed(at, v);
  }
  template <class T>
  void answer(T* at, T v) const {
    store_relaxed(at, v);
  }
  template <class T>
  bool reached(T* at, T v, site where = site::here()) const {
    return load_acquire(at, where) == v;
  }
  /// Lets the other lanes and the other resident blocks run.
  [[gnu::always_inline]] void relax(site where = site::here()) const {
    go(arrive_relax(*self_, where));
    finish_relax(*self_);
  }
  void await_previous() const { awaited_ = true; }
  /// Whether this lane called `await_previous`, which kernels that are launched early must.
  [[nodiscard]] bool awaited() const { return awaited_; }
  void let_next_start() const {}

 private:
  [[nodiscard]] int wave_lane() const { return lane_ % wave; }
  [[nodiscard]] int inside(int l) const { return l >= 0 && l < wave ? l : wave_lane(); }
  // Atomics are the CPU's in both executions.
  [[nodiscard]] host::block<Shape> cpu() const { return {id_, blocks_}; }

  template <class T>
  [[gnu::always_inline]] T exchange(operation what, const T& v, int source, site where) const {
    static_assert(std::is_trivially_copyable_v<T>, "shuffles move trivially copyable values");
    static_assert(sizeof(T) <= largest_shuffle, "this is too large a value to shuffle");
    T result = v;
    go(arrive_exchange(*self_, what, &v, sizeof(T), where));
    finish_exchange(*self_, source, &result);
    return result;
  }

  seat* self_;
  int lane_;
  std::int64_t id_;
  std::int64_t blocks_;
  mutable bool awaited_ = false;
};

static_assert(block_context<block<shape<256, 8>, 32>> && block_context<block<shape<256, 8>, 64>>);

}  // namespace loops::emulation
