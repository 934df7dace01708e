// SPDX-License-Identifier: Apache-2.0
/// Products of f32 operands in all layouts.
#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_f32 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_f32, support::executors, support::executor_name);

TYPED_TEST(products_f32, in_all_layouts) {
  products::check_type<float, float, float>(this->any());
}

}  // namespace
