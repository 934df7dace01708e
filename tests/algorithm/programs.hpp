// SPDX-License-Identifier: Apache-2.0
/// Tile programs for tests: one whose result depends on the order of atoms, with roles or without.
#pragma once

#include "loops/algorithm/run.hpp"
#include "loops/schedule/dense_schedules.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace programs {

/// A word over the atoms: combining is associative and not commutative, and exact.
struct word {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;
  friend LOOPS_HD constexpr word operator+(const word& a, const word& b) {
    return {a.hash * b.power + b.hash, a.power * b.power};
  }
  friend constexpr bool operator==(const word&, const word&) = default;
};

/// The letter of atom `i` of tile `t` on lane `lane`.
LOOPS_HD constexpr word letter(std::int64_t t, std::int64_t i, int lane) {
  const auto mix = static_cast<std::uint64_t>(t * 1000003 + i * 7919 + 1);
  return {mix * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(lane),
          0xBF58476D1CE4E5B9ull + static_cast<std::uint64_t>(2 * lane)};
}

/// The word of atoms [first, last) of tile t.
LOOPS_HD constexpr word spell(std::int64_t t, std::int64_t first, std::int64_t last, int lane) {
  word w;
  for (std::int64_t i = first; i < last; ++i) w = w + letter(t, i, lane);
  return w;
}

/// Spells every tile on every lane. The waves of the first `Producers` lanes only load: they count
/// what they were told. Those of the first `Finders` of these find the segments for all others.
template <int Threads, int Producers = 0, int Cluster = 1, int Finders = 0>
struct speller {
  using shape = loops::team<Threads>;
  static constexpr int cluster = Cluster;
  static constexpr int fewest = 2;
  static constexpr std::size_t slot_bytes = sizeof(word) * Threads;

  word* out = nullptr;      ///< per tile, lane and block of a cluster
  int* finished = nullptr;  ///< per tile
  int* seen = nullptr;      ///< per atom, by whoever leads
  int* produced = nullptr;  ///< per atom
  int* drained = nullptr;   ///< lanes that came through `drain`
  const std::int64_t* offsets = nullptr;

  /// A place for each segment of a worker, and how many have been told.
  template <class Block>
  struct storage {
    static constexpr int places = Finders > 0 ? 128 : 1;
    std::int64_t told;
    std::int64_t numbers[places][4];  ///< of a segment, as they are listed there
    bool begins[places], ends[places], more[places];
  };

  template <class Block>
  class agent {
   public:
    static constexpr int lanes = Block::threads;
    static constexpr int producers = Block::threads == 1 ? 0 : Producers;
    static constexpr bool finding = Block::threads > 1 && Finders > 0;
    LOOPS_HD agent(const speller& p, Block& block, storage<Block>& shared)
        : p_(p), block_(&block), shared_(&shared) {
      if constexpr (finding) {
        shared.told = 0;
        block.sync();
      }
    }

    LOOPS_HD bool finds() const requires(finding) { return block_->lane() < Finders; }
    LOOPS_HD void tell(const loops::segment& s) requires(finding) { give(s, true); }
    LOOPS_HD void tell_end() requires(finding) { give({}, false); }
    LOOPS_HD bool told(loops::segment& s) requires(finding) {
      const std::int64_t i = count_++;
      for (int tries = 0; block_->load_acquire(&shared_->told) <= i; ++tries) {
        if (tries > 1 << 24) return false;
        block_->relax();
      }
      const auto& n = shared_->numbers[i];
      s = {n[0], n[1], n[2], shared_->begins[i], shared_->ends[i], n[3]};
      return shared_->more[i];
    }

    LOOPS_HD void clear() { state_ = {}; }
    LOOPS_HD void step(const loops::segment& s) {
      state_ = state_ + spell(s.tile, s.first, s.last, rank() * lanes + block_->lane());
      if (leads() && rank() == 0)
        for (std::int64_t i = s.first; i < s.last; ++i)
          support::count_up(p_.seen + p_.offsets[s.tile] + i);
    }
    LOOPS_HD void store(std::byte* slot) { reinterpret_cast<word*>(slot)[block_->lane()] = state_; }
    LOOPS_HD void add(const std::byte* slot) {
      state_ = reinterpret_cast<const word*>(slot)[block_->lane()] + state_;
    }
    LOOPS_HD void finish(std::int64_t tile) {
      p_.out[(tile * Cluster + rank()) * lanes + block_->lane()] = state_;
      if (leads()) support::count_up(p_.finished + tile);
    }
    LOOPS_HD void sync() { block_->sync(); }
    LOOPS_HD void drain() { support::count_up(p_.drained); }

