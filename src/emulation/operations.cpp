// SPDX-License-Identifier: Apache-2.0
/// Barriers and wave operations: who has arrived, whether at the same place, and who goes on.
#include "loops/core/error.hpp"

#include <cstring>
#include <exception>
#include <string>

#include "crew.hpp"

namespace loops::emulation {

namespace {

source_place source(site where) {
  return {where.file, where.line};
}

bool same(const arrival& a, const arrival& b) {
  return a.what == b.what && a.where.line == b.where.line && a.bytes == b.bytes &&
         (a.where.file == b.where.file || std::strcmp(a.where.file, b.where.file) == 0);
}

// Whether the lane should return at once, because it is being unwound and a destructor came here.
bool unwinding(const seat& self) {
  if (!self.block->launch->cancelling) return false;
  if (std::uncaught_exceptions() == 0) throw cancelled{};
  return true;
}

[[noreturn]] void diverged(const seat& self, const arrival& mine, const arrival& theirs,
                           int first) {
  const crew& c = *self.block;
  const bool wave = within_wave(mine.what) && within_wave(theirs.what);
  throw error(errc::device,
              "divergence in block " + std::to_string(c.id) + ": lane " +
                  std::to_string(self.lane) + " came to " + name(mine.what) + " at " +
                  place(mine.where) + " while lane " + std::to_string(first) + " waits in " +
                  name(theirs.what) + " at " + place(theirs.where) + "; all live lanes of the " +
                  (wave ? "wave" : "block") + " must come to the same one. The others: " +
                  whereabouts(c) + " [" + c.launch->options->to_string() + "]",
              source(mine.where));
}

// Lets others run until somebody makes this lane ready again.
void wait(seat& self) {
  fiber& to = next(*self.block);
  if (&to != &self) switch_to(self, to);
  if (self.block->launch->cancelling) throw cancelled{};
}

// Takes note that the lane came to an operation; waits unless it is alone.
void arrive_in_wave(seat& self, const arrival& a) {
  wave_state& w = *self.wave;
  if (w.waiting == 0) {
    w.pending = a;
    w.first = self.lane;
  } else if (!same(w.pending, a)) {
    diverged(self, a, w.pending, w.first);
  }
  w.waiting |= std::uint64_t{1} << self.wave_lane;
}

void wait_in_wave(seat& self) {
  wave_state& w = *self.wave;
  if (w.waiting == w.live) complete_wave(*self.block, w);
  wait(self);
}

void arrive_in_block(seat& self, operation what, site where) {
  crew& c = *self.block;
  const arrival a{what, where, 0};
  arrive_in_wave(self, a);
  if (c.waiting == 0) {
    c.pending = a;
    c.first = self.lane;
    c.any[c.phase & 1] = false;
  } else if (!same(c.pending, a)) {
    self.wave->waiting &= ~(std::uint64_t{1} << self.wave_lane);
    diverged(self, a, c.pending, c.first);
  }
  ++c.waiting;
}

void wait_in_block(seat& self) {
  crew& c = *self.block;
  char* order = &c.order[c.phase & 1];
  order_before(order);
  if (c.waiting == c.live) complete_block(c);
  wait(self);
  order_after(order);
}

// A shuffle does not order memory, so ThreadSanitizer, which watches memcpy, must not see it.
void copy(unsigned char* to, const unsigned char* from, std::size_t bytes) {
  if (bytes == 4) {
    __builtin_memcpy(to, from, 4);
  } else if (bytes == 8) {
    __builtin_memcpy(to, from, 8);
  } else if (!under_tsan()) {
    std::memcpy(to, from, bytes);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) {
      to[i] = from[i];
      asm volatile("" ::: "memory");  // or the compiler makes a memcpy of it
    }
  }
}

}  // namespace

void sync(seat& self, site where) {
  if (unwinding(self)) return;
  arrive_in_block(self, operation::sync, where);
  wait_in_block(self);
}

bool sync_any(seat& self, bool p, site where) {
  if (unwinding(self)) return p;
  crew& c = *self.block;
  const unsigned parity = c.phase & 1;
  arrive_in_block(self, operation::sync_any, where);
  if (p) c.any[parity] = true;
  wait_in_block(self);
  return c.any[parity];
}

void wave_sync(seat& self, site where) {
  if (unwinding(self)) return;
  wave_state& w = *self.wave;
  char* order = &w.order[w.phase & 1];
  arrive_in_wave(self, {operation::wave_sync, where, 0});
  order_before(order);
  wait_in_wave(self);
  order_after(order);
}

std::uint64_t ballot(seat& self, bool p, site where) {
  if (unwinding(self)) return 0;
  wave_state& w = *self.wave;
  const unsigned parity = w.phase & 1;
  if (w.waiting == 0) w.votes[parity] = 0;
  arrive_in_wave(self, {operation::ballot, where, 0});
  if (p) w.votes[parity] |= std::uint64_t{1} << self.wave_lane;
  wait_in_wave(self);
  return w.votes[parity];
}

void exchange(seat& self, operation what, const void* value, std::size_t bytes, int from,
              void* result, site where) {
  if (unwinding(self)) return;
  wave_state& w = *self.wave;
  const unsigned parity = w.phase & 1;
  arrive_in_wave(self, {what, where, bytes});
  unsigned char* values = w.values[parity];
  copy(values + bytes * static_cast<std::size_t>(self.wave_lane),
       static_cast<const unsigned char*>(value), bytes);
  wait_in_wave(self);
  if (from < 0 || from >= w.lanes || !(w.participants[parity] >> from & 1)) {
    const crew& c = *self.block;
    const bool lane = from >= 0 && from < w.lanes;
    const int in_block = static_cast<int>(&w - c.wave) * w.lanes + from;
    throw error(errc::device,
                std::string(name(what)) + " at " + place(where) + ": lane " +
                    std::to_string(self.lane) + " of block " + std::to_string(c.id) + " reads " +
                    (lane ? "lane " + std::to_string(in_block) + ", which has exited"
                          : "wave lane " + std::to_string(from) + " of a wave of " +
                                std::to_string(w.lanes)) +
                    " [" + c.launch->options->to_string() + "]",
                source(where));
  }
  copy(static_cast<unsigned char*>(result), values + bytes * static_cast<std::size_t>(from), bytes);
}

void relax(seat& self, site where) {
  if (unwinding(self)) return;
  self.relaxes = where;
  self.wave->relaxing |= std::uint64_t{1} << self.wave_lane;
  wait(self);
}

void progressed(seat& self) {
  if (unwinding(self)) return;
  self.block->launch->progress = true;
}

void looked(seat& self, site where) {
  if (unwinding(self)) return;
  const launch_state& launch = *self.block->launch;
  if (++self.block->launch->looks <= launch.options->spin_limit) return;
  throw error(errc::device,
              "lane " + std::to_string(self.lane) + " of block " + std::to_string(self.block->id) +
                  " called load_acquire " + std::to_string(launch.options->spin_limit) +
                  " times in a row: waiting has to go through relax [" +
                  launch.options->to_string() + "]",
              source(where));
}

}  // namespace loops::emulation
