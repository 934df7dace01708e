// SPDX-License-Identifier: Apache-2.0
/// A CBLAS on the host, OpenBLAS by preference.
#include <cblas.h>

#include "gemm/contenders.hpp"

namespace loops::bench {

namespace {

class blas_product final : public prepared {
 public:
  explicit blas_product(const operand_sets& sets) : sets_(sets) {}
  void start(int set) override {
    const product& p = sets_.what();
    const auto op = [](bool turned) { return turned ? CblasTrans : CblasNoTrans; };
    const int m = p.size.m;
    const int n = p.size.n;
    const int k = p.size.k;
    const int lda = p.a_turned ? m : k;
    const int ldb = p.b_turned ? k : n;
    if (p.kind == operand_kind::f64) {
      cblas_dgemm(CblasRowMajor, op(p.a_turned), op(p.b_turned), m, n, k, 1,
                  static_cast<const double*>(sets_.a(set)), lda,
                  static_cast<const double*>(sets_.b(set)), ldb, 0,
                  static_cast<double*>(sets_.c(set)), n);
    } else {
      cblas_sgemm(CblasRowMajor, op(p.a_turned), op(p.b_turned), m, n, k, 1,
                  static_cast<const float*>(sets_.a(set)), lda,
                  static_cast<const float*>(sets_.b(set)), ldb, 0,
                  static_cast<float*>(sets_.c(set)), n);
    }
  }

 private:
  const operand_sets& sets_;
};

}  // namespace

std::vector<named_peer> prepare_peers(const operand_sets& sets, int, bool) {
  std::vector<named_peer> out;
  const operand_kind kind = sets.what().kind;
  if (kind == operand_kind::f32 || kind == operand_kind::f64)
    out.push_back({"blas", std::make_unique<blas_product>(sets)});
  return out;
}

}  // namespace loops::bench
