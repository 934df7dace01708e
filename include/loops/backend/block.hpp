// SPDX-License-Identifier: Apache-2.0
/// The block a kernel runs in: the only door to lanes, barriers, shuffles and atomics.
#pragma once

#include "loops/core/machine.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops {

/// The place of a barrier or wave operation in the source; passed by default so that the
/// emulation can name it.
struct site {
  const char* file;
  int line;
  static LOOPS_HD constexpr site here(const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// What every execution provides. A wave operation (wave_sync, shuffle…, ballot) is reached by all
/// live lanes of the wave, `sync` and `sync_any` by all live lanes of the block. Waiting on another
/// block is allowed on lower block ids only and spins through `relax`; a kernel that does so says
/// `static constexpr bool waits_for_blocks = true`.
///
///   threads, wave, items    lanes per block, lanes per wave, steps per lane; compile-time
///   batch                   consecutive slices a worker takes at a time; compile-time
///   lane(), id(), blocks()  lane in the block, block in the grid, blocks in the grid
///   sync(), sync_any(p)     barrier; barrier that returns whether p held on any lane
///   wave_sync()             orders shared memory among the lanes of a wave
///   shuffle_up/down/xor     value of lane -d, +d, ^d; own value where that leaves the wave
///   uniform(v)              v, which all live lanes of the wave agree on
///   shuffle(v, l)           value of wave lane l
///   ballot(p)               bit l set where p holds on wave lane l
///   atomic_add/max/min      device scope, relaxed; return the old value. Of integers of 32 and 64
///                           bits; sums of float and double, too
///   add_together(at, v)     as atomic_add; lanes of a wave that come at once have the same `at`,
///                           and may add once for all: for lists to which many lanes add
///   accumulate(at, v)       as atomic_add, and tells nothing; `at` is in the executor's memory. An
///                           instruction for float and double where there is one
///   load_acquire, store_release, relax
///   load_relaxed, store_relaxed   device scope, in one piece, in no order with anything else
///   answer(at, v)           a number for the host, which sees it come (`loops::answers`)
///   reached(p, v)           whether *p is v, and if so an acquire: for waiting
///   await_previous()        every lane of one launched early (`launch_early`) waits for the last
///   let_next_start()        lets the next kernel, if launched early, come in when there is room
template <class B>
concept block_context = requires(B b, bool p, int v, int* at, site where) {
  { B::threads } -> std::convertible_to<int>;
  { B::wave } -> std::convertible_to<int>;
  { B::items } -> std::convertible_to<int>;
  { B::batch } -> std::convertible_to<int>;
  { b.lane() } -> std::same_as<int>;
  { b.id() } -> std::same_as<std::int64_t>;
  { b.blocks() } -> std::same_as<std::int64_t>;
  b.sync(where);
  { b.sync_any(p, where) } -> std::same_as<bool>;
  b.wave_sync(where);
  { b.uniform(v, where) } -> std::same_as<int>;
  { b.shuffle(v, v, where) } -> std::same_as<int>;
  { b.shuffle_up(v, v, where) } -> std::same_as<int>;
  { b.shuffle_down(v, v, where) } -> std::same_as<int>;
  { b.shuffle_xor(v, v, where) } -> std::same_as<int>;
  { b.ballot(p, where) } -> std::same_as<std::uint64_t>;
  { b.atomic_add(at, v) } -> std::same_as<int>;
  { b.atomic_max(at, v) } -> std::same_as<int>;
  { b.atomic_min(at, v) } -> std::same_as<int>;
  { b.atomic_or(at, v) } -> std::same_as<int>;
  { b.add_together(at, v) } -> std::same_as<int>;
  b.accumulate(at, v);
  { b.load_acquire(at) } -> std::same_as<int>;
  b.store_release(at, v);
  { b.load_relaxed(at) } -> std::same_as<int>;
  b.store_relaxed(at, v);
  b.answer(at, v);
  { b.reached(at, v) } -> std::same_as<bool>;
  b.relax();
  b.await_previous();
  b.let_next_start();
};

/// Room for N values of T in shared memory, without running constructors.
template <class T, int N = 1>
class uninitialized {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "shared memory holds trivially copyable values");
  LOOPS_HD T* data() { return reinterpret_cast<T*>(bytes_); }
  LOOPS_HD T& operator[](std::ptrdiff_t i) { return data()[i]; }

 private:
  alignas(T) unsigned char bytes_[sizeof(T) * (N > 0 ? N : 1)];
};

}  // namespace loops
