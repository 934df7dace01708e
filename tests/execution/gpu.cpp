// SPDX-License-Identifier: Apache-2.0
/// The GPU executor: memory, streams, errors, and plans captured into graphs.
#include "loops/backend/config.hpp"

#include <gtest/gtest.h>

#if LOOPS_CUDA || LOOPS_HIP

#include "algorithms/spmv/spmv.hpp"
#include "algorithms/spmv_transposed/by_atomics.hpp"
#include "loops/execution/gpu.hpp"
#include "loops/execution/sort.hpp"
#include "loops/execution/stopwatch.hpp"
#include "loops/schedule/catalogue.hpp"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace loops;

csr<float> uneven_matrix(const gpu_executor& exec) {
  std::vector<int> offsets{0};
  std::vector<int> columns;
  std::vector<float> values;
  constexpr int rows = 20000;
  for (int r = 0; r < rows; ++r) {
    const int length = r == 777 ? 9000 : r % 7;
    for (int k = 0; k < length; ++k) {
      columns.push_back((r * 31 + k * 17) % rows);
      values.push_back(static_cast<float>((r + k) % 13 - 6));
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  csr<float> a;
  a.rows = rows;
  a.cols = rows;
  a.offsets = array<int>(offsets, exec.memory());
  a.indices = array<int>(columns, exec.memory());
  a.values = array<float>(values, exec.memory());
  return a;
}

class gpu_test : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }
};

TEST_F(gpu_test, CopiesThereAndBack) {
  const gpu_executor exec;
  const std::vector<int> values{3, 1, 4, 1, 5};
  const array<int> there(values, exec.memory());
  EXPECT_EQ(there.to_vector(), values);
  EXPECT_EQ(there.to(default_host_memory()).to_vector(), values);
  array<float> poison(3, exec.memory());
  poison.fill(0xff);
  for (const float f : poison.to_vector()) EXPECT_NE(f, f);
}

// Few bytes come by way of the staging memory, many do not.
TEST_F(gpu_test, CopiesWhateverTheSize) {
  const gpu_executor exec;
  for (const std::size_t bytes : {0, 1, 4095, 4096, 4097, 65535, 65536, 65537, 1 << 20}) {
    std::vector<unsigned char> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<unsigned char>(i * 7 + i / 251);
    ASSERT_EQ(array<unsigned char>(values, exec.memory()).to_vector(), values) << bytes << " bytes";
  }
}

struct write_ids {
  std::int64_t* out;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    out[block.id() * Block::threads + block.lane()] = block.id() * Block::threads + block.lane();
  }
};

TEST_F(gpu_test, LetsKernelsWriteWhereTheHostReads) {
  const gpu_executor exec;
  ASSERT_TRUE(exec.staging()->on_host());
  const std::int64_t* before = nullptr;
  for (int round = 0; round < 3; ++round) {
    array<std::int64_t> seen(96 * 50, exec.staging());
    const array<std::int64_t> another(96 * 50, exec.staging());
    EXPECT_NE(seen.data(), another.data());
    if (round > 0)
      EXPECT_TRUE(seen.data() == before || another.data() == before) << "it is kept for the next";
    before = seen.data();
    seen.fill(0xff);
    exec.launch<team<96>>(50, write_ids{seen.data()});
    exec.synchronize();
    for (std::size_t i = 0; i < seen.size(); ++i)
      ASSERT_EQ(seen[i], static_cast<std::int64_t>(i)) << "round " << round;
  }
}

/// Every lane writes a word of a storage that is too large to be static, and reads its neighbour's.
template <int Cluster>
struct large_storage {
  static constexpr int cluster = Cluster;
  static constexpr int words = 15 * 1024;
  int* out;
  std::uintptr_t* begins;  ///< where the storage of each block lies
  template <class Block>
  struct storage {
    alignas(1024) int word[words];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for (int i = block.lane(); i < words; i += Block::threads)
      shared.word[words - 1 - i] = i + static_cast<int>(block.id());
    block.sync();
    // The host looks at it: a kernel may conclude what the type asks for.
    if (block.lane() == 0) begins[block.id()] = reinterpret_cast<std::uintptr_t>(shared.word);
    int wrong = 0;
    for (int i = block.lane(); i < words; i += Block::threads)
      wrong += shared.word[i] != words - 1 - i + static_cast<int>(block.id());
    block.atomic_add(out, wrong == 0 ? 1 : 0);
  }
};

