// SPDX-License-Identifier: Apache-2.0
/// Lanes that enter a kernel, leave it, and wait for the next block.
#include "crew.hpp"

#include <bit>
#include <mutex>
#include <utility>
#include <vector>

namespace loops::emulation {

namespace {

// The life of a lane's stack: one kernel entry after another.
void lane_main(boost::context::detail::transfer_t from) {
  seat& self = *static_cast<seat*>(static_cast<fiber*>(from.data)->target);
  arrived(from, self);
  for (;;) {
    crew& c = *self.block;
    launch_state& launch = *c.launch;
    order_after(&launch.begin);
    order_after(&c.done[(c.turn + 1) & 1]);
    try {
      if (!launch.cancelling) {
        const launch_request& r = *launch.request;
        r.body(r.kernel, self, self.lane, c.id, r.blocks, c.shared);
      }
    } catch (const cancelled&) {
    } catch (...) {
      if (!launch.failure) launch.failure = std::current_exception();
    }
    order_before(&c.done[c.turn & 1]);
    // Outside of the handlers: the exceptions in flight belong to the thread, not to the lane.
    retire(self);
    switch_to(self, next(c));
  }
}

// Crews keep their stacks from launch to launch: mapping and guarding them costs more than a
// launch. Constant-initialised and never destroyed: a launch may come from any thread, during exit
// too.
constexpr std::size_t most_kept = 8;
constinit std::mutex kept_lock;
constinit std::vector<std::unique_ptr<crew>>* kept = nullptr;

}  // namespace

crew::crew(int lanes, std::size_t bytes)
    : threads(lanes),
      stack_bytes(bytes),
      memory(lanes, bytes),
      seats(new seat[static_cast<std::size_t>(lanes)]),
      values(new unsigned char[static_cast<std::size_t>(lanes) * 2 * largest_shuffle]) {
  for (int i = 0; i < lanes; ++i) {
    seats[static_cast<std::size_t>(i)].lane = i;
    seats[static_cast<std::size_t>(i)].block = this;
    memory.prepare(seats[static_cast<std::size_t>(i)], i, lane_main);
  }
}

crew::~crew() {
  if (!under_tsan()) return;
  for (int i = 0; i < threads; ++i) __tsan_destroy_fiber(seats[static_cast<std::size_t>(i)].tsan);
}

std::unique_ptr<crew> hire(int threads, std::size_t stack_bytes) {
  {
    const std::lock_guard hold(kept_lock);
    for (std::size_t i = kept ? kept->size() : 0; i-- > 0;) {
      if ((*kept)[i]->threads != threads || (*kept)[i]->stack_bytes != stack_bytes) continue;
      auto found = std::move((*kept)[i]);
      kept->erase(kept->begin() + static_cast<std::ptrdiff_t>(i));
      return found;
    }
  }
  return std::make_unique<crew>(threads, stack_bytes);
}

void dismiss(std::unique_ptr<crew> c) noexcept {
  std::unique_ptr<crew> oldest;  // destroyed after the lock is released
  const std::lock_guard hold(kept_lock);
  if (!kept) {
    kept = new std::vector<std::unique_ptr<crew>>;
    kept->reserve(most_kept);
  }
  if (kept->size() == most_kept) {
    oldest = std::move(kept->front());
    kept->erase(kept->begin());
  }
  kept->push_back(std::move(c));
}

void enlist(crew& c, launch_state& launch, void* shared) {
  const int lanes = launch.request->wave;
  c.launch = &launch;
  c.shared = shared;
  c.waves = c.threads / lanes;
  for (int i = 0; i < c.threads; ++i) {
    seat& s = c.seats[static_cast<std::size_t>(i)];
    s.wave = &c.wave[i / lanes];
    s.wave_lane = i % lanes;
  }
  const std::size_t half = static_cast<std::size_t>(lanes) * largest_shuffle;
  for (int w = 0; w < c.waves; ++w) {
    c.wave[w].lanes = lanes;
    c.wave[w].values[0] = c.values.get() + static_cast<std::size_t>(w) * 2 * half;
    c.wave[w].values[1] = c.wave[w].values[0] + half;
    for (int i = 0; i < lanes; ++i) c.wave[w].turns[i] = static_cast<unsigned char>(i);
  }
}

namespace {

void make_ready(crew& c, wave_state& w, std::uint64_t lanes) {
  w.ready |= lanes;
  c.ready_waves |= std::uint64_t{1} << (&w - c.wave);
  launch_state& launch = *c.launch;
  if (launch.options->lanes != order::seeded) return;
  for (int i = w.lanes; i > 1; --i)
    std::swap(w.turns[i - 1], w.turns[launch.draw(static_cast<std::uint32_t>(i))]);
}

int take(wave_state& w, order turns) {
  int lane = 0;
  if (turns == order::up) {
    lane = std::countr_zero(w.ready);
  } else if (turns == order::down) {
    lane = 63 - std::countl_zero(w.ready);
  } else {
    do {
      w.turn = (w.turn + 1) & static_cast<unsigned>(w.lanes - 1);
      lane = w.turns[w.turn];
    } while (!(w.ready >> lane & 1));
  }
  w.ready &= ~(std::uint64_t{1} << lane);
  return lane;
}

int take_wave(crew& c, launch_state& launch) {
  if (launch.options->lanes == order::up) return std::countr_zero(c.ready_waves);
  if (launch.options->lanes == order::down) return 63 - std::countl_zero(c.ready_waves);
  std::uint64_t left = c.ready_waves;
  for (auto k = launch.draw(static_cast<std::uint32_t>(std::popcount(left))); k != 0; --k)
    left &= left - 1;
  return std::countr_zero(left);
}

}  // namespace

void begin_block(crew& c, std::int64_t id) {
  c.id = id;
  ++c.turn;
  c.active = true;
  c.live = c.threads;
  c.waiting = 0;
  c.ready_waves = 0;
  for (int i = 0; i < c.waves; ++i) {
    wave_state& w = c.wave[i];
    w.live = ~std::uint64_t{0} >> (64 - w.lanes);
    w.ready = w.relaxing = w.waiting = 0;
    make_ready(c, w, w.live);
  }
  c.current = take_wave(c, *c.launch);
}

void wake_relaxing(crew& c) {
  for (int i = 0; i < c.waves; ++i) {
    wave_state& w = c.wave[i];
    if (w.relaxing) make_ready(c, w, std::exchange(w.relaxing, 0));
  }
}

fiber& next(crew& c) {
  launch_state& launch = *c.launch;
  launch.looks = 0;
  if (launch.cancelling || launch.failure) return launch;
  if (!(c.ready_waves >> c.current & 1)) {
    if (!c.ready_waves) return launch;
    // Now and then another block's turn, so that blocks interleave at barriers too.
    if (launch.options->lanes == order::seeded && launch.draw(8) == 0) return launch;
    c.current = take_wave(c, launch);
  }
  wave_state& w = c.wave[c.current];
  const int lane = take(w, launch.options->lanes);
  if (!w.ready) c.ready_waves &= ~(std::uint64_t{1} << c.current);
  return c.seats[static_cast<std::size_t>(c.current * w.lanes + lane)];
}

void complete_wave(crew& c, wave_state& w) {
  w.participants[w.phase & 1] = w.waiting;
  ++w.phase;
  make_ready(c, w, std::exchange(w.waiting, 0));
}

void complete_block(crew& c) {
  ++c.phase;
  c.waiting = 0;
  for (int i = 0; i < c.waves; ++i)
    if (c.wave[i].waiting) make_ready(c, c.wave[i], std::exchange(c.wave[i].waiting, 0));
  if (c.ready_waves) c.current = take_wave(c, *c.launch);
}

void retire(seat& self) {
  crew& c = *self.block;
  wave_state& w = *self.wave;
  w.live &= ~(std::uint64_t{1} << self.wave_lane);
  --c.live;
  c.launch->progress = true;
  if (w.waiting && within_wave(w.pending.what) && w.waiting == w.live) complete_wave(c, w);
  if (c.waiting && c.waiting == c.live) complete_block(c);
}

}  // namespace loops::emulation
