// SPDX-License-Identifier: Apache-2.0
/// Vectors may be handed over as whatever the caller has.
#include "loops/core/vector_argument.hpp"

#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace {

/// What a device vector of another library looks like.
struct fancy_pointer {
  float* p;
  [[nodiscard]] float* get() const { return p; }
};
struct fancy_vector {
  float* p;
  std::size_t n;
  [[nodiscard]] fancy_pointer data() const { return {p}; }
  [[nodiscard]] std::size_t size() const { return n; }
};

static_assert(loops::vector_argument<float*, float>);
static_assert(loops::vector_argument<const float*, const float>);
static_assert(loops::vector_argument<float*, const float>);
static_assert(!loops::vector_argument<const float*, float>);
static_assert(!loops::vector_argument<double*, float>);
static_assert(!loops::vector_argument<int, float>);
static_assert(loops::vector_argument<std::vector<float>, float>);
static_assert(loops::vector_argument<const std::vector<float>, const float>);
static_assert(!loops::vector_argument<const std::vector<float>, float>);
static_assert(!loops::vector_argument<std::vector<double>, float>);
static_assert(loops::vector_argument<std::span<float>, float>);
static_assert(!loops::vector_argument<std::span<const float>, float>);
static_assert(loops::vector_argument<loops::array<float>, float>);
static_assert(loops::vector_argument<fancy_vector, float>);

TEST(vector_argument, gives_the_first_element_of_each) {
  std::vector<float> v(4);
  float* const at = v.data();
  const fancy_vector fancy{at, 4};
  EXPECT_EQ(loops::vector_data<float>(v, 4, "v"), at);
  EXPECT_EQ(loops::vector_data<const float>(std::as_const(v), 3, "v"), at);
  EXPECT_EQ(loops::vector_data<float>(at, 1000, "v"), at);
  EXPECT_EQ(loops::vector_data<float>(std::span<float>(v), 4, "v"), at);
  EXPECT_EQ(loops::vector_data<float>(fancy, 4, "v"), at);
  std::array<float, 2> fixed{};
  EXPECT_EQ(loops::vector_data<float>(fixed, 2, "v"), fixed.data());
  loops::array<float> owned(3);
  EXPECT_EQ(loops::vector_data<float>(owned, 3, "v"), owned.data());
}

TEST(vector_argument, refuses_what_is_too_short_or_null) {
  std::vector<float> v(4);
  float* nobody = nullptr;
  using loops::errc;
  support::expect_error(errc::invalid_argument, "x has 4 elements, but 5 are needed",
                        [&] { static_cast<void>(loops::vector_data<float>(v, 5, "x")); });
  support::expect_error(errc::invalid_argument, "x is a null pointer",
                        [&] { static_cast<void>(loops::vector_data<float>(nobody, 1, "x")); });
  std::vector<float> empty;
  EXPECT_NO_THROW(static_cast<void>(loops::vector_data<float>(empty, 0, "x")));
  EXPECT_NO_THROW(static_cast<void>(loops::vector_data<float>(nobody, 0, "x")));
}

TEST(vector_argument, a_result_begins_where_no_operand_does) {
  const std::vector<float> v(4);
  support::expect_error(loops::errc::invalid_argument, "y begins where x does, which is read",
                        [&] { loops::check_apart(v.data(), "y", v.data(), "x", true); });
  EXPECT_NO_THROW(loops::check_apart(v.data() + 1, "y", v.data(), "x", true));
  EXPECT_NO_THROW(loops::check_apart(v.data(), "y", v.data(), "x", false));
}

}  // namespace
