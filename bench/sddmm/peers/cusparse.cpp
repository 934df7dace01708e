// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: cuSPARSE.
#include "support/cusparse.hpp"

#include <memory>

#include "sddmm/contenders.hpp"

namespace loops::bench {

namespace {

using cusparse::check;

/// Descriptors, buffer and preprocessing of one product.
class prepared {
  static constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

 public:
  explicit prepared(const problem& p) : handle_(cusparse::handle_on(p.exec)) {
    csr<float>& c = p.pattern;
    check(cusparseCreateConstDnMat(&a_, p.a.rows, p.a.cols, p.a.stride, p.a.data, CUDA_R_32F,
                                   CUSPARSE_ORDER_ROW),
          "describing A");
    check(cusparseCreateConstDnMat(&b_, p.b.rows, p.b.cols, p.b.stride, p.b.data, CUDA_R_32F,
                                   CUSPARSE_ORDER_COL),
          "describing B");
    check(cusparseCreateCsr(&c_, c.rows, c.cols, c.nonzeros(), c.offsets.data(), c.indices.data(),
                            c.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          "describing the pattern");
    std::size_t bytes = 0;
    check(cusparseSDDMM_bufferSize(handle_, plain, plain, &alpha_, a_, b_, &beta_, c_, CUDA_R_32F,
                                   CUSPARSE_SDDMM_ALG_DEFAULT, &bytes),
          "asking for the buffer's size");
    buffer_ = array<std::byte>(bytes, p.exec.memory());
    check(cusparseSDDMM_preprocess(handle_, plain, plain, &alpha_, a_, b_, &beta_, c_, CUDA_R_32F,
                                   CUSPARSE_SDDMM_ALG_DEFAULT, buffer_.data()),
          "preprocessing");
  }
  ~prepared() {
    (void)cusparseDestroySpMat(c_);
    (void)cusparseDestroyDnMat(b_);
    (void)cusparseDestroyDnMat(a_);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  void operator()() {
    check(cusparseSDDMM(handle_, plain, plain, &alpha_, a_, b_, &beta_, c_, CUDA_R_32F,
                        CUSPARSE_SDDMM_ALG_DEFAULT, buffer_.data()),
          "multiplying");
  }

 private:
  cusparseHandle_t handle_;
  cusparseConstDnMatDescr_t a_ = nullptr;
  cusparseConstDnMatDescr_t b_ = nullptr;
  cusparseSpMatDescr_t c_ = nullptr;
  float alpha_ = 1;
  float beta_ = 0;
  array<std::byte> buffer_;
};

}  // namespace

std::vector<contender> peers() {
  return {{"cusparse", [](const problem& p) -> std::function<void()> {
             auto product = std::make_shared<prepared>(p);
             return [product] { (*product)(); };
           }}};
}

}  // namespace loops::bench
