// SPDX-License-Identifier: Apache-2.0
/// Arrays own their elements, move, and refuse what cannot be had.
#include "loops/execution/memory.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using loops::array;
using loops::errc;
using support::expect_error;

TEST(memory, an_array_that_was_moved_is_empty_and_still_one) {
  const auto where = std::make_shared<loops::host_memory>();
  array<int> a(std::vector<int>{1, 2, 3}, where);
  const int* const data = a.data();
  const array<int> b = std::move(a);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(b.to_vector(), (std::vector<int>{1, 2, 3}));

  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.where(), where);
  EXPECT_TRUE(a.to_vector().empty());
  EXPECT_TRUE(array<int>(0, a.where()).empty());
}

/// Counts what is out.
class counted final : public loops::host_side_memory {
 public:
  void* allocate(std::size_t bytes) override {
    ++out;
    return base.allocate(bytes);
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    --out;
    base.deallocate(p, bytes);
  }
  int out = 0;
  loops::host_memory base;
};

TEST(memory, an_array_that_was_assigned_from_is_empty_and_the_old_elements_are_gone) {
  const auto where = std::make_shared<counted>();
  array<int> a(std::vector<int>{1, 2}, where);
  array<int> b(std::vector<int>{3, 4, 5}, where);
  a = std::move(b);
  EXPECT_EQ(where->out, 1);
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(b.data(), nullptr);
  EXPECT_EQ(b.where(), where);
  array<int>& same = a;
  a = std::move(same);
  EXPECT_EQ(a.to_vector(), (std::vector<int>{3, 4, 5}));
  a = array<int>();
  EXPECT_EQ(where->out, 0);
}

TEST(memory, who_finds_none_may_go_on) {
  using loops::if_it_fits;
  EXPECT_EQ(if_it_fits([] { return 3; }), 3);
  const auto throws = [](errc code) { return [code]() -> int { throw loops::error(code, "so"); }; };
  EXPECT_EQ(if_it_fits(throws(errc::out_of_memory)), std::nullopt);
  expect_error(errc::device, "so", [&] { static_cast<void>(if_it_fits(throws(errc::device))); });
}

TEST(memory, refuses_what_cannot_be_had) {
  expect_error(errc::invalid_argument, "needs a memory", [] { array<int>(3, nullptr); });
  expect_error(errc::invalid_argument, "needs a memory",
               [] { static_cast<void>(array<int>(3).to(nullptr)); });
  expect_error(errc::overflow, "cannot be addressed", [] { array<int> a(std::size_t(-1)); });
  expect_error(errc::overflow, "cannot be addressed",
               [] { array<double> a(std::size_t(-1) / sizeof(double)); });
}

}  // namespace
