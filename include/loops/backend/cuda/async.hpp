// SPDX-License-Identifier: Apache-2.0
/// Hopper's asynchronous machinery: transaction barriers, bulk tensor copies, clusters, roles.
#pragma once

#include "loops/backend/config.hpp"

#include <cuda.h>

#include <cstdint>

namespace loops::gpu {

/// The address of shared memory as instructions take it.
__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// The same, computed once: otherwise the compiler asks anew, in every step of a loop, where the
/// block's memory lies in its cluster.
__device__ __forceinline__ std::uint32_t fixed_address(const void* p) {
  std::uint32_t address = shared_address(p);
  asm volatile("" : "+r"(address));
  return address;
}

/// An object in shared memory by such an address.
template <class T>
__device__ __forceinline__ T& at_fixed_address(T& object) {
  return *static_cast<T*>(__cvta_shared_to_generic(fixed_address(&object)));
}

/// A barrier in shared memory that counts arrivals and bytes, by its address; see PTX `mbarrier`.
struct barrier_at {
  std::uint32_t address;

  __device__ __forceinline__ void init(unsigned arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address), "r"(arrivals));
  }
  /// One arrival that also announces `bytes` to come.
  __device__ __forceinline__ void expect(unsigned bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes)
                 : "memory");
  }
  __device__ __forceinline__ void arrive() const {
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
  }
  /// One arrival, when what this lane began to copy by `copy_async` is there.
  __device__ __forceinline__ void arrive_when_copied() const {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address) : "memory");
  }
  /// The same barrier in block `rank` of the cluster, for `arrive_there` only.
  [[nodiscard]] __device__ __forceinline__ barrier_at in(unsigned rank) const {
    std::uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return {there};
  }
  /// Arrives on a barrier of any block of the cluster, if `yes`, to say that something was read.
  /// Without a release at cluster scope, which costs more than a step of a matrix product, and
  /// without a branch, after which a wave would have to come together again.
  __device__ __forceinline__ void arrive_there(bool yes) const {
    asm volatile(
        "{ .reg .pred p;\n"
        "setp.ne.b32 p, %1, 0;\n"
        "@p mbarrier.arrive.shared::cluster.b64 _, [%0]; }" ::"r"(address),
        "r"(static_cast<int>(yes))
        : "memory");
  }
  /// Whether the phase of this parity has completed already.
  [[nodiscard]] __device__ __forceinline__ bool is_completed(unsigned parity) const {
    unsigned done;
    asm volatile(
        "{ .reg .pred p;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(address), "r"(parity)
        : "memory");
    return done != 0;
  }
  /// The same, after some time in which it may complete.
  template <bool across_cluster>
  [[nodiscard]] __device__ __forceinline__ bool completed(unsigned parity) const {
    unsigned done;
    if constexpr (across_cluster) {
      asm volatile(
          "{ .reg .pred p;\n"
          "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(address), "r"(parity)
          : "memory");
    } else {
      asm volatile(
          "{ .reg .pred p;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(address), "r"(parity)
          : "memory");
    }
    return done != 0;
  }
  /// Waits for the phase of this parity. The instruction itself suspends for a while; a phase that
  /// never completes, which only a defect can cause, ends the launch with an error instead of
  /// occupying the GPU for ever.
  template <bool across_cluster = false>
  __device__ __forceinline__ void wait(unsigned parity) const {
    for (unsigned tries = 0; !completed<across_cluster>(parity); ++tries)
      if (tries > (1u << 24)) __trap();
  }
};
/// Room for a barrier.
struct transaction_barrier {
  std::uint64_t word;
  [[nodiscard]] __device__ __forceinline__ barrier_at at() const { return {shared_address(&word)}; }
};

/// Makes barrier initialisation visible to the cluster and to copies.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// Orders ordinary writes to shared memory before what copies and matrix units read of it.
__device__ __forceinline__ void publish_to_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Reads and writes shared memory at such an address.
__device__ __forceinline__ float4 read_16_bytes(std::uint32_t address) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(address)
               : "memory");
  return v;
}
__device__ __forceinline__ uint2 read_8_bytes(std::uint32_t address) {
  uint2 v;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(address) : "memory");
  return v;
}
__device__ __forceinline__ void write_16_bytes(std::uint32_t address, const float4& v) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(v.x), "f"(v.y),
               "f"(v.z), "f"(v.w)
               : "memory");
}

__device__ __forceinline__ unsigned cluster_rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
/// Barrier of all lanes of the cluster, which orders what they did in shared memory.
__device__ __forceinline__ void cluster_sync() {
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;" ::
          : "memory");
}

/// Says that this lane has come to the cluster's barrier, and nothing of what it did before.
__device__ __forceinline__ void cluster_arrive_only() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
/// Waits at the barrier to which this lane has come.
__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// Starts copying shared memory, in multiples of 16 bytes, to a place in block `rank` of the
/// cluster, named as in this one; the bytes count on its `done`.
__device__ __forceinline__ void send_bytes(void* to, const void* from, int bytes, barrier_at done,
                                           unsigned rank) {
  asm volatile(
      "{ .reg .b32 at, on;\n"
      "mapa.shared::cluster.u32 at, %0, %4;\n"
      "mapa.shared::cluster.u32 on, %1, %4;\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [at], [%2], %3, "
      "[on]; }" ::"r"(shared_address(to)),
      "r"(done.address), "r"(shared_address(from)), "r"(bytes), "r"(rank)
      : "memory");
}

/// Barrier number `id` (1 … 15) among `lanes` lanes.
__device__ __forceinline__ void named_sync(int id, int lanes) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(lanes) : "memory");
}

/// What all lanes of the wave have, in a register for the wave where the compiler holds such.
__device__ __forceinline__ int agreed(int v) {
  return static_cast<int>(__reduce_or_sync(0xffffffffU, static_cast<unsigned>(v)));
}
/// One lane of the wave, the same every time.
__device__ __forceinline__ bool elect() {
  unsigned mine;
  asm volatile(
      "{ .reg .pred p;\n"
      "elect.sync _|p, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, p; }"
      : "=r"(mine));
  return mine != 0;
}

template <int registers>
__device__ __forceinline__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ __forceinline__ void prefetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Makes a map that the host wrote into device memory visible to copies: those of this lane, and
/// those of its block behind a barrier.
__device__ __forceinline__ void acquire_map(const CUtensorMap& map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(&map) : "memory");
}

/// Starts copying the box at (x, y, z) into shared memory; its bytes count on `done`.
__device__ __forceinline__ void load_box(std::uint32_t to, const CUtensorMap& map, barrier_at done,
                                         int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
      "l"(&map), "r"(done.address), "r"(x), "r"(y), "r"(z)
      : "memory");
}
/// The same into the blocks of the cluster that `mask` names, at the same place in each.
__device__ __forceinline__ void load_box_to(std::uint32_t to, const CUtensorMap& map,
                                            barrier_at done, int x, int y, int z,
                                            std::uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%3, %4, %5}], [%2], %6;" ::"r"(to),
      "l"(&map), "r"(done.address), "r"(x), "r"(y), "r"(z), "h"(mask)
      : "memory");
}
/// Starts copying a box out of shared memory; part of the lane's current group of copies.
__device__ __forceinline__ void store_box(const CUtensorMap& map, const void* from, int x, int y,
                                          int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(
          &map),
      "r"(shared_address(from)), "r"(x), "r"(y), "r"(z)
      : "memory");
}
__device__ __forceinline__ void commit_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until at most `open` groups have yet to read shared memory.
template <int open>
__device__ __forceinline__ void await_store_reads() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(open) : "memory");
}

}  // namespace loops::gpu
