// SPDX-License-Identifier: Apache-2.0
/// Products of 8-bit integers in all layouts: exact, and rounded where parts scale them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gemm/products.hpp"

namespace {

using products::col;
using products::row;
using std::int32_t;
using std::int8_t;

template <class Exec>
class products_i8 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_i8, support::executors, support::executor_name);

TYPED_TEST(products_i8, are_exact_in_all_layouts) {
  products::check_type<int8_t, int8_t, int32_t>(this->any());
}

TYPED_TEST(products_i8, may_be_floats) {
  products::check<int8_t, int8_t, float, row, col, row>(this->any(), loops::schedule::stream_k{},
                                                        {70, 45, 160});
  products::check<int8_t, int8_t, loops::bfloat16, row, row, col>(
      this->any(), loops::schedule::automatic{}, {64, 48, 96});
}

/// A product of one row and one column, whose sum is known.
template <class TC, class Exec, class... Parts>
TC one_sum(const Exec& exec, const std::vector<int8_t>& a, const std::vector<int8_t>& b,
           const Parts&... parts) {
  const auto k = static_cast<std::int64_t>(a.size());
  const loops::array<int8_t> x(a, exec.memory());
  const loops::array<int8_t> y(b, exec.memory());
  loops::array<TC> z(1, exec.memory());
  loops::gemm(exec, loops::matrix<const int8_t>(x.data(), 1, k),
              loops::matrix<const int8_t, col>(y.data(), k, 1), loops::matrix<TC>(z.data(), 1, 1),
              parts...);
  exec.synchronize();
  return z.to_vector().front();
}

TYPED_TEST(products_i8, hold_the_largest_sum_and_refuse_a_larger_one) {
  const auto exec = this->any();
  constexpr std::size_t most = 131071;
  std::vector<int8_t> least(most, -128);
  EXPECT_EQ(one_sum<int32_t>(exec, least, least), 128 * 128 * int32_t{131071});
  least.push_back(-128);
  support::expect_error(loops::errc::overflow, "need not fit 32 bits",
                        [&] { one_sum<int32_t>(exec, least, least); });
}

TYPED_TEST(products_i8, are_rounded_and_kept_in_range_by_parts) {
  namespace epilogue = loops::epilogue;
  const auto exec = this->any();
  const auto scaled = [&](int sum, float by) {
    const std::vector<int8_t> a{int8_t(sum / 100), int8_t(sum % 100)};
    return int(one_sum<int8_t>(exec, a, {100, 1}, epilogue::alpha{by}));
  };
  // Halves go to the even neighbour.
  EXPECT_EQ(scaled(5, 0.5F), 2);
  EXPECT_EQ(scaled(7, 0.5F), 4);
  EXPECT_EQ(scaled(-5, 0.5F), -2);
  EXPECT_EQ(scaled(7, 0.25F), 2);
  EXPECT_EQ(scaled(508, 0.25F), 127);
  EXPECT_EQ(scaled(510, 0.25F), 127);
  EXPECT_EQ(scaled(9000, 1.0F), 127);
  EXPECT_EQ(scaled(-512, 0.25F), -128);
  EXPECT_EQ(scaled(-9000, 1.0F), -128);
  EXPECT_EQ(scaled(1, std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(scaled(1, std::numeric_limits<float>::infinity()), 127);
}

TYPED_TEST(products_i8, are_exact_as_doubles) {
  const std::vector<int8_t> a(2049, 127);
  const std::vector<int8_t> one{1};
  EXPECT_EQ(one_sum<double>(this->any(), a, a), 2049.0 * 127 * 127);
  EXPECT_EQ(one_sum<double>(this->any(), a, a, loops::epilogue::alpha{0.5F}), 1024.5 * 127 * 127);
}

TEST(elements_of_c, of_integers_are_the_nearest_there_are) {
  using loops::gemm_detail::as_element;
  constexpr int32_t least = std::numeric_limits<int32_t>::min();
  constexpr int32_t most = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(as_element<int32_t>(0x1p31F), most);
  EXPECT_EQ(as_element<int32_t>(std::nextafter(0x1p31F, 0.0F)), most - 127);
  EXPECT_EQ(as_element<int32_t>(-0x1p31F), least);
  EXPECT_EQ(as_element<int32_t>(-3e9F), least);
  EXPECT_EQ(as_element<int32_t>(double(most)), most);
  EXPECT_EQ(as_element<int8_t>(most), 127);
  EXPECT_EQ(as_element<int8_t>(least), -128);
  EXPECT_EQ(as_element<int8_t>(int32_t{-7}), -7);
  EXPECT_EQ(int(as_element<std::uint8_t>(int32_t{-7})), 0);
  EXPECT_EQ(int(as_element<std::uint8_t>(254.5F)), 254);
  EXPECT_EQ(as_element<std::int64_t>(most), std::int64_t{most});
  EXPECT_EQ(as_element<float>(int32_t{5}), 5.0F);
  EXPECT_EQ(as_element<double>(int32_t{33032193}), 33032193.0);
}

}  // namespace
