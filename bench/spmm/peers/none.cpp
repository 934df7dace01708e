// SPDX-License-Identifier: Apache-2.0
/// Where no other library was found to compare with.
#include "loops/core/float16.hpp"

#include "spmm/contenders.hpp"

namespace loops::bench {

template <class V>
std::vector<contender<V>> peers() {
  return {};
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();
template std::vector<contender<half>> peers<half>();

}  // namespace loops::bench
