// SPDX-License-Identifier: Apache-2.0
/// What fits is itself; what does not is named.
#include "loops/core/narrow.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using loops::errc;
using loops::detail::narrow;
using loops::detail::narrow_product;

TEST(narrow, keeps_what_fits) {
  EXPECT_EQ(narrow<std::int8_t>(127, "it"), 127);
  EXPECT_EQ(narrow<std::int8_t>(std::int64_t{-128}, "it"), -128);
  EXPECT_EQ(narrow<std::uint32_t>(std::uint64_t{UINT32_MAX}, "it"), UINT32_MAX);
}

TEST(narrow, names_what_does_not) {
  const auto refused = [](auto narrowed) -> std::string {
    try {
      narrowed();
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), errc::overflow);
      return e.message();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(refused([] { static_cast<void>(narrow<std::int8_t>(128, "the count")); }),
            "the count is 128, which does not fit the 8-bit type asked for; use a wider one");
  EXPECT_EQ(refused([] { static_cast<void>(narrow<std::int16_t>(-32769, "the count")); }),
            "the count is -32769, which does not fit the 16-bit type asked for; use a wider one");
  EXPECT_EQ(
      refused([] { static_cast<void>(narrow<std::uint8_t>(256, "the count")); }),
      "the count is 256, which does not fit the unsigned 8-bit type asked for; use a wider one");
  EXPECT_EQ(refused([] { static_cast<void>(narrow<std::uint32_t>(-1, "the count")); }),
            "the count is -1, which does not fit the unsigned 32-bit type asked for");
}

TEST(narrow, products_are_not_wrapped_first) {
  EXPECT_EQ((narrow_product<std::int32_t>(46340, 46340, "it")), 46340 * 46340);
  EXPECT_EQ((narrow_product<std::int8_t>(SIZE_MAX, 0, "it")), 0);
  for (const std::size_t a : {std::size_t{1} << 32, SIZE_MAX})
    support::expect_error(errc::overflow, "the room is", [&] {
      static_cast<void>(narrow_product<std::int64_t>(a, a, "the room"));
    });
}

}  // namespace
