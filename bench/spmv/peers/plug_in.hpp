// SPDX-License-Identifier: Apache-2.0
/// What a shared library offers so that bench_spmv can time it as a peer: `--peer=FILE.so`.
///
/// The library includes this header alone and defines `loops_spmv_peer`. It is free to be compiled
/// by another compiler and to link what it likes; nothing but this interface crosses the border.
#pragma once

#include <cstdint>

extern "C" {

/// The version of this interface. A library of another version is refused.
inline constexpr std::int32_t loops_spmv_peer_version = 1;

/// Types of the elements of A, x and y.
enum loops_spmv_type : std::int32_t { loops_spmv_f32 = 0, loops_spmv_f64 = 1 };

/// A matrix in CSR where the benchmark computes: in the memory of the GPU, or of the host. It
/// outlives what is prepared for it.
struct loops_spmv_matrix {
  std::int32_t rows;
  std::int32_t columns;
  std::int32_t nonzeros;
  loops_spmv_type type;
  const std::int32_t* offsets;  ///< rows + 1
  const std::int32_t* indices;  ///< nonzeros
  const void* values;           ///< nonzeros, of the type
};

/// What a library offers. Nothing here may throw across the border. `stream` is a cudaStream_t or
/// hipStream_t, and null on the host.
struct loops_spmv_peer_table {
  std::int32_t version;     ///< loops_spmv_peer_version
  std::int32_t contenders;  ///< how many ways to multiply; they are numbered from 0

  /// The name of one: letters, digits and underscores. Results call it `peer_NAME`.
  const char* (*name)(std::int32_t contender);

  /// Everything that is done once per matrix, outside the timing. Not null, or null with `*why`
  /// set to the reason: the benchmark then skips this contender on this matrix. The reason is
  /// copied at once.
  void* (*prepare)(std::int32_t contender, const loops_spmv_matrix* a, void* stream,
                   const char** why);

  /// Enqueues y = A x on the stream and does not wait; on the host, computes it. Every element of y
  /// is written: y is full of NaN before the call whose result is checked. Null, or what failed.
  const char* (*run)(void* prepared, const void* x, void* y, void* stream);

  /// Frees what `prepare` made. The stream is idle.
  void (*release)(void* prepared);
};

/// The only symbol that is looked up. The table lives as long as the library is loaded.
const loops_spmv_peer_table* loops_spmv_peer();
}
