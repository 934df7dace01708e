// SPDX-License-Identifier: Apache-2.0
/// Products of f64 operands in all layouts.
#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_f64 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_f64, support::executors, support::executor_name);

TYPED_TEST(products_f64, in_all_layouts) {
  products::check_type<double, double, double>(this->any());
}

}  // namespace
