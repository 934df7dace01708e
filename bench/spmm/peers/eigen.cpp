// SPDX-License-Identifier: Apache-2.0
/// On the host: Eigen with OpenMP, where it has the types.
#include "loops/core/float16.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <cstdint>

#include "spmm/contenders.hpp"

namespace loops::bench {

namespace {

template <class V, int Order>
std::function<void()> eigen_product(const problem<V>& p) {
  const int threads = static_cast<int>(p.exec.template describe<shape<1, 1>>().blocks);
  Eigen::setNbThreads(threads);
  return [&p] {
    using matrix = Eigen::SparseMatrix<V, Eigen::RowMajor, std::int32_t>;
    using dense = Eigen::Matrix<V, Eigen::Dynamic, Eigen::Dynamic, Order>;
    const Eigen::Map<const matrix> a(p.a.rows, p.a.cols, p.a.nonzeros(), p.a.offsets.data(),
                                     p.a.indices.data(), p.a.values.data());
    const Eigen::Map<const dense> b(p.b.data, p.b.rows, p.b.cols);
    Eigen::Map<dense> c(p.c.data, p.c.rows, p.c.cols);
    c.noalias() = a * b;
  };
}

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  return {{"eigen", [](const problem<V>& p) {
             // A matrix of one column is one by columns, to Eigen.
             return p.b.order == layout::row_major && p.b.cols > 1
                        ? eigen_product<V, Eigen::RowMajor>(p)
                        : eigen_product<V, Eigen::ColMajor>(p);
           }}};
}

template <>
std::vector<contender<half>> peers<half>() {
  return {};
}
template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
