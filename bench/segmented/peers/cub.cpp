// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: CUB.
#include <cuda/functional>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <memory>

#include "segmented/contenders.hpp"

namespace loops::bench {

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw error(errc::device, std::string("CUB: ") + cudaGetErrorString(status));
}

/// `call(room, bytes)`, once to ask for the bytes of its room, then whenever it is used.
template <class V, class Call>
std::function<void()> with_room(const problem<V>& p, const Call& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes));
  auto room = std::make_shared<array<std::byte>>(bytes, p.exec.memory());
  return [room, bytes, call] {
    std::size_t size = bytes;
    check(call(room->data(), size));
  };
}

template <class V>
std::function<void()> sums(problem<V>& p) {
  return with_room(p, [&p](void* room, std::size_t& bytes) {
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
  return with_room(p, [&p](void* room, std::size_t& bytes) {
    const auto& s = p.segments_of;
    return cub::DeviceSegmentedReduce::ArgMax(room, bytes, p.values.data(),
                                              places_out<V>(p.places.data()), s.tiles(),
                                              s.offsets(), s.offsets() + 1, p.exec.stream());
  });
}

/// Running sums by key: the number of the segment, which is written beforehand.
template <class V>
std::function<void()> scans(problem<V>& p) {
  const auto& s = p.segments_of;
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(s.tiles()) + 1);
  p.exec.memory()->download(offsets.data(), s.offsets(), offsets.size() * sizeof(std::int32_t));
  std::vector<std::int32_t> of(static_cast<std::size_t>(s.atoms()));
  for (std::size_t t = 0; t + 1 < offsets.size(); ++t)
    std::fill(of.begin() + offsets[t], of.begin() + offsets[t + 1], static_cast<std::int32_t>(t));
  auto keys = std::make_shared<array<std::int32_t>>(of, p.exec.memory());
  return with_room(p, [&p, keys](void* room, std::size_t& bytes) {
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
