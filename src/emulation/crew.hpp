// SPDX-License-Identifier: Apache-2.0
/// The lanes of one block in flight: who is live, ready, waiting, and for what.
#pragma once

#include "loops/backend/emulation/engine.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "fiber.hpp"

namespace loops::emulation {

struct crew;
struct launch_state;

/// Where a lane waits.
struct arrival {
  operation what = operation::none;
  site where = {"", 0};
  std::size_t bytes = 0;  // of the value, so that two shuffles on one line are told apart
};

/// The lanes of one wave, one bit each. What a wave operation hands from lane to lane is kept
/// twice, by the parity of `phase`: a lane may run ahead to the next operation, but not to the one
/// after.
struct wave_state {
  std::uint64_t live = 0;
  std::uint64_t ready = 0;     // may run
  std::uint64_t relaxing = 0;  // may run once nobody is ready
  std::uint64_t waiting = 0;   // in `pending`
  int lanes = 0;
  arrival pending;
  int first = 0;  // the lane of the block that came to `pending` first
  unsigned phase = 0;
  std::uint64_t participants[2] = {};
  std::uint64_t votes[2] = {};
  unsigned char* values[2] = {};
  char order[2] = {};  // only their addresses matter
  unsigned char turns[64] = {};
  unsigned turn = 0;
};

/// One lane.
struct seat : fiber {
  crew* block = nullptr;
  wave_state* wave = nullptr;
  int lane = 0;         // in the block
  int wave_lane = 0;    // in the wave
  arrival last;         // the operation it arrived at last
  unsigned parity = 0;  // of the phase that operation belongs to
};

/// One block in flight. Its lanes' stacks outlive it: they wait for the next block.
struct crew {
  static constexpr int most_waves = 32;

  crew(int threads, std::size_t stack_bytes);
  ~crew();
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  int threads;
  std::size_t stack_bytes;
  stacks memory;
  std::unique_ptr<seat[]> seats;
  std::unique_ptr<unsigned char[]> values;

  // Set for a launch.
  launch_state* launch = nullptr;
  void* shared = nullptr;
  int waves = 0;

  // Set for a block.
  bool active = false;
  std::int64_t id = 0;
  int live = 0;
  std::int64_t idle = 0;  // turns since the launch's last progress after which nobody was ready
  int waiting = 0;        // in `pending`
  arrival pending;
  int first = 0;
  unsigned phase = 0;
  bool any[2] = {};
  std::uint64_t ready_waves = 0;
  int current = 0;  // wave
  wave_state wave[most_waves];
  char order[2] = {};
  // Orders a block before the next on the same stacks. Two in turn: what a lane did before it left
  // must not be ordered before what a later lane of its own block does.
  char done[2] = {};
  unsigned turn = 0;
};

/// A running launch.
struct launch_state : fiber {
  const launch_request* request = nullptr;
  const emulation_options* options = nullptr;
  bool cancelling = false;
  bool progress = false;
  std::int64_t looks = 0;  // acquire loads since the last switch
  std::uint64_t random = 0;
  std::exception_ptr failure;
  char begin = 0;

  /// Uniform in [0, n).
  std::uint32_t draw(std::uint32_t n) {
    random += 0x9e3779b97f4a7c15u;
    std::uint64_t z = random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<std::uint32_t>(((z >> 32) * n) >> 32);
  }
};

/// Whether only the lanes of a wave take part.
inline bool within_wave(operation what) {
  return what != operation::sync && what != operation::sync_any;
}

/// Thrown through a lane that must end because another one failed.
struct cancelled {};

/// A crew from those kept for reuse, or a new one; and back.
std::unique_ptr<crew> hire(int threads, std::size_t stack_bytes);
void dismiss(std::unique_ptr<crew> c) noexcept;

/// Tells the crew what it works for, and in which waves.
void enlist(crew& c, launch_state& launch, void* shared);
/// Makes the lanes of a block ready to enter the kernel.
void begin_block(crew& c, std::int64_t id);
/// Lets those run that had relaxed.
void wake_relaxing(crew& c);
/// The next to run in `c`, or the launch when nobody is ready.
fiber& next(crew& c);

/// Lets those go on who wait in the wave's or the block's pending operation.
void complete_wave(crew& c, wave_state& w);
void complete_block(crew& c);
/// Takes a lane that left the kernel off the books, which may complete what the others wait in.
void retire(seat& self);

/// The function's name in the block interface.
const char* name(operation what);
/// "file:line".
std::string place(site where);
/// "lanes 0-3, 7 wait in sync at file:line; lane 4 relaxes at …", for every live lane.
std::string whereabouts(const crew& c);

}  // namespace loops::emulation
