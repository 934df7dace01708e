// SPDX-License-Identifier: Apache-2.0
/// Arrays that share an allocation do not overlap, and a sanitizer sees who leaves his.
#include "loops/execution/rooms.hpp"

#include <gtest/gtest.h>

#include <cstddef>

extern "C" [[gnu::weak]] void* __asan_region_is_poisoned(void* begin, std::size_t size);

namespace {

using loops::detail::rooms;

TEST(rooms, arrays_lie_behind_each_other_on_their_alignment) {
  rooms r;
  EXPECT_EQ(r.bytes(), 0U);
  EXPECT_EQ(r.add(5), 0U);
  EXPECT_GE(r.bytes(), 5U);
  const std::size_t second = r.add(1);
  EXPECT_GE(second, 5U);
  EXPECT_EQ(second % 16, 0U);
  const std::size_t third = r.add(256, 128);
  EXPECT_GE(third, second + 1);
  EXPECT_EQ(third % 128, 0U);
  EXPECT_GE(r.bytes(), third + 256);
}

TEST(rooms, what_lies_behind_an_array_is_nobodys) {
  if (!__asan_region_is_poisoned) GTEST_SKIP() << "only AddressSanitizer can tell";
  rooms r;
  const std::size_t first = r.add(13);
  const std::size_t second = r.add(32, 128);
  loops::array<std::byte> in(r.bytes());
  r.fence(in);
  std::byte* const at = in.data();
  EXPECT_EQ(__asan_region_is_poisoned(at + first, 13), nullptr);
  EXPECT_EQ(__asan_region_is_poisoned(at + second, 32), nullptr);
  for (const std::size_t end : {first + 13, second + 32})
    for (std::size_t i = 0; i < 64; ++i)
      EXPECT_NE(__asan_region_is_poisoned(at + end + i, 1), nullptr) << end << " + " << i;
}

}  // namespace
