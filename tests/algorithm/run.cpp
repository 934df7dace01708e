// SPDX-License-Identifier: Apache-2.0
/// Tile programs run over every schedule: every atom once, in order, every tile finished once.
#include "loops/algorithm/run.hpp"

#include "loops/schedule/dense_schedules.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <climits>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "programs.hpp"

namespace {

using programs::speller;
using programs::word;

template <class Exec>
class run_on : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(run_on, support::executors, support::executor_name);

TYPED_TEST(run_on, every_schedule_and_work) {
  for (const auto& m : programs::machines<TypeParam>()) programs::everywhere<speller<32>>(m);
}

/// Adds numbers whose sum depends on where it is cut.
struct adder {
  using shape = loops::team<64>;
  static constexpr int fewest = 2;
  static constexpr std::size_t slot_bytes = sizeof(float) * 64;
  float* out;  ///< per tile and lane

  template <class Block>
  struct storage {
    int unused;
  };
  template <class Block>
  class agent {
   public:
    LOOPS_HD agent(const adder& p, Block& block, storage<Block>&)
        : out_(p.out + block.lane()), block_(&block) {}
    LOOPS_HD void clear() { sum_ = 0; }
    LOOPS_HD void step(const loops::segment& s) {
      for (std::int64_t i = s.first; i < s.last; ++i)
        sum_ += 1.0F / static_cast<float>(1 + (s.tile * 31 + i * 17 + block_->lane()) % 997);
    }
    LOOPS_HD void store(std::byte* slot) { reinterpret_cast<float*>(slot)[block_->lane()] = sum_; }
    LOOPS_HD void add(const std::byte* slot) {
      sum_ = reinterpret_cast<const float*>(slot)[block_->lane()] + sum_;
    }
    LOOPS_HD void finish(std::int64_t tile) { out_[tile * Block::threads] = sum_; }
    LOOPS_HD void sync() { block_->sync(); }

   private:
    float* out_;
    Block* block_;
    float sum_ = 0;
  };
};

TYPED_TEST(run_on, repeats_bit_by_bit_as_often_as_it_is_launched) {
  constexpr std::int64_t tiles = 37;
  constexpr std::int64_t width = 45;
  constexpr int launches = 200;
  const loops::uniform w(tiles, width);
  for (const auto& m : programs::machines<TypeParam>()) {
    SCOPED_TRACE(m.name);
    loops::array<float> out(tiles * 64, m.exec.memory());
    for (const auto& schedule : {loops::schedule::stream_k{}, loops::schedule::stream_k{2}}) {
      auto plan = loops::plan_run(m.exec, schedule, w, adder{});
      std::vector<float> first;
      for (int i = 0; i < launches; ++i) {
        out.fill(0xff);
        loops::run(plan, adder{out.data()});
        const auto now = out.to_vector();
        if (i == 0) first = now;
        ASSERT_TRUE(support::same_bits(first, now)) << "launch " << i;
      }
      plan.check();
      // Another plan, and no plan, cut at the same places.
      out.fill(0xff);
      loops::run(m.exec, schedule, w, adder{out.data()});
      m.exec.synchronize();
      ASSERT_TRUE(support::same_bits(first, out.to_vector()));
    }
  }
}

TYPED_TEST(run_on, split_k_gives_a_tile_the_same_bits_wherever_it_is) {
  constexpr std::int64_t width = 45;
  const loops::schedule::split_k schedule{4};
  std::vector<float> right;
  for (const auto& m : programs::machines<TypeParam>())
    for (const std::int64_t tiles : {1, 5, 9}) {
      loops::array<float> out(static_cast<std::size_t>(tiles) * 64, m.exec.memory());
      loops::run(m.exec, schedule, loops::uniform(tiles, width), adder{out.data()});
      std::vector<float> now = out.to_vector();
      constexpr auto lanes = TypeParam::template block<adder::shape>::threads;
      now.resize(lanes);
      if (right.empty()) right = now;
      ASSERT_TRUE(support::same_bits(right, now)) << m.name << ", " << tiles << " tiles";
    }
}

TYPED_TEST(run_on, more_pieces_than_blocks_are_refused) {
  loops::array<float> out(std::size_t{64} * 5, this->any().memory());
  support::expect_error(loops::errc::unsupported, "cut the work into fewer pieces", [&] {
    loops::run(this->any(), loops::schedule::split_k{INT_MAX},
               loops::uniform(5, std::int64_t{1} << 40), adder{out.data()});
  });
}

/// The same by two teams, the halves of a block, which take tiles in turn.
struct in_turns : adder {
  static constexpr bool whole_tiles = true;
  template <class Block>
  class agent : public adder::agent<Block> {
   public:
    LOOPS_HD agent(const in_turns& p, Block& block, storage<Block>& s)
        : adder::agent<Block>(p, block, s), team_(2 * block.lane() / Block::threads) {}
    LOOPS_HD bool takes(const loops::segment&) {
      constexpr int teams = Block::threads > 1 ? 2 : 1;
      const bool mine = turn_ == team_;
      turn_ = (turn_ + 1) % teams;
      return mine;
    }

