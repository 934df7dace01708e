// SPDX-License-Identifier: Apache-2.0
/// Where no other library was found to compare with.
#include "segmented/contenders.hpp"

namespace loops::bench {

template <class V>
std::vector<contender<V>> peers(operation) {
  return {};
}

template std::vector<contender<float>> peers<float>(operation o);
template std::vector<contender<double>> peers<double>(operation o);

}  // namespace loops::bench
