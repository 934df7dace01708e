// SPDX-License-Identifier: Apache-2.0
/// Blocks in flight: order, interleaving, waiting on lower blocks, repeatability.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "support.hpp"

extern "C" [[gnu::weak]] void* __asan_region_is_poisoned(void* begin, std::size_t size);

namespace {

using emulation_tests::everywhere;
using emulation_tests::message_of;
using emulation_tests::nothing;
using loops::shape;

// A running sum over blocks: each waits for the one before it.
struct chain {
  std::int64_t* sums;
  int* flags;
  template <class Block>
  struct storage {
    std::int64_t before;
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    if (block.lane() == Block::threads - 1) {
      shared.before = 0;
      if (block.id() > 0) {
        while (block.load_acquire(flags + block.id() - 1) == 0) block.relax();
        shared.before = sums[block.id() - 1];
      }
    }
    block.sync();
    if (block.lane() == 0) {
      sums[block.id()] = shared.before + block.id() + 1;
      block.store_release(flags + block.id(), 1);
    }
  }
};

TEST(emulation_launch, blocks_may_wait_for_lower_blocks) {
  everywhere([](const auto& exec) {
    std::vector<std::int64_t> sums(33, -1);
    std::vector<int> flags(33, 0);
    exec.template launch<shape<64, 1>>(33, chain{sums.data(), flags.data()});
    for (std::int64_t i = 0; i < 33; ++i)
      ASSERT_EQ(sums[static_cast<std::size_t>(i)], (i + 1) * (i + 2) / 2);
  });
}

// Looks back with a whole wave, the way a decoupled look-back does.
struct look_back {
  int* flags;
  int* seen;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const auto before = block.id() - 1 - block.lane();
    for (;;) {
      const bool there = before < 0 || block.load_acquire(flags + before) != 0;
      const auto all = block.ballot(there);
      if (all == block.ballot(true)) break;
      block.relax();
    }
    if (block.lane() == 0) seen[block.id()] = 1;
    if (block.lane() == 0) block.store_release(flags + block.id(), 1);
  }
};

TEST(emulation_launch, a_wave_may_look_back) {
  everywhere([](const auto& exec) {
    std::vector<int> flags(50, 0), seen(50, 0);
    exec.template launch<shape<32, 1>>(50, look_back{flags.data(), seen.data()});
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 50);
  });
}

// Does nothing between `rounds` barriers; the blocks above wait until it is done.
struct computes_long {
  int rounds;
  int* done;
  template <class Block>
  struct storage {};
  template <class Block>
  void operator()(Block& block, storage<Block>&) const {
    if (block.id() == 0) {
      for (int i = 0; i < rounds; ++i) block.sync();
      if (block.lane() == 0) block.store_release(done, 1);
    } else if (block.lane() == 0) {
      while (block.load_acquire(done) == 0) block.relax();
    }
  }
};

template <int Threads>
void expect_to_finish(int blocks) {
  for (auto options : loops::emulation_options::sweep(3)) {
    SCOPED_TRACE(options.to_string());
    options.patience = 100;
    int done = 0;
    loops::emulation_executor<32>(options).template launch<shape<Threads, 1>>(
        blocks, computes_long{400, &done});
    EXPECT_EQ(done, 1);
  }
}

TEST(emulation_launch, a_block_that_computes_is_not_taken_for_one_that_waits) {
  expect_to_finish<1024>(1);
  expect_to_finish<256>(1);
  expect_to_finish<256>(5);
}

// What lanes did, in the order in which they did it.
template <class T>
struct journal {
  std::vector<T> lines;
  std::mutex lock;
  void write(T line) {
    const std::lock_guard hold(lock);
    lines.push_back(line);
  }
};

struct log_starts {
  journal<std::int64_t>* order;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() == 0) order->write(block.id());
    block.relax();
    block.sync();
  }
};

std::vector<std::int64_t> starts(const loops::emulation_options& options, std::int64_t blocks) {
  journal<std::int64_t> order;
  loops::emulation_executor<32>(options).launch<shape<64, 1>>(blocks, log_starts{&order});
  return order.lines;
}

TEST(emulation_launch, blocks_start_in_increasing_order_unless_seeded) {
  loops::emulation_options options;
  for (int residency : {1, 3, 16}) {
    options.residency = residency;
    options.blocks = loops::emulation::order::up;
    auto order = starts(options, 20);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    options.blocks = loops::emulation::order::seeded;
    order = starts(options, 20);
    EXPECT_EQ(order, starts(options, 20));
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(std::set<std::int64_t>(order.begin(), order.end()).size(), 20u);
    options.seed = 99;
    EXPECT_NE(order, starts(options, 20));
    options.seed = 1;
  }
}

