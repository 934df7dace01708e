// SPDX-License-Identifier: Apache-2.0
/// Bundles of lanes: who is who, and that shuffles, votes and collectives keep members apart.
#include "loops/collective/bundle.hpp"

#include "loops/collective/group.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

struct add {
  LOOPS_HD int operator()(int a, int b) const { return a + b; }
};

/// What one lane saw.
struct seen {
  int lane, member, share, up, down, other, third, members, last_member, sum, before;
  std::int64_t id, blocks, copy;
  std::uint64_t odd;
  bool any, wave_any, last_wave;
};

LOOPS_HD int number(int lane, int share) {
  return 1000 * share + lane * lane + 1;
}

/// Every lane takes part in every operation of the bundle block.
template <int Width>
struct use_bundle {
  seen* out;
  std::int64_t blocks;
  template <class Block>
  using bundle = loops::bundle_block<Block, Width>;
  template <class Block>
  struct storage {
    loops::group_storage<bundle<Block>, int> shared[Width];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& s) const {
    bundle<Block> t(block, blocks);
    const int mine = number(t.lane(), t.share());
    auto& shared = s.shared[loops::member_of(t)];
    const loops::group<bundle<Block>, bundle<Block>::threads> all(t);
    seen r{};
    r.lane = t.lane();
    r.member = t.member();
    r.share = t.share();
    r.id = t.id();
    r.blocks = t.blocks();
    r.copy = t.copy();
    r.up = t.shuffle_up(mine, 1);
    r.down = t.shuffle_down(mine, 1);
    r.other = t.shuffle_xor(mine, bundle<Block>::wave / 2);
    r.third = t.shuffle(mine, 0);
    r.members = t.reduce_members(mine, add{});
    r.odd = t.ballot(t.lane() % 2 == 1);
    r.last_member = loops::from_member(t, mine, Width - 1);
    r.wave_any = loops::any_in_wave(t, t.lane() == bundle<Block>::threads - 1);
    r.last_wave = loops::any_in_wave(block, block.lane() == Block::threads - 1);
    r.any = t.sync_any(t.lane() == 3);
    r.sum = all.reduce(mine, add{}, shared);
    t.sync();
    r.before = all.scan_open(mine, false, 0, add{}, shared).before;
    out[block.id() * Block::threads + block.lane()] = r;
  }
};

template <int Width, class Exec>
void check(const Exec& exec) {
  using shape = loops::shape<128, 1>;
  using block = typename Exec::template block<shape>;
  static_assert(loops::block_context<loops::bundle_block<block, Width>>);
  static_assert(loops::members_of<loops::bundle_block<block, Width>> == Width);
  static_assert(loops::members_of<block> == 1);
  constexpr std::int64_t blocks = 3;
  constexpr int copies = 2;
  constexpr int threads = block::threads / Width;
  constexpr int wave = block::wave / Width;
  loops::array<seen> out(blocks * copies * block::threads, exec.memory());
  exec.template launch<shape>(blocks * copies, use_bundle<Width>{out.data(), blocks});
  const auto got = out.to_vector();
  for (std::size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE("lane " + std::to_string(i) + ", bundles of " + std::to_string(Width));
    const seen& s = got[i];
    const auto id = static_cast<std::int64_t>(i) / block::threads;
    const int lane = static_cast<int>(i) % block::threads / Width;
    const int member = static_cast<int>(i) % Width;
    // Copies follow each other, but on a CPU those of a block do.
    const std::int64_t copy = block::threads == 1 ? id % copies : id / blocks;
    const int share = static_cast<int>(copy) * Width + member;
    ASSERT_EQ(s.lane, lane);
    ASSERT_EQ(s.member, member);
    ASSERT_EQ(s.share, share);
    ASSERT_EQ(s.id, block::threads == 1 ? id / copies : id % blocks);
    ASSERT_EQ(s.blocks, blocks);
    ASSERT_EQ(s.copy, copy);
    const int first = lane - lane % wave;
    ASSERT_EQ(s.up, number(lane > first ? lane - 1 : lane, share));
    ASSERT_EQ(s.down, number(lane + 1 < first + wave ? lane + 1 : lane, share));
    ASSERT_EQ(s.other, number(first + ((lane - first) ^ (wave / 2)), share));
    ASSERT_EQ(s.third, number(first, share));
    int members = 0;
    for (int m = 0; m < Width; ++m) members += number(lane, share - member + m);
    ASSERT_EQ(s.members, members);
    ASSERT_EQ(s.last_member, number(lane, share - member + Width - 1));
    ASSERT_EQ(s.wave_any, first + wave == threads);
    ASSERT_EQ(s.last_wave, first + wave == threads);
    std::uint64_t odd = 0;
    for (int l = 0; l < wave; ++l) odd |= std::uint64_t((first + l) % 2 == 1) << l;
    ASSERT_EQ(s.odd, odd);
    ASSERT_EQ(s.any, threads > 3);
    int sum = 0;
    int before = 0;
    for (int l = 0; l < threads; ++l) {
      sum += number(l, share);
      if (l < lane) before += number(l, share);
    }
    ASSERT_EQ(s.before, before);
    ASSERT_EQ(lane == 0 ? s.sum : sum, sum);
  }
}

template <class Exec>
class bundle : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(bundle, support::executors, support::executor_name);

TYPED_TEST(bundle, members_act_as_one_and_hold_their_own) {
  check<1>(this->any());
  if constexpr (TypeParam::template block<loops::shape<128, 1>>::wave > 1) {
    for (const auto& v : this->variants()) {
      check<2>(v.exec);
      check<8>(v.exec);
      check<32>(v.exec);
    }
  }
}

}  // namespace