template <int Cluster>
void expect_large_storage(const gpu_executor& exec) {
  using kernel = large_storage<Cluster>;
  const std::int64_t fit = exec.template resident<team<96>, kernel>(Cluster);
  EXPECT_EQ(fit % Cluster, 0);
  EXPECT_GT(fit, 0);
  array<int> right(1, exec.memory());
  right.fill(0);
  array<std::uintptr_t> begins(8, exec.memory());
  begins.fill(0xff);
  exec.template launch<team<96>>(8, kernel{right.data(), begins.data()});
  EXPECT_EQ(right.to_vector().front(), 8 * 96);
  for (const std::uintptr_t begin : begins.to_vector()) EXPECT_EQ(begin % 1024, 0U);
}

TEST_F(gpu_test, LaunchesKernelsWithMoreStorageThanIsStatic) {
  expect_large_storage<1>(gpu_executor());
}

#if LOOPS_CUDA
TEST_F(gpu_test, LaunchesClusters) {
  const gpu_executor exec;
  if (std::stoi(exec.facts().architecture.substr(3)) < 90)
    GTEST_SKIP() << "this GPU has no clusters";
  expect_large_storage<2>(exec);
}
#endif

TEST_F(gpu_test, RefusesDevicesThatAreNotThere) {
  try {
    const gpu_executor exec(1000);
    FAIL() << "device 1000 was accepted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::unsupported);
    EXPECT_NE(e.message().find("1000"), std::string::npos);
  }
}

TEST_F(gpu_test, SaysThatMemoryIsOut) {
  const gpu_executor exec;
  EXPECT_THROW(array<char>(std::size_t{1} << 46, exec.memory()), error);
  // The failure leaves nothing behind that a later call would trip over.
  EXPECT_EQ(array<int>(std::vector<int>{7}, exec.memory()).to_vector(), std::vector<int>{7});
}

/// What a product leaves in y, called directly, and in another y after three replays of a graph.
template <class Step>
void expect_replays(const gpu_executor& exec, const Step& step, const std::string& name) {
  const array<float> x(std::vector<float>(20000, 2.0f), exec.memory());
  array<float> direct(20000, exec.memory());
  direct.fill(0xff);
  step(x, direct);
  array<float> replayed(20000, exec.memory());
  replayed.fill(0xff);
  exec.synchronize();
  // Capturing fails when anything in between allocates or waits.
  gpu::begin_capture(exec.stream());
  step(x, replayed);
  const gpu::graph_exec_t graph = gpu::end_capture(exec.stream());
  for (int i = 0; i < 3; ++i) gpu::launch_graph(graph, exec.stream());
  exec.synchronize();
  gpu::destroy(graph);
  EXPECT_EQ(replayed.to_vector(), direct.to_vector()) << name;
}

TEST_F(gpu_test, ReplaysEverySchedulesPlanFromAGraph) {
  const gpu_executor exec;
  const csr<float> a = uneven_matrix(exec);
  for (const named_schedule& s : all_schedules())
    std::visit(
        [&](const auto& schedule) {
          expect_replays(exec, plan_spmv(exec, schedule, a.view()), s.name);
        },
        s.schedule);
}

template <class Plan>
void sum_columns(const Plan& p, const csr<float>& a, array<double>& sums) {
  const int* columns = a.indices.data();
  double* y = sums.data();
  reduce_tiles<double>(
      p, [=] LOOPS_FN(auto nonzero) { return static_cast<double>(columns[nonzero]); }, plus{},
      [=] LOOPS_FN(auto row, double sum) { y[row] = sum; });
}

TEST_F(gpu_test, LaunchesAndReplaysSlicesThatLeaveTheCacheMore) {
  const gpu_executor exec;
  const csr<float> a = uneven_matrix(exec);
  auto p = plan<double>(exec, schedule::nonzero_split{}, rows_of(a.view()));
  array<double> before(20000, exec.memory());
  sum_columns(p, a, before);
  p.favour_cache();
  EXPECT_GE(p.bound_schedule().storage_share, 0);
  for (const bool replay : {false, true}) {
    array<double> y(20000, exec.memory());
    y.fill(0xff);
    exec.synchronize();
    if (replay) gpu::begin_capture(exec.stream());
    sum_columns(p, a, y);
    if (replay) {
      const gpu::graph_exec_t graph = gpu::end_capture(exec.stream());
      gpu::launch_graph(graph, exec.stream());
      exec.synchronize();
      gpu::destroy(graph);
    }
    EXPECT_EQ(y.to_vector(), before.to_vector()) << replay;
  }
}

