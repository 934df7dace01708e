// SPDX-License-Identifier: Apache-2.0
/// SpMV on ELLPACK: exact under every schedule.
#include <limits>

#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class ell : public spmv<Exec> {};
TYPED_TEST_SUITE(ell, support::executors, support::executor_name);

TYPED_TEST(ell, float32) {
  check<as_ell, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(ell, other_types) {
  check_other_types<as_ell>(this->any());
}

/// Columns of entries further apart than there are rows; what lies between is no matrix, and
/// neither are the values of padding.
TYPED_TEST(ell, a_stride_of_more_than_the_rows) {
  const auto exec = this->any();
  const auto all = matrices<float, std::int32_t, std::int32_t>();
  const auto& a = all[3].second;  // banded
  const auto rows = static_cast<std::size_t>(a.rows);
  auto b = loops::to_ell(a);
  for (std::size_t i = 0; i < b.values.size(); ++i)
    if (b.indices[i] == decltype(b.view())::padding)
      b.values[i] = std::numeric_limits<float>::quiet_NaN();
  b.stride += 3;
  b.indices = set_apart(b.indices, rows, 3, 1);
  b.values = set_apart(b.values, rows, 3, std::numeric_limits<float>::quiet_NaN());
  check_one(exec, loops::schedule::merge_path{}, b.to(exec.memory()), product(a), a.cols,
            static_cast<const float*>(nullptr));
}

}  // namespace
}  // namespace products
