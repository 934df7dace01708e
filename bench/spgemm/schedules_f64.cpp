// SPDX-License-Identifier: Apache-2.0
/// The library's schedules for `double`.
#include "spgemm/schedules.hpp"

namespace loops::bench {

template std::vector<contender<double>> schedules<double>();

}  // namespace loops::bench
