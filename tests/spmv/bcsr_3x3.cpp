// SPDX-License-Identifier: Apache-2.0
/// SpMV on blocks of 3 x 3, which divide no matrix here: exact under every schedule.
#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class bcsr_3x3 : public spmv<Exec> {};
TYPED_TEST_SUITE(bcsr_3x3, support::executors, support::executor_name);

TYPED_TEST(bcsr_3x3, float32) {
  check<as_bcsr<3, 3>, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(bcsr_3x3, other_types) {
  check_other_types<as_bcsr<3, 3>>(this->any());
}

}  // namespace
}  // namespace products
