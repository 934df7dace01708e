// SPDX-License-Identifier: Apache-2.0
/// Products of tf32 operands in all layouts.
#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_tf32 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_tf32, support::executors, support::executor_name);

TYPED_TEST(products_tf32, in_all_layouts) {
  products::check_type<loops::tfloat32, loops::tfloat32, float>(this->any());
}

}  // namespace
