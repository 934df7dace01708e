// SPDX-License-Identifier: Apache-2.0
/// The device-wide sorts sort; the one of pairs is stable and refuses unequal lengths.
#include "loops/execution/sort.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

template <class Exec>
class sort : public support::on_executor<Exec> {
 protected:
  template <class Key, class Value>
  void check(std::size_t count, std::uint32_t different) {
    const Exec exec = this->any();
    std::mt19937 random(static_cast<std::uint32_t>(count));
    std::vector<Key> keys(count);
    for (Key& k : keys)
      k = static_cast<Key>(static_cast<Key>(random() % different) - Key(different / 2));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    std::vector<Key> wanted_keys;
    std::vector<Value> wanted_values;
    std::vector<Value> values(count);
    std::iota(values.begin(), values.end(), Value(0));
    for (const std::size_t i : order) {
      wanted_keys.push_back(keys[i]);
      wanted_values.push_back(values[i]);
    }
    loops::array<Key> k(keys, exec.memory());
    loops::array<Value> v(values, exec.memory());
    loops::stable_sort_by_key(exec, k, v);
    EXPECT_TRUE(k.to_vector() == wanted_keys) << count;
    EXPECT_TRUE(v.to_vector() == wanted_values) << count << ": equal keys changed places";
  }
};
TYPED_TEST_SUITE(sort, support::executors, support::executor_name);

TYPED_TEST(sort, keeps_the_order_of_equal_keys) {
  for (const std::size_t count : {0U, 1U, 2U, 255U, 256U, 257U, 10000U})
    for (const std::uint32_t different : {1U, 2U, 100U, 1U << 30}) {
      this->template check<std::int32_t, std::int32_t>(count, different);
      this->template check<std::int64_t, std::int64_t>(count, different);
      this->template check<std::int32_t, std::int64_t>(count, different);
    }
}

TYPED_TEST(sort, sorts_keys_alone) {
  const auto exec = this->any();
  for (const std::size_t count : {0U, 1U, 2U, 257U, 10000U}) {
    std::mt19937_64 random(count);
    std::vector<std::int64_t> wanted(count);
    for (std::int64_t& k : wanted) k = static_cast<std::int64_t>(random());
    loops::array<std::int64_t> keys(wanted, exec.memory());
    std::sort(wanted.begin(), wanted.end());
    loops::sort_keys(exec, keys);
    EXPECT_EQ(keys.to_vector(), wanted);
  }
}

TYPED_TEST(sort, refuses_unequal_lengths) {
  const auto exec = this->any();
  loops::array<int> keys(3, exec.memory());
  loops::array<int> values(2, exec.memory());
  support::expect_error(loops::errc::invalid_argument, "as many values as keys",
                        [&] { loops::stable_sort_by_key(exec, keys, values); });
}

}  // namespace
