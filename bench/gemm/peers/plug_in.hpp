// SPDX-License-Identifier: Apache-2.0
/// What a shared library offers so that `bench_gemm --grouped` can time it as a peer:
/// `--peer=FILE.so`.
///
/// The library includes this header alone and defines `loops_group_peer`. It is free to be compiled
/// by another compiler and to link what it likes; nothing but this interface crosses the border.
#pragma once

#include <cstdint>

extern "C" {

/// The version of this interface. A library of another version is refused.
inline constexpr std::int32_t loops_group_peer_version = 1;

/// Types of all elements: sums are in `float`.
enum loops_group_type : std::int32_t { loops_group_bf16 = 0, loops_group_f32 = 1 };

/// One of the products C = A B, where the benchmark computes: in the memory of the GPU, or of the
/// host. A is m x k and C is m x n by rows, B is k x n by columns; no gaps.
struct loops_group {
  std::int32_t m;
  std::int32_t n;
  std::int32_t k;
  const void* a;
  const void* b;
  void* c;
};

/// What a library offers. Nothing here may throw across the border. `stream` is a cudaStream_t or
/// hipStream_t, and null on the host.
struct loops_group_peer_table {
  std::int32_t version;     ///< loops_group_peer_version
  std::int32_t contenders;  ///< how many ways to multiply; they are numbered from 0

  /// The name of one: letters, digits and underscores. Results call it `peer_NAME`.
  const char* (*name)(std::int32_t contender);

  /// Everything that is done once for these products, outside the timing; `groups` itself is gone
  /// afterwards. Not null, or null with `*why` set to the reason, which is copied at once.
  void* (*prepare)(std::int32_t contender, loops_group_type type, const loops_group* groups,
                   std::int32_t count, void* stream, const char** why);

  /// Enqueues all products on the stream and does not wait; on the host, computes them. Null, or
  /// what failed.
  const char* (*run)(void* prepared, void* stream);

  /// Frees what `prepare` made. The stream is idle.
  void (*release)(void* prepared);
};

/// The only symbol that is looked up. The table lives as long as the library is loaded.
const loops_group_peer_table* loops_group_peer();
}
