// SPDX-License-Identifier: Apache-2.0
/// Values carried in two hops: every one once, to its place, whatever the sizes and empty tiles.
#include "algorithms/spmv/hops.hpp"

#include "algorithms/spmv/csc_rows.hpp"
#include "loops/core/functional.hpp"
#include "support/counting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "spmv/products.hpp"

namespace {

using offsets = std::vector<std::int32_t>;

/// Tells an atom from all others, and how often it was read. Counts what it is asked for that does
/// not exist.
struct read_number {
  const std::int64_t* of_tiles;
  std::int64_t tiles;
  std::int64_t atoms;
  int* strangers;
  LOOPS_HD std::int64_t of_tile(std::int64_t tile) const {
    if (tile < 0 || tile >= tiles) return stranger();
    return of_tiles[tile];
  }
  LOOPS_HD std::int64_t of_atom(std::int64_t atom) const {
    if (atom < 0 || atom >= atoms) return stranger();
    return 1 + (atom << 20);
  }
  [[nodiscard]] LOOPS_HD std::int64_t stranger() const {
    support::count_up(strangers);
    return 0;
  }
  LOOPS_HD std::int64_t operator()(std::int64_t tile, std::int64_t atom) const {
    return atom + (tile << 50);
  }
};

struct store_sum {
  std::int64_t* to;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t sum) const { to[tile] = sum; }
};

/// Offsets of so many tiles over `atoms`, drawn at random: some are empty.
offsets random_tiles(std::int64_t atoms, int tiles, std::mt19937& random) {
  offsets out{0};
  std::uniform_int_distribution<std::int32_t> at(0, static_cast<std::int32_t>(atoms));
  for (int i = 1; i < tiles; ++i) out.push_back(at(random));
  out.push_back(static_cast<std::int32_t>(atoms));
  std::sort(out.begin(), out.end());
  return out;
}

template <class Offset, class Exec>
void carries(const Exec& exec, const offsets& from, const offsets& to, std::mt19937& random) {
  const std::int64_t atoms = from.back();
  std::vector<Offset> order(static_cast<std::size_t>(atoms));
  std::iota(order.begin(), order.end(), Offset{0});
  std::shuffle(order.begin(), order.end(), random);
  const auto from_tiles = static_cast<std::int64_t>(from.size()) - 1;
  const auto to_tiles = static_cast<std::int64_t>(to.size()) - 1;
  std::vector<std::int64_t> marks(from.size());
  for (std::size_t t = 0; t < marks.size(); ++t) marks[t] = static_cast<std::int64_t>(t % 97);
  std::vector<std::int64_t> tile_of(static_cast<std::size_t>(atoms));
  for (std::size_t t = 0; t + 1 < from.size(); ++t)
    for (auto a = from[t]; a < from[t + 1]; ++a) tile_of[static_cast<std::size_t>(a)] = marks[t];
  std::vector<std::int64_t> wanted(static_cast<std::size_t>(to_tiles));
  for (std::size_t t = 0; t + 1 < to.size(); ++t)
    for (auto k = to[t]; k < to[t + 1]; ++k) {
      const auto atom = static_cast<std::size_t>(order[static_cast<std::size_t>(k)]);
      wanted[t] += 1 + (static_cast<std::int64_t>(atom) << 20) + (tile_of[atom] << 50);
    }
  const auto there = [&](const offsets& o) {
    return loops::array<Offset>(std::vector<Offset>(o.begin(), o.end()), exec.memory());
  };
  const auto from_there = there(from);
  const auto to_there = there(to);
  const loops::array<Offset> order_there(order, exec.memory());
  const loops::array<std::int64_t> marks_there(marks, exec.memory());
  const loops::segments<Offset> source(from_there.data(), from_tiles, atoms);
  const loops::segments<Offset> target(to_there.data(), to_tiles, atoms);
  const loops::hops<Exec, std::int64_t, Offset> hops(exec, source, target, order_there.data());
  loops::array<std::int64_t> out(static_cast<std::size_t>(to_tiles), exec.memory());
  loops::array<int> strangers(1, exec.memory());
  strangers.fill(0);
  for (int run = 0; run < 2; ++run) {
    out.fill(0xff);
    hops(read_number{marks_there.data(), from_tiles, atoms, strangers.data()}, loops::plus{},
         store_sum{out.data()});
    ASSERT_EQ(out.to_vector(), wanted) << "run " << run << ", stretches of " << hops.stretch();
    ASSERT_EQ(strangers.to_vector().front(), 0) << "asked for atoms or tiles that do not exist";
  }
}

template <class Exec>
class hops : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(hops, support::executors, support::executor_name);

