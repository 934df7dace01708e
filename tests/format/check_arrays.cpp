// SPDX-License-Identifier: Apache-2.0
/// A matrix whose sizes or arrays cannot be is refused before anything is read.
#include "loops/format/check_arrays.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "samples.hpp"

namespace {

using loops::reads;

/// Where nothing may be read.
template <class T>
const T* somewhere() {
  return reinterpret_cast<const T*>(std::uintptr_t{64});
}

template <class View>
void expect_refusal(const View& a, const char* part, reads what = reads::values) {
  support::expect_error(loops::errc::invalid_argument, part, [&] { loops::check_arrays(a, what); });
}

template <class View, class Array>
void expect_needed(View a, Array View::*array, const char* name) {
  loops::check_arrays(a);
  a.*array = nullptr;
  expect_refusal(a, name);
  if (static_cast<const void*>(&(a.*array)) == static_cast<const void*>(&a.values))
    loops::check_arrays(a, reads::pattern);
  else
    expect_refusal(a, name, reads::pattern);
}

template <class View, class Size>
void expect_not_negative(View a, Size View::*size) {
  a.*size = -1;
  expect_refusal(a, "negative");
}

template <class View>
void expect_a_shape(const View& a) {
  loops::check_arrays(View{});
  expect_not_negative(a, &View::rows);
  expect_not_negative(a, &View::cols);
}

TEST(check_arrays, of_compressed_rows) {
  using view = loops::csr_view<float, int, std::int64_t>;
  const view a{3, 4, 5, somewhere<std::int64_t>(), somewhere<int>(), somewhere<float>()};
  expect_a_shape(a);
  expect_not_negative(a, &view::nonzeros);
  expect_needed(a, &view::offsets, "the offsets are a null pointer");
  expect_needed(a, &view::indices, "the indices are a null pointer");
  expect_needed(a, &view::values, "the values are a null pointer");
  loops::check_arrays(view{3, 4, 0, somewhere<std::int64_t>(), nullptr, nullptr});
  for (const view& none : {view{3, 4, 0, nullptr, nullptr, nullptr},
                           view{0, 4, 5, nullptr, somewhere<int>(), somewhere<float>()}})
    expect_refusal(none, "the offsets are a null pointer");
}

TEST(check_arrays, of_sizes_without_a_sign) {
  using view = loops::csr_view<float, std::uint64_t>;
  const view a{3, 4, 5, somewhere<std::uint64_t>(), somewhere<std::uint64_t>(), somewhere<float>()};
  loops::check_arrays(a);
  view wrong = a;
  wrong.rows = static_cast<std::uint64_t>(-1);
  expect_refusal(wrong, "a matrix has -1 rows and 4 columns; neither may be negative");
  wrong = a;
  wrong.cols = std::uint64_t{1} << 63;
  expect_refusal(wrong, "neither may be negative");
  wrong = a;
  wrong.nonzeros = static_cast<std::uint64_t>(-1);
  expect_refusal(wrong, "the number of nonzeros is negative");
}

TEST(check_arrays, of_compressed_columns) {
  using view = loops::csc_view<float>;
  const view a{0, 4, 5, somewhere<int>(), somewhere<int>(), somewhere<float>()};
  expect_a_shape(a);
  expect_not_negative(a, &view::nonzeros);
  expect_needed(a, &view::offsets, "the offsets are a null pointer");
  expect_needed(a, &view::indices, "the indices are a null pointer");
  expect_needed(a, &view::values, "the values are a null pointer");
  expect_refusal(view{0, 4, 0, nullptr, nullptr, nullptr}, "the offsets are a null pointer");
  loops::check_arrays(view{4, 0, 0, nullptr, nullptr, nullptr});
}

TEST(check_arrays, of_blocks) {
  using view = loops::bcsr_view<float, 2, 3>;
  const view a{1, 4, 1, somewhere<int>(), somewhere<int>(), somewhere<float>()};
  expect_a_shape(a);
  expect_not_negative(a, &view::blocks);
  expect_needed(a, &view::offsets, "the offsets are a null pointer");
  expect_needed(a, &view::indices, "the indices are a null pointer");
  expect_needed(a, &view::values, "the values are a null pointer");
  expect_refusal(view{1, 4, 0, nullptr, nullptr, nullptr}, "the offsets are a null pointer");
}

TEST(check_arrays, of_coordinates) {
  using view = loops::coo_view<float>;
  const view a{3, 4, 5, somewhere<int>(), somewhere<int>(), somewhere<float>()};
  expect_a_shape(a);
  expect_not_negative(a, &view::nonzeros);
  expect_needed(a, &view::row_indices, "the row indices are a null pointer");
  expect_needed(a, &view::col_indices, "the column indices are a null pointer");
  expect_needed(a, &view::values, "the values are a null pointer");
  loops::check_arrays(view{3, 4, 0, nullptr, nullptr, nullptr});
}

TEST(check_arrays, of_equal_rows) {
  using view = loops::ell_view<float>;
  view a{3, 4, 2, 3, somewhere<int>(), somewhere<float>()};
  expect_a_shape(a);
  expect_not_negative(a, &view::width);
  expect_needed(a, &view::indices, "the indices are a null pointer");
  expect_needed(a, &view::values, "the values are a null pointer");
  loops::check_arrays(view{3, 4, 0, 3, nullptr, nullptr});
  loops::check_arrays(view{0, 4, 2, 0, nullptr, nullptr});
  a.stride = 2;
  expect_refusal(a, "stride 2");
}

TEST(check_arrays, of_diagonals) {
  using view = loops::dia_view<float>;
  view a{3, 4, 2, 3, somewhere<int>(), somewhere<float>()};
  expect_a_shape(a);
  expect_not_negative(a, &view::count);
  expect_needed(a, &view::diagonals, "the diagonals are a null pointer");
  expect_needed(a, &view::values, "the values are a null pointer");
  loops::check_arrays(view{3, 4, 0, 3, nullptr, nullptr});
  loops::check_arrays(view{0, 4, 2, 0, somewhere<int>(), nullptr});
  a.stride = 2;
  expect_refusal(a, "stride 2");
}

TEST(check_arrays, hands_on_what_it_checked) {
  const auto a = samples::make<float, int, int>(2, 2, {{0}, {1}}).view();
  EXPECT_EQ(&loops::checked(a), &a);
  loops::csr_view<float> none = a;
  none.values = nullptr;
  EXPECT_EQ(&loops::checked(none, reads::pattern), &none);
  support::expect_error(loops::errc::invalid_argument, "values",
                        [&] { static_cast<void>(loops::checked(none)); });
}

}  // namespace
