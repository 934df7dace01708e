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

TYPED_TEST(ell, complex64) {
  if constexpr (has_more_types<TypeParam>)
    check<as_ell, loops::complex<double>, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(ell, other_types) {
  if constexpr (has_all_types<TypeParam>) check_other_types<as_ell>(this->any());
}

TYPED_TEST(ell, wide_indices_and_offsets) {
  if constexpr (has_more_types<TypeParam>)
    check<as_ell, float, std::int32_t, std::int64_t>(this->any());
  if constexpr (has_all_types<TypeParam>)
    check<as_ell, float, std::int64_t, std::int64_t>(this->any());
}

}  // namespace
}  // namespace products
