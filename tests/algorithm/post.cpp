// SPDX-License-Identifier: Apache-2.0
/// What is sent arrives once, whole, whoever comes first; who waits in vain gives up.
#include "loops/algorithm/post.hpp"

#include "loops/core/functional.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

/// A value of an odd number of words.
struct three {
  float at[3];
  friend LOOPS_HD three operator+(const three& a, const three& b) {
    return {{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2]}};
  }
  friend bool operator==(const three&, const three&) = default;
};

struct add {
  template <class T>
  LOOPS_HD T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
  template <class T>
  LOOPS_HD constexpr T identity() const {
    return T{};
  }
};

template <class T>
LOOPS_HD T value_of(std::int64_t s) {
  if constexpr (std::is_same_v<T, three>) {
    return {{static_cast<float>(s), static_cast<float>(2 * s), static_cast<float>(-s)}};
  } else {
    return static_cast<T>(s % 9 + 1);
  }
}

/// Every block sends its value, but the last of each team: that one collects those of the others.
template <class T>
struct teams {
  loops::detail::post boxes;
  int size;
  T* sums;

  static constexpr bool waits_for_blocks = true;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t s = block.id();
    const std::int64_t rank = s % size;
    if (rank + 1 < size) {
      if (block.lane() == 0) loops::detail::send(block, boxes, s, value_of<T>(s));
      return;
    }
    // Lane by lane: how lanes add up their sums is not looked at here.
    const T sum =
        loops::detail::collect<T>(block, boxes, s - rank + block.lane(), s, Block::threads, add{});
    sums[s / size * Block::threads + block.lane()] = sum;
  }
};

template <class Exec>
class post : public support::on_executor<Exec> {
 protected:
  template <class T>
  void check(const Exec& exec, int size) {
    constexpr int words = loops::detail::words_for<sizeof(T)>;
    constexpr int lanes = Exec::template block<loops::shape<64, 1>>::threads;
    constexpr int count = 5;
    const auto& m = exec.memory();
    loops::array<std::uint64_t> boxes(static_cast<std::size_t>(count * size * words), m);
    loops::array<std::int64_t> lost(1, m);
    loops::array<T> sums(static_cast<std::size_t>(count * lanes), m);
    boxes.fill(0);
    lost.fill(0);
    const teams<T> kernel{
        {boxes.data(), nullptr, nullptr, lost.data(), exec.patience()}, size, sums.data()};
    // Boxes are empty again after each launch: the second finds what the first did.
    for (int launch = 0; launch < 2; ++launch) {
      sums.fill(0xff);
      exec.template launch<loops::shape<64, 1>>(std::int64_t{count} * size, kernel);
      const std::vector<T> found = sums.to_vector();
      for (int i = 0; i < count; ++i) {
        T wanted{};
        T all{};
        for (std::int64_t s = i * size; s < (i + 1) * size - 1; ++s)
          wanted = add{}(wanted, value_of<T>(s));
        for (int l = 0; l < lanes; ++l) all = add{}(all, found[std::size_t(i * lanes + l)]);
        ASSERT_EQ(all, wanted) << "team " << i << " of " << size << ", launch " << launch;
      }
      for (const std::uint64_t w : boxes.to_vector()) ASSERT_EQ(w, 0U) << "a box was not emptied";
    }
    EXPECT_EQ(lost.to_vector().front(), 0);
  }
};
TYPED_TEST_SUITE(post, support::executors, support::executor_name);

TYPED_TEST(post, brings_values_of_every_size) {
  for (const auto& v : this->variants()) {
    SCOPED_TRACE(v.name);
    for (const int size : {1, 2, 5, 64, 65, 300}) {
      this->template check<std::int8_t>(v.exec, size);
      this->template check<float>(v.exec, size);
      this->template check<double>(v.exec, size);
      this->template check<three>(v.exec, size);
    }
  }
}

/// Waits for what nobody sends.
struct forlorn {
  loops::detail::post boxes;
  int* sum;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if (block.lane() == 0) *sum = loops::detail::collect<int>(block, boxes, 2, 7, 1, add{});
  }
};

TYPED_TEST(post, is_not_waited_for_without_end) {
  const auto exec = this->any();
  const auto& m = exec.memory();
  loops::array<std::uint64_t> boxes(8, m);
  loops::array<std::int64_t> lost(1, m);
  loops::array<int> sum(1, m);
  boxes.fill(0);
  lost.fill(0);
  exec.template launch<loops::shape<64, 1>>(
      1, forlorn{{boxes.data(), nullptr, nullptr, lost.data(), 20}, sum.data()});
  EXPECT_EQ(lost.to_vector().front(), 7) << "who waited in vain";
}

}  // namespace