    LOOPS_HD bool produces() const { return block_->lane() < producers; }
    LOOPS_HD bool leads() const { return block_->lane() == producers; }
    LOOPS_HD void produce(const loops::segment& s) {
      // Of no atoms nobody is to be told: the tile would count as finished twice.
      if (s.size() == 0) support::count_up(p_.finished + s.tile);
      if (block_->lane() == (finding ? Finders : 0) && rank() == 0)
        for (std::int64_t i = s.first; i < s.last; ++i)
          support::count_up(p_.produced + p_.offsets[s.tile] + i);
    }

   private:
    [[nodiscard]] LOOPS_HD int rank() const { return static_cast<int>(block_->id() % Cluster); }
    /// Does not wait for those who listen: they wait for each other, at barriers of all lanes.
    LOOPS_HD void give(const loops::segment& s, bool more) {
      const std::int64_t i = count_++;
      if (block_->lane() != 0 || i >= shared_->places) return;
      const std::int64_t numbers[4] = {s.tile, s.first, s.last, s.first_peer};
      for (int n = 0; n < 4; ++n) shared_->numbers[i][n] = numbers[n];
      shared_->begins[i] = s.begins;
      shared_->ends[i] = s.ends;
      shared_->more[i] = more && i + 1 < shared_->places;
      block_->store_release(&shared_->told, i + 1);
    }

    speller p_;
    Block* block_;
    storage<Block>* shared_;
    std::int64_t count_ = 0;
    word state_;
  };
};

/// Executors that differ in how many blocks they hold and in who runs first.
template <class Exec>
std::vector<support::variant_of<Exec>> machines() {
#if LOOPS_CUDA || LOOPS_HIP
  return support::executor_traits<Exec>::variants();
#else
  std::vector<support::variant_of<Exec>> all;
  if constexpr (std::is_same_v<Exec, loops::host_executor>) {
    for (const int threads : {1, 2, 3, 5})
      all.push_back({std::to_string(threads) + " threads",
                     Exec(std::make_shared<loops::host::pool>(threads))});
  } else {
    for (const int residency : {1, 2, 3, 5, 8}) {
      loops::emulation_options o;
      o.residency = residency;
      o.seed = static_cast<std::uint64_t>(residency);
      o.lanes = residency % 3 == 0   ? loops::emulation::order::down
                : residency % 3 == 1 ? loops::emulation::order::up
                                     : loops::emulation::order::seeded;
      all.push_back({o.to_string(), Exec(o)});
    }
  }
  return all;
#endif
}

/// Everything a speller writes, and what it should have written.
template <class Exec, class Program>
struct spelling {
  static constexpr int lanes = Exec::template block<typename Program::shape>::threads;
  const support::sizes& of;
  loops::array<std::int64_t> offsets;
  loops::array<word> out;
  loops::array<int> finished, seen, produced, drained;

