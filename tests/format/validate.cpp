// SPDX-License-Identifier: Apache-2.0
/// A broken matrix is refused with the place where it is broken.
#include "loops/format/validate.hpp"

#include "loops/format/convert.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "samples.hpp"

namespace {

/// The message of the error that `f` throws, or nothing.
std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::invalid_argument);
    return e.message();
  }
  return "";
}

void expect_refusal(const std::function<void()>& f, const std::string& part) {
  const std::string message = message_of(f);
  EXPECT_NE(message.find(part), std::string::npos) << "message: '" << message << "'";
}

TEST(validate, accepts_every_sample) {
  for (const auto& [name, a] : samples::all<float, std::int32_t, std::int64_t>())
    EXPECT_EQ(message_of([&, &m = a] { loops::validate(m.view()); }), "") << name;
  EXPECT_NO_THROW(loops::validate(loops::csr<float>{}.view()));
}

TEST(validate, names_the_row_of_a_csr_defect) {
  std::vector<int> offsets{0, 2, 3, 5};
  std::vector<int> indices{0, 3, 1, 0, 2};
  std::vector<float> values(5);
  loops::csr_view<float> a{3, 4, 5, offsets.data(), indices.data(), values.data()};
  const auto check = [&] { loops::validate(a); };
  EXPECT_EQ(message_of(check), "");
  indices[4] = 4;
  expect_refusal(check, "row 2 has column 4 at position 4");
  indices[4] = -1;
  expect_refusal(check, "row 2 has column -1");
  indices[4] = 2;
  offsets[2] = 1;
  expect_refusal(check, "row 1 spans [2, 1)");
  offsets[2] = 6;
  expect_refusal(check, "row 1 spans [2, 6) of 5");
  offsets[2] = 3;
  offsets[0] = 1;
  expect_refusal(check, "offsets[0] is 1");
  offsets[0] = -1;
  expect_refusal(check, "offsets[0] is -1");
  offsets[0] = 0;
  offsets[3] = 4;
  expect_refusal(check, "the last offset is 4, not 5");
  offsets[3] = 5;
  a.rows = -1;
  expect_refusal(check, "negative");
  a.rows = 3;
  a.nonzeros = -5;
  expect_refusal(check, "negative");
  a.nonzeros = 5;
  a.offsets = nullptr;
  expect_refusal(check, "null");
  a.offsets = offsets.data();
  a.values = nullptr;
  expect_refusal(check, "values are a null");
}

TEST(validate, names_the_column_of_a_csc_defect) {
  const std::vector<int> offsets{0, 1, 2};
  const std::vector<int> indices{0, 3};
  const std::vector<float> values(2);
  const loops::csc_view<float> a{3, 2, 2, offsets.data(), indices.data(), values.data()};
  expect_refusal([&] { loops::validate(a); }, "column 1 has row 3");
}

TEST(validate, names_the_entry_of_a_coo_defect) {
  const std::vector<int> rows{0, 2};
  const std::vector<int> cols{1, 2};
  const std::vector<float> values(2);
  loops::coo_view<float> a{3, 3, 2, rows.data(), cols.data(), values.data()};
  EXPECT_NO_THROW(loops::validate(a));
  a.cols = 2;
  expect_refusal([&] { loops::validate(a); }, "entry 1 is at (2, 2)");
}

TEST(validate, names_the_row_of_an_ell_defect) {
  const std::vector<int> indices{0, -1, 1, -2};
  const std::vector<float> values(4);
  loops::ell_view<float> a{2, 3, 2, 2, indices.data(), values.data()};
  expect_refusal([&] { loops::validate(a); }, "row 1 has column -2 in place 1");
  a.stride = 1;
  expect_refusal([&] { loops::validate(a); }, "stride 1");
}

