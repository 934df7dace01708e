// SPDX-License-Identifier: Apache-2.0
/// SpMV on compressed rows on an emulated GPU with waves of 64 lanes.
#include "csr.hpp"

#if !LOOPS_CUDA && !LOOPS_HIP
namespace products {

INSTANTIATE_TYPED_TEST_SUITE_P(spmv, csr, testing::Types<loops::emulation_executor<64>>,
                               support::executor_name);

}  // namespace products
#endif
