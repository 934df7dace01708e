// SPDX-License-Identifier: Apache-2.0
/// Describes a matrix in device memory to the tensor copy unit.
#pragma once

#include "loops/backend/cuda/runtime.hpp"

#include <cuda.h>

#include <cstdint>
#include <string>

namespace loops::gpu {

/// A batch of matrices of `rows` rows of `length` contiguous elements, and the box that one copy
/// moves: `box_length` elements (128 bytes or less) of `box_rows` rows, laid into shared memory
/// with the 128-byte swizzle. What lies outside reads as zero and is not written, but for what
/// is left of 16 bytes where a row ends. Throws: invalid_argument where the unit cannot address it:
/// base and strides are multiples of 16 bytes, extents below 2^31.
inline CUtensorMap describe_matrix(const void* base, CUtensorMapDataType type, int element_bytes,
                                   std::int64_t length, std::int64_t rows, std::int64_t row_stride,
                                   std::int64_t batches, std::int64_t batch_stride, int box_length,
                                   int box_rows) {
  static const auto encode = [] {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    const cudaError_t status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                                                12000, cudaEnableDefault, &found);
#else
    const cudaError_t status =
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
    check(status, "looking for the driver's tensor maps");
    require(found == cudaDriverEntryPointSuccess, errc::unsupported,
            "this driver has no tensor maps; update it");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  }();
  const cuuint64_t extents[3] = {static_cast<cuuint64_t>(length), static_cast<cuuint64_t>(rows),
                                 static_cast<cuuint64_t>(batches)};
  const cuuint64_t strides[2] = {static_cast<cuuint64_t>(row_stride * element_bytes),
                                 static_cast<cuuint64_t>(batch_stride * element_bytes)};
  const cuuint32_t box[3] = {static_cast<cuuint32_t>(box_length), static_cast<cuuint32_t>(box_rows),
                             1};
  const cuuint32_t steps[3] = {1, 1, 1};
  // Rows on lines of the cache: the line after the one that is read belongs to the next step.
  const bool lines = strides[0] % 128 == 0 && reinterpret_cast<std::uintptr_t>(base) % 128 == 0;
  CUtensorMap map;
  const CUresult status =
      encode(&map, type, 3, const_cast<void*>(base), extents, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             lines ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS)
    throw error(errc::invalid_argument,
                "the tensor copy unit cannot address this matrix (driver error " +
                    std::to_string(static_cast<int>(status)) + ")");
  return map;
}

}  // namespace loops::gpu
