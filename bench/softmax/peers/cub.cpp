// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: CUB has no softmax; this is what its functions make of it. The largest score of
/// every row, the sum of the exponentials relative to it, and a pass that divides. The row of every
/// nonzero is written beforehand.
#include "support/primitives.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_for.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <memory>

#include "softmax/contenders.hpp"

namespace loops::bench {

namespace {

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
        sums_(static_cast<std::size_t>(p.mask.rows), p.exec.memory()),
        rows_(keys_of(p.exec, rows_of(p.mask.view()))),
        find_largest_(with_room(p.exec, [this](void* r, std::size_t& n) { return largest(r, n); })),
        add_(with_room(p.exec, [this](void* r, std::size_t& n) { return sum(r, n); })) {}
  in_three(const in_three&) = delete;
  in_three& operator=(const in_three&) = delete;

  void operator()() {
    find_largest_();
    add_();
    gpu::check(
        cub::DeviceFor::Bulk(static_cast<std::int32_t>(p_.mask.nonzeros()),
                             divide{terms(), sums_.data(), p_.weights.data()}, p_.exec.stream()),
        "dividing");
  }

 private:
  [[nodiscard]] exponential terms() const {
    return {p_.mask.values.data(), largest_.data(), rows_->data(), p_.scale};
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
  std::shared_ptr<array<std::int32_t>> rows_;
  std::function<void()> find_largest_;
  std::function<void()> add_;
};

}  // namespace

std::vector<contender> peers() {
  return {{"cub_in_three", [](problem& p) -> std::function<void()> {
             auto all = std::make_shared<in_three>(p);
             return [all] { (*all)(); };
           }}};
}

}  // namespace loops::bench
