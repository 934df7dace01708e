// SPDX-License-Identifier: Apache-2.0
/// SpMV on compressed rows on what this build is for: the host, or a GPU.
#include "csr.hpp"

namespace products {

INSTANTIATE_TYPED_TEST_SUITE_P(spmv, csr, testing::Types<loops::executor>, support::executor_name);

}  // namespace products
