// SPDX-License-Identifier: Apache-2.0
/// What kernels, compiled in the user's sources, call of the compiled emulation engine.
#pragma once

#include "loops/backend/block.hpp"
#include "loops/backend/emulation/options.hpp"

#include <cstddef>
#include <cstdint>
#include <typeinfo>

namespace loops::emulation {

/// What a lane can wait in.
enum class operation : unsigned char {
  none,
  sync,
  sync_any,
  wave_sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  relax,
};

/// Largest value a shuffle moves.
inline constexpr std::size_t largest_shuffle = 256;

/// A lane's seat in a running block; the engine knows what it is.
struct seat;

void sync(seat& self, site where);
bool sync_any(seat& self, bool p, site where);
void wave_sync(seat& self, site where);
std::uint64_t ballot(seat& self, bool p, site where);
/// Publishes `bytes` at `value` and copies those of wave lane `source` to `result`. `source` is
/// this lane for who reads past the wave. Throws: where `source` is no lane, or has exited.
void exchange(seat& self, operation what, const void* value, std::size_t bytes, int source,
              void* result, site where);
void relax(seat& self, site where);
/// Tells the watchdog that the lane published something others may be waiting for.
void progressed(seat& self);
/// Tells the watchdog that the lane looked at what another may publish.
void looked(seat& self, site where);

/// One launch, without its types.
struct launch_request {
  using lane_body = void (*)(const void* kernel, seat& self, int lane, std::int64_t id,
                             std::int64_t blocks, void* shared);
  const void* kernel;
  lane_body body;
  const std::type_info* kernel_type;  ///< to name it in messages
  std::int64_t blocks;
  int threads;
  int wave;
  std::size_t shared_bytes;
  std::size_t shared_alignment;
};

/// Runs every lane of every block on the calling thread. Returns when the last one is done.
/// Throws: the first exception of a lane, after the other lanes were unwound.
void run(const launch_request& request, const emulation_options& options);

}  // namespace loops::emulation
