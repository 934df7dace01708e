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
    const auto multiply = [&]<class T>(T* c, auto* gemm) {
      const auto* a = static_cast<const T*>(sets_.a(set));
      const auto* b = static_cast<const T*>(sets_.b(set));
      // CBLAS knows no batches.
      for (std::int64_t i = 0; i < p.size.batch; ++i)
        gemm(CblasRowMajor, op(p.a_turned), op(p.b_turned), m, n, k, 1, a + i * m * k, lda,
             b + i * k * n, ldb, 0, c + i * m * n, n);
    };
    if (p.kind == operand_kind::f64) {
      multiply(static_cast<double*>(sets_.c(set)), cblas_dgemm);
    } else {
      multiply(static_cast<float*>(sets_.c(set)), cblas_sgemm);
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
