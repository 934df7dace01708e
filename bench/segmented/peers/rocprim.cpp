// SPDX-License-Identifier: Apache-2.0
/// On AMD GPUs: rocPRIM, which has no arg-max of segments.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <rocprim/device/device_scan_by_key.hpp>
#include <rocprim/device/device_segmented_reduce.hpp>

#include "segmented/contenders.hpp"

namespace loops::bench {

namespace {

void check(hipError_t status) {
  if (status != hipSuccess)
    throw error(errc::device, std::string("rocPRIM: ") + hipGetErrorString(status));
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
    return rocprim::segmented_reduce(room, bytes, p.values.data(), p.sums.data(),
                                     static_cast<unsigned>(s.tiles()), s.offsets(), s.offsets() + 1,
                                     rocprim::plus<V>(), V{}, p.exec.stream());
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
