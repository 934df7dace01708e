// SPDX-License-Identifier: Apache-2.0
/// What slices hand over, held against sums of their atoms one by one.
#pragma once

#include "loops/algorithm/slice_round.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using loops::slice;

/// The value of atom a: a small integer, exact in sums.
struct value_of {
  LOOPS_HD int operator()(std::int64_t a) const { return static_cast<int>(a * 7 % 13 - 4); }
};
/// The same where the tile is asked for.
struct value_in {
  LOOPS_HD int operator()(std::int64_t t, std::int64_t a) const {
    return static_cast<int>(a * 7 % 13 - 4 + t % 3);
  }
};

/// What a slice handed over.
struct outcome {
  int* emitted;  ///< per tile, how often
  int* values;   ///< per tile
  int* heads;    ///< per slice, how often
  std::int64_t* head_tiles;
  int* head_values;
  int* tails;  ///< per slice, how often
  int* tail_values;
  int* opens;  ///< per slice, whether it is said to leave something open; -1 where nothing is said
};

/// Every group of every block takes one slice; some take none.
template <class Take, int Lanes, class Work, class Map>
struct take_slices {
  Work w;
  const slice* slices;
  std::int64_t count;
  int lanes;
  Map map;
  outcome out;

  template <class Block>
  struct storage {
    typename Take::template storage<Block> slices;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block, Lanes> g(block, lanes);
    const std::int64_t s = block.id() * (Block::threads / lanes) + g.index();
    const bool valid = s < count;
    const outcome& o = out;
    Take::take(
        g, shared.slices, w, valid ? slices[s] : slice{}, valid, map,
        [&](std::int64_t t, int v) {
          support::count_up(o.emitted + t);
          o.values[t] = v;
        },
        [&](std::int64_t t, int v) {
          support::count_up(o.heads + s);
          o.head_tiles[s] = t;
          o.head_values[s] = v;
        },
        [&](int v, int open = -1) {
          support::count_up(o.tails + s);
          o.tail_values[s] = v;
          o.opens[s] = open;
        });
  }
};

template <class Exec>
class slice_oracle : public support::on_executor<Exec> {
 protected:
  /// Cuts the path of `s` at `cuts` and holds that each slice hands over what lies in it.
  template <class Take, int Lanes, class Shape, class Map>
  static void check(const Exec& exec, const support::sizes& s,
                    const std::vector<std::int64_t>& cuts, int lanes, const Map& map) {
    using work_type = loops::segments<std::int32_t>;
    const auto offsets = s.offsets<std::int32_t>();
    const work_type host(offsets.data(), s.tiles(), s.atoms());
    const auto& m = exec.memory();
    const loops::array<std::int32_t> there(offsets, m);
    std::vector<slice> slices;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      slices.push_back({loops::path_cut(host, cuts[i]), loops::path_cut(host, cuts[i + 1])});
    const std::size_t n = slices.size();
    const loops::array<slice> slices_there(slices, m);
    loops::array<int> emitted(s.of.size(), m), values(s.of.size(), m), heads(n, m),
        head_values(n, m), tails(n, m), tail_values(n, m), opens(n, m);
    loops::array<std::int64_t> head_tiles(n, m);
    for (auto* a : {&emitted, &heads, &tails}) a->fill(0);
    using block = typename Exec::template block<Shape>;
    const std::int64_t groups = block::threads / lanes;
    exec.template launch<Shape>(
        loops::ceil_div(static_cast<std::int64_t>(n), groups),
        take_slices<Take, Lanes, work_type, Map>{
            work_type(there.data(), s.tiles(), s.atoms()), slices_there.data(),
            static_cast<std::int64_t>(n), lanes, map,
            outcome{emitted.data(), values.data(), heads.data(), head_tiles.data(),
                    head_values.data(), tails.data(), tail_values.data(), opens.data()}});
    expect(host, slices, map, emitted.to_vector(), values.to_vector(), heads.to_vector(),
           head_tiles.to_vector(), head_values.to_vector(), tails.to_vector(),
           tail_values.to_vector(), opens.to_vector());
  }

  template <class Work, class Map>
  static int sum(const Work& w, const Map& map, std::int64_t t, std::int64_t first,
                 std::int64_t last) {
    int v = 0;
    for (std::int64_t a = first; a < last; ++a) v += loops::detail::map_atom(w, map, t, a);
    return v;
  }

  template <class Work, class Map>
  static void expect(const Work& w, const std::vector<slice>& slices, const Map& map,
                     const std::vector<int>& emitted, const std::vector<int>& values,
                     const std::vector<int>& heads, const std::vector<std::int64_t>& head_tiles,
                     const std::vector<int>& head_values, const std::vector<int>& tails,
                     const std::vector<int>& tail_values, const std::vector<int>& opens) {
    std::vector<int> wanted(emitted.size(), 0);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const slice& s = slices[i];
      SCOPED_TRACE(testing::Message()
                   << "slice from tile " << s.begin.tile << ", atom " << s.begin.atom << " to "
                   << s.end.tile << ", " << s.end.atom);
      std::int64_t t = s.begin.tile;
      std::int64_t a = s.begin.atom;
      const bool cut = t < s.end.tile && a > w.offset(t);
      ASSERT_EQ(heads[i], cut ? 1 : 0);
      if (cut) {
        ASSERT_EQ(head_tiles[i], t);
        ASSERT_EQ(head_values[i], sum(w, map, t, a, w.offset(t + 1)));
        a = w.offset(++t);
      }
      for (; t < s.end.tile; ++t) {
        ++wanted[static_cast<std::size_t>(t)];
        ASSERT_EQ(values[static_cast<std::size_t>(t)], sum(w, map, t, w.offset(t), w.offset(t + 1)))
            << "tile " << t;
        a = w.offset(t + 1);
      }
      ASSERT_EQ(tails[i], s.begin == s.end ? 0 : 1);
      if (tails[i]) {
        ASSERT_EQ(tail_values[i], sum(w, map, t, a, s.end.atom));
        if (opens[i] >= 0) {
          ASSERT_EQ(opens[i] == 1, t < w.tiles() && s.end.atom > w.offset(t));
        }
      }
    }
    ASSERT_EQ(emitted, wanted) << "tiles that lie in one slice are emitted once, others never";
  }
};

}  // namespace
