// SPDX-License-Identifier: Apache-2.0
/// Every atom is visited exactly once, with its own tile, under every schedule.
#include "loops/algorithm/for_each_atom.hpp"

#include "loops/work/flattened.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace {

/// Counts visits, and writes down the tile that came with the atom.
struct note {
  int* seen;
  std::int64_t* tiles;
  LOOPS_HD void operator()(std::int64_t t, std::int64_t a) const {
    support::count_up(seen + a);
    tiles[a] = t;
  }
};

/// The same with what is read first, of a tile its number, and of an atom; counts those that are
/// none.
struct note_what_was_read {
  note to;
  std::int64_t names;
  int* strays;
  LOOPS_HD std::int64_t of_tile(std::int64_t t) const { return t; }
  LOOPS_HD std::int64_t of_atom(std::int64_t a) const {
    if (a < 0 || a >= names) support::count_up(strays);
    return a;
  }
  template <class Block>
  LOOPS_HD void operator()(Block&, std::int64_t t, std::int64_t a) const {
    to(t, a);
  }
};
static_assert(loops::reads_first<note_what_was_read> && !loops::reads_first<note>);

template <class Exec>
class for_each_atom : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(for_each_atom, support::executors, support::executor_name);

/// `host` and `device` are the same work, whose atoms are named 0 … `names` - 1.
template <class Exec, class Work>
void check(const Exec& exec, const support::named_point& p, const Work& host, const Work& device,
           std::int64_t names) {
  SCOPED_TRACE(p.name);
  loops::array<int> seen(static_cast<std::size_t>(names), exec.memory());
  loops::array<std::int64_t> tiles(static_cast<std::size_t>(names), exec.memory());
  loops::array<int> strays(1, exec.memory());
  seen.fill(0);
  tiles.fill(0xff);
  strays.fill(0);
  const note f{seen.data(), tiles.data()};
  std::visit(
      [&](const auto& schedule) {
        using schedule_type = std::decay_t<decltype(schedule)>;
        const loops::tile_plan<Exec, schedule_type, Work, float, loops::shape<64, 3>> plan(
            exec, schedule, device);
        loops::for_each_atom(plan, f);
        loops::for_each_atom(plan, note_what_was_read{f, names, strays.data()});
      },
      p.schedule);
  std::vector<int> wanted_seen(static_cast<std::size_t>(names), 0);
  std::vector<std::int64_t> wanted_tiles(static_cast<std::size_t>(names), -1);
  for (std::int64_t t = 0; t < host.tiles(); ++t)
    for (const std::int64_t a : loops::atoms_of(host, t)) {
      const auto name = static_cast<std::size_t>(loops::atom_id(host, t, a));
      wanted_seen[name] = 2;
      wanted_tiles[name] = loops::tile_id(host, t);
    }
  EXPECT_EQ(strays.to_vector().front(), 0) << "reads what is no atom";
  EXPECT_TRUE(seen.to_vector() == wanted_seen) << "an atom was missed, or visited too often";
  EXPECT_TRUE(tiles.to_vector() == wanted_tiles) << "an atom came with another's tile";
}