   private:
    int team_;
    int turn_ = 0;
  };
};

TYPED_TEST(run_on, teams_take_whole_tiles_in_turn) {
  // More than one for every block there is room for, whatever the machine.
  const loops::machine whole = this->any().template describe<adder::shape>();
  const std::int64_t tiles = std::max(std::int64_t{1000}, 5 * whole.blocks);
  constexpr auto lanes = static_cast<std::size_t>(TypeParam::template block<adder::shape>::threads);
  constexpr std::size_t half = lanes > 1 ? lanes / 2 : 1;
  const loops::uniform w(tiles, 5);
  for (const auto& m : programs::machines<TypeParam>()) {
    SCOPED_TRACE(m.name);
    loops::array<float> out(std::size_t(tiles) * lanes, m.exec.memory());
    loops::run(m.exec, loops::schedule::data_parallel{}, w, adder{out.data()});
    const std::vector<float> right = out.to_vector();
    out.fill(0xff);
    loops::run(m.exec, loops::schedule::data_parallel{}, w, in_turns{{out.data()}});
    const std::vector<float> got = out.to_vector();
    std::size_t by_second = 0;
    for (std::size_t t = 0; t < std::size_t(tiles); ++t) {
      // One half has the tile; nobody else wrote there.
      const bool second = std::isnan(got[t * lanes]);
      by_second += second;
      for (std::size_t i = 0; i < lanes; ++i) {
        const float v = got[t * lanes + i];
        const bool theirs = (i >= half) == second;
        ASSERT_TRUE(theirs ? v == right[t * lanes + i] : std::isnan(v))
            << "tile " << t << ", lane " << i;
      }
    }
    if (lanes > 1) {
      EXPECT_GT(by_second, 0U);
      EXPECT_LT(by_second, std::size_t(tiles));
    }
  }
  support::expect_error(loops::errc::unsupported, "take whole tiles", [&] {
    static_cast<void>(loops::plan_run(this->any(), loops::schedule::split_k{2}, w, in_turns{}));
  });
}

template <class Kernel>
struct without_a_block {
  Kernel kernel;
  std::int64_t lost;
  template <class Block>
  using storage = typename Kernel::template storage<Block>;
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if (block.id() != lost) kernel(block, shared);
  }
};

/// Leaves one block of every kernel that hands partials on out of its launches, while `*lost` >= 0.
template <class Exec>
struct forgetful : Exec {
  std::shared_ptr<std::int64_t> lost = std::make_shared<std::int64_t>(-1);
  explicit forgetful(const Exec& exec) : Exec(exec) {}
  template <class Shape, class Kernel>
  void launch(std::int64_t blocks, const Kernel& kernel) const {
    if constexpr (requires { kernel.parts; }) {
      Exec::template launch<Shape>(blocks, without_a_block<Kernel>{kernel, *lost});
    } else {
      Exec::template launch<Shape>(blocks, kernel);
    }
  }
};

TYPED_TEST(run_on, a_lost_partial_is_reported_and_the_next_launch_is_right) {
  const support::sizes s{"", {0, 70, 0, 30}};
  // On a CPU that has other things to do a peer may not be running for a while.
  constexpr bool on_host = std::is_same_v<TypeParam, loops::host_executor>;
  constexpr std::int64_t patience = on_host ? 300'000 : 2000;
  for (const auto& m : programs::machines<TypeParam>()) {
    SCOPED_TRACE(m.name);
    const forgetful<TypeParam> exec(m.exec);
    programs::spelling<forgetful<TypeParam>, speller<32>> all(exec, s);
    const loops::segments<std::int64_t> w(all.offsets.data(), 4, 100);
    auto plan = loops::plan_run<speller<32>>(exec, loops::schedule::stream_k{.processors = 4}, w,
                                             speller<32>::slot_bytes, patience);
    EXPECT_GE(plan.resident(), 1);
    EXPECT_LE(plan.resident(), plan.workers());
    if (plan.workers() < 2) continue;
    // Of two workers the second ends the tile, of three and four the third, who asks the one before
    // it first.
    const std::int64_t lost = plan.workers() == 2 ? 0 : 1;
    const std::string words = "worker " + std::to_string(lost + 1) +
                              " gave up waiting for worker " + std::to_string(lost) +
                              "'s part of tile 1";
    for (int i = 0; i < 3; ++i) {
      all.renew();
      loops::run(plan, all.program());
      plan.check();
      all.expect_right(false);
      *exec.lost = lost;
      loops::run(plan, all.program());
      *exec.lost = -1;
      support::expect_error(loops::errc::device, words, [&] { plan.check(); });
      plan.check();
    }
  }
}

