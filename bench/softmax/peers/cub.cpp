// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: CUB has no softmax; this is what its functions make of it. The largest score of
/// every row, the sum of the exponentials relative to it, and a pass that divides. The row of every
/// nonzero is written beforehand.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_for.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <memory>

#include "softmax/contenders.hpp"

namespace loops::bench {

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw error(errc::device, std::string("CUB: ") + cudaGetErrorString(status));
}

/// The score of a nonzero relative to the largest of its row, as an exponential.
struct exponential {
  const float* scores;
  const float* largest;
  const std::int32_t* rows;
  float scale;
  LOOPS_HD float operator()(std::int32_t a) const {
    return std::exp(scale * (scores[a] - largest[rows[a]]));
  }
};

struct divide {
  exponential of;
  const float* sums;
  float* weights;
  LOOPS_HD void operator()(std::int32_t a) const { weights[a] = of(a) / sums[of.rows[a]]; }
};

class in_three {
 public:
  explicit in_three(problem& p)
      : p_(p),
        largest_(static_cast<std::size_t>(p.mask.rows), p.exec.memory()),
        sums_(static_cast<std::size_t>(p.mask.rows), p.exec.memory()) {
    const std::vector<std::int32_t> offsets = p.mask.offsets.to_vector();
    std::vector<std::int32_t> rows(static_cast<std::size_t>(p.mask.nonzeros()));
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
      std::fill(rows.begin() + offsets[r], rows.begin() + offsets[r + 1],
                static_cast<std::int32_t>(r));
    rows_ = array<std::int32_t>(rows, p.exec.memory());
    std::size_t one = 0;
    std::size_t two = 0;
    check(largest(nullptr, one));
    check(sum(nullptr, two));
    room_ = array<std::byte>(std::max(one, two), p.exec.memory());
  }
  void operator()() {
    std::size_t bytes = room_.size();
    check(largest(room_.data(), bytes));
    check(sum(room_.data(), bytes));
    check(cub::DeviceFor::Bulk(static_cast<std::int32_t>(p_.mask.nonzeros()),
                               divide{terms(), sums_.data(), p_.weights.data()}, p_.exec.stream()));
  }

 private:
  [[nodiscard]] exponential terms() const {
    return {p_.mask.values.data(), largest_.data(), rows_.data(), p_.scale};
  }
  cudaError_t largest(void* room, std::size_t& bytes) {
    const auto* const offsets = p_.mask.offsets.data();
    return cub::DeviceSegmentedReduce::Max(room, bytes, p_.mask.values.data(), largest_.data(),
                                           p_.mask.rows, offsets, offsets + 1, p_.exec.stream());
  }
  cudaError_t sum(void* room, std::size_t& bytes) {
    const auto* const offsets = p_.mask.offsets.data();
    const auto each =
        thrust::make_transform_iterator(thrust::counting_iterator<std::int32_t>(0), terms());
    return cub::DeviceSegmentedReduce::Sum(room, bytes, each, sums_.data(), p_.mask.rows, offsets,
                                           offsets + 1, p_.exec.stream());
  }

  problem& p_;
  array<float> largest_;
  array<float> sums_;
  array<std::int32_t> rows_;
  array<std::byte> room_;
};

}  // namespace

std::vector<contender> peers() {
  return {{"cub_in_three", [](problem& p) -> std::function<void()> {
             auto all = std::make_shared<in_three>(p);
             return [all] { (*all)(); };
           }}};
}

}  // namespace loops::bench
