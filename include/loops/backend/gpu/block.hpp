// SPDX-License-Identifier: Apache-2.0
/// The block of a GPU kernel, the same for AMD and NVIDIA.
#pragma once

#include "loops/backend/block.hpp"
#include "loops/backend/gpu/runtime.hpp"

#include <cstdint>

namespace loops::gpu {

/// The hardware's block; see `block_context`. Exists inside kernels only.
template <class Shape>
class block {
 public:
  static constexpr int threads = Shape::threads;
  static constexpr int wave = gpu::wave < threads ? gpu::wave : threads;
  static constexpr int items = Shape::items;
  static constexpr int batch = 1;

  __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ std::int64_t id() const { return blockIdx.x; }
  __device__ __forceinline__ std::int64_t blocks() const { return gridDim.x; }

  __device__ __forceinline__ void sync(site = {}) const { block_sync(); }
  __device__ __forceinline__ bool sync_any(bool p, site = {}) const { return block_sync_any(p); }
  __device__ __forceinline__ void wave_sync(site = {}) const { gpu::wave_sync(); }

  template <class T>
  __device__ __forceinline__ T uniform(T v, site = {}) const {
    return by_words(v, [](std::uint32_t w) { return gpu::uniform(w); });
  }
  template <class T>
  __device__ __forceinline__ T shuffle(T v, int lane, site = {}) const {
    return by_words(v, [=](std::uint32_t w) { return gpu::shuffle(w, lane); });
  }
  template <class T>
  __device__ __forceinline__ T shuffle_up(T v, int d, site = {}) const {
    return by_words(v, [=](std::uint32_t w) { return gpu::shuffle_up(w, d); });
  }
  template <class T>
  __device__ __forceinline__ T shuffle_down(T v, int d, site = {}) const {
    if constexpr (wave < gpu::wave) {
      // The hardware's wave has lanes behind those of the block.
      return shuffle(v, lane() + d < wave ? lane() + d : lane());
    } else {
      return by_words(v, [=](std::uint32_t w) { return gpu::shuffle_down(w, d); });
    }
  }
  template <class T>
  __device__ __forceinline__ T shuffle_xor(T v, int d, site = {}) const {
    return by_words(v, [=](std::uint32_t w) { return gpu::shuffle_xor(w, d); });
  }
  __device__ __forceinline__ std::uint64_t ballot(bool p, site = {}) const {
    return gpu::ballot(p);
  }

  template <class T>
  __device__ __forceinline__ T atomic_add(T* at, T v) const {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      using word = unsigned long long;
      return static_cast<T>(atomicAdd(reinterpret_cast<word*>(at), static_cast<word>(v)));
    } else {
      return atomicAdd(at, v);
    }
  }
  template <class T>
  __device__ __forceinline__ T add_together(T* at, T v) const {
    const auto here = gpu::lanes_here();
    const int me = gpu::wave_lane();
    const int first = gpu::first_lane(here);
    const auto of = [here](int lane, T x) {
      return by_words(x, [=](std::uint32_t w) { return gpu::shuffle_here(here, w, lane); });
    };
    T sum{};
    T before{};
    for (auto left = here; left != 0; left &= left - 1) {
      const int lane = gpu::first_lane(left);
      const T theirs = of(lane, v);
      if (lane < me) before += theirs;
      sum += theirs;
    }
    T old{};
    if (me == first) old = atomic_add(at, sum);
    return of(first, old) + before;
  }
  template <class T>
  __device__ __forceinline__ void accumulate(T* at, T v) const {
    if constexpr (std::is_floating_point_v<T>) {
      gpu::accumulate(at, v);
    } else {
      atomic_add(at, v);
    }
  }
  template <class T>
  __device__ __forceinline__ T atomic_max(T* at, T v) const {
    static_assert(has_order<T>, "atomic_max takes integers of 32 and of 64 bits");
    return atomicMax(reinterpret_cast<native_type<T>*>(at), static_cast<native_type<T>>(v));
  }
  template <class T>
  __device__ __forceinline__ T atomic_min(T* at, T v) const {
    static_assert(has_order<T>, "atomic_min takes integers of 32 and of 64 bits");
    return atomicMin(reinterpret_cast<native_type<T>*>(at), static_cast<native_type<T>>(v));
  }
  template <class T>
  __device__ __forceinline__ T atomic_or(T* at, T v) const {
    static_assert(has_order<T>, "atomic_or takes integers of 32 and of 64 bits");
    using word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    return static_cast<T>(atomicOr(reinterpret_cast<word*>(at), static_cast<word>(v)));
  }
  template <class T>
  __device__ __forceinline__ T load_acquire(T* at) const {
    return gpu::load_acquire(at);
  }
  template <class T>
  __device__ __forceinline__ void store_release(T* at, T v) const {
    gpu::store_release(at, v);
  }
  template <class T>
  __device__ __forceinline__ T load_relaxed(T* at) const {
    return gpu::load_relaxed(at);
  }
  template <class T>
  __device__ __forceinline__ void store_relaxed(T* at, T v) const {
    gpu::store_relaxed(at, v);
  }
  template <class T>
  __device__ __forceinline__ void answer(T* at, T v) const {
    gpu::answer(at, v);
  }
  template <class T>
  __device__ __forceinline__ bool reached(T* at, T v) const {
    return gpu::reached(at, v);
  }
  __device__ __forceinline__ void relax() const { gpu::relax(); }
  __device__ __forceinline__ void await_previous() const { gpu::await_previous(); }
  /// The next launch comes when all blocks have said so or ended, and a device hears fewer than one
  /// a nanosecond: blocks that have ended before the last are in need not speak.
  __device__ __forceinline__ void let_next_start() const {
    constexpr std::int64_t at_a_time = 8192;  // more than run on any device
    if (id() + at_a_time >= blocks()) gpu::let_next_start();
  }

 private:
  /// What both makers of GPUs have maxima and minima of.
  template <class T>
  static constexpr bool has_order = std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

  /// 64-bit atomics exist for `long long`, signed and not, which integers of 64 bits need not be.
  template <class T>
  using native_type =
      std::conditional_t<!std::is_integral_v<T> || sizeof(T) != 8, T,
                         std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;

  /// Applies a 32-bit operation to every word of v.
  template <class T, class F>
  __device__ __forceinline__ static T by_words(T v, F f) {
    static_assert(std::is_trivially_copyable_v<T>, "shuffles move trivially copyable values");
    constexpr int words = (sizeof(T) + 3) / 4;
    std::uint32_t w[words] = {};
    __builtin_memcpy(w, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i) w[i] = f(w[i]);
    __builtin_memcpy(&v, w, sizeof(T));
    return v;
  }
};

}  // namespace loops::gpu
