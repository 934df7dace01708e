// SPDX-License-Identifier: Apache-2.0
/// SpMV of double values with 32-bit indices and offsets.
#include "spmv/battery.hpp"

namespace spmv_battery {

TYPED_TEST(spmv_test, EveryScheduleAndFormat) {
  check_all<double, int, int, TypeParam>();
}

}  // namespace spmv_battery