/// Holds nothing at once, as a device does whose processors are too small for a block.
template <class Exec>
struct too_small : Exec {
  explicit too_small(const Exec& exec) : Exec(exec) {}
  template <class, class>
  [[nodiscard]] std::int64_t resident(int) const {
    return 0;
  }
};

TYPED_TEST(run_on, a_block_that_fits_nowhere_is_refused) {
  support::expect_error(loops::errc::unsupported, "use a smaller tile", [&] {
    static_cast<void>(loops::plan_run(too_small<TypeParam>(this->any()),
                                      loops::schedule::stream_k{}, loops::uniform(9, 30), adder{}));
  });
}

TYPED_TEST(run_on, refuses_what_cannot_be_run) {
  const TypeParam exec = this->any();
  const auto plan = [&](const auto& schedule, const auto& w) {
    return [&exec, schedule, w] { static_cast<void>(loops::plan_run(exec, schedule, w, adder{})); };
  };
  using loops::errc;
  const loops::uniform w(9, 30);
  support::expect_error(errc::invalid_argument, "at least one piece",
                        plan(loops::schedule::split_k{0}, w));
  support::expect_error(errc::invalid_argument, "`waves`", plan(loops::schedule::stream_k{-2}, w));
  support::expect_error(errc::invalid_argument, "processors",
                        plan(loops::schedule::data_parallel{-1}, w));
  support::expect_error(
      errc::overflow, "pieces",
      plan(loops::schedule::split_k{8}, loops::uniform(std::int64_t{1} << 60, 1)));
  for (const int cluster : {0, -1})
    support::expect_error(errc::invalid_argument, "has a block at least", [&] {
      static_cast<void>(
          loops::plan_run<adder>(exec, loops::schedule::data_parallel{}, w, 8, 0, cluster));
    });
  // Seventeen slots, of so many bytes that all together would wrap around to few.
  constexpr std::size_t slot = ((std::size_t{1} << 57) / 17 + 1) * 128;
  support::expect_error(errc::overflow, "the partials of 18 workers", [&] {
    static_cast<void>(loops::plan_run<adder>(exec, loops::schedule::split_k{2}, w, slot));
  });
  support::expect_error(errc::overflow, "cannot be scheduled",
                        plan(loops::schedule::stream_k{},
                             loops::uniform(std::int64_t{1} << 40, std::int64_t{1} << 40)));
}

#if !LOOPS_CUDA && !LOOPS_HIP

/// What an accumulator of 128 x 256 in f32 needs.
struct large_state : adder {
  static constexpr std::size_t slot_bytes = 128 * 256 * 4;
};

/// Throws at the end of tile `bad`.
struct throwing : adder {
  std::int64_t bad = -1;
  template <class Block>
  struct agent : adder::agent<Block> {
    agent(const throwing& p, Block& block, typename adder::storage<Block>& shared)
        : adder::agent<Block>(p, block, shared), bad_(p.bad) {}
    void finish(std::int64_t tile) {
      if (tile == bad_) throw loops::error(loops::errc::invalid_argument, "a bad tile");
      adder::agent<Block>::finish(tile);
    }
    std::int64_t bad_;
  };
};

TYPED_TEST(run_on, begins_afresh_after_a_program_threw) {
  const loops::uniform w(5, 40);
  for (const auto& m : programs::machines<TypeParam>()) {
    SCOPED_TRACE(m.name);
    auto plan = loops::plan_run(m.exec, loops::schedule::stream_k{}, w, throwing{});
    std::vector<float> right(5 * 64, -1);
    plan(throwing{{right.data()}});
    for (const std::int64_t bad : {0, 4, 2}) {
      std::vector<float> out(5 * 64, -1);
      support::expect_error(loops::errc::invalid_argument, "a bad tile", [&] {
        plan(throwing{{out.data()}, bad});
      });
      out.assign(out.size(), -1);
      plan(throwing{{out.data()}});
      plan.check();
      EXPECT_EQ(out, right) << "after tile " << bad;
    }
  }
}

