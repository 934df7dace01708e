// SPDX-License-Identifier: Apache-2.0
/// The library's schedules for `half`.
#include "spmm/schedules.hpp"

namespace loops::bench {

template std::vector<contender<half>> schedules<half>();

}  // namespace loops::bench
