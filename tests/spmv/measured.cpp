// SPDX-License-Identifier: Apache-2.0
/// A plan that tries schedules computes the product, leaves vectors alone, and says what it took.
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/formats.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using namespace loops;

template <class Exec>
class spmv_measured : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spmv_measured, support::executors, support::executor_name);

/// Rows of these lengths, every nonzero 1, over so many columns.
template <class Exec>
csr<float> of_lengths(const Exec& exec, const std::vector<int>& lengths, int columns) {
  std::vector<int> offsets{0};
  std::vector<int> indices;
  for (const int n : lengths) {
    for (int i = 0; i < n; ++i) indices.push_back(i % columns);
    offsets.push_back(offsets.back() + n);
  }
  csr<float> a;
  a.rows = static_cast<int>(lengths.size());
  a.cols = columns;
  a.offsets = array<int>(offsets, exec.memory());
  a.indices = array<int>(indices, exec.memory());
  a.values = array<float>(std::vector<float>(indices.size(), 1), exec.memory());
  return a;
}

TYPED_TEST(spmv_measured, computes_the_product) {
  const auto exec = this->any();
  std::vector<int> uneven(300, 2);
  uneven[150] = 3000;
  for (const std::vector<int>& lengths :
       {std::vector<int>(400, 5), uneven, std::vector<int>(3, 0), std::vector<int>()}) {
    const csr<float> a = of_lengths(exec, lengths, 40);
    auto step = plan_spmv(exec, schedule::measured{}, a.view());
    const array<float> x(std::vector<float>(40, 2), exec.memory());
    array<float> y(std::vector<float>(lengths.size(), 7), exec.memory());
    step(x, y, 1.0F, 1.0F);
    step.check();
    exec.synchronize();
    const std::vector<float> got = y.to_vector();
    for (std::size_t r = 0; r < lengths.size(); ++r)
      ASSERT_EQ(got[r], 7 + 2 * static_cast<float>(lengths[r])) << "row " << r;
    EXPECT_NE(step.plan().reason().find(':'), std::string::npos);
  }
}

TYPED_TEST(spmv_measured, tries_as_many_as_it_is_told) {
  const auto exec = this->any();
  const csr<float> a = of_lengths(exec, std::vector<int>(500, 6), 50);
  const auto one = plan_spmv(exec, schedule::measured{1}, a.view());
  const auto automatic = plan_spmv(exec, schedule::automatic{1'000'000'000}, a.view());
  EXPECT_EQ(one.plan().reason(), automatic.plan().reason());
  const auto three = plan_spmv(exec, schedule::measured{3}, a.view());
  const int tried = three.plan().decision().tried;
  const bool lone_lanes = TypeParam::template block<shape<128, 1>>::threads == 1;
  EXPECT_EQ(tried, lone_lanes ? 0 : 3);
  if (tried > 0) {
    EXPECT_NE(three.plan().reason().find("the fastest of 3 in a trial"), std::string::npos);
  }
  support::expect_error(errc::invalid_argument, "at least one candidate",
                        [&] { plan_spmv(exec, schedule::measured{0}, a.view()); });
}

#if !LOOPS_CUDA && !LOOPS_HIP

/// Memory of so many bytes.
class scarce_memory final : public host_side_memory {
 public:
  explicit scarce_memory(std::size_t room) : room_(room) {}
  void* allocate(std::size_t bytes) override {
    if (bytes > room_) throw error(errc::out_of_memory, "no room");
    room_ -= bytes;
    return base_.allocate(bytes);
  }
  void deallocate(void* p, std::size_t bytes) noexcept override {
    room_ += bytes;
    base_.deallocate(p, bytes);
  }

 private:
  std::size_t room_;
  host_memory base_;
};

/// A GPU with such memory.
class scarce_executor : public emulation_executor<32> {
 public:
  explicit scarce_executor(std::size_t room) : memory_(std::make_shared<scarce_memory>(room)) {}
  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const { return memory_; }

 private:
  std::shared_ptr<loops::memory> memory_;
};

/// Whether there is a plan, and it computes the product.
template <class Schedule>
bool fits(std::size_t room, const Schedule& schedule, const csr<float>& a) {
  try {
    const auto step = plan_spmv(scarce_executor(room), schedule, a.view());
    const std::vector<float> x(static_cast<std::size_t>(a.cols), 2);
    std::vector<float> y(static_cast<std::size_t>(a.rows));
    step(x.data(), y.data());
    for (std::size_t r = 0; r < y.size(); ++r)
      EXPECT_EQ(y[r], 2 * static_cast<float>(a.offsets[r + 1] - a.offsets[r])) << r;
    return true;
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::out_of_memory) << e.what();
    return false;
  }
}

TEST(spmv_measured_with_little_memory, goes_on_without_what_finds_none) {
  std::vector<int> uneven(300, 2);
  uneven[150] = 3000;
  for (const std::vector<int>& lengths : {std::vector<int>(400, 5), uneven}) {
    const csr<float> a = of_lengths(emulation_executor<32>(), lengths, 40);
    int fitted = 0;
    for (std::size_t room = 64; room < 30'000; room *= 2) {
      const bool fit = fits(room, schedule::automatic{1'000'000'000}, a);
      fitted += fit;
      EXPECT_EQ(fits(room, schedule::measured{}, a), fit) << room;
    }
    EXPECT_GT(fitted, 1);
  }
}

#endif

}  // namespace
