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

TYPED_TEST(bcsr_3x3, complex64) {
  if constexpr (has_more_types<TypeParam>)
    check<as_bcsr<3, 3>, loops::complex<double>, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(bcsr_3x3, other_types) {
  if constexpr (has_all_types<TypeParam>) check_other_types<as_bcsr<3, 3>>(this->any());
}

TYPED_TEST(bcsr_3x3, wide_indices_and_offsets) {
  if constexpr (has_more_types<TypeParam>)
    check<as_bcsr<3, 3>, float, std::int32_t, std::int64_t>(this->any());
  if constexpr (has_all_types<TypeParam>)
    check<as_bcsr<3, 3>, float, std::int64_t, std::int64_t>(this->any());
}

}  // namespace
}  // namespace products
