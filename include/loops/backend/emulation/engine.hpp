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

/// Where a lane that has to wait goes; `context` is null when it need not go, or is back already.
struct departure {
  void* context;
  void* from;
};
/// Who switched here, and where that one stopped.
struct transfer {
  void* context;
  void* from;
};

/// Boost.Context's switch, under a name of our own.
transfer jump(void* to, void* from) __asm__("jump_fcontext");

/// Switches to another lane and returns when this one is switched to again. Inlined into the
/// kernel, because a return after a switch is always mispredicted: out of line a switch costs three
/// times as much. Programs under a sanitizer switch inside the engine instead, which tells the
/// sanitizer.
[[gnu::always_inline]] inline void go(departure d) {
  if (!d.context) return;
  const transfer t = jump(d.context, d.from);
  *static_cast<void**>(t.from) = t.context;
}

// Every operation has two halves, with `go` between them. An arrival checks that the lanes are at
// the same place; it throws when they are not.
departure arrive_sync(seat& self, site where);
void finish_sync(seat& self);
departure arrive_sync_any(seat& self, bool p, site where);
bool finish_sync_any(seat& self);
departure arrive_wave_sync(seat& self, site where);
void finish_wave_sync(seat& self);
departure arrive_ballot(seat& self, bool p, site where);
std::uint64_t finish_ballot(seat& self);
/// Publishes `bytes` at `value`.
departure arrive_exchange(seat& self, operation what, const void* value, std::size_t bytes,
                          site where);
/// Copies what wave lane `source` published. Throws: where that is no lane, or one that has exited.
void finish_exchange(seat& self, int source, void* result);
departure arrive_relax(seat& self, site where);
void finish_relax(seat& self);
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
