// SPDX-License-Identifier: Apache-2.0
/// Kernels with a fault in them: each must be found, and the message must name the places.
#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support.hpp"

namespace {

using emulation_tests::everywhere;
using emulation_tests::message_of;
using emulation_tests::nothing;
using loops::shape;

// "…planted_faults.cpp:LINE"
std::string line(int n) {
  return "planted_faults.cpp:" + std::to_string(n);
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

// Reads what its neighbour `Offset` lanes on writes, without the sync in between.
template <int Offset>
struct missing_sync {
  int* out;
  template <class Block>
  struct storage {
    int values[Block::threads];
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    shared.values[block.lane()] = block.lane();
    out[block.lane()] = shared.values[(block.lane() + Offset) % Block::threads];
  }
};

// How many options of the sweep make a wrong result out of the missing sync.
template <int Offset, int Wave>
int wrong_results() {
  int wrong = 0;
  for (const auto& options : loops::emulation_options::sweep()) {
    std::vector<int> out(128, -1);
    loops::emulation_executor<Wave>(options).template launch<shape<128, 1>>(
        1, missing_sync<Offset>{out.data()});
    bool right = true;
    for (int i = 0; i < 128; ++i)
      right = right && out[static_cast<std::size_t>(i)] == (i + Offset) % 128;
    wrong += right ? 0 : 1;
  }
  return wrong;
}

TEST(planted_faults, missing_sync_gives_wrong_results) {
  if (emulation_tests::under_tsan()) GTEST_SKIP() << "ThreadSanitizer reports the race";
  EXPECT_GE((wrong_results<1, 32>()), 3);
  EXPECT_GE((wrong_results<1, 64>()), 3);
  EXPECT_GE((wrong_results<127, 32>()), 3);
  EXPECT_GE((wrong_results<127, 64>()), 3);
  EXPECT_GE((wrong_results<64, 32>()), 3);
  EXPECT_GE((wrong_results<64, 64>()), 3);
}

// A second write that does not wait for the first one's readers.
struct missing_second_sync {
  int* out;
  template <class Block>
  struct storage {
    int values[Block::threads];
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    int v = block.lane();
    for (int round = 0; round < 2; ++round) {
      shared.values[block.lane()] = v;
      block.sync();
      v = shared.values[(block.lane() + 1) % Block::threads];
    }
    out[block.lane()] = v;
  }
};

TEST(planted_faults, missing_sync_before_reuse_gives_wrong_results) {
  if (emulation_tests::under_tsan()) GTEST_SKIP() << "ThreadSanitizer reports the race";
  int wrong = 0;
  for (const auto& options : loops::emulation_options::sweep()) {
    std::vector<int> out(128, -1);
    loops::emulation_executor<64>(options).launch<shape<128, 1>>(1,
                                                                 missing_second_sync{out.data()});
    bool right = true;
    for (int i = 0; i < 128; ++i)
      right = right && out[static_cast<std::size_t>(i)] == (i + 2) % 128;
    wrong += right ? 0 : 1;
  }
  EXPECT_GE(wrong, 3);
}

struct reads_uninitialized {
  float* out;
  template <class Block>
  struct storage {
    float values[Block::threads];
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    out[block.lane()] = shared.values[block.lane()];
    shared.values[block.lane()] = 0;
  }
};

TEST(planted_faults, shared_memory_is_poisoned_before_every_block) {
  loops::emulation_options options;
  options.poison_byte = 0xFF;
  options.residency = 1;
  std::vector<float> out(64, 0);
  loops::emulation_executor<64>(options).launch<shape<64, 1>>(3, reads_uninitialized{out.data()});
  for (float v : out) ASSERT_NE(v, v);
  options.poison_byte = 0xCD;
  loops::emulation_executor<64>(options).launch<shape<64, 1>>(3, reads_uninitialized{out.data()});
  for (float v : out) ASSERT_LT(v, -4e8f);
}

constexpr int first_branch = __LINE__ + 8;
constexpr int second_branch = __LINE__ + 9;
struct barrier_in_both_branches {
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() == 37) {
      block.sync();
    } else {
      block.sync();
    }
  }
};