TYPED_TEST(hops, every_atom_goes_once_to_its_tile) {
  const auto exec = this->any();
  std::mt19937 random(7);
  for (const int atoms :
       {1, 31, 32, 33, 127, 128, 129, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3000, 5000, 12345})
    for (const int tiles : {1, 3, 40, 1000}) {
      SCOPED_TRACE(std::to_string(atoms) + " atoms of " + std::to_string(tiles) + " tiles");
      carries<std::int32_t>(exec, random_tiles(atoms, tiles, random),
                            random_tiles(atoms, 1001 - tiles, random), random);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(hops, tiles_that_end_where_blocks_do) {
  const auto exec = this->any();
  std::mt19937 random(8);
  const offsets source = random_tiles(4096, 300, random);
  for (const offsets& target :
       {offsets{0, 1024, 2048, 3072, 4096}, offsets{0, 0, 1024, 1024, 1024, 2048, 4096, 4096, 4096},
        offsets{0, 1023, 1025, 2049, 4095, 4096}, offsets{0, 4096}, offsets{0, 1, 4095, 4096},
        offsets{0, 0, 0, 4096, 4096}, offsets{0, 16, 32, 48, 64, 4096}}) {
    carries<std::int32_t>(exec, source, target, random);
    carries<std::int64_t>(exec, source, target, random);
    carries<std::int32_t>(exec, target, target, random);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(hops, tiles_without_atoms) {
  const auto exec = this->any();
  std::mt19937 random(9);
  carries<std::int32_t>(exec, offsets{0}, offsets{0}, random);
  carries<std::int32_t>(exec, offsets{0, 0, 0}, offsets(5000, 0), random);
  offsets one_in_many(5000, 0);
  std::fill(one_in_many.begin() + 3000, one_in_many.end(), 1);
  carries<std::int32_t>(exec, one_in_many, one_in_many, random);
}

/// A word over the atoms: combining it tells in which order they came.
struct word {
  std::uint32_t hash;
  std::uint32_t power;
  friend bool operator==(const word&, const word&) = default;
};
struct append {
  LOOPS_HD word operator()(const word& a, const word& b) const {
    return {a.hash * b.power + b.hash, a.power * b.power};
  }
  template <class>
  LOOPS_HD static word identity() {
    return {0, 1};
  }
};
LOOPS_HD word letter(std::int64_t atom) {
  return {static_cast<std::uint32_t>(atom + 1) * 0x9E3779B9U, 0x85EBCA6BU};
}
struct read_letter {
  LOOPS_HD int of_tile(std::int64_t) const { return 0; }
  LOOPS_HD std::int64_t of_atom(std::int64_t atom) const { return atom; }
  LOOPS_HD word operator()(int, std::int64_t atom) const { return letter(atom); }
};
struct store_word {
  word* to;
  LOOPS_HD void operator()(std::int64_t tile, const word& w) const { to[tile] = w; }
};

TYPED_TEST(hops, values_of_a_tile_are_combined_in_its_order) {
  const auto exec = this->any();
  std::mt19937 random(11);
  const offsets ends{0, 3, 3, 20, 1030, 1031, 5000};
  std::vector<std::int32_t> order(5000);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<word> wanted;
  for (std::size_t t = 0; t + 1 < ends.size(); ++t) {
    word w{0, 1};
    for (auto k = ends[t]; k < ends[t + 1]; ++k)
      w = append()(w, letter(order[static_cast<std::size_t>(k)]));
    wanted.push_back(w);
  }
  const loops::array<std::int32_t> there(ends, exec.memory());
  const loops::array<std::int32_t> order_there(order, exec.memory());
  const loops::segments<std::int32_t> tiles(there.data(), 6, 5000);
  const loops::hops<TypeParam, word, std::int32_t> words(exec, tiles, tiles, order_there.data());
  loops::array<word> out(6, exec.memory());
  words(read_letter{}, append{}, store_word{out.data()});
  EXPECT_EQ(out.to_vector(), wanted);
}

TYPED_TEST(hops, refuse_more_than_they_carry) {
  using carried = loops::hops<TypeParam, double, std::int64_t>;
  const auto exec = this->any();
  const std::int64_t ends[] = {0, carried::most_atoms + 1};
  const loops::array<std::int64_t> there(std::vector<std::int64_t>(ends, ends + 2), exec.memory());
  const loops::segments<std::int64_t> many(there.data(), 1, ends[1]);
  support::expect_error(loops::errc::unsupported, "cannot be carried in two hops",
                        [&] { carried(exec, many, many, nullptr); });
}

class hops_memory : public support::on_executor<support::with_waves> {};

TEST_F(hops_memory, is_what_the_plan_says) {
  const auto exec = any();
  for (const char* spec :
       {"random:rows=300,cols=200,per_row=9", "random:rows=4000,cols=4000,per_row=1"}) {
    const auto a = loops::to_csc(loops::generate<float>(spec)).to(exec.memory());
    support::expect_held(
        exec, [&](const auto& e) { return loops::plan_spmv(e, a.view(), loops::in_hops{}); });
  }
}

/// What decides: rows that read all over many values, and no more than are carried.
TEST(hops_pay, where_rows_read_all_over_many_values) {
  loops::select::facts f;
  f.seen.sampled = 1000;
  f.seen.strewn = 1000;
  f.seen.tiles = 100'000;
  f.seen.atoms = 4'000'000;
  constexpr std::int64_t most = 100'000'000;
  EXPECT_TRUE(loops::spmv_detail::hops_pay(f, most));
  EXPECT_FALSE(loops::spmv_detail::hops_pay(f, 3'999'999)) << "more than are carried";
  f.seen.strewn = 100;
  EXPECT_FALSE(loops::spmv_detail::hops_pay(f, most)) << "rows read what lies together";
  f.seen.strewn = 1000;
  EXPECT_TRUE(loops::spmv_detail::hops_pay(f, 4'000'000)) << "just as many as are carried";
  f.seen.atoms = 2'000'000;
  EXPECT_TRUE(loops::spmv_detail::hops_pay(f, most)) << "just enough";
  f.seen.atoms = 400'000;
  EXPECT_FALSE(loops::spmv_detail::hops_pay(f, most)) << "three launches cost more";
}

}  // namespace
