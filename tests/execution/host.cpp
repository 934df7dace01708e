// SPDX-License-Identifier: Apache-2.0
/// The host's thread pool and one-lane blocks.
#include "loops/execution/host.hpp"

#include "support/few_threads.hpp"

#include <climits>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace loops;

TEST(host_pool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 5}) {
    host::pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int count : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      auto task = [&](std::int64_t i) { ++seen[static_cast<std::size_t>(i)]; };
      pool.run(count, host::task_ref(task));
      for (const auto& times : seen) EXPECT_EQ(times.load(), 1);
    }
  }
}

TEST(host_pool, NumbersThoseWhoWorkAtATime) {
  constexpr int threads = 4;
  host::pool pool(threads);
  std::vector<std::atomic<int>> inside(threads);
  std::atomic<int> wrong{0};
  auto task = [&](std::int64_t) {
    const int who = host::worker();
    if (who < 0 || who >= threads || inside[static_cast<std::size_t>(who)].fetch_add(1) != 0)
      ++wrong;
    auto inner = [&](std::int64_t) { wrong += host::worker() != who; };
    pool.run(3, host::task_ref(inner));
    inside[static_cast<std::size_t>(who)].fetch_sub(1);
  };
  for (int run = 0; run < 500; ++run) pool.run(20, host::task_ref(task));
  EXPECT_EQ(wrong, 0);
}

TEST(host_pool, NumbersOfAPoolAreItsOwn) {
  host::pool large(4);
  host::pool small(2);
  std::atomic<int> wrong{0};
  auto inner = [&](std::int64_t) { wrong += host::worker() != 0; };
  auto task = [&](std::int64_t) {
    const int who = host::worker();
    small.run(3, host::task_ref(inner));
    wrong += host::worker() != who;
  };
  for (int run = 0; run < 100; ++run) large.run(20, host::task_ref(task));
  EXPECT_EQ(wrong, 0);
}

TEST(host_pool, SurvivesManyShortRuns) {
  host::pool pool(3);
  std::atomic<std::int64_t> sum{0};
  auto task = [&](std::int64_t i) { sum += i; };
  for (int run = 0; run < 20000; ++run) pool.run(4, host::task_ref(task));
  EXPECT_EQ(sum.load(), 20000 * 6);
}

/// Helpers may still be on their way into the run that has just ended.
TEST(host_pool, EndsRightAfterARun) {
  for (int i = 0; i < 3000; ++i) {
    host::pool pool(8);
    std::atomic<int> done{0};
    auto task = [&](std::int64_t) { ++done; };
    for (int run = 0; run < i % 3; ++run) pool.run(8, host::task_ref(task));
    ASSERT_EQ(done, 8 * (i % 3));
  }
}

TEST(host_pool, HandsTasksOutInIncreasingOrder) {
  // Block i may wait for blocks below i: with tasks out of order this would never end.
  host::pool pool(4);
  std::vector<std::atomic<bool>> done(200);
  auto task = [&](std::int64_t i) {
    for (std::int64_t before = 0; before < i; ++before)
      while (!done[static_cast<std::size_t>(before)].load()) std::this_thread::yield();
    done[static_cast<std::size_t>(i)] = true;
  };
  pool.run(200, host::task_ref(task));
  EXPECT_TRUE(done.back().load());
}

TEST(host_pool, EndsWaitsForATaskThatThrew) {
  host::pool pool(2);
  const host::block<shape<32, 1>> block(0, 1);
  std::atomic<bool> waits{false};
  for (int run = 0; run < 3; ++run) {
    waits = false;
    auto task = [&](std::int64_t i) {
      if (i == 0) {
        while (!waits) std::this_thread::yield();
        throw std::runtime_error("zero");
      }
      for (;;) {
        waits = true;
        block.relax();
      }
    };
    try {
      pool.run(2, host::task_ref(task));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "zero");
    }
    std::atomic<int> done{0};
    auto waiting = [&](std::int64_t) {
      block.relax();
      ++done;
    };
    pool.run(9, host::task_ref(waiting));
    EXPECT_EQ(done, 9);
  }
}