TEST(planted_faults, divergent_barrier_names_both_places) {
  everywhere([](const auto& exec) {
    const auto text =
        message_of([&] { exec.template launch<shape<128, 1>>(2, barrier_in_both_branches{}); });
    expect_in(text, line(first_branch));
    expect_in(text, line(second_branch));
    expect_in(text, "lane 37");
    expect_in(text, "sync");
    expect_in(text, exec.options().to_string());
  });
}

constexpr int skipped = __LINE__ + 6;
struct one_lane_skips {
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() != 3) block.sync();
    block.sync();
  }
};

TEST(planted_faults, barrier_skipped_by_one_lane_names_both_places) {
  everywhere([](const auto& exec) {
    const auto text = message_of([&] { exec.template launch<shape<64, 1>>(1, one_lane_skips{}); });
    expect_in(text, line(skipped));
    expect_in(text, line(skipped + 1));
    expect_in(text, "lane 3");
  });
}

constexpr int divergent_shuffle = __LINE__ + 7;
struct shuffle_in_a_branch {
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    int v = block.lane();
    if (block.lane() % 2 == 0) v += block.shuffle_xor(v, 1);
    block.sync();
    if (v < 0) block.relax();
  }
};

TEST(planted_faults, wave_operation_in_a_branch_names_both_places) {
  everywhere([](const auto& exec) {
    const auto text =
        message_of([&] { exec.template launch<shape<64, 1>>(1, shuffle_in_a_branch{}); });
    expect_in(text, line(divergent_shuffle));
    expect_in(text, line(divergent_shuffle + 1));
    expect_in(text, "shuffle_xor");
  });
}

struct two_sizes_on_one_line {
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    block.lane() % 2 ? void(block.shuffle(1, 0)) : void(block.shuffle(1.0, 0));
  }
};

TEST(planted_faults, shuffles_of_different_values_are_not_one) {
  everywhere([](const auto& exec) {
    expect_in(message_of([&] { exec.template launch<shape<32, 1>>(1, two_sizes_on_one_line{}); }),
              "divergence");
  });
}

/// One lane of each block takes another way out.
struct early_without_waiting {
  int lane;  ///< -1: none
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() != lane) block.await_previous();
  }
};

TEST(planted_faults, a_lane_launched_early_that_waits_for_nothing_is_named) {
  everywhere([](const auto& exec) {
    exec.template launch_early<shape<64, 1>>(3, early_without_waiting{-1});
    exec.template launch<shape<64, 1>>(3, early_without_waiting{63});
    expect_in(
        message_of([&] { exec.template launch_early<shape<64, 1>>(3, early_without_waiting{63}); }),
        "without await_previous");
  });
}

constexpr int reads_exited = __LINE__ + 7;
struct shuffle_from_exited {
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() == 9) return;
    (void)block.shuffle_down(block.lane(), 1);
  }
};

TEST(planted_faults, shuffle_from_an_exited_lane_names_it) {
  everywhere([](const auto& exec) {
    const auto text =
        message_of([&] { exec.template launch<shape<64, 1>>(1, shuffle_from_exited{}); });
    expect_in(text, line(reads_exited));
    expect_in(text, "lane 8 ");
    expect_in(text, "reads lane 9, which has exited");
  });
}

struct shuffle_from_no_lane {
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    (void)block.shuffle(block.lane(), Block::wave);
  }
};

TEST(planted_faults, shuffle_from_past_the_wave_is_an_error) {
  everywhere([](const auto& exec) {
    expect_in(message_of([&] { exec.template launch<shape<64, 1>>(1, shuffle_from_no_lane{}); }),
              "of a wave of");
  });
}

constexpr int waits_for_higher = __LINE__ + 8;
struct waits_for_the_next_block {
  int* flags;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    if (block.lane() == 0 && block.id() + 1 < block.blocks())
      while (block.load_acquire(flags + block.id() + 1) == 0) block.relax();
    block.sync();
    if (block.lane() == 0) block.store_release(flags + block.id(), 1);
  }
};

