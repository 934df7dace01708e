// SPDX-License-Identifier: Apache-2.0
/// What slices tell later ones through the tree: all that is open before them, once and in order,
/// whatever is cut where, in every launch.
#include "loops/algorithm/carry_tree.hpp"

#include "loops/execution/memory.hpp"
#include "support/executors.hpp"
#include "support/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using loops::detail::carry_tree;
using shape = loops::shape<64, 1>;
using one_box = support::word<std::uint16_t>;
using two_boxes = support::word<std::uint32_t>;

/// Slice s leaves `left[s]` open; a tile begins in slice `begun[s]` and is open where s begins, or
/// -1; `passes[s]`: it does not end in s.
template <class Value>
struct hand_on {
  carry_tree tree;
  const Value* left;
  const std::int32_t* begun;
  const std::int32_t* passes;
  Value* found;
  static constexpr bool waits_for_blocks = true;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t s = block.id();
    const loops::detail::carried<Block, Value> others(block, tree, s);
    block.sync();
    if (block.lane() == 0) others.send(left[s]);
    if (block.lane() >= Block::wave) return;
    Value in{};
    if (begun[s] >= 0) in = others.collect(begun[s], passes[s] != 0, left[s], support::chain{});
    if (block.lane() == 0) found[s] = in;
  }
};

/// Slices in which tiles end, one after another: true where one does.
std::vector<bool> ends_every(std::int64_t slices, std::int64_t stride, std::int64_t first) {
  std::vector<bool> ends(static_cast<std::size_t>(slices), false);
  for (std::int64_t s = first; s < slices; s += stride) ends[static_cast<std::size_t>(s)] = true;
  return ends;
}

template <class Value, class Exec>
void check(const Exec& exec, const std::vector<bool>& ends, int stride) {
  const std::size_t slices = ends.size();
  std::vector<std::int32_t> begun(slices), passes(slices);
  std::int32_t open = 0;  // the slice in which the tile at hand begins
  for (std::size_t s = 0; s < slices; ++s) {
    begun[s] = s == 0 ? -1 : open;
    passes[s] = ends[s] ? 0 : 1;
    if (ends[s]) open = static_cast<std::int32_t>(s);
  }
  const loops::array<std::int32_t> begun_there(begun, exec.memory());
  const loops::array<std::int32_t> passes_there(passes, exec.memory());
  loops::array<std::uint64_t> words(
      static_cast<std::size_t>(carry_tree::boxes(static_cast<std::int64_t>(slices)) * stride),
      exec.memory());
  loops::array<std::int64_t> lost(1, exec.memory());
  words.fill(0);
  lost.fill(0);
  const carry_tree tree{words.data(), lost.data(), static_cast<std::int64_t>(slices), stride,
                        exec.patience()};
  for (int launch = 1; launch <= 3; ++launch) {
    std::vector<Value> left(slices);
    for (std::size_t s = 0; s < slices; ++s)
      left[s] = support::letter<Value>{}(static_cast<std::int64_t>(s) * 7 + launch);
    const loops::array<Value> left_there(left, exec.memory());
    loops::array<Value> found(slices, exec.memory());
    found.fill(0x5a);
    exec.template launch<shape>(static_cast<std::int64_t>(slices),
                                hand_on<Value>{tree, left_there.data(), begun_there.data(),
                                               passes_there.data(), found.data()});
    const auto got = found.to_vector();
    Value so_far{};
    for (std::size_t s = 0; s < slices; ++s) {
      ASSERT_TRUE(got[s] == so_far) << "slice " << s << " of " << slices << ", launch " << launch;
      so_far = ends[s] ? left[s] : support::chain{}(so_far, left[s]);
    }
    ASSERT_EQ(lost.to_vector()[0], 0);
  }
}

template <class Exec>
class carried : public support::on_executor<Exec> {
 protected:
  /// Calls f(executor) for all that can wait.
  template <class F>
  void everywhere(const F& f) {
    for (const auto& v : this->variants()) {
      SCOPED_TRACE(v.name);
      if constexpr (Exec::template block<shape>::threads == 1) {
        GTEST_SKIP() << "blocks of one lane do not wait for others";
      } else {
        f(v.exec);
      }
      if (this->HasFatalFailure()) return;
    }
  }
};
TYPED_TEST_SUITE(carried, support::executors, support::executor_name);

TYPED_TEST(carried, is_all_that_is_open) {
  this->everywhere([](const auto& exec) {
    for (const std::int64_t slices : {1, 2, 31, 32, 33, 64, 65, 100})
      for (const std::int64_t stride : {1, 3, 32, 33, 1000})
        for (const std::int64_t first : {0, 1, 31})
          check<one_box>(exec, ends_every(slices, stride, first), 1);
  });
}

