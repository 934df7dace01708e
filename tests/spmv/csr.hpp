// SPDX-License-Identifier: Apache-2.0
/// SpMV on compressed rows with every type, for one executor per source.
#pragma once

#include "products.hpp"

namespace products {

template <class Exec>
class csr : public spmv<Exec> {};
TYPED_TEST_SUITE_P(csr);

TYPED_TEST_P(csr, float32) {
  check<as_csr, float, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST_P(csr, float64) {
  check<as_csr, double, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST_P(csr, float16) {
  check<as_csr, loops::half, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST_P(csr, bfloat16) {
  check<as_csr, loops::bfloat16, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST_P(csr, complex32) {
  check<as_csr, loops::complex<float>, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST_P(csr, complex64) {
  check<as_csr, loops::complex<double>, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST_P(csr, wide_offsets) {
  check<as_csr, float, std::int32_t, std::int64_t>(this->any());
}
TYPED_TEST_P(csr, wide_indices_and_offsets) {
  check<as_csr, double, std::int64_t, std::int64_t>(this->any());
}

REGISTER_TYPED_TEST_SUITE_P(csr, float32, float64, float16, bfloat16, complex32, complex64,
                            wide_offsets, wide_indices_and_offsets);

}  // namespace products
