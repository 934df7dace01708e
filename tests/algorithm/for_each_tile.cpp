// SPDX-License-Identifier: Apache-2.0
/// The pieces of a tile are its atoms, each once; an empty tile is one empty piece.
#include "loops/algorithm/for_each_tile.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace {

/// Counts, per atom, visits; per tile, pieces and empty pieces; and calls whose group is wrong.
struct note {
  int* seen;
  std::int64_t* tiles;
  int* pieces;
  int* empty;
  int* odd;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t t, loops::atom_range atoms, const Group& g) const {
    for (std::int64_t a = atoms.first + g.rank(); a < atoms.last; a += g.size()) {
      support::count_up(seen + a);
      tiles[a] = t;
    }
    if (g.rank() == 0) support::count_up(pieces + t);
    if (g.rank() == 0 && atoms.size() == 0) support::count_up(empty + t);
    if (g.rank() < 0 || g.rank() >= g.size() || atoms.size() < 0) support::count_up(odd);
  }
};

template <class Exec>
class for_each_tile : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(for_each_tile, support::executors, support::executor_name);

template <class Exec, class Work>
void check(const Exec& exec, const support::named_point& p, const Work& host, const Work& device,
           std::int64_t tile_names, std::int64_t atom_names) {
  SCOPED_TRACE(p.name);
  const auto& where = exec.memory();
  loops::array<int> seen(static_cast<std::size_t>(atom_names), where);
  loops::array<std::int64_t> tiles(static_cast<std::size_t>(atom_names), where);
  loops::array<int> pieces(static_cast<std::size_t>(tile_names), where);
  loops::array<int> empty(static_cast<std::size_t>(tile_names), where);
  loops::array<int> odd(1, where);
  for (auto* counts : {&seen, &pieces, &empty, &odd}) counts->fill(0);
  tiles.fill(0xff);
  bool splits = false;
  std::visit(
      [&](const auto& schedule) {
        using schedule_type = std::decay_t<decltype(schedule)>;
        using composed = decltype(schedule.compose());
        splits = !std::is_same_v<typename composed::measure_type, loops::measure::one_tile>;
        const loops::tile_plan<Exec, schedule_type, Work, float, loops::shape<64, 3>> plan(
            exec, schedule, device);
        loops::for_each_tile(
            plan, note{seen.data(), tiles.data(), pieces.data(), empty.data(), odd.data()});
      },
      p.schedule);
  std::vector<int> wanted_seen(static_cast<std::size_t>(atom_names), 0);
  std::vector<std::int64_t> wanted_tiles(static_cast<std::size_t>(atom_names), -1);
  const std::vector<int> found_pieces = pieces.to_vector();
  const std::vector<int> found_empty = empty.to_vector();
  for (std::int64_t t = 0; t < host.tiles(); ++t) {
    const auto id = static_cast<std::size_t>(loops::tile_id(host, t));
    const std::int64_t n = loops::atoms_of(host, t).size();
    for (const std::int64_t a : loops::atoms_of(host, t)) {
      const auto name = static_cast<std::size_t>(loops::atom_id(host, t, a));
      wanted_seen[name] = 1;
      wanted_tiles[name] = loops::tile_id(host, t);
    }
    ASSERT_EQ(found_empty[id], n == 0 ? 1 : 0) << "tile " << id << " of " << n << " atoms";
    if (n == 0 || !splits) {
      ASSERT_EQ(found_pieces[id], 1) << "tile " << id << " of " << n << " atoms";
    } else {
      ASSERT_GE(found_pieces[id], 1);
      ASSERT_LE(found_pieces[id], n);
    }
  }
  EXPECT_TRUE(seen.to_vector() == wanted_seen) << "an atom was missed, or visited too often";
  EXPECT_TRUE(tiles.to_vector() == wanted_tiles) << "an atom came with another's tile";
  EXPECT_EQ(odd.to_vector()[0], 0);
}

TYPED_TEST(for_each_tile, covers_awkward_works) {
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
              work(there.data(), s.tiles(), s.atoms()), s.tiles(), s.atoms());
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(for_each_tile, tells_the_names_of_renamed_works) {
  const auto exec = this->any();
  const support::sizes s{"", {0, 300, 1, 0, 0, 64, 2, 5, 0, 700, 0}};
  const auto offsets = s.template offsets<std::int32_t>();
  const loops::array<std::int32_t> there(offsets, exec.memory());
  using work = loops::segments<std::int32_t>;
  const auto chosen =
      loops::select_tiles(work(offsets.data(), s.tiles(), s.atoms()), {9, 4, 5, 1, 10, 2});
  const auto chosen_there = chosen.to(exec.memory(), work(there.data(), s.tiles(), s.atoms()));
  for (const support::named_point& p : support::all_points())
    check(exec, p, chosen.view(), chosen_there.view(), s.tiles(), s.atoms());
}

/// Counts atoms, each lane its own, and adds the counts up.
struct add_counts {
  std::int64_t* sums;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t t, loops::atom_range atoms, const Group& g) const {
    std::int64_t count = 0;
    for (std::int64_t a = atoms.first + g.rank(); a < atoms.last; a += g.size()) ++count;
    count = sum(g, count);
    if (g.rank() == 0) sums[t] = count;
    g.sync();
  }
  template <class Block, int Lanes>
  static LOOPS_HD std::int64_t sum(const loops::group<Block, Lanes>& g, std::int64_t count) {
    if (!g.within_wave()) return g.block().sync_any(count > 0) ? count : 0;
    for (int d = g.size() / 2; d > 0; d /= 2) count += g.block().shuffle_xor(count, d);
    return count;
  }
};

TYPED_TEST(for_each_tile, whole_waves_and_blocks_may_act_together) {
  for (const auto& v : this->variants()) {
    SCOPED_TRACE(v.name);
    constexpr std::int64_t tiles = 13;
    const loops::uniform w(tiles, 100);
    loops::array<std::int64_t> sums(tiles, v.exec.memory());
    sums.fill(0);
    loops::for_each_tile(v.exec, loops::schedule::wave_mapped{}, w, add_counts{sums.data()});
    EXPECT_EQ(sums.to_vector(), std::vector<std::int64_t>(tiles, 100));
    sums.fill(0);
    loops::for_each_tile(v.exec, loops::schedule::block_mapped{}, w, add_counts{sums.data()});
    for (const std::int64_t n : sums.to_vector()) EXPECT_GT(n, 0);
  }
}

}  // namespace
