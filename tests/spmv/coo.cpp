// SPDX-License-Identifier: Apache-2.0
/// SpMV on sorted coordinates: exact under every schedule.
#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class coo : public spmv<Exec> {};
TYPED_TEST_SUITE(coo, support::executors, support::executor_name);

TYPED_TEST(coo, float32) {
  check<as_coo, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(coo, other_types) {
  check_other_types<as_coo>(this->any());
}

}  // namespace
}  // namespace products
