// SPDX-License-Identifier: Apache-2.0
/// On the host: SuiteSparse:GraphBLAS, on as many threads as the library, and Eigen.
#include "loops/core/error.hpp"

// What the header includes, before it: it leaves to its users to say that it is C.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

extern "C" {
#include <GraphBLAS.h>
}

#include "spgemm/contenders.hpp"
#include "spgemm/peers/eigen_product.hpp"

namespace loops::bench {

namespace {

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS)
    throw error(errc::device,
                std::string("GraphBLAS, ") + what + ": code " + std::to_string(int(info)));
}

void start() {
  static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
  check(started, "starting");
}

/// A and B as GraphBLAS holds them, and C as it leaves it: with all its work done, rows sorted.
template <class V>
class product {
  static constexpr bool single = std::is_same_v<V, float>;

 public:
  explicit product(const problem<V>& p) : rows_(p.a.rows), cols_(p.b.cols) {
    start();
    const int threads = static_cast<int>(p.exec.template describe<shape<1, 1>>().blocks);
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "setting the threads");
    fill(a_, p.a);
    fill(b_, p.b);
    check(GrB_Matrix_new(&c_, type(), size(rows_), size(cols_)), "making C");
  }
  ~product() {
    for (GrB_Matrix* m : {&a_, &b_, &c_}) GrB_Matrix_free(m);
  }
  product(const product&) = delete;
  product& operator=(const product&) = delete;

  void multiply() {
    const GrB_Semiring sums = single ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64;
    check(GrB_mxm(c_, nullptr, nullptr, sums, a_, b_, nullptr), "multiplying");
    check(GrB_Matrix_wait(c_, GrB_MATERIALIZE), "finishing");
  }

  /// C in the library's form.
  const csr<V>& result() {
    GrB_Index count = 0;
    check(GrB_Matrix_nvals(&count, c_), "counting");
    std::vector<GrB_Index> rows(count);
    std::vector<GrB_Index> cols(count);
    std::vector<V> values(count);
    if constexpr (single) {
      check(GrB_Matrix_extractTuples_FP32(rows.data(), cols.data(), values.data(), &count, c_),
            "reading");
    } else {
      check(GrB_Matrix_extractTuples_FP64(rows.data(), cols.data(), values.data(), &count, c_),
            "reading");
    }
    std::vector<std::int32_t> offsets(static_cast<std::size_t>(rows_) + 1, 0);
    for (const GrB_Index r : rows) ++offsets[r + 1];
    for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] += offsets[r - 1];
    std::vector<std::int32_t> indices(cols.begin(), cols.end());
    out_ = {rows_, cols_, array<std::int32_t>(offsets), array<std::int32_t>(indices),
            array<V>(values)};
    return out_;
  }

 private:
  static GrB_Type type() { return single ? GrB_FP32 : GrB_FP64; }
  static GrB_Index size(std::int32_t n) { return static_cast<GrB_Index>(n); }

  static void fill(GrB_Matrix& to, const csr<V>& m) {
    std::vector<GrB_Index> rows;
    std::vector<GrB_Index> cols;
    for (std::int32_t r = 0; r < m.rows; ++r)
      for (auto k = m.offsets.data()[r]; k < m.offsets.data()[r + 1]; ++k) {
        rows.push_back(size(r));
        cols.push_back(size(m.indices.data()[k]));
      }
    check(GrB_Matrix_new(&to, type(), size(m.rows), size(m.cols)), "making a matrix");
    if constexpr (single) {
      check(GrB_Matrix_build_FP32(to, rows.data(), cols.data(), m.values.data(), rows.size(),
                                  GrB_PLUS_FP32),
            "filling a matrix");
    } else {
      check(GrB_Matrix_build_FP64(to, rows.data(), cols.data(), m.values.data(), rows.size(),
                                  GrB_PLUS_FP64),
            "filling a matrix");
    }
    check(GrB_Matrix_wait(to, GrB_MATERIALIZE), "filling a matrix");
  }

  std::int32_t rows_;
  std::int32_t cols_;
  GrB_Matrix a_ = nullptr;
  GrB_Matrix b_ = nullptr;
  GrB_Matrix c_ = nullptr;
  csr<V> out_;
};

template <class V>
attempt<V> graphblas_product(const problem<V>& p) {
  auto c = std::make_shared<product<V>>(p);
  return {[c] { c->multiply(); }, [c] { return c->result().view(); }};
}

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  auto all = eigen_peers<V>();
  all.push_back({"graphblas,once", true, [](const problem<V>& p) { return graphblas_product(p); }});
  return all;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