TEST(validate, knows_blocks_that_reach_past_the_edge) {
  const std::vector<int> offsets{0, 1, 2};
  std::vector<int> indices{0, 1};
  const std::vector<float> values(8);
  const loops::bcsr_view<float, 2, 2> a{3, 3, 2, offsets.data(), indices.data(), values.data()};
  EXPECT_NO_THROW(loops::validate(a));
  indices[1] = 2;
  expect_refusal([&] { loops::validate(a); }, "block row 1 has block column 2");
}

TEST(validate, wants_ascending_diagonals_that_touch_the_matrix) {
  std::vector<int> diagonals{-2, 3};
  const std::vector<float> values(6);
  const loops::dia_view<float> a{3, 4, 2, 3, diagonals.data(), values.data()};
  const auto check = [&] { loops::validate(a); };
  EXPECT_EQ(message_of(check), "");
  diagonals[0] = -3;
  expect_refusal(check, "diagonal -3 does not touch");
  diagonals[0] = -2;
  diagonals[1] = 4;
  expect_refusal(check, "diagonal 4 does not touch");
  diagonals[1] = -2;
  expect_refusal(check, "must ascend");
}

TEST(validate, refuses_owners_whose_arrays_are_too_short) {
  using floats = loops::array<float>;
  using ints = loops::array<int>;
  const auto refused = [](const auto& a, const char* part) {
    expect_refusal([&] { static_cast<void>(loops::detail::host_view(a)); }, part);
  };
  const auto two = [] { return ints(std::vector{0, 1}); };
  refused(loops::csr<float>{2, 2, ints(std::vector{0, 1, 2}), two(), floats(1)},
          "has 1 values but");
  refused(loops::csr<float>{5, 2, two(), two(), floats(2)},
          "has 2 offsets but its sizes ask for 6");
  refused(loops::csc<float>{2, 5, two(), two(), floats(2)},
          "has 2 offsets but its sizes ask for 6");
  refused(loops::coo<float>{5, 5, two(), ints(1), floats(2)}, "has 1 column indices but");
  refused(loops::coo<float>{5, 5, two(), two(), floats(1)}, "has 1 values but");
  refused(loops::ell<float>{2, 2, 2, 2, two(), floats(4)}, "has 2 indices but its sizes ask for 4");
  refused(loops::ell<float>{2, 2, 1, 2, two(), floats(1)}, "has 1 values but");
  refused(loops::bcsr<float, 2, 2>{2, 2, two(), ints(1), floats(3)}, "has 3 values but");
  refused(loops::bcsr<float, 2, 2>{5, 2, two(), ints(1), floats(4)}, "has 2 offsets but");
  refused(loops::dia<float>{2, 2, 2, two(), floats(3)}, "has 3 values but its sizes ask for 4");
  // The last column, or diagonal, ends with the rows.
  EXPECT_NO_THROW(
      static_cast<void>(loops::detail::host_view(loops::dia<float>{1, 2, 5, two(), floats(6)})));
  loops::csr<float> a{2, 2, ints(std::vector{0, 1, 2}), two(), floats(1)};
  expect_refusal([&] { static_cast<void>(loops::to_coo(a)); }, "has 1 values but");
  expect_refusal([&] { loops::sort_columns(a); }, "has 1 values but");
}

TEST(narrow, refuses_what_does_not_fit) {
  EXPECT_EQ(loops::detail::narrow<std::int32_t>(std::size_t(7), "n"), 7);
  EXPECT_THROW(static_cast<void>(loops::detail::narrow<std::int32_t>(std::size_t(1) << 31, "n")),
               loops::error);
  EXPECT_EQ(loops::detail::narrow_product<std::int32_t>(0, std::size_t(-1), "n"), 0);
  EXPECT_THROW(
      static_cast<void>(loops::detail::narrow_product<std::int32_t>(1 << 16, 1 << 15, "n")),
      loops::error);
  EXPECT_THROW(static_cast<void>(loops::detail::narrow_product<std::int64_t>(
                   std::size_t(1) << 40, std::size_t(1) << 40, "n")),
               loops::error);
}

}  // namespace
