// SPDX-License-Identifier: Apache-2.0
/// Groups of every size: reductions, scans in lane order, votes, barriers.
#include "loops/collective/group.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

/// x -> a x + b. Chaining them is associative and not commutative: results know the order.
struct affine {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const affine&, const affine&) = default;
};
struct chain {
  LOOPS_HD constexpr affine operator()(affine first, affine second) const {
    return {second.a * first.a, second.a * first.b + second.b};
  }
};
/// Commutative as well, as reductions ask.
struct add {
  LOOPS_HD constexpr affine operator()(affine x, affine y) const { return {x.a + y.a, x.b + y.b}; }
};

/// The value of a lane of a block.
LOOPS_HD affine of_lane(std::int64_t block, int lane) {
  const auto n = static_cast<std::uint32_t>(block * 1024 + lane);
  return {2 * n + 3, 7 * n + 1};
}
LOOPS_HD bool closes(std::int64_t block, int lane) {
  return block > 0 && (lane * 7 + block * 3) % (block * 5) == 0;
}

/// What one lane saw.
struct seen {
  affine reduced;
  affine again;
  affine chained;
  affine before;
  affine total;
  int rank;
  int index;
  bool any;
};

/// Every lane of every block takes part in every collective, in groups of `lanes`, twice.
template <int Lanes>
struct use_group {
  seen* out;
  int lanes;

  template <class Block>
  struct storage {
    loops::group_storage<Block, affine> shared;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& s) const {
    const loops::group<Block, Lanes> g(block, lanes);
    const affine mine = of_lane(block.id(), block.lane());
    seen& at = out[block.id() * Block::threads + block.lane()];
    at.rank = g.rank();
    at.index = g.index();
    for (int round = 0; round < 2; ++round) {  // storage may be used again after a barrier
      at.reduced = g.reduce(mine, add{}, s.shared);
      // And by another reduction at once, which waits for whoever still reads.
      at.again = g.reduce(affine{mine.b, mine.a}, add{}, s.shared);
      block.sync();
      const auto scanned =
          g.scan_open(mine, closes(block.id(), block.lane()),
                      affine{1, static_cast<std::uint32_t>(g.index())}, chain{}, s.shared);
      at.before = scanned.before;
      at.total = scanned.total;
      block.sync();
    }
    at.any = g.any(g.index() == 1);
    at.chained = loops::chain_in_wave(block, mine, chain{});
  }
};

template <class Exec>
class group : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(group, support::executors, support::executor_name);

template <int Threads, int Lanes, class Exec>
void check(const Exec& exec, int lanes) {
  using shape = loops::shape<Threads, 1>;
  using block = typename Exec::template block<shape>;
  const loops::machine m = exec.template describe<shape>();
  if (lanes > m.threads) return;
  constexpr std::int64_t blocks = 5;
  loops::array<seen> out(static_cast<std::size_t>(blocks * m.threads), exec.memory());
  out.fill(0xff);
  exec.template launch<shape>(blocks, use_group<Lanes>{out.data(), lanes});
  const std::vector<seen> found = out.to_vector();
  for (std::int64_t b = 0; b < blocks; ++b)
    for (int first = 0; first < m.threads; first += lanes) {
      const auto at = [&](int lane) -> const seen& {
        return found[static_cast<std::size_t>(b * m.threads + lane)];
      };
      const int index = first / lanes;
      affine reduced = of_lane(b, first);
      for (int l = first + 1; l < first + lanes; ++l) reduced = add{}(reduced, of_lane(b, l));
      ASSERT_EQ(at(first).reduced, reduced) << "block " << b << ", group " << index;
      ASSERT_EQ(at(first).again, (affine{reduced.b, reduced.a})) << "block " << b;
      affine open{1, static_cast<std::uint32_t>(index)};
      for (int l = first; l < first + lanes; ++l) {
        ASSERT_EQ(at(l).rank, l - first);
        ASSERT_EQ(at(l).index, index);
        ASSERT_EQ(at(l).before, open) << "block " << b << ", lane " << l;
        open = closes(b, l) ? of_lane(b, l) : chain{}(open, of_lane(b, l));
      }
      for (int l = first; l < first + lanes; ++l) {
        if (l % block::wave == 0) {
          affine chained = of_lane(b, l);
          for (int k = 1; k < block::wave; ++k) chained = chain{}(chained, of_lane(b, l + k));
          ASSERT_EQ(at(l).chained, chained) << "block " << b << ", lane " << l;
        }
        ASSERT_EQ(at(l).total, open) << "block " << b << ", lane " << l;
        // Groups that share a barrier hear of each other; a group that is alone does not.
        const int company = lanes < block::wave ? block::wave : m.threads;
        const bool alone = lanes == block::wave || lanes == m.threads;
        const bool heard =
            alone ? index == 1
                  : (lanes >= l / company * company && lanes < (l / company + 1) * company);
        ASSERT_EQ(at(l).any, heard) << "lane " << l;
      }
    }
}

