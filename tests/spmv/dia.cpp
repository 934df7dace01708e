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

TYPED_TEST(dia, complex64) {
  if constexpr (has_more_types<TypeParam>)
    check<as_dia, loops::complex<double>, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(dia, other_types) {
  if constexpr (has_all_types<TypeParam>) check_other_types<as_dia>(this->any());
}

TYPED_TEST(dia, wide_indices_and_offsets) {
  if constexpr (has_more_types<TypeParam>)
    check<as_dia, float, std::int32_t, std::int64_t>(this->any());
  if constexpr (has_all_types<TypeParam>)
    check<as_dia, float, std::int64_t, std::int64_t>(this->any());
}

}  // namespace
}  // namespace products
