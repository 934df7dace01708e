// SPDX-License-Identifier: Apache-2.0
/// Every operation of the emulated block, against what it is defined to return.
#include "loops/backend/emulation/block.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support.hpp"

namespace {

using emulation_tests::everywhere;
using emulation_tests::nothing;
using loops::shape;

struct identify {
  int* lanes;
  std::int64_t* ids;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const auto i = block.id() * Block::threads + block.lane();
    lanes[i] += block.lane() + 1;
    ids[i] += block.id() * 1000 + block.blocks();
  }
};

TEST(emulation_block, runs_every_lane_of_every_block_once) {
  everywhere([](const auto& exec) {
    std::vector<int> lanes(7 * 128, 0);
    std::vector<std::int64_t> ids(7 * 128, 0);
    exec.template launch<shape<128, 4>>(7, identify{lanes.data(), ids.data()});
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      ASSERT_EQ(lanes[i], static_cast<int>(i % 128) + 1);
      ASSERT_EQ(ids[i], static_cast<std::int64_t>(i / 128) * 1000 + 7);
    }
  });
}

struct three_words {
  std::int64_t a, b, c;
};

// Sums with each kind of shuffle; every lane writes what it got.
struct shuffles {
  std::int64_t* out;  // 6 per lane
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const int lane = block.lane();
    const int l = lane % Block::wave;
    std::int64_t* mine = out + lane * 6;
    mine[0] = block.shuffle_up(lane, 3);
    mine[1] = block.shuffle_down(lane, 5);
    mine[2] = block.shuffle_xor(lane, 9);
    mine[3] = block.shuffle(std::uint8_t(lane), (l + 1) % Block::wave);
    const three_words v{lane, lane * 10, lane * 100};
    const auto w = block.shuffle_xor(v, 1);
    mine[4] = w.a == (lane ^ 1) && w.b == (lane ^ 1) * 10 && w.c == (lane ^ 1) * 100;
    int sum = lane;
    for (int d = 1; d < Block::wave; d *= 2) sum += block.shuffle_xor(sum, d);
    mine[5] = sum;
  }
};

template <int Threads>
void check_shuffles() {
  everywhere([](const auto& exec) {
    using exec_type = std::decay_t<decltype(exec)>;
    constexpr int wave = exec_type::template block<shape<Threads, 1>>::wave;
    std::vector<std::int64_t> out(Threads * 6, -1);
    exec.template launch<shape<Threads, 1>>(1, shuffles{out.data()});
    for (int lane = 0; lane < Threads; ++lane) {
      const int l = lane % wave;
      const int base = lane - l;
      const std::int64_t* mine = out.data() + lane * 6;
      ASSERT_EQ(mine[0], l >= 3 ? lane - 3 : lane);
      ASSERT_EQ(mine[1], l + 5 < wave ? lane + 5 : lane);
      ASSERT_EQ(mine[2], (l ^ 9) < wave ? lane ^ 9 : lane);
      ASSERT_EQ(mine[3], (base + (l + 1) % wave) % 256);
      ASSERT_EQ(mine[4], wave > 1 ? 1 : 0);
      ASSERT_EQ(mine[5], base * wave + wave * (wave - 1) / 2);
    }
  });
}

TEST(emulation_block, shuffles_stay_inside_the_wave) {
  check_shuffles<2>();
  check_shuffles<16>();
  check_shuffles<32>();
  check_shuffles<64>();
  check_shuffles<256>();
  check_shuffles<1024>();
}

struct ballots {
  std::uint64_t* out;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const int l = block.lane() % Block::wave;
    std::uint64_t* mine = out + block.lane() * 3;
    mine[0] = block.ballot(true);
    mine[1] = block.ballot(l % 3 == 0);
    mine[2] = block.ballot(l == Block::wave - 1);
  }
};

TEST(emulation_block, ballot_has_a_bit_per_lane) {
  everywhere([](const auto& exec) {
    constexpr int threads = 128;
    constexpr int wave = std::decay_t<decltype(exec)>::template block<shape<threads, 1>>::wave;
    std::vector<std::uint64_t> out(threads * 3);
    exec.template launch<shape<threads, 1>>(1, ballots{out.data()});
    std::uint64_t third = 0;
    for (int l = 0; l < wave; l += 3) third |= std::uint64_t{1} << l;
    for (std::size_t lane = 0; lane < threads; ++lane) {
      ASSERT_EQ(out[lane * 3], ~std::uint64_t{0} >> (64 - wave));
      ASSERT_EQ(out[lane * 3 + 1], third);
      ASSERT_EQ(out[lane * 3 + 2], std::uint64_t{1} << (wave - 1));
    }
  });
}

// Inclusive scan of a block with shared memory, reused for several rounds.
struct block_scan {
  const int* in;
  int* out;
  template <class Block>
  struct storage {
    int sums[Block::threads / Block::wave];
    int values[Block::threads];
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    const int lane = block.lane();
    const int l = lane % Block::wave;
    const int wave = lane / Block::wave;
    int carry = 0;
    for (int round = 0; round < Block::items; ++round) {
      const auto at = (block.id() * Block::items + round) * Block::threads;
      shared.values[(lane + 1) % Block::threads] = in[at + (lane + 1) % Block::threads];
      block.sync();
      int v = shared.values[lane];
      for (int d = 1; d < Block::wave; d *= 2) {
        const int left = block.shuffle_up(v, d);
        if (l >= d) v += left;
      }
      if (l == Block::wave - 1) shared.sums[wave] = v;
      block.sync();
      int before = carry;
      for (int w = 0; w < Block::threads / Block::wave; ++w) {
        if (w < wave) before += shared.sums[w];
        carry += shared.sums[w];
      }
      out[at + lane] = before + v;
      block.sync();
    }
  }
};

