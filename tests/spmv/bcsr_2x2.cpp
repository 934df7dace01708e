// SPDX-License-Identifier: Apache-2.0
/// SpMV on blocks of 2 x 2: exact under every schedule.
#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class bcsr_2x2 : public spmv<Exec> {};
TYPED_TEST_SUITE(bcsr_2x2, support::executors, support::executor_name);

TYPED_TEST(bcsr_2x2, float32) {
  check<as_bcsr<2, 2>, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(bcsr_2x2, other_types) {
  check_other_types<as_bcsr<2, 2>>(this->any());
}

}  // namespace
}  // namespace products
