// SPDX-License-Identifier: Apache-2.0
/// Shared memory without bank conflicts: proved for every tile that the GEMM's blockings use.
#include "loops/tile/banks.hpp"

#include "algorithms/gemm/blocking.hpp"
#include "algorithms/gemm/hopper_waves_config.hpp"
#include "algorithms/gemm/places_of_floats.hpp"
#include "loops/tile/load.hpp"

#include <gtest/gtest.h>

namespace {

using namespace loops;
using gemm_detail::atom_for;
using gemm_detail::operand_plan;
using tile::operand;

constexpr layout row = layout::row_major;
constexpr layout col = layout::column_major;

TEST(banks, counts_words_not_lanes) {
  const auto p = tile::nvidia_phases(4);
  EXPECT_EQ(tile::worst_conflict(p, 4, [](int l) { return 4 * l; }), 1);
  EXPECT_EQ(tile::worst_conflict(p, 4, [](int) { return 64; }), 1)
      << "the same word is no conflict";
  EXPECT_EQ(tile::worst_conflict(p, 4, [](int l) { return 128 * l; }), 32);
  EXPECT_EQ(tile::worst_conflict(p, 4, [](int l) { return 8 * l; }), 2);
  EXPECT_EQ(tile::worst_conflict(tile::nvidia_phases(16), 16, [](int l) { return 16 * l; }), 1);
  EXPECT_EQ(tile::worst_conflict(tile::nvidia_phases(16), 16, [](int l) { return 64 * l; }), 4);
  std::size_t lanes = 0;
  for (const auto& phase : tile::cdna_read_phases(16).lanes) lanes += phase.size();
  EXPECT_EQ(lanes, 64u);
}

/// The worst conflict of the reads of a plan's fragments, at every corner.
template <class Plan>
int reads() {
  using tile_type = typename Plan::tile_type;
  using fragment = typename Plan::fragment;
  using plan = tile::read_plan<tile_type, fragment>;
  constexpr int size = int(sizeof(typename tile_type::element));
  int worst = 0;
  const auto consider = [&](const tile::bank_phases& phases, int bytes, const auto& address) {
    worst = std::max(worst, tile::worst_conflict(phases, bytes, address));
  };
  for (int outer = 0; outer < Plan::outer; outer += fragment::outer)
    for (int k = 0; k < Plan::k; k += fragment::atom::k) {
      if constexpr (tile::by_matrices<tile_type, fragment>::value) {
        consider(tile::ldmatrix_phases(), 16, [&](int lane) {
          return size * tile::by_matrices<tile_type, fragment>::row_index(lane, outer, k);
        });
      } else {
        constexpr int bytes = plan::run() * size;
        const auto phases =
            fragment::atom::wave == 64 ? tile::cdna_read_phases(bytes) : tile::nvidia_phases(bytes);
        for (int g = 0; g < plan::count / plan::run(); ++g)
          consider(phases, bytes, [&](int lane) {
            return size * tile::read_index<tile_type, fragment>(lane, g, outer, k);
          });
      }
    }
  return worst;
}

/// The worst conflict of copies that keep the direction of memory: 16 bytes a lane, row by row.
template <class Plan>
int writes() {
  using tile_type = typename Plan::tile_type;
  constexpr int size = int(sizeof(typename tile_type::element));
  constexpr int wave = Plan::fragment::atom::wave;
  const auto phases = wave == 64 ? tile::cdna_write_phases(16) : tile::nvidia_phases(16);
  int worst = 0;
  for (int first = 0; first < tile_type::rows * tile_type::chunks; first += wave)
    worst =
        std::max(worst, tile::worst_conflict(phases, 16, [&](int lane) {
                   const int c = first + lane;
                   return size * tile_type::index_in_row(c / tile_type::chunks,
                                                         c % tile_type::chunks * tile_type::chunk);
                 }));
  return worst;
}

template <class Blocking, class T, layout LA, layout LB>
void check(const char* name) {
  SCOPED_TRACE(name);
  using atom = typename atom_for<T, T, Blocking::wave, Blocking::generation>::type;
  using a = operand_plan<Blocking, atom, T, operand::a, LA>;
  using b = operand_plan<Blocking, atom, T, operand::b, LB>;
  EXPECT_EQ(reads<a>(), 1);
  EXPECT_EQ(reads<b>(), 1);
  if constexpr (a::direct) {
    EXPECT_EQ(writes<a>(), 1);
  }
  if constexpr (b::direct) {
    EXPECT_EQ(writes<b>(), 1);
  }
}

template <class Blocking, class T>
void both_directions(const char* name) {
  check<Blocking, T, row, col>(name);
  check<Blocking, T, col, row>(name);
}

/// As many lanes at a time as write 128 bytes, and all once.
TEST(banks, writes_of_cdna_are_served_128_bytes_at_a_time) {
  EXPECT_EQ(tile::cdna_write_phases(4).lanes.size(), 2U);
  EXPECT_EQ(tile::cdna_write_phases(8).lanes.size(), 4U);
  EXPECT_EQ(tile::cdna_write_phases(16).lanes.size(), 8U);
}

TEST(banks, nvidia_meets_no_bank_twice) {
  using sixteen = gemm_blocking<128, 128, 64, 2, 4, 32, 4, 90>;
  using doubles = gemm_blocking<64, 128, 128, 2, 4, 32, 4, 90>;
  both_directions<sixteen, loops::half>("half");
  both_directions<sixteen, bfloat16>("bfloat16");
  both_directions<sixteen, tfloat32>("tf32");
  both_directions<sixteen, float8_e4m3>("e4m3");
  both_directions<sixteen, float>("float, lane by lane");
  both_directions<doubles, double>("double");
}

TEST(banks, small_tiles_meet_no_bank_twice) {
  using least = gemm_blocking<16, 16, 64, 1, 1, 32, 4, 90>;
  using small = gemm_blocking<32, 32, 64, 1, 1, 32, 3, 90>;
  using doubles = gemm_blocking<16, 16, 128, 1, 1, 32, 3, 90>;
  using more_doubles = gemm_blocking<32, 32, 128, 1, 1, 32, 3, 90>;
  both_directions<least, loops::half>("half, 16");
  both_directions<least, tfloat32>("tf32, 16");
  both_directions<least, float8_e4m3>("e4m3, 16");
  both_directions<small, loops::half>("half");
  both_directions<small, tfloat32>("tf32");
  both_directions<small, float8_e4m3>("e4m3");
  both_directions<small, float>("float, lane by lane");
  both_directions<doubles, double>("double, 16");
  both_directions<more_doubles, double>("double");
}

/// The worst conflict of the reads of `Fragment`s from doubles as Hopper's copy unit lays them.
template <bool Turned, class Fragment>
int copied_reads() {
  using stored = hopper::copied_doubles<64, Turned>;
  int worst = 0;
  for (int line = 0; line < 64; line += Fragment::outer)
    for (int half = 0; half < 2; ++half)
      for (int i = 0; i < Fragment::count; ++i)
        worst = std::max(worst, tile::worst_conflict(tile::nvidia_phases(8), 8, [&](int lane) {
                           return 8 * stored::template index<Fragment>(lane, line, half, i);
                         }));
  return worst;
}

TEST(banks, copied_doubles_meet_no_bank_twice) {
  using atom = tile::mma_m16n8k8_f64;
  using a = tile::operand_fragment<atom, operand::a>;
  using b = tile::operand_fragment<atom, operand::b>;
  EXPECT_EQ((copied_reads<false, a>()), 1);
  EXPECT_EQ((copied_reads<false, b>()), 1);
  EXPECT_EQ((copied_reads<true, a>()), 1);
  EXPECT_EQ((copied_reads<true, b>()), 1);
}

/// The worst conflict of what lanes read of `Fragment`s of floats as Hopper's copy unit lays them.
/// Every place is where the copy unit puts the elements that it says.
template <bool Turned, class Fragment>
int copied_float_reads_by_fours() {
  using stored = hopper::copied_lines<float, 64, Turned>;
  using places = hopper::places_of_floats<Fragment, Turned>;
  constexpr std::uint32_t begin = 3 * 1024;
  int worst = 0;
  for (int line = 0; line < 64; line += 32)
    for (int r = 0; r < 32 / Fragment::outer; ++r)
      for (int k = 0; k < 32; k += 4)
        for (int i = 0; i < 4; ++i) {
          const auto at = [&](int lane) {
            return static_cast<int>(places(begin, lane, line)(r, k, i));
          };
          for (int lane = 0; lane < 32; ++lane) {
            const int first = line + r * Fragment::outer + Fragment::place(lane, 0).outer;
            const int one = places::crosses(lane) ? i ^ 1 : i;
            const int index =
                Turned ? stored::index({first, k + i}) : stored::index({first + one, k});
            EXPECT_EQ(at(lane), int(begin) + 4 * index);
          }
          worst = std::max(worst, tile::worst_conflict(tile::nvidia_phases(16), 16, at));
        }
  return worst;
}

/// The worst conflict of what lanes read of `Fragment`s of floats that lie k by k, of all elements
/// of 64 lines and a step: begun at `first` of k, and gone on from there.
template <class Fragment>
int copied_float_reads_by_lines(int first) {
  using stored = hopper::copied_lines<float, 64, true>;
  constexpr std::uint32_t begin = 3 * 1024;
  int worst = 0;
  for (int line = 0; line < 64; line += 32)
    for (int r = 0; r < 32 / Fragment::outer; ++r)
      for (int fours = 0; fours < (32 - first) / 4; ++fours)
        for (int i = 0; i < 4; ++i) {
          const auto at = [&](int lane) {
            hopper::places_of_lines<Fragment> places(begin, lane, line, first);
            places.move(static_cast<std::uint32_t>(fours / 2 * 1024));
            return static_cast<int>(places(r, fours % 2, i));
          };
          for (int lane = 0; lane < 32; ++lane) {
            const int outer = line + r * Fragment::outer + Fragment::place(lane, 0).outer;
            EXPECT_EQ(at(lane), int(begin) + 4 * stored::index({outer, first + 4 * fours + i}));
          }
          worst = std::max(worst, tile::worst_conflict(tile::nvidia_phases(16), 16, at));
        }
  return worst;
}

TEST(banks, copied_floats_meet_no_bank_twice) {
  using atom = tile::lane_products<float>;
  using a = tile::operand_fragment<atom, operand::a>;
  using b = tile::operand_fragment<atom, operand::b>;
  EXPECT_EQ((copied_float_reads_by_fours<false, a>()), 1);
  EXPECT_EQ((copied_float_reads_by_fours<false, b>()), 1);
  EXPECT_EQ((copied_float_reads_by_fours<true, a>()), 1);
  EXPECT_EQ((copied_float_reads_by_fours<true, b>()), 1);
  for (const int first : {0, 4, 8, 28}) {
    EXPECT_EQ((copied_float_reads_by_lines<a>(first)), 1);
    EXPECT_EQ((copied_float_reads_by_lines<b>(first)), 1);
  }
}

TEST(banks, cdna_meets_no_bank_twice) {
  using large = gemm_blocking<256, 256, 64, 2, 4, 64, 2, 94>;
  using newer = gemm_blocking<256, 256, 64, 2, 4, 64, 2, 95>;
  using doubles = gemm_blocking<128, 128, 128, 2, 4, 64, 2, 90>;
  both_directions<large, loops::half>("half");
  both_directions<newer, bfloat16>("bfloat16");
  both_directions<large, float8_e4m3>("e4m3");
  both_directions<large, float>("float");
  both_directions<doubles, double>("double");
  using small = gemm_blocking<32, 32, 64, 1, 1, 64, 2, 94>;
  using small_doubles = gemm_blocking<32, 32, 128, 1, 1, 64, 2, 94>;
  both_directions<small, loops::half>("half, small");
  both_directions<small, float8_e4m3>("e4m3, small");
  both_directions<small, float>("float, small");
  both_directions<small_doubles, double>("double, small");
}

/// What reads would meet without a swizzle.
struct unswizzled : operand_plan<gemm_blocking<128, 128, 64, 2, 4, 32, 4, 90>,
                                 tile::mma_m16n8<loops::half>, loops::half, operand::a, row> {
  using tile_type = tile::shared_tile<loops::half, 128, 32, tile::major::k, tile::no_swizzle>;
};

TEST(banks, without_a_swizzle_there_are_conflicts) {
  EXPECT_EQ(reads<unswizzled>(), 4);
}

}  // namespace
