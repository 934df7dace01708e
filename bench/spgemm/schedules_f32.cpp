// SPDX-License-Identifier: Apache-2.0
/// The library's schedules for `float`.
#include "spgemm/schedules.hpp"

namespace loops::bench {

template std::vector<contender<float>> schedules<float>();

}  // namespace loops::bench