/// A tile per block, of as many blocks as a grid holds.
struct tile_per_block {
  static constexpr const char* name() { return "tile_per_block"; }
  [[nodiscard]] constexpr auto compose() const {
    return loops::composed<loops::measure::one_tile, loops::worker::block,
                           loops::order::last_first>{};
  }
};

TYPED_TEST(run_on, a_grid_holds_the_workers_of_any_work) {
  const auto exec = this->any();
  const loops::uniform many(std::int64_t{1} << 40, 1);
  constexpr int threads = TypeParam::template block<adder::shape>::threads;
  const std::int64_t most = loops::most_blocks(threads);
  const auto plan = loops::plan_run(exec, tile_per_block{}, many, adder{});
  EXPECT_EQ(plan.workers(), most);
  const auto in_threes = loops::plan_run<adder>(exec, tile_per_block{}, many, 0, 0, 3);
  EXPECT_EQ(in_threes.workers(), most / 3);
}

TEST(run, workspace_is_a_slot_per_worker_whatever_the_problem) {
  loops::emulation_options o;
  o.residency = 132;
  const loops::emulation_executor<32> exec(o);
  for (const std::int64_t tiles : {1, 131, 133, 263, 5000})
    for (const int waves : {loops::schedule::stream_k::all, 1, 2, 6}) {
      const auto plan =
          loops::plan_run<large_state>(exec, loops::schedule::stream_k{waves},
                                       loops::uniform(tiles, 128), large_state::slot_bytes);
      EXPECT_LE(plan.bytes(), 17U << 20);
    }
}

TEST(run, whole_tiles_hand_nothing_on_and_are_not_noted) {
  loops::emulation_options o;
  o.residency = 5;
  const loops::emulation_executor<32> exec(o);
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i <= 133; ++i) offsets.push_back(128 * i);
  const auto bytes = [&](const auto& schedule, const auto& w) {
    return loops::plan_run<large_state>(exec, schedule, w, large_state::slot_bytes).bytes();
  };
  const loops::segments<std::int64_t> ragged(offsets.data(), 133, offsets.back());
  EXPECT_EQ(bytes(loops::schedule::data_parallel{}, ragged), 0U);
  EXPECT_EQ(bytes(loops::schedule::data_parallel{}, loops::uniform(133, 128)), 0U);
  EXPECT_EQ(bytes(loops::schedule::split_k{1}, loops::uniform(133, 128)), 0U);
  // Of five shares and 130 tiles, only the shares are noted: where they begin and end.
  const loops::schedule::stream_k few{.waves = 1};
  EXPECT_LE(bytes(few, ragged),
            bytes(few, loops::uniform(133, 128)) + 7 * sizeof(loops::coordinate));
}

/// Starts early, and does not wait: the emulation says so. Blocks share a processor.
struct hurried : adder {
  static constexpr bool starts_early = true;
  static constexpr std::int64_t crowds_from = 4;  ///< atoms of a block
  template <class Block>
  class agent : public adder::agent<Block> {
   public:
    LOOPS_HD agent(const hurried& p, Block& block, storage<Block>& shared)
        : adder::agent<Block>(p, block, shared) {}
  };
};

TEST(run, blocks_that_would_crowd_do_not_start_early) {
  loops::emulation_options o;
  o.residency = 6;
  const loops::emulation_executor<32> exec(o);
  std::vector<float> out(64 * 13);
  const auto starts_early = [&](std::int64_t tiles, std::int64_t atoms) {
    const hurried program{{out.data()}};
    try {
      loops::plan_run(exec, loops::schedule::data_parallel{}, loops::uniform(tiles, atoms),
                      program)(program);
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), loops::errc::device) << e.what();
      return true;
    }
    return false;
  };
  EXPECT_FALSE(starts_early(5, 4)) << "some processors would have two blocks and others none";
  EXPECT_FALSE(starts_early(1, 100));
  EXPECT_TRUE(starts_early(5, 3)) << "three atoms are too few to wait for";
  EXPECT_TRUE(starts_early(6, 4)) << "six blocks are all that there is room for";
  EXPECT_TRUE(starts_early(13, 4));
}

#endif

}  // namespace
