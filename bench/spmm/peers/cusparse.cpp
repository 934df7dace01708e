// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: every CSR algorithm of cuSPARSE.
#include "support/cusparse.hpp"

#include "loops/core/numeric.hpp"

#include <memory>
#include <string>

#include "spmm/contenders.hpp"

namespace loops::bench {

namespace {

/// Descriptors, buffer and preprocessing of one product.
template <class V>
class prepared {
  using scalar = accumulator_t<V>;
  static constexpr cudaDataType type = cusparse::type_of<V>;
  static constexpr cudaDataType compute = cusparse::type_of<scalar>;
  static constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

 public:
  prepared(const problem<V>& p, cusparseSpMMAlg_t algorithm)
      : handle_(cusparse::handle_on(p.exec)), algorithm_(algorithm), a_(p.a) {
    const auto order = [](layout l) {
      return l == layout::row_major ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    };
    cusparse::check(cusparseCreateConstDnMat(&b_, p.b.rows, p.b.cols, p.b.stride, p.b.data, type,
                                             order(p.b.order)),
                    "describing B");
    cusparse::check(
        cusparseCreateDnMat(&c_, p.c.rows, p.c.cols, p.c.stride, p.c.data, type, order(p.c.order)),
        "describing C");
    std::size_t bytes = 0;
    cusparse::check(cusparseSpMM_bufferSize(handle_, plain, plain, &alpha_, a_.get(), b_, &beta_,
                                            c_, compute, algorithm_, &bytes),
                    "asking for the buffer's size");
    buffer_ = array<std::byte>(bytes, p.exec.memory());
    cusparse::check(cusparseSpMM_preprocess(handle_, plain, plain, &alpha_, a_.get(), b_, &beta_,
                                            c_, compute, algorithm_, buffer_.data()),
                    "preprocessing");
  }
  ~prepared() {
    (void)cusparseDestroyDnMat(c_);
    (void)cusparseDestroyDnMat(b_);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  void operator()() {
    cusparse::check(cusparseSpMM(handle_, plain, plain, &alpha_, a_.get(), b_, &beta_, c_, compute,
                                 algorithm_, buffer_.data()),
                    "multiplying");
  }

 private:
  cusparseHandle_t handle_;
  cusparseSpMMAlg_t algorithm_;
  cusparse::matrix<V> a_;
  cusparseConstDnMatDescr_t b_ = nullptr;
  cusparseDnMatDescr_t c_ = nullptr;
  scalar alpha_ = 1;
  scalar beta_ = 0;
  array<std::byte> buffer_;
};

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  const struct {
    const char* name;
    cusparseSpMMAlg_t algorithm;
  } all[] = {{"cusparse_default", CUSPARSE_SPMM_ALG_DEFAULT},
             {"cusparse_csr_alg1", CUSPARSE_SPMM_CSR_ALG1},
             {"cusparse_csr_alg2", CUSPARSE_SPMM_CSR_ALG2},
             {"cusparse_csr_alg3", CUSPARSE_SPMM_CSR_ALG3}};
  std::vector<contender<V>> out;
  for (const auto& one : all)
    out.push_back({one.name, [a = one.algorithm](const problem<V>& p) -> std::function<void()> {
                     auto product = std::make_shared<prepared<V>>(p, a);
                     return [product] { (*product)(); };
                   }});
  return out;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();
template std::vector<contender<half>> peers<half>();

}  // namespace loops::bench
