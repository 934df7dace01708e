// SPDX-License-Identifier: Apache-2.0
/// Runs a launch: fills the stacks with blocks, takes turns among them, and cleans up.
#include "loops/core/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "crew.hpp"

namespace loops::emulation {

namespace {

std::string readable(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string out = text ? text : type.name();
  std::free(text);
  return out;
}

void check(const launch_request& r, const emulation_options& o) {
  require(r.blocks >= 0, errc::invalid_argument, "launch: the number of blocks cannot be negative");
  o.check();
  if (r.shared_bytes > o.shared_bytes)
    throw error(errc::unsupported, "the storage of kernel " + readable(*r.kernel_type) + " takes " +
                                       std::to_string(r.shared_bytes) +
                                       " bytes of shared memory, and a block has " +
                                       std::to_string(o.shared_bytes) +
                                       "; use a smaller shape or fewer items per lane");
}

// A crew and the shared memory of its blocks, for the duration of a launch. The memory is exactly
// as large as the kernel asks, so that AddressSanitizer sees an access past it.
class station {
 public:
  station(launch_state& launch) {
    const launch_request& r = *launch.request;
    crew_ = hire(r.threads, launch.options->stack_bytes);
    alignment_ = std::align_val_t{r.shared_alignment};
    shared_ = ::operator new(r.shared_bytes, alignment_);
    enlist(*crew_, launch, shared_);
  }
  station(station&& o) noexcept
      : crew_(std::move(o.crew_)),
        shared_(std::exchange(o.shared_, nullptr)),
        alignment_(o.alignment_) {}
  station& operator=(station&&) = delete;
  ~station() {
    if (!crew_) return;
    for (char& done : crew_->done) order_after(&done);
    if (shared_) ::operator delete(shared_, alignment_);
    dismiss(std::move(crew_));
  }
  crew& lanes() { return *crew_; }

 private:
  std::unique_ptr<crew> crew_;
  void* shared_ = nullptr;
  std::align_val_t alignment_{1};
};

void poison(crew& c, std::size_t bytes, unsigned char byte) {
  if (!under_tsan()) {
    std::memset(c.shared, byte, bytes);
    return;
  }
  // Behind ThreadSanitizer's back, or clearing would order each block before the next.
  auto* p = static_cast<unsigned char*>(c.shared);
  for (std::size_t i = 0; i < bytes; ++i) {
    p[i] = byte;
    asm volatile("" ::: "memory");
  }
}

std::string stalled(const std::vector<station*>& active, const emulation_options& o) {
  std::string out = "no progress in " + std::to_string(o.patience) +
                    " rounds: every lane waits for what no running block does. A block may wait "
                    "for blocks with lower ids only.";
  int named = 0;
  for (station* s : active) {
    const crew& c = s->lanes();
    if (!c.active || ++named > 4) continue;
    out += " Block " + std::to_string(c.id) + ": " + whereabouts(c) + ".";
  }
  return out + " [" + o.to_string() + "]";
}

// Makes every lane that is inside the kernel leave it.
void cancel(crew& c) {
  launch_state& launch = *c.launch;
  launch.cancelling = true;
  for (int i = 0; i < c.waves && c.active; ++i) {
    wave_state& w = c.wave[i];
    while (w.live)
      switch_to(launch, c.seats[static_cast<std::size_t>(i * w.lanes + std::countr_zero(w.live))]);
  }
  c.active = false;
}

}  // namespace

void run(const launch_request& request, const emulation_options& options) {
  check(request, options);
  launch_state launch;
  launch.request = &request;
  launch.options = &options;
  launch.random = options.seed;
  if (under_tsan()) launch.tsan = __tsan_get_current_fiber();

  std::vector<std::int64_t> ids;
  if (options.blocks == order::seeded) {
    for (std::int64_t i = 0; i < request.blocks; ++i) ids.push_back(i);
    for (std::size_t i = ids.size(); i > 1; --i)
      std::swap(ids[i - 1], ids[launch.draw(static_cast<std::uint32_t>(i))]);
  }

  const auto resident =
      static_cast<std::size_t>(std::min<std::int64_t>(options.residency, request.blocks));
  std::vector<station> stations;
  stations.reserve(resident);
  std::vector<station*> turns;
  for (std::size_t i = 0; i < resident; ++i) turns.push_back(&stations.emplace_back(launch));
  order_before(&launch.begin);

  std::int64_t started = 0;
  for (bool active = true; active && !launch.failure;) {
    active = false;
    launch.progress = false;
    std::int64_t idle = std::numeric_limits<std::int64_t>::max();  // of the least idle block
    for (std::size_t i = 0; i < resident && !launch.failure; ++i) {
      crew& c = stations[i].lanes();
      if (!c.active) {
        if (started == request.blocks) continue;
        if (options.poison) poison(c, request.shared_bytes, options.poison_byte);
        begin_block(c, ids.empty() ? started : ids[static_cast<std::size_t>(started)]);
        ++started;
        launch.progress = true;
      }
      active = true;
      if (!c.ready_waves) wake_relaxing(c);
      fiber& to = next(c);
      if (&to != &launch) switch_to(launch, to);
      if (c.live == 0) c.active = false;
      // Who gave way between two barriers is not idle: it may compute for as long as it likes.
      if (!c.ready_waves) ++c.idle;
      idle = std::min(idle, c.idle);
    }
    if (launch.progress) {
      for (station& s : stations) s.lanes().idle = 0;
    } else if (active && idle > options.patience && !launch.failure) {
      launch.failure = std::make_exception_ptr(error(errc::device, stalled(turns, options)));
    }
  }
  if (!launch.failure) return;
  for (station& s : stations) cancel(s.lanes());
  std::rethrow_exception(launch.failure);
}

}  // namespace loops::emulation
