// SPDX-License-Identifier: Apache-2.0
/// A sample is what a run took, without what comes before it.
#include "loops/execution/stopwatch.hpp"

#include "support/executors.hpp"

#include <vector>

namespace {

using namespace loops;

template <class Exec>
class stopwatch_on : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(stopwatch_on, support::executors, support::executor_name);

/// Keeps the host and, by its launches, the device busy.
template <class Exec>
void work(const Exec& exec, array<char>& bytes, double seconds) {
  const double until = seconds_now() + seconds;
  do {
    bytes.fill(1);
    exec.synchronize();
  } while (seconds_now() < until);
}

TYPED_TEST(stopwatch_on, leaves_out_what_comes_before) {
  const auto exec = this->any();
  array<char> bytes(1 << 16, exec.memory());
  stopwatch<TypeParam> clock(exec);
  int before = 0;
  int runs = 0;
  const std::vector<double> seconds = clock.sample(
      3, sample_when::idle,
      [&] {
        ++before;
        work(exec, bytes, 0.05);
      },
      [&] {
        ++runs;
        bytes.fill(2);
      });
  EXPECT_EQ(before, 3);
  EXPECT_EQ(runs, 3);
  ASSERT_EQ(seconds.size(), 3U);
  int quick = 0;
  for (const double s : seconds) {
    EXPECT_GE(s, 0);
    quick += s < 0.04;
  }
  EXPECT_GT(quick, 0);  // a busy machine may hold up some
}

TYPED_TEST(stopwatch_on, counts_what_runs) {
  const auto exec = this->any();
  array<char> bytes(1 << 16, exec.memory());
  stopwatch<TypeParam> clock(exec);
  // Waiting for the device inside of a run: its clock sees the time pass too.
  for (int again = 0; again < 2; ++again)
    for (const double s : clock.sample(
             2, sample_when::queued, [] {}, [&] { work(exec, bytes, 0.02); }))
      EXPECT_GT(s, 0.015);
}

}  // namespace
