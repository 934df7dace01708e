// SPDX-License-Identifier: Apache-2.0
/// Products of f16 operands in all layouts.
#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_f16 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_f16, support::executors, support::executor_name);

TYPED_TEST(products_f16, in_all_layouts) {
  products::check_type<loops::half, loops::half, float>(this->any());
}

}  // namespace
