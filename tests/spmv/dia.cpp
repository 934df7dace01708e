// SPDX-License-Identifier: Apache-2.0
/// SpMV on diagonals: exact under every schedule.
#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class dia : public spmv<Exec> {};
TYPED_TEST_SUITE(dia, support::executors, support::executor_name);

TYPED_TEST(dia, float32) {
  check<as_dia, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(dia, other_types) {
  check_other_types<as_dia>(this->any());
}

}  // namespace
}  // namespace products
