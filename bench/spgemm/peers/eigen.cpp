// SPDX-License-Identifier: Apache-2.0
/// On the host: Eigen.
#include "spgemm/peers/eigen_product.hpp"

namespace loops::bench {

template <class V>
std::vector<contender<V>> peers() {
  return eigen_peers<V>();
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
