// SPDX-License-Identifier: Apache-2.0
/// SpMV on compressed columns: exact under every schedule.
#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class csc : public spmv<Exec> {};
TYPED_TEST_SUITE(csc, support::executors, support::executor_name);

TYPED_TEST(csc, float32) {
  check<as_csc, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(csc, complex64) {
  if constexpr (has_more_types<TypeParam>)
    check<as_csc, loops::complex<double>, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(csc, other_types) {
  if constexpr (has_all_types<TypeParam>) check_other_types<as_csc>(this->any());
}

TYPED_TEST(csc, wide_indices_and_offsets) {
  if constexpr (has_more_types<TypeParam>)
    check<as_csc, float, std::int32_t, std::int64_t>(this->any());
  if constexpr (has_all_types<TypeParam>)
    check<as_csc, float, std::int64_t, std::int64_t>(this->any());
}

}  // namespace
}  // namespace products
