// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: every CSR algorithm of cuSPARSE, told to transpose.
#include "support/cusparse.hpp"

#include <memory>
#include <string>

#include "spmv_transposed/contenders.hpp"

namespace loops::bench {

namespace {

using cusparse::check;

/// Descriptors, buffer and preprocessing of one product.
template <class V>
class prepared {
  static constexpr cudaDataType type = cusparse::type_of<V>;

 public:
  prepared(problem<V>& p, cusparseSpMVAlg_t algorithm)
      : handle_(cusparse::handle_on(p.exec)), algorithm_(algorithm), a_(p.a) {
    check(cusparseCreateConstDnVec(&x_, p.a.rows, p.x.data(), type), "describing x");
    check(cusparseCreateDnVec(&y_, p.a.cols, p.y.data(), type), "describing y");
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_TRANSPOSE, &alpha_, a_.get(), x_,
                                  &beta_, y_, type, algorithm_, &bytes),
          "asking for the buffer's size");
    buffer_ = array<std::byte>(bytes, p.exec.memory());
    check(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_TRANSPOSE, &alpha_, a_.get(), x_,
                                  &beta_, y_, type, algorithm_, buffer_.data()),
          "preprocessing");
  }
  ~prepared() {
    (void)cusparseDestroyDnVec(y_);
    (void)cusparseDestroyDnVec(x_);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  void operator()() {
    check(cusparseSpMV(handle_, CUSPARSE_OPERATION_TRANSPOSE, &alpha_, a_.get(), x_, &beta_, y_,
                       type, algorithm_, buffer_.data()),
          "multiplying");
  }

 private:
  cusparseHandle_t handle_;
  cusparseSpMVAlg_t algorithm_;
  cusparse::matrix<V> a_;
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
    out.push_back({one.name, [a = one.algorithm](problem<V>& p) -> std::function<void()> {
                     auto product = std::make_shared<prepared<V>>(p, a);
                     return [product] { (*product)(); };
                   }});
  }
  return out;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
