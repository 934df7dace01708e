// SPDX-License-Identifier: Apache-2.0
/// On the host: Eigen with OpenMP, and the loop that everybody writes first.
#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <cstdint>
#include <omp.h>

#include "spmv/contenders.hpp"

namespace loops::bench {

namespace {

template <class V>
std::function<void()> eigen_rows(problem<V>& p) {
  const int threads = static_cast<int>(p.exec.template describe<shape<1, 1>>().blocks);
  Eigen::setNbThreads(threads);
  return [&p] {
    using matrix = Eigen::SparseMatrix<V, Eigen::RowMajor, std::int32_t>;
    using vector = Eigen::Matrix<V, Eigen::Dynamic, 1>;
    const Eigen::Map<const matrix> a(p.a.rows, p.a.cols, p.a.nonzeros(), p.a.offsets.data(),
                                     p.a.indices.data(), p.a.values.data());
    const Eigen::Map<const vector> x(p.x.data(), p.a.cols);
    Eigen::Map<vector> y(p.y.data(), p.a.rows);
    y.noalias() = a * x;
  };
}

template <class V>
std::function<void()> openmp_rows(problem<V>& p) {
  const int threads = static_cast<int>(p.exec.template describe<shape<1, 1>>().blocks);
  return [&p, threads] {
    const auto a = p.a.view();
    const V* const x = p.x.data();
    V* const y = p.y.data();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int32_t r = 0; r < a.rows; ++r) {
      V sum{};
      for (std::int32_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k)
        sum += a.values[k] * x[a.indices[k]];
      y[r] = sum;
    }
  };
}

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  return {{"eigen", false, eigen_rows<V>}, {"openmp_rows", false, openmp_rows<V>}};
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
