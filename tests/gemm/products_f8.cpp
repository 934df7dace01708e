// SPDX-License-Identifier: Apache-2.0
/// Products of f8 operands in all layouts.
#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_f8 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_f8, support::executors, support::executor_name);

TYPED_TEST(products_f8, in_all_layouts) {
  products::check_type<loops::float8_e4m3, loops::float8_e5m2, loops::half>(this->any());
  products::check<loops::float8_e4m3, loops::float8_e4m3, loops::float8_e4m3, products::row,
                  products::col, products::row>(this->any(), loops::schedule::stream_k{},
                                                {70, 45, 160});
}

}  // namespace
