// SPDX-License-Identifier: Apache-2.0
/// SpMV of float values with 32-bit indices and 64-bit offsets.
#include "spmv/battery.hpp"

namespace spmv_battery {

TYPED_TEST(spmv_test, EveryScheduleAndFormat) {
  check_all<float, int, std::int64_t, TypeParam>();
}

}  // namespace spmv_battery
