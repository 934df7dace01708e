// SPDX-License-Identifier: Apache-2.0
/// Products of bf16 operands in all layouts.
#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_bf16 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_bf16, support::executors, support::executor_name);

TYPED_TEST(products_bf16, in_all_layouts) {
  products::check_type<loops::bfloat16, loops::bfloat16, loops::bfloat16>(this->any());
}

}  // namespace