TYPED_TEST(group, of_every_size_reduces_and_scans_in_lane_order) {
  for (const auto& v : this->variants()) {
    SCOPED_TRACE(v.name);
    for (int lanes = 1; lanes <= 256; lanes *= 2) {
      SCOPED_TRACE(lanes);
      check<256, 0>(v.exec, lanes);
      check<64, 0>(v.exec, lanes);
      check<16, 0>(v.exec, lanes);
    }
  }
}

TYPED_TEST(group, of_a_fixed_size_does_the_same) {
  for (const auto& v : this->variants()) {
    SCOPED_TRACE(v.name);
    const int all = v.exec.template describe<loops::shape<128, 1>>().threads;
    check<128, TypeParam::template block<loops::shape<128, 1>>::threads>(v.exec, all);
    const int wave = v.exec.template describe<loops::shape<128, 1>>().wave;
    check<128, TypeParam::template block<loops::shape<128, 1>>::wave>(v.exec, wave);
    check<128, 2>(v.exec, 2);
    check<128, 4>(v.exec, 4);
    check<128, 8>(v.exec, 8);
    check<128, 16>(v.exec, 16);
    check<128, 32>(v.exec, 32);
  }
}

TYPED_TEST(group, knows_at_compile_time_when_it_is_the_block) {
  using block = typename TypeParam::template block<loops::shape<128, 1>>;
  static_assert(loops::group<block, block::threads>::whole_block);
  static_assert(!loops::group<block>::whole_block);
}

/// Lanes of a group write, synchronise, and read what their neighbour wrote.
struct pass_on {
  int* out;
  int lanes;

  template <class Block>
  struct storage {
    int mail[Block::threads];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& s) const {
    const loops::group<Block> g(block, lanes);
    int v = block.lane();
    for (int round = 0; round < 3; ++round) {
      g.sync();
      s.mail[block.lane()] = v;
      g.sync();
      v = s.mail[g.index() * g.size() + (g.rank() + 1) % g.size()];
    }
    out[block.lane()] = v;
  }
};

TYPED_TEST(group, barriers_order_its_shared_memory) {
  using shape = loops::shape<128, 1>;
  for (const auto& v : this->variants()) {
    const int threads = v.exec.template describe<shape>().threads;
    for (int lanes = 1; lanes <= threads; lanes *= 2) {
      loops::array<int> out(static_cast<std::size_t>(threads), v.exec.memory());
      v.exec.template launch<shape>(1, pass_on{out.data(), lanes});
      const std::vector<int> found = out.to_vector();
      for (int l = 0; l < threads; ++l)
        ASSERT_EQ(found[static_cast<std::size_t>(l)], l / lanes * lanes + (l % lanes + 3) % lanes)
            << v.name << ", groups of " << lanes;
    }
  }
}

}  // namespace
