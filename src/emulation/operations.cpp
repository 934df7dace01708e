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

[[noreturn]] void diverged(const seat& self, const arrival& theirs, int first) {
  const crew& c = *self.block;
  const arrival& mine = self.last;
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

[[noreturn]] void unreadable(const seat& self, int from) {
  const crew& c = *self.block;
  const wave_state& w = *self.wave;
  const std::string source_lane =
      from < 0 || from >= w.lanes
          ? "wave lane " + std::to_string(from) + " of a wave of " + std::to_string(w.lanes)
          : "lane " + std::to_string(self.lane - self.wave_lane + from) + ", which has exited";
  throw error(errc::device,
              std::string(name(self.last.what)) + " at " + place(self.last.where) + ": lane " +
                  std::to_string(self.lane) + " of block " + std::to_string(c.id) + " reads " +
                  source_lane + " [" + c.launch->options->to_string() + "]",
              source(self.last.where));
}

// The way to whoever is next.
departure depart(seat& self) {
  fiber& to = next(*self.block);
  if (&to == &self) return {nullptr, nullptr};
  if (under_asan() || under_tsan()) {
    switch_to(self, to);
    return {nullptr, nullptr};
  }
  self.target = &to;
  return {to.context, static_cast<fiber*>(&self)};
}

void arrive_in_wave(seat& self, operation what, site where, std::size_t bytes) {
  wave_state& w = *self.wave;
  // Member by member: passing an `arrival` along costs a stalled load per lane.
  self.last.what = what;
  self.last.where.file = where.file;
  self.last.where.line = where.line;
  self.last.bytes = bytes;
  self.parity = w.phase & 1;
  if (w.waiting == 0) {
    w.pending = self.last;
    w.first = self.lane;
  } else if (!same(w.pending, self.last)) {
    diverged(self, w.pending, w.first);
  }
  w.waiting |= std::uint64_t{1} << self.wave_lane;
}

departure wait_in_wave(seat& self) {
  wave_state& w = *self.wave;
  if (w.waiting == w.live) complete_wave(*self.block, w);
  return depart(self);
}

departure arrive_in_block(seat& self, operation what, bool p, site where) {
  crew& c = *self.block;
  arrive_in_wave(self, what, where, 0);
  self.parity = c.phase & 1;
  if (c.waiting == 0) {
    c.pending = self.last;
    c.first = self.lane;
    c.any[self.parity] = false;
  } else if (!same(c.pending, self.last)) {
    self.wave->waiting &= ~(std::uint64_t{1} << self.wave_lane);
    diverged(self, c.pending, c.first);
  }
  ++c.waiting;
  if (p) c.any[self.parity] = true;
  order_before(&c.order[self.parity]);
  if (c.waiting == c.live) complete_block(c);
  return depart(self);
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

departure arrive_sync(seat& self, site where) {
  if (unwinding(self)) return {nullptr, nullptr};
  return arrive_in_block(self, operation::sync, false, where);
}

void finish_sync(seat& self) {
  if (unwinding(self)) return;
  order_after(&self.block->order[self.parity]);
}

departure arrive_sync_any(seat& self, bool p, site where) {
  if (unwinding(self)) return {nullptr, nullptr};
  return arrive_in_block(self, operation::sync_any, p, where);
}

bool finish_sync_any(seat& self) {
  if (unwinding(self)) return false;
  order_after(&self.block->order[self.parity]);
  return self.block->any[self.parity];
}

departure arrive_wave_sync(seat& self, site where) {
  if (unwinding(self)) return {nullptr, nullptr};
  arrive_in_wave(self, operation::wave_sync, where, 0);
  order_before(&self.wave->order[self.parity]);
  return wait_in_wave(self);
}

void finish_wave_sync(seat& self) {
  if (unwinding(self)) return;
  order_after(&self.wave->order[self.parity]);
}

departure arrive_ballot(seat& self, bool p, site where) {
  if (unwinding(self)) return {nullptr, nullptr};
  wave_state& w = *self.wave;
  if (w.waiting == 0) w.votes[w.phase & 1] = 0;
  arrive_in_wave(self, operation::ballot, where, 0);
  if (p) w.votes[self.parity] |= std::uint64_t{1} << self.wave_lane;
  return wait_in_wave(self);
}

std::uint64_t finish_ballot(seat& self) {
  if (unwinding(self)) return 0;
  return self.wave->votes[self.parity];
}

departure arrive_exchange(seat& self, operation what, const void* value, std::size_t bytes,
                          site where) {
  if (unwinding(self)) return {nullptr, nullptr};
  arrive_in_wave(self, what, where, bytes);
  copy(self.wave->values[self.parity] + bytes * static_cast<std::size_t>(self.wave_lane),
       static_cast<const unsigned char*>(value), bytes);
  return wait_in_wave(self);
}

void finish_exchange(seat& self, int from, void* result) {
  if (unwinding(self)) return;
  const wave_state& w = *self.wave;
  if (from < 0 || from >= w.lanes || !(w.participants[self.parity] >> from & 1))
    unreadable(self, from);
  const std::size_t bytes = self.last.bytes;
  copy(static_cast<unsigned char*>(result),
       w.values[self.parity] + bytes * static_cast<std::size_t>(from), bytes);
}

departure arrive_relax(seat& self, site where) {
  if (unwinding(self)) return {nullptr, nullptr};
  self.last = {operation::relax, where, 0};
  self.wave->relaxing |= std::uint64_t{1} << self.wave_lane;
  return depart(self);
}

void finish_relax(seat& self) {
  (void)unwinding(self);
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
