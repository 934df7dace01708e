// SPDX-License-Identifier: Apache-2.0
/// Where no other library was found to compare with.
#include "spmv_transposed/contenders.hpp"

namespace loops::bench {

template <class V>
std::vector<contender<V>> peers() {
  return {};
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
