// SPDX-License-Identifier: Apache-2.0
/// The properties of reductions on an emulated GPU with waves of 32 lanes.
#include "reduce_tiles.hpp"

#if !LOOPS_CUDA && !LOOPS_HIP
namespace reduction {

INSTANTIATE_TYPED_TEST_SUITE_P(properties, reduce_tiles,
                               testing::Types<loops::emulation_executor<32>>,
                               support::executor_name);

}  // namespace reduction
#endif
