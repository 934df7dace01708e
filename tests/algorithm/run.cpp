// SPDX-License-Identifier: Apache-2.0
/// Tile programs run over every schedule: every atom once, in order, every tile finished once.
#include "loops/algorithm/run.hpp"

#include "loops/schedule/dense_schedules.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "programs.hpp"

namespace {

using programs::speller;
using programs::word;

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
        const word right =
            programs::spell(static_cast<std::int64_t>(t), 0, of.of[t], static_cast<int>(i % lanes));
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
}

std::vector<support::sizes> works() {
  std::vector<support::sizes> all{{"no tiles", {}},
                                  {"one empty tile", {0}},
                                  {"empty tiles", std::vector<std::int64_t>(7, 0)},
                                  {"one tile", {37}},
                                  {"one atom", {1}},
                                  {"ragged", {5, 0, 0, 31, 1, 2, 0, 17, 3, 0}},
                                  {"a long one first", {90, 1, 1, 0, 1}},
                                  {"a long one last", {0, 1, 2, 1, 90}}};
  for (const std::int64_t tiles : {2, 3, 4, 7, 8, 9, 13})
    all.push_back({std::to_string(tiles) + " tiles of 12",
                   std::vector<std::int64_t>(static_cast<std::size_t>(tiles), 12)});
  return all;
}

bool equal(const support::sizes& s) {
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

template <class Exec>
class run_on : public support::on_executor<Exec> {
 protected:
  template <class Program>
  static void everywhere(bool roles = false) {
    for (const auto& m : machines<Exec>())
      for (const support::sizes& s : works())
        for_each_dense([&](const std::string& name, const auto& schedule) {
          if (testing::Test::HasFailure()) return;
          SCOPED_TRACE(name + " on " + m.name + ", " + s.name);
          const loops::array<std::int64_t> offsets(s.offsets<std::int64_t>(), m.exec.memory());
          expect_run<Program>(m.exec, schedule,
                              loops::segments<std::int64_t>(offsets.data(), s.tiles(), s.atoms()),
                              s, roles);
          if (equal(s) && !testing::Test::HasFailure())
            expect_run<Program>(m.exec, schedule, loops::uniform(s.tiles(), s.of.front()), s,
                                roles);
        });
  }
};
TYPED_TEST_SUITE(run_on, support::executors, support::executor_name);

TYPED_TEST(run_on, every_schedule_and_work) {
  this->template everywhere<speller<32>>();
}

}  // namespace