TEST(planted_faults, waiting_for_a_higher_block_fails_instead_of_hanging) {
  everywhere([](const auto& exec) {
    std::vector<int> flags(40, 0);
    const auto text = message_of(
        [&] { exec.template launch<shape<64, 1>>(40, waits_for_the_next_block{flags.data()}); });
    expect_in(text, "no progress");
    expect_in(text, line(waits_for_higher));
    expect_in(text, line(waits_for_higher + 1));
    expect_in(text, "lane 0 in relax");
    expect_in(text, "lanes 1-63 in sync");
  });
}

// All lanes of a block wait for what nobody does: they ask each other at a barrier between looks.
struct waits_together {
  int* flag;
  std::int64_t* looks;  // of each block
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    while (!block.sync_any(block.lane() == 0 && block.load_acquire(flag) != 0)) {
      if (block.lane() == 0) ++looks[block.id()];
      block.relax();
    }
  }
};

TEST(planted_faults, waiting_between_barriers_fails_as_soon_as_patience_ends) {
  for (auto options : loops::emulation_options::sweep(3)) {
    SCOPED_TRACE(options.to_string());
    options.patience = 50;
    for (const int blocks : {1, 3}) {
      int flag = 0;
      std::vector<std::int64_t> looks(3, 0);
      const auto text = message_of([&] {
        loops::emulation_executor<32>(options).launch<shape<256, 1>>(
            blocks, waits_together{&flag, looks.data()});
      });
      expect_in(text, "no progress in 50 rounds");
      // Seeded, a block gives way between its waves, so that it may be idle more often than others.
      const auto most = *std::max_element(looks.begin(), looks.end());
      EXPECT_GE(most, 50);
      EXPECT_LE(most, 2 * options.patience + 2);
    }
  }
}

struct spins_without_relax {
  int* flag;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    while (block.load_acquire(flag) == 0) {
    }
  }
};

TEST(planted_faults, waiting_without_relax_fails_instead_of_hanging) {
  int flag = 0;
  loops::emulation_options options;
  options.spin_limit = 1000;
  expect_in(message_of([&] {
              loops::emulation_executor<32>(options).launch<shape<32, 1>>(
                  1, spins_without_relax{&flag});
            }),
            "load_acquire");
}

struct large_kernel {
  template <class Block>
  struct storage {
    double values[Block::threads * Block::items];
  };
  template <class Block>
  void operator()(Block&, storage<Block>&) const {}
};

TEST(planted_faults, too_much_shared_memory_is_refused) {
  everywhere([](const auto& exec) {
    exec.template launch<shape<1024, 8>>(1, large_kernel{});  // 64 KiB: fits
    const auto text = message_of([&] { exec.template launch<shape<1024, 16>>(1, large_kernel{}); });
    expect_in(text, "large_kernel");
    expect_in(text, "131072");
    expect_in(text, "65536");
  });
}

struct counts_itself {
  explicit counts_itself(std::atomic<int>& n) : n_(n) { ++n_; }
  ~counts_itself() { --n_; }
  counts_itself(const counts_itself&) = delete;
  counts_itself& operator=(const counts_itself&) = delete;
  std::atomic<int>& n_;
};

struct throws_in_one_lane {
  std::atomic<int>* alive;
  std::atomic<int>* most;
  template <class Block>
  using storage = nothing;
  template <class Block>
  void operator()(Block& block, nothing&) const {
    const counts_itself here(*alive);
    const auto owned = std::make_unique<std::vector<int>>(100, block.lane());
    *most = std::max(most->load(), alive->load());
    block.sync();
    if (block.id() == 2 && block.lane() == 17) throw std::out_of_range("lane 17 objects");
    block.wave_sync();
    block.sync();
  }
};

TEST(planted_faults, an_exception_in_a_lane_reaches_the_launch_and_destroys_the_locals) {
  everywhere([](const auto& exec) {
    std::atomic<int> alive = 0, most = 0;
    try {
      exec.template launch<shape<128, 1>>(9, throws_in_one_lane{&alive, &most});
      FAIL() << "nothing was thrown";
    } catch (const std::out_of_range& e) {
      EXPECT_STREQ(e.what(), "lane 17 objects");
    }
    EXPECT_EQ(alive, 0);
    EXPECT_GE(most, 128);
    // The stacks are usable again.
    exec.template launch<shape<128, 1>>(2, throws_in_one_lane{&alive, &most});
    EXPECT_EQ(alive, 0);
  });
}

}  // namespace
