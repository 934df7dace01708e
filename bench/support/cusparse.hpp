// SPDX-License-Identifier: Apache-2.0
/// What every benchmark that compares with cuSPARSE needs of it.
#pragma once

#include "loops/core/float16.hpp"
#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"

#include <cusparse.h>

#include <cstddef>
#include <cstdint>
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

/// The ways that cuSPARSE has to multiply a CSR matrix by a vector.
struct named_algorithm {
  const char* name;
  cusparseSpMVAlg_t algorithm;
};
inline constexpr named_algorithm algorithms[] = {{"cusparse_default", CUSPARSE_SPMV_ALG_DEFAULT},
                                                 {"cusparse_csr_alg1", CUSPARSE_SPMV_CSR_ALG1},
                                                 {"cusparse_csr_alg2", CUSPARSE_SPMV_CSR_ALG2}};

/// y = op(A) x: descriptors, buffer and preprocessing.
template <class V>
class matrix_times_vector {
  static constexpr cudaDataType type = type_of<V>;

 public:
  matrix_times_vector(const executor& exec, cusparseOperation_t operation, const csr<V>& a,
                      const array<V>& x, array<V>& y, cusparseSpMVAlg_t algorithm)
      : handle_(handle_on(exec)), operation_(operation), algorithm_(algorithm), a_(a) {
    const auto elements = [](const array<V>& v) { return static_cast<std::int64_t>(v.size()); };
    check(cusparseCreateConstDnVec(&x_, elements(x), x.data(), type), "describing x");
    check(cusparseCreateDnVec(&y_, elements(y), y.data(), type), "describing y");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_, operation_, &alpha_, a_.get(), x_, &beta_, y_, type,
                                  algorithm_, &bytes),
          "asking for the buffer's size");
    buffer_ = array<std::byte>(bytes, exec.memory());
    check(cusparseSpMV_preprocess(handle_, operation_, &alpha_, a_.get(), x_, &beta_, y_, type,
                                  algorithm_, buffer_.data()),
          "preprocessing");
  }
  ~matrix_times_vector() {
    (void)cusparseDestroyDnVec(y_);
    (void)cusparseDestroyDnVec(x_);
  }
  matrix_times_vector(const matrix_times_vector&) = delete;
  matrix_times_vector& operator=(const matrix_times_vector&) = delete;

  void operator()() {
    check(cusparseSpMV(handle_, operation_, &alpha_, a_.get(), x_, &beta_, y_, type, algorithm_,
                       buffer_.data()),
          "multiplying");
  }

 private:
  cusparseHandle_t handle_;
  cusparseOperation_t operation_;
  cusparseSpMVAlg_t algorithm_;
  matrix<V> a_;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  V alpha_ = 1;
  V beta_ = 0;
  array<std::byte> buffer_;
};

}  // namespace loops::bench::cusparse
