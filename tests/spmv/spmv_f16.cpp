// SPDX-License-Identifier: Apache-2.0
/// SpMV of half values with 32-bit indices and offsets.
#include "spmv/battery.hpp"

namespace spmv_battery {

TYPED_TEST(spmv_test, EveryScheduleAndFormat) {
  check_all<loops::half, int, int, TypeParam>();
}

}  // namespace spmv_battery
