// SPDX-License-Identifier: Apache-2.0
/// A trial takes turns, drops what is hopeless, and names the least median.
#include "loops/execution/fastest.hpp"

#include "loops/execution/host.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace {

/// A machine whose clock is what runs say they took.
struct told_time {
  struct diary {
    double now = 0;
    std::vector<std::size_t> ran;  ///< in order
    int flushes = 0;
  };
  struct cached {
    std::size_t cache_bytes = 0;
  };
  std::shared_ptr<diary> book = std::make_shared<diary>();
  std::size_t cache = 0;

  [[nodiscard]] cached facts() const { return {cache}; }
  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const {
    return loops::default_host_memory();
  }
  template <class Shape>
  [[nodiscard]] loops::machine describe() const {
    return {};
  }
  template <class Shape, class Kernel>
  void launch(std::int64_t, const Kernel&) const {
    ++book->flushes;
  }
};

}  // namespace

template <>
class loops::stopwatch<told_time> {
 public:
  explicit stopwatch(const told_time& exec) : exec_(exec) {}
  template <class Before, class Run>
  std::vector<double> sample(int count, sample_when, const Before& before, const Run& run) {
    std::vector<double> out;
    for (int i = 0; i < count; ++i) {
      before();
      const double from = exec_.book->now;
      run();
      out.push_back(exec_.book->now - from);
    }
    return out;
  }

 private:
  told_time exec_;
};

namespace {

using loops::fastest;
using loops::trial;

TEST(fastest, names_the_least_and_drops_the_hopeless) {
  const told_time exec;
  const double takes[] = {1.2e-3, 1.0e-3, 1.0e-3, 9e-3};
  const auto found = fastest(
      exec, 4,
      [&](std::size_t i, int) {
        exec.book->now += takes[i];
        exec.book->ran.push_back(i);
      },
      trial{.rounds = 5});
  EXPECT_EQ(found.place, 1U);  // the first of equals
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found.seconds[i], takes[i], 1e-12);
  // Twice at first, untimed and timed; then in turns, without the one that is out.
  const std::vector<std::size_t> first{0, 0, 1, 1, 2, 2, 3, 3};
  ASSERT_EQ(exec.book->ran.size(), first.size() + 15);
  for (std::size_t i = 0; i < exec.book->ran.size(); ++i)
    EXPECT_EQ(exec.book->ran[i], i < first.size() ? first[i] : (i - first.size()) % 3) << i;
}

TEST(fastest, goes_by_medians) {
  const told_time exec;
  int calls = 0;
  // The first is mostly slower, and once, in its third turn, much faster; the second the reverse.
  const auto found = fastest(
      exec, 2,
      [&](std::size_t i, int) {
        const int turn = calls++ / 2 - 2;
        exec.book->now += turn == 2 ? (i == 0 ? 1e-5 : 1.0) : i == 0 ? 1.1e-3 : 1.0e-3;
      },
      trial{.rounds = 5});
  EXPECT_EQ(found.place, 1U);
  EXPECT_NEAR(found.seconds[0], 1.1e-3, 1e-12);
  EXPECT_NEAR(found.seconds[1], 1.0e-3, 1e-12);
}

TEST(fastest, runs_short_ones_several_times_in_a_row) {
  const told_time exec;
  for (const int most : {32, 3}) {
    std::vector<int> turns[2];
    const auto found = fastest(
        exec, 2,
        [&](std::size_t i, int turn) {
          exec.book->now += 1e-5;
          turns[i].push_back(turn);
        },
        trial{.rounds = 2, .sample_seconds = 4.5e-5, .most_runs = most});
    for (const std::vector<int>& t : turns)
      EXPECT_EQ(t, most == 3 ? (std::vector{0, 0, 0, 1, 2, 0, 1, 2})
                             : (std::vector{0, 0, 0, 1, 2, 3, 0, 1, 2, 3}));
    EXPECT_NEAR(found.seconds[0], 1e-5, 1e-12);
  }
}

TEST(fastest, begins_with_empty_caches_unless_told) {
  for (const bool cold : {false, true}) {
    told_time exec;
    exec.cache = 4096;
    fastest(
        exec, 2, [&](std::size_t, int) { exec.book->now += 1; }, trial{.rounds = 3, .cold = cold});
    // Written and read before each of two first looks and six samples.
    EXPECT_EQ(exec.book->flushes, cold ? 2 * 8 : 0);
  }
}

TEST(fastest, one_way_needs_no_rounds) {
  const told_time exec;
  int runs = 0;
  EXPECT_EQ(fastest(exec, 1, [&](std::size_t, int) { ++runs; }).place, 0U);
  EXPECT_EQ(runs, 2);
}

TEST(fastest, works_on_the_host) {
  const loops::host_executor exec;
  loops::array<char> bytes(std::size_t{1} << 22, exec.memory());
  const auto found = fastest(
      exec, 2, [&](std::size_t i, int) { bytes.fill(static_cast<int>(i)); }, trial{.rounds = 3});
  EXPECT_LT(found.place, 2U);
  for (const double s : found.seconds) EXPECT_GT(s, 0);
}

TEST(fastest, refuses_nothing) {
  const told_time exec;
  const auto none = [](std::size_t, int) {};
  EXPECT_THROW(fastest(exec, 0, none), loops::error);
  EXPECT_THROW(fastest(exec, 2, none, trial{.rounds = 0}), loops::error);
  EXPECT_THROW(fastest(exec, 2, none, trial{.most_runs = 0}), loops::error);
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double close : {0.99, 0.0, -1.0, not_a_number})
    EXPECT_THROW(fastest(exec, 2, none, trial{.close = close}), loops::error) << close;
  for (const double seconds : {-1e-9, not_a_number})
    EXPECT_THROW(fastest(exec, 2, none, trial{.sample_seconds = seconds}), loops::error) << seconds;
  EXPECT_LT(fastest(exec, 2, none, trial{.close = 1, .sample_seconds = 0}).place, 2U);
}

}  // namespace
