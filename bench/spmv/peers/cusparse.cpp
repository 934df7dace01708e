// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: every CSR algorithm of cuSPARSE.
#include <cusparse.h>

#include <memory>
#include <string>
#include <type_traits>

#include "spmv/contenders.hpp"

namespace loops::bench {

namespace {

void check(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw error(errc::device,
                std::string("cuSPARSE, ") + what + ": " + cusparseGetErrorString(status));
}

/// One handle per program; making it takes milliseconds and is nobody's preparation.
cusparseHandle_t handle_on(const executor& exec) {
  static const cusparseHandle_t handle = [] {
    cusparseHandle_t h = nullptr;
    check(cusparseCreate(&h), "making a handle");
    return h;
  }();
  check(cusparseSetStream(handle, exec.stream()), "setting the stream");
  return handle;
}

/// Descriptors, buffer and preprocessing of one product.
template <class V>
class prepared {
  static constexpr cudaDataType type = std::is_same_v<V, float> ? CUDA_R_32F : CUDA_R_64F;

 public:
  prepared(problem<V>& p, cusparseSpMVAlg_t algorithm)
      : handle_(handle_on(p.exec)), algorithm_(algorithm) {
    check(cusparseCreateConstCsr(&a_, p.a.rows, p.a.cols, p.a.nonzeros(), p.a.offsets.data(),
                                 p.a.indices.data(), p.a.values.data(), CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
          "describing the matrix");
    check(cusparseCreateConstDnVec(&x_, p.a.cols, p.x.data(), type), "describing x");
    check(cusparseCreateDnVec(&y_, p.a.rows, p.y.data(), type), "describing y");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha_, a_, x_,
                                  &beta_, y_, type, algorithm_, &bytes),
          "asking for the buffer's size");
    buffer_ = array<std::byte>(bytes, p.exec.memory());
    check(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha_, a_, x_,
                                  &beta_, y_, type, algorithm_, buffer_.data()),
          "preprocessing");
  }
  ~prepared() {
    (void)cusparseDestroyDnVec(y_);
    (void)cusparseDestroyDnVec(x_);
    (void)cusparseDestroySpMat(a_);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  void operator()() {
    check(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha_, a_, x_, &beta_, y_, type,
                       algorithm_, buffer_.data()),
          "multiplying");
  }

 private:
  cusparseHandle_t handle_;
  cusparseSpMVAlg_t algorithm_;
  cusparseConstSpMatDescr_t a_ = nullptr;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  V alpha_ = 1;
  V beta_ = 0;
  array<std::byte> buffer_;
};

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  std::vector<contender<V>> out;
  const struct {
    const char* name;
    cusparseSpMVAlg_t algorithm;
  } all[] = {{"cusparse_default", CUSPARSE_SPMV_ALG_DEFAULT},
             {"cusparse_csr_alg1", CUSPARSE_SPMV_CSR_ALG1},
             {"cusparse_csr_alg2", CUSPARSE_SPMV_CSR_ALG2}};
  for (const auto& one : all) {
    out.push_back({one.name, false, [a = one.algorithm](problem<V>& p) -> std::function<void()> {
                     auto product = std::make_shared<prepared<V>>(p, a);
                     return [product] { (*product)(); };
                   }});
  }
  for (const auto& one : all) {
    out.push_back({std::string(one.name) + ",once", true,
                   [a = one.algorithm](problem<V>& p) -> std::function<void()> {
                     return [&p, a] { prepared<V>(p, a)(); };
                   }});
  }
  return out;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
