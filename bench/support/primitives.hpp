// SPDX-License-Identifier: Apache-2.0
/// What comparisons with the vendor's device-wide primitives need: room, and keys.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/backend/gpu/calls.hpp"
#include "loops/execution/executor.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace loops::bench {

/// `call(room, bytes)`, which tells how it went, once to ask for the bytes of its room, then
/// whenever it is used.
template <class Call>
std::function<void()> with_room(const executor& exec, const Call& call) {
  std::size_t bytes = 0;
  gpu::check(call(nullptr, bytes), "asking a primitive for the bytes of its room");
  auto room = std::make_shared<array<std::byte>>(bytes, exec.memory());
  return [room, bytes, call] {
    std::size_t size = bytes;
    gpu::check(call(room->data(), size), "running a primitive");
  };
}

/// The number of its segment for every atom: for who goes by keys.
inline std::shared_ptr<array<std::int32_t>> keys_of(const executor& exec,
                                                    const segments<std::int32_t>& w) {
  auto keys =
      std::make_shared<array<std::int32_t>>(static_cast<std::size_t>(w.atoms()), exec.memory());
  for_each_atom(exec, schedule::nonzero_split{}, w,
                segmented_detail::note_tile<std::int32_t>{keys->data()});
  return keys;
}

}  // namespace loops::bench
