// SPDX-License-Identifier: Apache-2.0
/// The host's thread pool.
#include "loops/execution/host.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace loops::host {

namespace {

/// More is a mistake: somebody's number of bytes, or of rows.
constexpr int most_threads = 4096;

int default_threads() {
  if (const char* text = std::getenv("LOOPS_THREADS")) {
    char* end = nullptr;
    const long n = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || n < 1 || n > most_threads)
      throw error(errc::invalid_argument, std::string("LOOPS_THREADS is '") + text +
                                              "': set it to 1 … " + std::to_string(most_threads) +
                                              " or unset it");
    return static_cast<int>(n);
  }
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

thread_local bool inside_task = false;
thread_local int this_worker = 0;
/// The pool that this thread works for.
thread_local const void* this_pool = nullptr;
/// Whether a task of the run that this thread takes part in has thrown; null: it takes part in
/// none.
thread_local const std::atomic<bool>* run_failed = nullptr;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

struct pool::state {
  // One run at a time. `generation` is odd while a run is open; helpers register in `inside` before
  // they touch it, and a run ends when the tasks are out and everybody who registered has left. So
  // a helper that wakes up late costs nobody anything.
  std::mutex running;
  std::atomic<std::uint64_t> generation{0};
  alignas(128) std::atomic<int> inside{0};
  std::atomic<bool> stop{false};

  /// A stretch of the tasks per thread: a thread that takes the same one in every run finds what
  /// it touched last time in its caches. `next` may pass `end`.
  struct alignas(128) share {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  alignas(128) const task_ref* task = nullptr;
  std::vector<share> shares;  // the first is the caller's
  std::mutex failure_lock;
  std::exception_ptr failure;
  std::atomic<bool> failed{false};  // set once `failure` is
  std::vector<std::jthread> helpers;

  // Tasks may wait for tasks of lower numbers. That ends well, because a share is handed out from
  // its front, and the caller, who is always there, takes the lowest task left: his own share is
  // the first, and he helps with the others in turn.
  void take(share& from) {
    while (from.next.load(std::memory_order_relaxed) < from.end) {
      const std::int64_t i = from.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= from.end) break;
      (*task)(i);
    }
  }

  void work(std::size_t thread) {
    inside_task = true;
    this_pool = this;
    this_worker = static_cast<int>(thread);
    run_failed = &failed;
    try {
      take(shares[thread]);
      for (share& other : shares) take(other);
    } catch (...) {
      for (share& s : shares) s.next.store(s.end, std::memory_order_relaxed);
      const std::lock_guard lock(failure_lock);
      if (!failure) failure = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
    run_failed = nullptr;
    this_pool = nullptr;
    this_worker = 0;
    inside_task = false;
  }

  void help(std::size_t thread) {
    std::uint64_t seen = 0;
    for (;;) {
      // Spin for a moment: a launch that follows another should not pay for a wake-up.
      const auto patience = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
      while (generation.load(std::memory_order_acquire) == seen &&
             std::chrono::steady_clock::now() < patience) {
        for (int i = 0; i < 32; ++i) pause();
      }
      generation.wait(seen, std::memory_order_acquire);
      inside.fetch_add(1, std::memory_order_seq_cst);
      seen = generation.load(std::memory_order_seq_cst);
      if (seen % 2 == 1) work(thread);
      inside.fetch_sub(1, std::memory_order_release);
      // Asked after `seen` is known: who has seen the last generation does not wake again.
      if (stop.load(std::memory_order_acquire)) return;
    }
  }

  // Here, not in the pool's own: whatever ends a constructor, its helpers are told before they are
  // waited for.
  ~state() {
    stop.store(true, std::memory_order_release);
    generation.fetch_add(2, std::memory_order_acq_rel);
    generation.notify_all();
  }
};

pool::pool(int threads) : state_(std::make_unique<state>()) {
  if (threads < 0 || threads > most_threads)
    throw error(errc::invalid_argument, "a pool has 1 … " + std::to_string(most_threads) +
                                            " threads, or 0 for one per " + "processor, not " +
                                            std::to_string(threads));
  const int n = threads ? threads : default_threads();
  auto& helpers = state_->helpers;
  helpers.reserve(static_cast<std::size_t>(n) - 1);
  try {
    for (std::size_t i = 1; i < static_cast<std::size_t>(n); ++i)
      helpers.emplace_back([s = state_.get(), i] { s->help(i); });
  } catch (const std::system_error&) {
    // The system starts no more: those that there are do.
  }
  // Helpers look at it when a run is open, and not before.
  state_->shares = std::vector<state::share>(helpers.size() + 1);
}

pool::~pool() = default;

int pool::threads() const noexcept {
  return static_cast<int>(state_->helpers.size()) + 1;
}

void pool::run(std::int64_t count, task_ref task) {
  if (count <= 0) return;
  if (inside_task || count == 1 || state_->helpers.empty()) {
    // Numbers are a pool's own: in a run of another one this thread is its only one.
    const struct numbered {
      int before = this_worker;
      ~numbered() { this_worker = before; }
    } restored;
    if (this_pool != state_.get()) this_worker = 0;
    for (std::int64_t i = 0; i < count; ++i) task(i);
    return;
  }
  state& s = *state_;
  const std::lock_guard lock(s.running);
  const std::int64_t threads = static_cast<std::int64_t>(s.shares.size());
  for (std::int64_t i = 0, begin = 0; i < threads; ++i) {
    auto& share = s.shares[static_cast<std::size_t>(i)];
    share.next.store(begin, std::memory_order_relaxed);
    share.end = begin += count / threads + (i < count % threads);
  }
  s.task = &task;
  s.generation.fetch_add(1, std::memory_order_seq_cst);
  s.generation.notify_all();
  s.work(0);
  // Close the run first: who registers from now on sees that, and stays out of it.
  s.generation.fetch_add(1, std::memory_order_seq_cst);
  for (int spins = 0; s.inside.load(std::memory_order_seq_cst) != 0; ++spins) {
    if (spins < 4096) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
  if (s.failure) {
    s.failed.store(false, std::memory_order_relaxed);
    std::rethrow_exception(std::exchange(s.failure, nullptr));
  }
}

int worker() {
  return this_worker;
}

void give_way() {
  std::this_thread::yield();
  if (run_failed && run_failed->load(std::memory_order_relaxed))
    throw error(errc::device, "another block of the launch ended with an exception");
}

const std::shared_ptr<pool>& default_pool() {
  static const std::shared_ptr<pool> instance = std::make_shared<pool>();
  return instance;
}

}  // namespace loops::host
