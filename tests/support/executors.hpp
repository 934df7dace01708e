// SPDX-License-Identifier: Apache-2.0
/// The executors a test runs on, each with the ways of running it that must not change a bit.
#pragma once

#include "loops/execution/executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !LOOPS_CUDA && !LOOPS_HIP
#include "loops/execution/emulation.hpp"
#endif

namespace support {

/// An executor and what distinguishes it from the others of its type.
template <class Exec>
struct variant_of {
  std::string name;
  Exec exec;
};

/// What tests know about a type of executor. `ready` says whether this machine has one; `variants`
/// are machines of equal size that differ in who runs first, so results agree bit by bit.
template <class Exec>
struct executor_traits;

#if LOOPS_CUDA || LOOPS_HIP

template <>
struct executor_traits<loops::gpu_executor> {
  static bool ready() { return loops::gpu::device_count() > 0; }
  static std::vector<variant_of<loops::gpu_executor>> variants() {
    std::vector<variant_of<loops::gpu_executor>> all;
    all.push_back({"the GPU", loops::gpu_executor()});
    return all;
  }
};
using executors = testing::Types<loops::gpu_executor>;
/// One whose blocks have waves.
using with_waves = loops::gpu_executor;

#else

template <>
struct executor_traits<loops::host_executor> {
  static bool ready() { return true; }
  static std::vector<variant_of<loops::host_executor>> variants() {
    static const auto threads = std::make_shared<loops::host::pool>(3);
    return {{"3 threads", loops::host_executor(threads)}};
  }
};

template <int Wave>
struct executor_traits<loops::emulation_executor<Wave>> {
  static bool ready() { return true; }
  static std::vector<variant_of<loops::emulation_executor<Wave>>> variants() {
    using loops::emulation::order;
    std::vector<variant_of<loops::emulation_executor<Wave>>> all;
    const auto add = [&](order lanes, order blocks, std::uint64_t seed, unsigned char poison) {
      loops::emulation_options o;
      o.lanes = lanes;
      o.blocks = blocks;
      o.seed = seed;
      o.poison_byte = poison;
      all.push_back({o.to_string(), loops::emulation_executor<Wave>(o)});
    };
    add(order::up, order::up, 1, 0xFF);
    add(order::down, order::up, 1, 0xCD);
    add(order::seeded, order::seeded, 7, 0xFF);
    return all;
  }
};
using executors = testing::Types<loops::host_executor, loops::emulation_executor<32>,
                                 loops::emulation_executor<64>>;
using with_waves = loops::emulation_executor<32>;

#endif

/// Names the typed tests.
struct executor_name {
  template <class Exec>
  static std::string GetName(int) {
#if LOOPS_CUDA || LOOPS_HIP
    return "gpu";
#else
    if constexpr (std::is_same_v<Exec, loops::host_executor>) return "host";
    if constexpr (std::is_same_v<Exec, loops::emulation_executor<32>>) return "wave32";
    return "wave64";
#endif
  }
};

/// A fixture that skips where there is no such executor.
template <class Exec>
class on_executor : public testing::Test {
 protected:
  void SetUp() override {
    if (!executor_traits<Exec>::ready()) GTEST_SKIP() << "this machine has no such device";
  }
  using variant = variant_of<Exec>;
  static std::vector<variant> variants() { return executor_traits<Exec>::variants(); }
  /// The first of them, for tests of which one is enough.
  static Exec any() { return variants().front().exec; }
};

/// Adds one to what `at` points to, from any lane.
LOOPS_HD void count_up(int* at) {
#if LOOPS_DEVICE_PASS
  atomicAdd(at, 1);
#else
  std::atomic_ref<int>(*at).fetch_add(1, std::memory_order_relaxed);
#endif
}

/// Whether two vectors hold the same bits.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// The code of the error that `f` throws; fails when it throws none.
template <class F>
void expect_error(loops::errc code, const std::string& words, F f) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown, expected: " << words;
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(e.message().find(words), std::string::npos) << e.what();
  }
}

}  // namespace support