// Counts how many blocks are between their two ends at once.
struct overlap {
  std::atomic<int>* now;
  std::atomic<int>* most;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() == 0) *most = std::max(most->load(), ++*now);
    block.relax();
    block.sync();
    if (block.lane() == 0) --*now;
  }
};

TEST(emulation_launch, residency_bounds_the_blocks_in_flight) {
  for (int residency : {1, 2, 5}) {
    loops::emulation_options options;
    options.residency = residency;
    std::atomic<int> now = 0, most = 0;
    loops::emulation_executor<64>(options).launch<shape<64, 1>>(12, overlap{&now, &most});
    EXPECT_EQ(now, 0);
    EXPECT_EQ(most, residency);
  }
}

struct lane_order {
  journal<int>* order;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    order->write(block.lane());
    block.sync();
    order->write(block.lane());
  }
};

template <int Wave>
std::vector<int> lanes_in_order(loops::emulation::order lanes, std::uint64_t seed) {
  loops::emulation_options options;
  options.lanes = lanes;
  options.seed = seed;
  journal<int> order;
  loops::emulation_executor<Wave>(options).template launch<shape<128, 1>>(1, lane_order{&order});
  return order.lines;
}

TEST(emulation_launch, lanes_run_in_the_order_asked_for) {
  using loops::emulation::order;
  const auto up = lanes_in_order<32>(order::up, 1);
  ASSERT_EQ(up.size(), 256u);
  EXPECT_TRUE(std::is_sorted(up.begin(), up.begin() + 128));
  EXPECT_TRUE(std::is_sorted(up.begin() + 128, up.end()));
  const auto down = lanes_in_order<64>(order::down, 1);
  EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rbegin() + 128));
  const auto seeded = lanes_in_order<32>(order::seeded, 1);
  EXPECT_EQ(seeded, lanes_in_order<32>(order::seeded, 1));
  EXPECT_NE(seeded, lanes_in_order<32>(order::seeded, 2));
  EXPECT_EQ(std::set<int>(seeded.begin(), seeded.begin() + 128).size(), 128u);
  EXPECT_NE(std::vector<int>(seeded.begin(), seeded.begin() + 128),
            std::vector<int>(seeded.begin() + 128, seeded.end()));
}

template <int Wave, int Threads>
void expect_all_lanes() {
  loops::emulation_options options;
  options.lanes = loops::emulation::order::seeded;
  journal<int> order;
  loops::emulation_executor<Wave>(options).template launch<loops::team<Threads>>(
      1, lane_order{&order});
  EXPECT_EQ(std::set<int>(order.lines.begin(), order.lines.begin() + Threads).size(),
            static_cast<std::size_t>(Threads));
  EXPECT_EQ(order.lines.size(), 2u * Threads);
}

TEST(emulation_launch, teams_of_whole_waves_and_small_ones_run_all_their_lanes) {
  expect_all_lanes<32, 96>();
  expect_all_lanes<64, 192>();
  expect_all_lanes<32, 16>();
  expect_all_lanes<64, 32>();
}

TEST(emulation_launch, describes_the_shape_it_runs) {
  loops::emulation_options options;
  options.residency = 7;
  const auto m = loops::emulation_executor<64>(options).describe<shape<256, 8>>();
  EXPECT_EQ(m.threads, 256);
  EXPECT_EQ(m.wave, 64);
  EXPECT_EQ(m.items, 8);
  EXPECT_EQ(m.batch, 1);
  EXPECT_EQ(m.blocks, 7);
  EXPECT_EQ((loops::emulation_executor<64>().describe<shape<16, 2>>().wave), 16);
}

TEST(emulation_launch, no_blocks_and_negative_blocks) {
  journal<std::int64_t> order;
  loops::emulation_executor<32> exec;
  exec.launch<shape<64, 1>>(0, log_starts{&order});
  EXPECT_TRUE(order.lines.empty());
  EXPECT_THROW((exec.launch<shape<64, 1>>(-1, log_starts{&order})), loops::error);
}

// Where lane 0 keeps its locals.
struct tell_stack {
  char** where;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() == 0) *where = reinterpret_cast<char*>(&block);
    block.sync();
  }
};