TEST_F(gpu_test, ReplaysSumsByAtomicsFromAGraph) {
  const gpu_executor exec;
  const csr<float> a = uneven_matrix(exec);
  // Small integers: exact in any order.
  expect_replays(exec, plan_spmv_transposed(exec, schedule::automatic{}, a.view(), by_atomics{}),
                 "by atomics");
}

TEST_F(gpu_test, WorksOnACallersStream) {
  const gpu_executor exec;
  gpu::stream_t stream = gpu::create_stream();
  {
    const gpu_executor borrowed(stream);
    const csr<float> a = uneven_matrix(borrowed);
    const array<float> x(std::vector<float>(20000, 1.0f), borrowed.memory());
    array<float> y(20000, borrowed.memory());
    spmv(borrowed, schedule::merge_path{}, a.view(), x, y);
    borrowed.synchronize();
    EXPECT_EQ(y.to_vector()[0], 0.0f);
  }
  gpu::destroy(stream);
}

/// Calls `use` for an executor of each device, with one device selected, then the other, and in a
/// thread that has selected none.
template <class Use>
void whichever_is_current(const Use& use) {
  for (const int device : {0, 1}) {
    const gpu_executor exec(device);
    for (const int current : {1 - device, device}) {
      SCOPED_TRACE("device " + std::to_string(device) + " beside " + std::to_string(current));
      gpu::set_device(current);
      use(exec);
      EXPECT_EQ(gpu::current_device(), current) << "it stays selected";
    }
    std::thread([&] {
      use(exec);
      EXPECT_EQ(gpu::current_device(), 0);
    }).join();
  }
  gpu::set_device(0);
}

TEST_F(gpu_test, WorksOnItsDeviceWhicheverIsCurrent) {
  if (gpu::device_count() < 2) GTEST_SKIP() << "this machine has one GPU";
  whichever_is_current([](const gpu_executor& exec) {
    constexpr std::int64_t n = 96 * 50;
    array<std::int64_t> out(n, exec.memory());
    out.fill(0xff);
    exec.launch<team<96>>(25, write_ids{out.data()});
    exec.launch_early<team<96>>(50, write_ids{out.data()});
    const auto got = out.to_vector();
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i);
    expect_large_storage<1>(exec);

    array<int> keys(std::vector<int>{3, 1, 2}, exec.memory());
    sort_keys(exec, keys);
    EXPECT_EQ(keys.to_vector(), (std::vector<int>{1, 2, 3}));

    const auto seconds = stopwatch<gpu_executor>(exec).sample(
        2, sample_when::queued, [] {}, [&] { out.fill(0); });
    EXPECT_EQ(seconds.size(), 2U);
  });
}

TEST_F(gpu_test, FindsTheDeviceOfACallersStream) {
  if (gpu::device_count() < 2) GTEST_SKIP() << "this machine has one GPU";
  gpu::set_device(1);
  gpu::stream_t stream = gpu::create_stream();
  gpu::set_device(0);
  EXPECT_EQ(gpu_executor(stream).device(), 1);
  gpu::set_device(1);
  EXPECT_EQ(gpu_executor(gpu::stream_t{}).device(), 1) << "of the default stream";
  gpu::set_device(0);
  gpu::destroy(stream);
}

TEST_F(gpu_test, LaunchesWhateverErrorTheCallerHasHandled) {
  const gpu_executor exec;
  const auto a = uneven_matrix(exec);
  const array<float> x(std::vector<float>(20000, 1.0F), exec.memory());
  array<float> y(20000, exec.memory());
  const auto plan = plan_spmv(exec, schedule::merge_path{}, a.view());
  int no_pinned_memory = 0;
  gpu::deallocate_on_host(&no_pinned_memory);
  EXPECT_NO_THROW(plan(x.data(), y.data()));
  exec.synchronize();
  array<int> few(std::vector<int>{2, 1}, exec.memory());
  gpu::deallocate_on_host(&no_pinned_memory);
  EXPECT_NO_THROW(sort_keys(exec, few));
  EXPECT_EQ(few.to_vector(), (std::vector<int>{1, 2}));
}

TEST_F(gpu_test, SaysThatThereIsNoMemoryToSort) {
  const gpu_executor exec;
  array<int> few(std::vector<int>{2, 1}, exec.memory());
  try {
    gpu::sort_keys(exec, few.data(), std::size_t{1} << 44);
    FAIL() << "so many keys were sorted";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::out_of_memory) << e.message();
  }
  sort_keys(exec, few);
  EXPECT_EQ(few.to_vector(), (std::vector<int>{1, 2}));
}

}  // namespace

#else

TEST(gpu_test, NeedsAGpuBuild) {
  GTEST_SKIP() << "this build has no GPU backend";
}

#endif
