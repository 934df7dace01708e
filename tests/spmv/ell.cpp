// SPDX-License-Identifier: Apache-2.0
/// SpMV on ELLPACK: exact under every schedule.
#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class ell : public spmv<Exec> {};
TYPED_TEST_SUITE(ell, support::executors, support::executor_name);

TYPED_TEST(ell, float32) {
  check<as_ell, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(ell, other_types) {
  check_other_types<as_ell>(this->any());
}

}  // namespace
}  // namespace products