  spelling(const Exec& exec, const support::sizes& s)
      : of(s),
        offsets(s.offsets<std::int64_t>(), exec.memory()),
        out(s.of.size() * Program::cluster * lanes, exec.memory()),
        finished(s.of.size(), exec.memory()),
        seen(static_cast<std::size_t>(s.atoms()), exec.memory()),
        produced(static_cast<std::size_t>(s.atoms()), exec.memory()),
        drained(1, exec.memory()) {
    drained.fill(0);
    renew();
  }
  void renew() {
    out.fill(0xff);
    finished.fill(0);
    seen.fill(0);
    produced.fill(0);
  }
  Program program() {
    Program p;
    p.out = out.data();
    p.finished = finished.data();
    p.seen = seen.data();
    p.produced = produced.data();
    p.drained = drained.data();
    p.offsets = offsets.data();
    return p;
  }
  /// Every atom taken in once, every tile finished once by every block of its cluster, with the
  /// letters of all of its atoms in their order.
  void expect_right(bool roles) const {
    const auto words = out.to_vector();
    for (std::size_t t = 0; t < of.of.size(); ++t)
      for (std::size_t i = 0; i < Program::cluster * lanes; ++i) {
        const word right = spell(static_cast<std::int64_t>(t), 0, of.of[t], static_cast<int>(i));
        const bool consumes = !roles || lanes == 1 || i % lanes >= Program::shape::threads / 3;
        if (!consumes) continue;
        ASSERT_EQ(words[t * Program::cluster * lanes + i], right) << "tile " << t << ", lane " << i;
      }
    for (const int n : finished.to_vector()) ASSERT_EQ(n, Program::cluster);
    for (const int n : seen.to_vector()) ASSERT_EQ(n, 1);
    if (roles && lanes > 1) {
      for (const int n : produced.to_vector()) ASSERT_EQ(n, 1);
    }
  }
};

template <class F>
void for_each_dense(const F& f) {
  for (const loops::named_dense_schedule& s : loops::dense_schedules())
    std::visit([&](const auto& one) { f(s.name, one); }, s.schedule);
  f("split_k:1", loops::schedule::split_k{1});
}

inline std::vector<support::sizes> works() {
  std::vector<support::sizes> all{{"no tiles", {}},
                                  {"one empty tile", {0}},
                                  {"empty tiles", std::vector<std::int64_t>(7, 0)},
                                  {"one tile", {37}},
                                  {"one atom", {1}},
                                  {"ragged", {5, 0, 0, 31, 1, 2, 0, 17, 3, 0}},
                                  {"a long one first", {90, 1, 1, 0, 1}},
                                  {"a long one last", {0, 1, 2, 1, 90}}};
#if LOOPS_CUDA || LOOPS_HIP
  // Enough for every block of a GPU.
  all.push_back({"1999 tiles of 12", std::vector<std::int64_t>(1999, 12)});
  all.push_back({"one long tile", {40001}});
  all.push_back({"long tiles", {9001, 0, 7000, 1, 8080}});
#endif
  for (const std::int64_t tiles : {2, 3, 4, 7, 8, 9, 13})
    all.push_back({std::to_string(tiles) + " tiles of 12",
                   std::vector<std::int64_t>(static_cast<std::size_t>(tiles), 12)});
  return all;
}

inline bool equal(const support::sizes& s) {
  for (const std::int64_t n : s.of)
    if (n != s.of.front()) return false;
  return !s.of.empty();
}

template <class Program, class Exec, class Schedule, class Work>
void expect_run(const Exec& exec, const Schedule& schedule, const Work& w, const support::sizes& s,
                bool roles) {
  spelling<Exec, Program> all(exec, s);
  auto plan = loops::plan_run(exec, schedule, w, all.program());
  std::vector<word> first;
  constexpr int launches = 3;
  for (int launch = 0; launch < launches; ++launch) {
    all.renew();
    loops::run(plan, all.program());
    plan.check();
    all.expect_right(roles);
    const auto words = all.out.to_vector();
    if (launch == 0) first = words;
    ASSERT_TRUE(support::same_bits(first, words));
  }
  ASSERT_EQ(all.drained.to_vector().front(),
            w.tiles() ? launches * plan.workers() * Program::cluster * all.lanes : 0);
}

/// Every dense schedule over every work, with offsets and, where they are all equal, without.
template <class Program, class Machine>
void everywhere(const Machine& m, bool roles = false) {
  for (const support::sizes& s : works())
    for_each_dense([&](const std::string& name, const auto& schedule) {
      if (testing::Test::HasFailure()) return;
      SCOPED_TRACE(name + " on " + m.name + ", " + s.name);
      const loops::array<std::int64_t> offsets(s.offsets<std::int64_t>(), m.exec.memory());
      expect_run<Program>(m.exec, schedule,
                          loops::segments<std::int64_t>(offsets.data(), s.tiles(), s.atoms()), s,
                          roles);
      if (equal(s) && !testing::Test::HasFailure())
        expect_run<Program>(m.exec, schedule, loops::uniform(s.tiles(), s.of.front()), s, roles);
    });
}

}  // namespace programs