TEST(host_pool, RethrowsAndGoesOn) {
  host::pool pool(3);
  auto bad = [](std::int64_t i) {
    if (i == 17) throw std::runtime_error("seventeen");
  };
  EXPECT_THROW(pool.run(100, host::task_ref(bad)), std::runtime_error);
  std::atomic<int> count{0};
  auto good = [&](std::int64_t) { ++count; };
  pool.run(100, host::task_ref(good));
  EXPECT_EQ(count.load(), 100);
}

TEST(host_pool, RunsNestedCallsInPlace) {
  host::pool pool(2);
  std::atomic<int> count{0};
  auto inner = [&](std::int64_t) { ++count; };
  auto outer = [&](std::int64_t) { pool.run(10, host::task_ref(inner)); };
  pool.run(10, host::task_ref(outer));
  EXPECT_EQ(count.load(), 100);
}

TEST(host_pool, ServesSeveralCallersInTurn) {
  host::pool pool(2);
  std::atomic<int> count{0};
  auto task = [&](std::int64_t) { ++count; };
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c)
      callers.emplace_back([&] {
        for (int i = 0; i < 100; ++i) pool.run(8, host::task_ref(task));
      });
  }
  EXPECT_EQ(count.load(), 4 * 100 * 8);
}

TEST(host_pool, ChecksTheNumberOfThreads) {
  EXPECT_THROW(host::pool(-1), error);
  EXPECT_THROW(host_executor(nullptr), error);
  for (const int many : {4097, 1000000000, INT_MAX}) EXPECT_THROW(host::pool{many}, error);
  for (const char* bad : {"none", "0", "-2", "3x", ""}) {
    ASSERT_EQ(setenv("LOOPS_THREADS", bad, 1), 0);
    try {
      const host::pool pool;
      ADD_FAILURE() << "LOOPS_THREADS='" << bad << "' was accepted";
    } catch (const error& e) {
      EXPECT_NE(e.message().find("LOOPS_THREADS"), std::string::npos);
    }
  }
  ASSERT_EQ(setenv("LOOPS_THREADS", "3", 1), 0);
  EXPECT_EQ(host::pool().threads(), 3);
  unsetenv("LOOPS_THREADS");
}

TEST(host_pool, GoesOnWithTheThreadsThatThereAre) {
  if (support::under_sanitizers()) GTEST_SKIP() << "NOT TESTED: sanitizers need the room";
  const auto child = [] {
    support::leave_room_for_few_threads();
    host::pool pool(2000);
    std::atomic<int> done{0};
    auto task = [&](std::int64_t) { ++done; };
    for (int i = 0; i < 3; ++i) pool.run(3000, host::task_ref(task));
    _exit(pool.threads() < 2000 && done == 9000 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

struct record_blocks {
  std::int64_t* seen;
  template <class Block>
  struct storage {
    int scratch;
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    static_assert(Block::threads == 1 && Block::wave == 1);
    shared.scratch = block.lane();
    block.sync();
    const std::int64_t mine = block.shuffle_xor(block.id(), 1) + shared.scratch;
    block.atomic_add(seen + mine, std::int64_t{1} + (block.ballot(true) == 1 ? 0 : 100));
  }
};

TEST(host_executor, LaunchesEveryBlockWithOneLane) {
  const host_executor exec(std::make_shared<host::pool>(2));
  std::vector<std::int64_t> seen(1000, 0);
  exec.launch<shape<256, 8>>(1000, record_blocks{seen.data()});
  EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), std::int64_t{0}), 1000);
  EXPECT_EQ(seen.front(), 1);
  EXPECT_EQ(seen.back(), 1);
}

TEST(host_block, AtomicsReturnTheOldValue) {
  const host::block<shape<32, 1>> block(0, 1);
  float f = 1.5f;
  EXPECT_EQ(block.atomic_add(&f, 2.0f), 1.5f);
  EXPECT_EQ(f, 3.5f);
  block.accumulate(&f, 0.25f);
  EXPECT_EQ(f, 3.75f);
  int i = 4;
  EXPECT_EQ(block.atomic_max(&i, 9), 4);
  EXPECT_EQ(block.atomic_min(&i, 2), 9);
  EXPECT_EQ(block.atomic_or(&i, 5), 2);
  EXPECT_EQ(block.atomic_or(&i, 1), 7);
  i = 2;
  EXPECT_EQ(block.load_acquire(&i), 2);
  block.store_release(&i, 7);
  EXPECT_EQ(i, 7);
}

}  // namespace
