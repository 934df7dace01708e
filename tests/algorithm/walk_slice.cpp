// SPDX-License-Identifier: Apache-2.0
/// Slices walked by groups: what they close, what they leave open, for every cut of small works.
#include "loops/algorithm/walk_slice.hpp"

#include "loops/core/functional.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using loops::slice;

LOOPS_HD int number(std::int64_t a) {
  return static_cast<int>(a * 7 % 13 - 4);
}
/// Counts what it is asked about that does not exist. Pure: may be asked about an atom twice.
template <bool Pure>
struct map_atom {
  using pure = std::bool_constant<Pure>;
  std::int64_t atoms;
  int* beyond;
  LOOPS_HD int operator()(std::int64_t a) const {
    if (a < 0 || a >= atoms) support::count_up(beyond);
    return number(a);
  }
};

struct nothing {};

struct outcome {
  int calls, value;
};
/// What slice s handed over: its head, its tail, and per tile what was emitted.
struct results {
  outcome* emitted;  ///< per slice and tile
  outcome* heads;
  outcome* tails;
  std::int64_t* head_tiles;
};

/// Every group takes one slice; those behind the last have none.
template <class Map>
struct walk {
  loops::segments<std::int32_t> w;
  Map map;
  const slice* slices;
  std::int64_t count;
  int lanes;
  results r;

  template <class Block>
  struct storage {
    loops::walk_storage<Block, int, Map, nothing> shared;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& s) const {
    const loops::group<Block> g(block, lanes);
    const std::int64_t i = block.id() * (Block::threads / lanes) + g.index();
    const bool valid = i < count;
    const auto put = [](outcome* at, int value) {
      support::count_up(&at->calls);
      at->value = value;
    };
    loops::walk_slice<int>(
        g, s.shared, w, valid ? slices[i] : slice{}, valid, map, loops::plus{},
        [&](std::int64_t t, int v) { put(r.emitted + i * w.tiles() + t, v); },
        [&](std::int64_t t, int v) {
          put(r.heads + i, v);
          r.head_tiles[i] = t;
        },
        [&](int v) { put(r.tails + i, v); });
  }
};

template <class shape, bool Pure, class Exec>
void check(const Exec& exec) {
  const int threads = exec.template describe<shape>().threads;
  const std::vector<std::vector<std::int64_t>> works{
      {}, {0}, {1}, {0, 0, 3, 0}, {5, 0, 0, 1, 9, 0}, {40, 1, 0, 70, 2}, {0, 200, 0}, {65546, 1}};
  for (const auto& of : works) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::array<std::int32_t> device(offsets, exec.memory());
    const loops::segments<std::int32_t> here(offsets.data(), s.tiles(), s.atoms());
    const loops::segments<std::int32_t> there(device.data(), s.tiles(), s.atoms());
    const std::int64_t steps = s.tiles() + s.atoms();
    std::vector<slice> slices;
    // Of a tile that ends farther away than 16 bits can say, the whole is enough.
    const bool far = steps > 1000;
    const std::int64_t stride = far ? steps : steps > 40 ? 7 : 1;
    for (std::int64_t a = 0; a <= steps; a += stride)
      for (std::int64_t b = a; b <= steps; b += stride)
        slices.push_back({loops::path_cut(here, a), loops::path_cut(here, b)});
    const auto count = slices.size();
    const auto tiles = static_cast<std::size_t>(s.tiles());
    const loops::array<slice> device_slices(slices, exec.memory());
    loops::array<outcome> emitted(count * tiles, exec.memory());
    loops::array<outcome> heads(count, exec.memory());
    loops::array<outcome> tails(count, exec.memory());
    loops::array<std::int64_t> head_tiles(count, exec.memory());
    loops::array<int> beyond(1, exec.memory());
    beyond.fill(0);
    const map_atom<Pure> map{s.atoms(), beyond.data()};
    for (int lanes = far ? threads : 1; lanes <= threads; lanes *= 4) {
      emitted.fill(0);
      heads.fill(0);
      tails.fill(0);
      exec.template launch<shape>(
          loops::ceil_div(static_cast<std::int64_t>(count), threads / lanes),
          walk<map_atom<Pure>>{there,
                               map,
                               device_slices.data(),
                               static_cast<std::int64_t>(count),
                               lanes,
                               {emitted.data(), heads.data(), tails.data(), head_tiles.data()}});
      const auto e = emitted.to_vector();
      const auto h = heads.to_vector();
      const auto t = tails.to_vector();
      const auto ht = head_tiles.to_vector();
      for (std::size_t i = 0; i < count; ++i) {
        const slice& c = slices[i];
        SCOPED_TRACE(std::to_string(lanes) + " lanes, slice (" + std::to_string(c.begin.tile) +
                     ", " + std::to_string(c.begin.atom) + ") to (" + std::to_string(c.end.tile) +
                     ", " + std::to_string(c.end.atom) + ")");
        std::int64_t atom = c.begin.atom;
        int heads_wanted = 0;
        for (std::int64_t tile = 0; tile < s.tiles(); ++tile) {
          const bool closed = tile >= c.begin.tile && tile < c.end.tile;
          const bool begun = tile == c.begin.tile && c.begin.atom > here.offset(tile);
          int sum = 0;
          if (closed)
            for (; atom < here.offset(tile + 1); ++atom) sum += number(atom);
          const outcome& at = e[i * tiles + static_cast<std::size_t>(tile)];
          ASSERT_EQ(at.calls, closed && !begun ? 1 : 0) << "tile " << tile;
          ASSERT_EQ(at.calls ? at.value : sum, sum) << "tile " << tile;
          if (!closed || !begun) continue;
          ++heads_wanted;
          ASSERT_EQ(h[i].value, sum);
          ASSERT_EQ(ht[i], tile);
        }
        ASSERT_EQ(h[i].calls, heads_wanted);
        int open = 0;
        for (; atom < c.end.atom; ++atom) open += number(atom);
        ASSERT_EQ(t[i].calls, 1);
        ASSERT_EQ(t[i].value, open);
      }
    }
    ASSERT_EQ(beyond.to_vector().front(), 0) << "atoms that are none";
  }
}

template <class Exec>
class walk_slice : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(walk_slice, support::executors, support::executor_name);

TYPED_TEST(walk_slice, hands_over_what_it_should) {
  const auto exec = this->any();
  check<loops::shape<64, 1>, false>(exec);
  check<loops::shape<64, 1>, true>(exec);
  check<loops::shape<64, 7>, true>(exec);
}

}  // namespace
