// SPDX-License-Identifier: Apache-2.0
/// On AMD GPUs: rocPRIM, which has no arg-max of segments.
#include "support/primitives.hpp"

#include <cstddef>
#include <cstdint>
#include <rocprim/device/device_scan_by_key.hpp>
#include <rocprim/device/device_segmented_reduce.hpp>

#include "segmented/contenders.hpp"

namespace loops::bench {

namespace {

template <class V>
std::function<void()> sums(problem<V>& p) {
  return with_room(p.exec, [&p](void* room, std::size_t& bytes) {
    const auto& s = p.segments_of;
    return rocprim::segmented_reduce(room, bytes, p.values.data(), p.sums.data(),
                                     static_cast<unsigned>(s.tiles()), s.offsets(), s.offsets() + 1,
                                     rocprim::plus<V>(), V{}, p.exec.stream());
  });
}

/// Running sums by key: the number of the segment, which is written beforehand.
template <class V>
std::function<void()> scans(problem<V>& p) {
  const auto keys = keys_of(p.exec, p.segments_of);
  return with_room(p.exec, [&p, keys](void* room, std::size_t& bytes) {
    return rocprim::inclusive_scan_by_key(
        room, bytes, keys->data(), p.values.data(), p.scanned.data(),
        static_cast<std::size_t>(p.segments_of.atoms()), rocprim::plus<V>(),
        rocprim::equal_to<std::int32_t>(), p.exec.stream());
  });
}

}  // namespace

template <class V>
std::vector<contender<V>> peers(operation o) {
  switch (o) {
    case operation::sum:
      return {{"rocprim", sums<V>}};
    case operation::arg_max:
      return {};
    default:
      return {{"rocprim_by_key", scans<V>}};
  }
}

template std::vector<contender<float>> peers<float>(operation o);
template std::vector<contender<double>> peers<double>(operation o);

}  // namespace loops::bench