TYPED_TEST(carried, over_three_levels) {
  if constexpr (TypeParam::template block<shape>::threads == 1) {
    GTEST_SKIP() << "blocks of one lane do not wait for others";
  } else {
    const auto exec = this->any();
    constexpr std::int64_t slices = 2 * 1024 + 70;
    check<one_box>(exec, ends_every(slices, slices, 0), 1);
    check<two_boxes>(exec, ends_every(slices, 1040, 37), 2);
  }
}

TYPED_TEST(carried, values_may_be_smaller_than_boxes) {
  this->everywhere([](const auto& exec) { check<one_box>(exec, ends_every(90, 40, 5), 2); });
}

/// The last slice collects what those from `first` on left, in boxes that somebody else has filled.
template <class Value>
struct only_collect {
  carry_tree tree;
  std::int64_t first;
  Value* found;
  static constexpr bool waits_for_blocks = true;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if (block.lane() >= Block::wave) return;
    const loops::detail::carried<Block, Value> others(block, tree, tree.slices - 1);
    const Value in = others.collect(first, false, Value{}, support::chain{});
    if (block.lane() == 0) *found = in;
  }
};

TYPED_TEST(carried, is_not_waited_for_without_end) {
  this->everywhere([](const auto& exec) {
    constexpr std::int64_t slices = 41;
    constexpr std::size_t stride = 2;
    // Of launch 6, the first: one word of a box may be there before the other. Nobody has to wait
    // for slices before the third, nor for himself.
    for (const std::size_t missing : {0U, 6U, 7U, 62U, 63U, 78U, 79U, 80U}) {
      std::vector<std::uint64_t> boxes(static_cast<std::size_t>(carry_tree::boxes(slices)) * stride,
                                       std::uint64_t{6} << 32);
      for (std::size_t k = 40 * stride; k < 41 * stride; ++k) boxes[k] = std::uint64_t{5} << 32;
      boxes[missing] = std::uint64_t{5} << 32;
      loops::array<std::uint64_t> words(boxes, exec.memory());
      loops::array<std::int64_t> lost(1, exec.memory());
      loops::array<two_boxes> found(1, exec.memory());
      lost.fill(0);
      exec.template launch<shape>(
          1, only_collect<two_boxes>{
                 {words.data(), lost.data(), slices, stride, 20}, 3, found.data()});
      const bool needed = missing >= 3 * stride && missing < 40 * stride;
      EXPECT_EQ(lost.to_vector().front(), needed ? 41 : 0) << "word " << missing;
    }
  });
}

TYPED_TEST(carried, of_more_families_than_a_wave_has_lanes) {
  this->everywhere([](const auto& exec) {
    constexpr std::int64_t slices = 70 * 1024 + 45;
    constexpr std::uint64_t launch = 6;
    std::vector<std::uint64_t> boxes;
    const auto put = [&](const one_box& v, std::uint64_t when) {
      std::uint32_t half = 0;
      std::memcpy(&half, &v, sizeof v);
      boxes.push_back(when << 32 | half);
    };
    std::vector<one_box> level(static_cast<std::size_t>(slices));
    for (std::size_t s = 0; s < level.size(); ++s)
      level[s] = support::letter<one_box>{}(static_cast<std::int64_t>(s) * 7);
    one_box wanted{};
    for (std::size_t s = 3; s + 1 < level.size(); ++s) wanted = support::chain{}(wanted, level[s]);
    for (int up = 0; up < carry_tree::levels; ++up) {
      std::vector<one_box> families;
      for (std::size_t i = 0; i < level.size(); ++i) {
        put(level[i], up == 0 && i + 1 == level.size() ? launch - 1 : launch);
        if (i % carry_tree::fan == 0) families.emplace_back();
        families.back() = support::chain{}(families.back(), level[i]);
      }
      level = families;
    }
    ASSERT_EQ(static_cast<std::int64_t>(boxes.size()), carry_tree::boxes(slices));
    loops::array<std::uint64_t> words(boxes, exec.memory());
    loops::array<std::int64_t> lost(1, exec.memory());
    loops::array<one_box> found(1, exec.memory());
    lost.fill(0);
    exec.template launch<shape>(
        1, only_collect<one_box>{{words.data(), lost.data(), slices, 1, 20}, 3, found.data()});
    EXPECT_TRUE(found.to_vector().front() == wanted);
    EXPECT_EQ(lost.to_vector().front(), 0);
  });
}

TEST(carry_tree, has_a_box_for_every_family) {
  EXPECT_EQ(carry_tree::boxes(0), 0);
  EXPECT_EQ(carry_tree::boxes(1), 3);
  EXPECT_EQ(carry_tree::boxes(32), 34);
  EXPECT_EQ(carry_tree::boxes(33), 36);
  EXPECT_EQ(carry_tree::boxes(1025), 1025 + 33 + 2);
  const carry_tree tree{nullptr, nullptr, 1025, 1, 0};
  EXPECT_EQ(tree.first(0), 0);
  EXPECT_EQ(tree.first(1), 1025);
  EXPECT_EQ(tree.first(2), 1025 + 33);
}

}  // namespace
