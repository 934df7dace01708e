// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: CUB.
#include "support/primitives.hpp"

#include <cuda/functional>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include "segmented/contenders.hpp"

namespace loops::bench {

namespace {

template <class V>
std::function<void()> sums(problem<V>& p) {
  return with_room(p.exec, [&p](void* room, std::size_t& bytes) {
    const auto& s = p.segments_of;
    return cub::DeviceSegmentedReduce::Sum(room, bytes, p.values.data(), p.sums.data(), s.tiles(),
                                           s.offsets(), s.offsets() + 1, p.exec.stream());
  });
}

/// Where pairs of place and value go that only leave the place.
template <class V>
class places_out {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = cub::KeyValuePair<int, V>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  struct reference {
    std::int64_t* out;
    LOOPS_HD const reference& operator=(const value_type& found) const {
      *out = found.key;
      return *this;
    }
  };

  explicit places_out(std::int64_t* out) : out_(out) {}
  LOOPS_HD reference operator*() const { return {out_}; }
  LOOPS_HD reference operator[](std::ptrdiff_t i) const { return {out_ + i}; }
  LOOPS_HD places_out operator+(std::ptrdiff_t i) const { return places_out(*this, i); }

 private:
  LOOPS_HD places_out(const places_out& of, std::ptrdiff_t i) : out_(of.out_ + i) {}
  std::int64_t* out_;
};

template <class V>
std::function<void()> places(problem<V>& p) {
  p.local = true;
  return with_room(p.exec, [&p](void* room, std::size_t& bytes) {
    const auto& s = p.segments_of;
    return cub::DeviceSegmentedReduce::ArgMax(room, bytes, p.values.data(),
                                              places_out<V>(p.places.data()), s.tiles(),
                                              s.offsets(), s.offsets() + 1, p.exec.stream());
  });
}

/// Running sums by key: the number of the segment, which is written beforehand.
template <class V>
std::function<void()> scans(problem<V>& p) {
  const auto keys = keys_of(p.exec, p.segments_of);
  return with_room(p.exec, [&p, keys](void* room, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSumByKey(room, bytes, keys->data(), p.values.data(),
                                              p.scanned.data(), p.segments_of.atoms(),
                                              cuda::std::equal_to<>{}, p.exec.stream());
  });
}

}  // namespace

template <class V>
std::vector<contender<V>> peers(operation o) {
  switch (o) {
    case operation::sum:
      return {{"cub", sums<V>}};
    case operation::arg_max:
      return {{"cub", places<V>}};
    default:
      return {{"cub_by_key", scans<V>}};
  }
}

template std::vector<contender<float>> peers<float>(operation o);
template std::vector<contender<double>> peers<double>(operation o);

}  // namespace loops::bench
