// SPDX-License-Identifier: Apache-2.0
/// There and back again through every format, for every awkward shape and type.
#include "loops/format/convert.hpp"

#include "loops/core/complex.hpp"
#include "loops/core/float16.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "samples.hpp"

namespace {

template <class V, class I, class O>
struct types {
  using value = V;
  using index = I;
  using offset = O;
};

template <class Types>
class round_trip : public testing::Test {};

using every_type = testing::Types<
    types<float, std::int32_t, std::int32_t>, types<double, std::int32_t, std::int64_t>,
    types<double, std::int64_t, std::int64_t>, types<loops::half, std::int32_t, std::int32_t>,
    types<loops::bfloat16, std::int64_t, std::int64_t>,
    types<loops::complex<float>, std::int32_t, std::int64_t>>;
TYPED_TEST_SUITE(round_trip, every_type);

TYPED_TEST(round_trip, through_every_format) {
  using V = typename TypeParam::value;
  for (const auto& [name, a] :
       samples::all<V, typename TypeParam::index, typename TypeParam::offset>()) {
    SCOPED_TRACE(name);
    const auto check = [&, &original = a](const auto& other) {
      EXPECT_NO_THROW(loops::validate(other.view()));
      const auto back = loops::to_csr(other);
      EXPECT_NO_THROW(loops::validate(back.view()));
      EXPECT_TRUE(samples::equal(original, back));
    };
    check(loops::to_coo(a));
    check(loops::to_csc(a));
    check(loops::to_ell(a));
    check(loops::to_dia(a));
    check(loops::to_bcsr<1, 1>(a));
    check(loops::to_bcsr<2, 2>(a));
    check(loops::to_bcsr<4, 3>(a));
    check(loops::to_bcsr<16, 16>(a));
    check(loops::to_bcsr<128, 512>(a));
  }
}

/// What `f` throws has a place in this file.
template <class F>
void refused_here(const char* what, F f) {
  try {
    f();
    ADD_FAILURE() << what;
  } catch (const loops::error& e) {
    EXPECT_STREQ(e.where().file, __FILE__) << what << ": " << e.what();
  }
}

TEST(conversions, name_the_line_that_asked) {
  const auto ints = [](const std::vector<int>& v) { return loops::array<int>(v); };
  const auto values = [] { return loops::array<float>(std::vector<float>{1}); };
  loops::csr<float> rows{1, 1, ints({0, 3}), ints({0}), values()};
  refused_here("to_coo", [&] { static_cast<void>(loops::to_coo(rows)); });
  refused_here("to_csc", [&] { static_cast<void>(loops::to_csc(rows)); });
  refused_here("to_csc", [&] { static_cast<void>(loops::to_csc(rows.view())); });
  refused_here("to_ell", [&] { static_cast<void>(loops::to_ell(rows)); });
  refused_here("to_dia", [&] { static_cast<void>(loops::to_dia(rows)); });
  refused_here("to_bcsr", [&] { static_cast<void>(loops::to_bcsr<2, 2>(rows)); });
  refused_here("sort_columns", [&] { loops::sort_columns(rows); });
  const auto back = [](const char* what, const auto& a) {
    refused_here(what, [&] { static_cast<void>(loops::to_csr(a)); });
    refused_here(what, [&] { static_cast<void>(loops::to_csr(a.view())); });
  };
  back("csc", loops::csc<float>{1, 1, ints({0, 3}), ints({0}), values()});
  back("coo", loops::coo<float>{1, 1, ints({7}), ints({0}), values()});
  back("ell", loops::ell<float>{1, 1, 1, 1, ints({7}), values()});
  back("dia", loops::dia<float>{1, 1, 1, ints({7}), values()});
  back("bcsr", loops::bcsr<float, 1, 1>{1, 1, ints({0, 3}), ints({0}), values()});
}

TEST(conversions, accept_a_matrix_that_was_never_filled) {
  const loops::csr<float> none;
  EXPECT_EQ(loops::to_coo(none).nonzeros(), 0);
  EXPECT_EQ(loops::to_csc(none).offsets.to_vector(), (std::vector<int>{0}));
  EXPECT_EQ(loops::to_ell(none).width, 0);
  EXPECT_EQ(loops::to_dia(none).diagonals.size(), 0U);
  EXPECT_EQ((loops::to_bcsr<2, 2>(none).offsets.to_vector()), (std::vector<int>{0}));
}

}  // namespace