TEST(emulation_block, scans_through_shared_memory_in_every_order) {
  everywhere([](const auto& exec) {
    constexpr int count = 256 * 3;
    std::vector<int> in(count * 5), out(count * 5, -1);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 13) - 4;
    exec.template launch<shape<256, 3>>(5, block_scan{in.data(), out.data()});
    for (std::size_t block = 0; block < 5; ++block) {
      int sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        sum += in[block * count + i];
        ASSERT_EQ(out[block * count + i], sum) << block << ' ' << i;
      }
    }
  });
}

// Lanes leave one after the other; those left go on.
struct dwindle {
  int* rounds;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    int& mine = rounds[block.lane()];
    mine = 0;
    for (;;) {
      if (mine > block.lane()) return;
      ++mine;
      if (!block.sync_any(mine <= block.lane())) return;
    }
  }
};

TEST(emulation_block, exited_lanes_are_not_waited_for) {
  everywhere([](const auto& exec) {
    std::vector<int> rounds(64, -1);
    exec.template launch<shape<64, 1>>(1, dwindle{rounds.data()});
    for (int lane = 0; lane < 63; ++lane)
      ASSERT_EQ(rounds[static_cast<std::size_t>(lane)], lane + 1);
  });
}

struct last_lane_raises {
  int* seen;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const bool a = block.sync_any(block.lane() == Block::threads - 1);
    const bool b = block.sync_any(false);
    const bool c = block.sync_any(block.lane() == 0);
    seen[block.lane()] = (a ? 1 : 0) | (b ? 2 : 0) | (c ? 4 : 0);
  }
};

TEST(emulation_block, sync_any_tells_every_lane) {
  everywhere([](const auto& exec) {
    std::vector<int> seen(512, -1);
    exec.template launch<shape<512, 1>>(1, last_lane_raises{seen.data()});
    for (int s : seen) ASSERT_EQ(s, 5);
  });
}

struct tally {
  int* sum;
  float* fsum;
  std::int64_t* most;
  int* least;
  int* old;
  std::uint64_t* bits;
  int* fresh;  ///< bits that were set by the one who says so
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const int i = static_cast<int>(block.id()) * Block::threads + block.lane();
    const std::uint64_t bit = std::uint64_t{1} << (i / 2 % 64);
    if ((block.atomic_or(bits + i / 128, bit) & bit) == 0) block.atomic_add(fresh, 1);
    old[i] = block.atomic_add(sum, 1);
    block.atomic_add(fsum, 0.5f);
    block.accumulate(fsum, 0.25f);
    block.atomic_max(most, std::int64_t{i} * 3);
    block.atomic_min(least, -i);
  }
};

TEST(emulation_block, atomics_lose_nothing) {
  everywhere([](const auto& exec) {
    int sum = 0, least = 5;
    float fsum = 0;
    std::int64_t most = -1;
    std::vector<int> old(6 * 64, -1);
    std::uint64_t bits[3] = {};
    int fresh = 0;
    exec.template launch<shape<64, 1>>(6,
                                       tally{&sum, &fsum, &most, &least, old.data(), bits, &fresh});
    EXPECT_EQ(fresh, 192) << "each of two who set the same bit";
    for (const std::uint64_t b : bits) EXPECT_EQ(b, ~std::uint64_t{0});
    EXPECT_EQ(sum, 384);
    EXPECT_EQ(fsum, 288.0f);
    EXPECT_EQ(most, 383 * 3);
    EXPECT_EQ(least, -383);
    std::sort(old.begin(), old.end());
    for (int i = 0; i < 384; ++i) ASSERT_EQ(old[static_cast<std::size_t>(i)], i);
  });
}

// Neighbours in a wave exchange through shared memory, ordered by wave_sync alone.
struct wave_neighbours {
  int* out;
  template <class Block>
  struct storage {
    int values[Block::threads];
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    const int lane = block.lane();
    const int base = lane / Block::wave * Block::wave;
    int v = lane;
    for (int round = 0; round < 10; ++round) {
      shared.values[lane] = v;
      block.wave_sync();
      v = shared.values[base + (lane + 1) % Block::wave];
      block.wave_sync();
    }
    out[lane] = v;
  }
};

TEST(emulation_block, wave_sync_orders_the_wave) {
  everywhere([](const auto& exec) {
    constexpr int wave = std::decay_t<decltype(exec)>::template block<shape<256, 1>>::wave;
    std::vector<int> out(256, -1);
    exec.template launch<shape<256, 1>>(1, wave_neighbours{out.data()});
    for (int lane = 0; lane < 256; ++lane)
      ASSERT_EQ(out[static_cast<std::size_t>(lane)], lane / wave * wave + (lane + 10) % wave);
  });
}

}  // namespace