// AddressSanitizer would hold a redzone left there against whatever is mapped at that address next.
TEST(emulation_launch, stacks_that_are_given_up_leave_no_redzones) {
  if (!__asan_region_is_poisoned) GTEST_SKIP() << "only AddressSanitizer can tell";
  loops::emulation_options options;
  options.residency = 1;
  options.stack_bytes = 80 * 1024;
  char* where = nullptr;
  loops::emulation_executor<32>(options).launch<shape<2, 1>>(1, tell_stack{&where});
  // Lane 0's stack ends with a page, and the frame that outlives the kernel is between.
  const auto rest = 4096 - reinterpret_cast<std::uintptr_t>(where) % 4096;
  ASSERT_NE(__asan_region_is_poisoned(where, rest), nullptr) << "nothing to clear: a void test";
  // As many as are kept, all mapped before the first is given back: nothing is mapped after.
  options.residency = 8;
  options.stack_bytes = 96 * 1024;
  char* other = nullptr;
  loops::emulation_executor<32>(options).launch<shape<2, 1>>(8, tell_stack{&other});
  EXPECT_EQ(__asan_region_is_poisoned(where, rest), nullptr);
}

// One launch inside a lane of another.
struct nested {
  int* sum;
  struct inner {
    int* sum;
    template <class Block>
    using storage = nothing;
    template <class Block>
    void operator()(Block& block, nothing&) const {
      block.sync();
      block.atomic_add(sum, block.lane());
    }
  };
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    block.sync();
    if (block.lane() == 5) loops::emulation_executor<32>().launch<shape<32, 1>>(3, inner{sum});
    block.sync();
  }
};

TEST(emulation_launch, a_lane_may_launch) {
  int sum = 0;
  loops::emulation_executor<64>().launch<shape<64, 1>>(2, nested{&sum});
  EXPECT_EQ(sum, 2 * 3 * 31 * 16);
}

TEST(emulation_launch, threads_launch_independently) {
  std::vector<int> wrong(4, 1);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&wrong, t] {
        for (int i = 0; i < 20; ++i) {
          std::vector<std::int64_t> sums(9, -1);
          std::vector<int> flags(9, 0);
          loops::emulation_executor<32>().launch<shape<64, 1>>(9, chain{sums.data(), flags.data()});
          if (sums[8] != 45) return;
        }
        wrong[static_cast<std::size_t>(t)] = 0;
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

struct environment {
  environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~environment() { unsetenv(name_); }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  const char* name_;
};

TEST(emulation_options, are_read_from_the_environment) {
  const environment order("LOOPS_EMULATION_ORDER", "seeded");
  const environment blocks("LOOPS_EMULATION_BLOCK_ORDER", "seeded");
  const environment seed("LOOPS_EMULATION_SEED", "42");
  const environment residency("LOOPS_EMULATION_RESIDENCY", "9");
  const environment poison("LOOPS_EMULATION_POISON", "0xff");
  const environment shared("LOOPS_EMULATION_SHARED", "163840");
  const auto o = loops::emulation_options::from_environment();
  EXPECT_EQ(o.to_string(), "lanes seeded, blocks seeded, seed 42, residency 9, poison 0xff");
  EXPECT_EQ(o.shared_bytes, 163840u);
}

TEST(emulation_options, that_mean_nothing_are_refused_before_a_plan_is_made) {
  const auto refused = [](const loops::emulation_options& o) {
    return message_of([&] { (void)loops::emulation_executor<32>(o); });
  };
  for (const int residency : {-1, 0, 1025})
    EXPECT_NE(refused({.residency = residency}).find("residency must be 1 … 1024"),
              std::string::npos);
  EXPECT_NE(refused({.stack_bytes = 100}).find("at least 16 KiB"), std::string::npos);
  EXPECT_NE(refused({.blocks = loops::emulation::order::down}).find("increasing or seeded"),
            std::string::npos);
  EXPECT_EQ(refused({.residency = 1024}), "");
}

TEST(emulation_options, bad_values_are_named) {
  const std::pair<const char*, const char*> bad[] = {
      {"LOOPS_EMULATION_ORDER", "sideways"}, {"LOOPS_EMULATION_BLOCK_ORDER", "down"},
      {"LOOPS_EMULATION_SEED", "-1"},        {"LOOPS_EMULATION_SEED", "12x"},
      {"LOOPS_EMULATION_RESIDENCY", "0"},    {"LOOPS_EMULATION_POISON", "256"},
      {"LOOPS_EMULATION_POISON", "on"},      {"LOOPS_EMULATION_STACK", "1"},
      {"LOOPS_EMULATION_PATIENCE", ""},      {"LOOPS_EMULATION_SEED", "99999999999999999999999"}};
  for (const auto& [name, value] : bad) {
    const environment set(name, value);
    const auto text = message_of([] { (void)loops::emulation_options::from_environment(); });
    EXPECT_NE(text.find(name), std::string::npos) << name << "=" << value << ": " << text;
    EXPECT_EQ(text.find("or off") != std::string::npos,
              std::string(name) == "LOOPS_EMULATION_POISON")
        << text;
  }
}

}  // namespace
