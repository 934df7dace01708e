// SPDX-License-Identifier: Apache-2.0
/// Thrust vectors as x and y of SpMV.
#include "loops/backend/config.hpp"

#include <gtest/gtest.h>

// Without a GPU compiler, Thrust's device is the CPU.
#if !LOOPS_CUDA && !LOOPS_HIP
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif

#if __has_include(<thrust/host_vector.h>)

#include "algorithms/spmv/spmv.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <optional>
#include <vector>

namespace {

using namespace loops;

TEST(thrust_test, VectorsAreArguments) {
  std::optional<executor> there;
  try {
    there.emplace(default_executor());
  } catch (const error& e) {
    GTEST_SKIP() << e.what();
  }
  const executor& exec = *there;
  csr<double> a;
  a.rows = 2;
  a.cols = 3;
  a.offsets = array<int>(std::vector<int>{0, 2, 3}, exec.memory());
  a.indices = array<int>(std::vector<int>{0, 2, 1}, exec.memory());
  a.values = array<double>(std::vector<double>{1, 2, 3}, exec.memory());
  thrust::device_vector<double> x(3, 1.0);
  x[1] = 5.0;
  thrust::device_vector<double> y(2, -1.0);
  spmv(exec, schedule::merge_path{}, a.view(), x, y);
  exec.synchronize();
  EXPECT_EQ(static_cast<double>(y[0]), 3.0);
  EXPECT_EQ(static_cast<double>(y[1]), 15.0);
  thrust::device_vector<double> too_short(1);
  EXPECT_THROW(spmv(exec, schedule::merge_path{}, a.view(), x, too_short), error);
}

}  // namespace

#else

TEST(thrust_test, NeedsThrust) {
  GTEST_SKIP() << "Thrust is not installed";
}

#endif
