// SPDX-License-Identifier: Apache-2.0
/// The properties of reductions on what this build is for: the host, or a GPU.
#include "reduce_tiles.hpp"

namespace reduction {

INSTANTIATE_TYPED_TEST_SUITE_P(properties, reduce_tiles, testing::Types<loops::executor>,
                               support::executor_name);

}  // namespace reduction
