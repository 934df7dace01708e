// SPDX-License-Identifier: Apache-2.0
/// One round of a scan: every atom with what is before it, from what was open before the round to
/// what is open behind it.
#include "loops/algorithm/scan_round.hpp"

#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using shape = loops::shape<64, 3>;
constexpr std::int64_t room = 64 * 3;
using work_type = loops::segments<std::int32_t>;

struct found {
  std::int64_t tile, before, through;
};
struct store {
  found* out;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom, std::int64_t before,
                           std::int64_t through) const {
    out[atom] = {tile, before, through};
  }
};
struct of_atom {
  LOOPS_HD std::int64_t operator()(std::int64_t atom) const { return atom % 7 - 2; }
};
struct of_both {
  LOOPS_HD std::int64_t operator()(std::int64_t tile, std::int64_t atom) const {
    return atom % 7 - 2 + tile;
  }
};

template <class Map>
struct one_round {
  work_type w;
  loops::coordinate at, next;
  std::int64_t in;
  Map map;
  found* out;
  std::int64_t* left;  ///< per lane: what it was told is open
  template <class Block>
  struct storage {
    loops::detail::scan_storage<Block, std::int64_t> work;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block, Block::threads> g(block);
    loops::detail::scan_round<std::int64_t>(g, shared.work, w, at, next, map, loops::plus{},
                                            store{out}, [&](std::int64_t open) {
                                              left[g.rank()] = open;
                                              return in;
                                            });
  }
};

template <class Exec>
class scan_round : public support::on_executor<Exec> {
 protected:
  /// From step `low` of the path to step `high`, between which a round has room for all.
  template <class Map>
  static void check(const Exec& exec, const std::vector<std::int32_t>& offsets, std::int64_t low,
                    std::int64_t high, const Map& map) {
    const auto tiles = static_cast<std::int64_t>(offsets.size()) - 1;
    const auto atoms = std::int64_t{offsets.back()};
    const work_type host(offsets.data(), tiles, atoms);
    const loops::coordinate at = loops::path_cut(host, low);
    const loops::coordinate next = loops::path_cut(host, high);
    const bool inside = at.tile < tiles && at.atom > host.offset(at.tile);
    const std::int64_t in = inside ? 1000 : 0;
    const loops::array<std::int32_t> there(offsets, exec.memory());
    loops::array<found> out(static_cast<std::size_t>(atoms), exec.memory());
    loops::array<std::int64_t> left(64, exec.memory());
    out.fill(0x5a);
    exec.template launch<shape>(1, one_round<Map>{work_type(there.data(), tiles, atoms), at, next,
                                                  in, map, out.data(), left.data()});
    const auto got = out.to_vector();
    std::int64_t open = in;
    std::int64_t tile = at.tile;
    std::int64_t before_it = 0;
    for (std::int64_t a = 0; a < atoms; ++a) {
      const auto i = static_cast<std::size_t>(a);
      if (a < at.atom || a >= next.atom) {
        ASSERT_EQ(got[i].tile, 0x5a5a5a5a5a5a5a5a) << "atom " << a << " is not of the round";
        continue;
      }
      for (; host.offset(tile + 1) <= a; ++tile) open = 0;
      std::int64_t value = a % 7 - 2;
      if constexpr (std::is_same_v<Map, of_both>) value += tile;
      before_it = open;
      open += value;
      ASSERT_EQ(got[i].tile, tile) << "atom " << a;
      ASSERT_EQ(got[i].before, before_it) << "atom " << a;
      ASSERT_EQ(got[i].through, open) << "atom " << a;
    }
    // The round is told about its own part; who called joins it with what was open before.
    const std::int64_t own = tile < next.tile ? 0 : at.tile < next.tile ? open : open - in;
    for (const std::int64_t l : left.to_vector()) ASSERT_EQ(l, own);
  }
};
TYPED_TEST_SUITE(scan_round, support::executors, support::executor_name);

TYPED_TEST(scan_round, from_anywhere_to_anywhere) {
  if constexpr (TypeParam::template block<shape>::threads == 1) {
    GTEST_SKIP() << "blocks of one lane scan in order";
  } else {
    const std::vector<std::vector<std::int32_t>> works = {
        {0, 400},
        {0, 0, 0, 3, 3, 90, 90, 91, 400},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 40, 41, 42, 180, 181, 182, 182, 182, 182, 300},
        {0, 192, 192, 384},
    };
    for (const auto& v : this->variants())
      for (const auto& offsets : works) {
        const std::int64_t steps = offsets.back() + static_cast<std::int64_t>(offsets.size()) - 1;
        for (const std::int64_t low : {0, 1, 2, 5, 63, 64, 95, 191, 192, 193})
          for (const std::int64_t length : {0, 1, 2, 3, 64, 100, 191, 192}) {
            const std::int64_t high = low + length < steps ? low + length : steps;
            ASSERT_LE(high - low, room);
            if (low > high) continue;
            SCOPED_TRACE(v.name + ", steps " + std::to_string(low) + " to " + std::to_string(high) +
                         " of " + testing::PrintToString(offsets));
            this->check(v.exec, offsets, low, high, of_atom{});
            this->check(v.exec, offsets, low, high, of_both{});
            if (this->HasFatalFailure()) return;
          }
      }
  }
}

}  // namespace
