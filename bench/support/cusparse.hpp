// SPDX-License-Identifier: Apache-2.0
/// What every benchmark that compares with cuSPARSE needs of it.
#pragma once

#include "loops/core/float16.hpp"
#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"

#include <cusparse.h>

#include <string>
#include <type_traits>

namespace loops::bench::cusparse {

/// Throws `unsupported` where the library says that of a combination, else `device`.
inline void check(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw error(status == CUSPARSE_STATUS_NOT_SUPPORTED ? errc::unsupported : errc::device,
                std::string("cuSPARSE, ") + what + ": " + cusparseGetErrorString(status));
}

/// One handle per program; making it takes milliseconds and is nobody's preparation.
inline cusparseHandle_t handle_on(const executor& exec) {
  static const cusparseHandle_t handle = [] {
    cusparseHandle_t h = nullptr;
    check(cusparseCreate(&h), "making a handle");
    return h;
  }();
  check(cusparseSetStream(handle, exec.stream()), "setting the stream");
  return handle;
}

template <class V>
inline constexpr cudaDataType type_of = std::is_same_v<V, float>    ? CUDA_R_32F
                                        : std::is_same_v<V, double> ? CUDA_R_64F
                                                                    : CUDA_R_16F;

/// The description of a CSR matrix.
template <class V>
class matrix {
 public:
  explicit matrix(const csr<V>& a) {
    check(cusparseCreateConstCsr(&a_, a.rows, a.cols, a.nonzeros(), a.offsets.data(),
                                 a.indices.data(), a.values.data(), CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type_of<V>),
          "describing the matrix");
  }
  ~matrix() { (void)cusparseDestroySpMat(a_); }
  matrix(const matrix&) = delete;
  matrix& operator=(const matrix&) = delete;
  [[nodiscard]] cusparseConstSpMatDescr_t get() const { return a_; }

 private:
  cusparseConstSpMatDescr_t a_ = nullptr;
};

}  // namespace loops::bench::cusparse