TYPED_TEST(for_each_atom, visits_awkward_works) {
  for (const auto& v : this->variants()) {
    const loops::machine m = v.exec.template describe<loops::shape<64, 3>>();
    for (const support::sizes& s :
         support::few_sizes(std::int64_t{m.threads} * m.items, std::int64_t{m.threads} * m.batch)) {
      SCOPED_TRACE(s.name + ", " + v.name);
      const auto offsets = s.template offsets<std::int32_t>();
      const loops::array<std::int32_t> there(offsets, v.exec.memory());
      using work = loops::segments<std::int32_t>;
      for (const support::named_point& p : support::all_points())
        check(v.exec, p, work(offsets.data(), s.tiles(), s.atoms()),
              work(there.data(), s.tiles(), s.atoms()), s.atoms());
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(for_each_atom, visits_renamed_works) {
  const auto exec = this->any();
  const support::sizes s{"", {0, 300, 1, 0, 0, 64, 2, 5, 0, 700, 0}};
  const auto offsets = s.template offsets<std::int32_t>();
  const loops::array<std::int32_t> there(offsets, exec.memory());
  using work = loops::segments<std::int32_t>;
  const auto chosen =
      loops::select_tiles(work(offsets.data(), s.tiles(), s.atoms()), {9, 4, 5, 1, 10, 2});
  const auto chosen_there = chosen.to(exec.memory(), work(there.data(), s.tiles(), s.atoms()));
  for (const support::named_point& p : support::all_points())
    check(exec, p, chosen.view(), chosen_there.view(), s.atoms());
}

TYPED_TEST(for_each_atom, visits_closed_form_works) {
  for (const loops::uniform& w :
       {loops::uniform(0, 4), loops::uniform(9, 0), loops::uniform(1, 999), loops::uniform(999, 1),
        loops::uniform(31, 193)})
    for (const support::named_point& p : support::all_points())
      check(this->any(), p, w, w, w.atoms());
}

/// Claims an atom by an atomic of the block, and counts the claims that were first.
struct claim {
  int* owners;
  int* first;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t atom) const {
    if (block.atomic_max(owners + atom / 2, 1) == 0) block.atomic_add(first, 1);
  }
};

TYPED_TEST(for_each_atom, gives_the_block_to_those_who_ask) {
  const auto exec = this->any();
  loops::array<int> owners(500, exec.memory());
  loops::array<int> first(1, exec.memory());
  const auto check = [&](const auto& schedule) {
    owners.fill(0);
    first.fill(0);
    loops::for_each_atom(exec, schedule, loops::uniform(10, 100),
                         claim{owners.data(), first.data()});
    EXPECT_EQ(first.to_vector().front(), 500);
  };
  check(loops::schedule::merge_path{});
  check(loops::schedule::group_mapped{4});
}

/// Counts the atoms of all tiles, and notes the first and the last, in integers of one type.
template <class T>
struct take_note {
  T* count;
  T* least;
  T* most;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t atom) const {
    block.atomic_add(count, T{1});
    block.atomic_min(least, static_cast<T>(atom));
    block.atomic_max(most, static_cast<T>(atom));
  }
};

template <class T, class Exec>
void expect_notes(const Exec& exec) {
  loops::array<T> notes(std::vector<T>{0, 1000, 0}, exec.memory());
  loops::for_each_atom(exec, loops::schedule::merge_path{}, loops::uniform(10, 100),
                       take_note<T>{notes.data(), notes.data() + 1, notes.data() + 2});
  EXPECT_EQ(notes.to_vector(), (std::vector<T>{1000, 0, 999}));
}

TYPED_TEST(for_each_atom, has_atomics_of_all_integers_of_32_and_64_bits) {
  expect_notes<int>(this->any());
  expect_notes<unsigned>(this->any());
  expect_notes<long>(this->any());
  expect_notes<unsigned long>(this->any());
  expect_notes<long long>(this->any());
  expect_notes<unsigned long long>(this->any());
}

/// Atoms take places in a list, some lanes of a wave at a time, and as much room there as they
/// need.
struct take_place {
  std::int64_t* next;  ///< 2^32 for every place, and the room
  std::int64_t* begins;
  LOOPS_HD static std::int64_t room(std::int64_t atom) { return atom * 7919 % 1000; }
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t atom) const {
    if (atom % 3 == 1) return;
    begins[atom] = block.add_together(next, (std::int64_t{1} << 32) + room(atom));
  }
};

TYPED_TEST(for_each_atom, lets_lanes_add_together) {
  const auto exec = this->any();
  loops::array<std::int64_t> next(1, exec.memory());
  loops::array<std::int64_t> begins(5000, exec.memory());
  const auto check = [&](const auto& schedule) {
    next.fill(0);
    begins.fill(0x5a);
    loops::for_each_atom(exec, schedule, loops::uniform(50, 100),
                         take_place{next.data(), begins.data()});
    std::vector<std::pair<std::int64_t, std::int64_t>> in_order;  // where rooms begin, atoms
    const auto found = begins.to_vector();
    for (std::int64_t a = 0; a < 5000; ++a)
      if (a % 3 != 1) in_order.emplace_back(found[static_cast<std::size_t>(a)], a);
    std::ranges::sort(in_order);
    std::int64_t wanted = 0;
    for (const auto& [begin, atom] : in_order) {
      ASSERT_EQ(begin, wanted) << "atom " << atom;
      wanted += (std::int64_t{1} << 32) + take_place::room(atom);
    }
    EXPECT_EQ(next.to_vector().front(), wanted);
  };
  check(loops::schedule::merge_path{});
  check(loops::schedule::thread_mapped{});
  check(loops::schedule::group_mapped{4});
}

}  // namespace
