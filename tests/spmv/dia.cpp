// SPDX-License-Identifier: Apache-2.0
/// SpMV on diagonals: exact under every schedule.
#include <limits>

#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class dia : public spmv<Exec> {};
TYPED_TEST_SUITE(dia, support::executors, support::executor_name);

TYPED_TEST(dia, float32) {
  check<as_dia, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(dia, other_types) {
  check_other_types<as_dia>(this->any());
}

/// Diagonals further apart than there are rows; what lies between is no matrix.
TYPED_TEST(dia, a_stride_of_more_than_the_rows) {
  const auto exec = this->any();
  const auto all = matrices<float, std::int32_t, std::int32_t>();
  const auto& a = all[3].second;  // banded
  auto b = loops::to_dia(a);
  b.stride += 3;
  b.values = set_apart(b.values, static_cast<std::size_t>(a.rows), 3,
                       std::numeric_limits<float>::quiet_NaN());
  check_one(exec, loops::schedule::merge_path{}, b.to(exec.memory()), product(a), a.cols,
            static_cast<const float*>(nullptr));
}

}  // namespace
}  // namespace products
