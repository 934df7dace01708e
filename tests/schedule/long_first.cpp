// SPDX-License-Identifier: Apache-2.0
/// Long tiles come first, in pieces, and every tile is summed once.
#include "loops/schedule/long_first.hpp"

#include "loops/schedule/catalogue.hpp"
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "geometry.hpp"
#include "large_blocks.hpp"

namespace {

using namespace loops;
using schedule::long_first;

TEST(long_first, IsInTheCatalogue) {
  EXPECT_EQ(std::string(long_first::name()), "long_first");
  ASSERT_TRUE(std::holds_alternative<long_first>(schedule_named("long_first")));
}

TEST(long_first, HasLanesByTheMean) {
  const auto lanes = [](std::int64_t atoms) {
    return long_first{}.compose().bind(uniform(1000, atoms), geometry::gpu).lanes;
  };
  EXPECT_EQ(lanes(0), 1);
  EXPECT_EQ(lanes(4), 1);   // 1.3
  EXPECT_EQ(lanes(5), 2);   // 1.7
  EXPECT_EQ(lanes(9), 2);   // 2.75
  EXPECT_EQ(lanes(10), 4);  // 2.83
  EXPECT_EQ(lanes(43), 4);  // 5.58
  EXPECT_EQ(lanes(44), 8);  // 5.67
  EXPECT_EQ(lanes(300), 32);
  EXPECT_EQ(lanes(100'000), 32);
  EXPECT_EQ(long_first{8}.compose().bind(uniform(1000, 300), geometry::gpu).lanes, 8);
}

TEST(long_first, CutsTilesThatLanesWouldTakeTooLong) {
  const auto of = [](std::int64_t tiles, int lanes, const machine& m) {
    return long_first{lanes}.compose().bind(uniform(tiles, 100), m).what;
  };
  EXPECT_EQ(of(100, 4, geometry::gpu).whole, 32);
  EXPECT_EQ(of(100, 4, geometry::gpu).most, 4 * 32);
  EXPECT_EQ(of(100, 4, geometry::gpu).alone, 8 * 32);
  EXPECT_EQ(of(100, 4, geometry::wide_gpu).most, 4 * 64);
  // 528 blocks of 256 lanes: an atom for each of them, and sixteen.
  EXPECT_EQ(of(1351, 4, geometry::gpu).most, 4 * 32);
  EXPECT_EQ(of(1352, 4, geometry::gpu).most, 8 * 32);
  EXPECT_EQ(of(21'626, 4, geometry::gpu).most, 8 * 32);
  EXPECT_EQ(of(21'627, 4, geometry::gpu).most, 16 * 32);
  const auto in_all = [](std::int64_t atoms) {
    return measure::long_first{}.for_work(atoms, 4, 32, 1000).most / 32;
  };
  EXPECT_EQ(in_all(999), 4);
  EXPECT_EQ(in_all(1000), 8);
  EXPECT_EQ(in_all(16000), 16);
  EXPECT_EQ(of(1, 1, geometry::cpu).most, 8);
}

TEST(long_first, HasNoPiecesOfShortTiles) {
  const measure::long_first what{16, 64, 100};
  EXPECT_EQ(what.pieces_of(0), 0);
  EXPECT_EQ(what.pieces_of(16), 0);
  EXPECT_EQ(what.pieces_of(17), 1);
  EXPECT_EQ(what.pieces_of(64), 1);
  EXPECT_EQ(what.pieces_of(100), 1);
  EXPECT_EQ(what.pieces_of(101), 2);
  EXPECT_EQ(what.pieces_of(128), 2);
  EXPECT_EQ(what.pieces_of(129), 3);
  EXPECT_EQ(what.pieces_of(64 * 64), 64);
  EXPECT_EQ(what.pieces_of(64 * 64 + 1), 33);
  EXPECT_EQ(what.pieces_of(std::int64_t{1} << 40), 1 << 20);
  const auto piece = [&](std::int64_t i) { return what.piece({10, 20}, i, 3); };
  EXPECT_EQ(piece(0).first, 10);
  EXPECT_EQ(piece(0).last, 14);
  EXPECT_EQ(piece(1).last, 17);
  EXPECT_EQ(piece(2).first, 17);
  EXPECT_EQ(piece(2).last, 20);
}

/// Another point of the product, whose numbers are one's own.
struct cut_at {
  measure::long_first what;
  int lanes = 4;
  std::int64_t processors = 0;
  [[nodiscard]] static constexpr const char* name() { return "cut_at"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::long_first, worker::by_length, order::in_order>{
        {lanes}, 0, what, processors};
  }
};

TEST(long_first, HasABlockForEveryVisitOrAsManyAsItMay) {
  auto s = cut_at{{8, 64, 64}}.compose();
  const auto blocks = [&](std::int64_t pieces, std::int64_t tiles) {
    const auto bound = s.bind(uniform(tiles, 1), geometry::gpu);
    const auto a = s.with_pieces(bound, pieces, tiles, geometry::gpu);
    EXPECT_EQ(a.slices, pieces + tiles);
    EXPECT_EQ(a.visits, ceil_div(pieces, std::int64_t{8}) + ceil_div(tiles, std::int64_t{64}));
    return a.blocks;
  };
  EXPECT_EQ(blocks(0, 64), 1);
  EXPECT_EQ(blocks(9, 65), 4);
  EXPECT_EQ(blocks(8000, 640'000), 11'000);  // 528 at a time
  EXPECT_EQ(s.bind(uniform(640'000, 1), geometry::gpu).blocks, 11'268);
  s.processors = 3;
  EXPECT_EQ(blocks(0, 64), 1);
  EXPECT_EQ(blocks(8000, 640'000), 3);
  EXPECT_EQ(s.bind(uniform(640'000, 1), geometry::gpu).blocks, 3);
}

template <class Exec>
class long_first_on : public large_blocks::on<Exec> {
 protected:
  static void refuse(const Exec& exec, const cut_at& s, const std::string& text) {
    support::expect_error(errc::invalid_argument, text,
                          [&] { (void)plan<float>(exec, s, uniform(2, 10)); });
  }
};
TYPED_TEST_SUITE(long_first_on, support::executors, support::executor_name);

TYPED_TEST(long_first_on, SumsEveryTileOnce) {
  const std::vector<std::vector<std::int64_t>> works{{},
                                                     {0},
                                                     {1},
                                                     {8},
                                                     {9},
                                                     {255, 256, 257},
                                                     {512, 513, 0},
                                                     {7000},
                                                     {1, 7000},
                                                     {0, 0, 0},
                                                     {32, 33, 64, 65, 128, 129},
                                                     {2048, 2049, 7},
                                                     {1024, 1025, 511, 512}};
  std::vector<std::int64_t> uneven;
  for (std::int64_t t = 0; t < 500; ++t)
    uneven.push_back(t % 101 == 7 ? 2000 + t : t % 37 == 5 ? 300 : t * 7 % 11);
  for (const auto& v : this->variants())
    for (const int lanes : {worker::by_length::by_mean, 4, 128}) {
      const std::string name = v.name + ", " + std::to_string(lanes) + " lanes,";
      for (const auto& sizes : works) {
        this->template sums<float>(name, v.exec, long_first{lanes}, sizes);
      }
      this->template sums<float>(name, v.exec, long_first{lanes}, uneven);
      this->template sums<double>(name, v.exec, long_first{lanes}, uneven);
      if (lanes != 4) continue;
      // So many pieces that a tile of them is joined by several turns of a wave.
      this->template sums<float>(name, v.exec, cut_at{{3, 2, 2}, lanes}, uneven);
    }
}

TYPED_TEST(long_first_on, GoesRoundWhereProcessorsAreFew) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t t = 0; t < 3000; ++t) sizes.push_back(t % 50 == 7 ? 700 + t : t % 5);
  std::vector<std::int64_t> offsets{0};
  for (const std::int64_t n : sizes) offsets.push_back(offsets.back() + n);
  for (const auto& v : this->variants()) {
    const cut_at s{{16, 64, 64}, 8, 1};
    const array<std::int64_t> there(offsets, v.exec.memory());
    const segments<std::int64_t> w(there.data(), 3000, offsets.back());
    EXPECT_EQ(plan<float>(v.exec, s, w).blocks(), 1) << v.name;
    this->template sums<float>(v.name, v.exec, s, sizes);
  }
}

TYPED_TEST(long_first_on, RefusesNumbersThatMeanNothing) {
  const TypeParam exec = this->any();
  this->refuse(exec, {{}, 3}, "power of two");
  this->refuse(exec, {{-1, 0}}, "piece");
  this->refuse(exec, {{0, -1}}, "piece");
  this->refuse(exec, {{0, std::int64_t{1} << 31}}, "piece");
  this->refuse(exec, {{0, 0, -1}}, "piece");
  this->refuse(exec, {{0, 64, std::int64_t{1} << 31}}, "`alone`");
  EXPECT_NO_THROW(
      (void)plan<float>(exec, cut_at{{0, measure::long_first::counted}}, uniform(2, 10)));
}

static_assert(measure::long_first{INT64_MAX, 64, 128}.total(uniform(3, 50)) == 5,
              "`whole` may be so many that no tile is long");

/// Half a wave takes a piece, too.
TEST(long_first, HasAVisitForEveryPieceOfABlockThatIsLessThanAWave) {
  const auto s = long_first{}.compose();
  const machine m{16, 32, 16, 1, 4, 4};
  const auto a = s.with_pieces(s.bind(uniform(10, 1000), m), 7, 10, m);
  EXPECT_EQ(a.slices, 17);
  EXPECT_EQ(a.visits, 7 + ceil_div(std::int64_t{10}, a.groups));
}

TEST(long_first, HasPiecesThatCanBeCounted) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
  for (const std::int64_t size : {std::int64_t{1} << 30, most - 1, most}) {
    const auto what = measure::long_first{8, size, 0}.for_work(most + 1, 4, 32, 1000);
    EXPECT_EQ(what.alone, most);
    EXPECT_EQ(what.pieces_of(most), 1);
    EXPECT_EQ(what.pieces_of(most + 1), 2);
    EXPECT_LE(what.piece({0, most + 1}, 0, 2).size(), most);
  }
  const auto half = measure::long_first{8, (most - 1) / 2, 0}.for_work(most, 4, 32, 1000);
  EXPECT_EQ(half.alone, most - 1);
}

}  // namespace
