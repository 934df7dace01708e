// SPDX-License-Identifier: Apache-2.0
/// Every tile of Hopper's menu under every kind of schedule, with tails on all sides.
#include "gemm/products.hpp"

#if LOOPS_CUDA

#include "algorithms/gemm/gemm.hpp"

#include <array>

namespace {

using loops::bfloat16;
using products::col;
using products::row;
using products::sizes;

template <class... Tiles>
constexpr std::array<bool, sizeof...(Tiles)> teams_of(std::tuple<Tiles...>*) {
  return {(Tiles::teams > 1)...};
}
/// Whether the teams of a line's tile take tiles in turn.
bool has_teams(int config) {
  constexpr auto teams = teams_of(static_cast<loops::hopper::menu_tiles*>(nullptr));
  return teams[std::size_t(loops::hopper::gemm_menu[config].tile)];
}

class hopper_menu : public support::on_executor<loops::gpu_executor> {
 protected:
  void SetUp() override {
    on_executor::SetUp();
    if (!IsSkipped() && any().facts().architecture != "sm_90")
      GTEST_SKIP() << "this GPU is no Hopper";
  }
  using expected = products::expected_product<bfloat16, bfloat16, bfloat16, row, col, row>;

  /// The product by one choice, twice with the same bits. Teams take whole tiles only.
  static void check(expected& product, loops::hopper::gemm_choice choice) {
    const auto exec = any();
    if (has_teams(choice.config)) choice.waves = 0;
    SCOPED_TRACE("configuration " + std::to_string(choice.config) + ", waves " +
                 std::to_string(choice.waves));
    std::vector<bfloat16> bits[2];
    for (auto& got : bits)
      got = product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
        auto plan = loops::plan_gemm(exec, choice, a, b, c);
        plan();
        plan();
        plan.check();
      });
    EXPECT_TRUE(support::same_bits(bits[0], bits[1]));
  }
};

/// Whether every line whose tile is compiled finds the engine of that tile.
template <std::size_t... Tiles>
constexpr bool finds_engines(std::index_sequence<Tiles...> tiles) {
  constexpr std::size_t compiled[] = {Tiles...};
  int found = 0;
  for (int line = 0; line < loops::hopper::gemm_configs; ++line) {
    const auto tile = std::size_t(loops::hopper::gemm_menu[line].tile);
    if (((Tiles != tile) && ...)) continue;
    if (compiled[loops::hopper::engine_of(line, tiles)] != tile) return false;
    ++found;
  }
  return found > 0;
}
template <int Bytes>
constexpr bool finds_engines_of_few() {
  using namespace loops::hopper;
  return finds_engines(few_tiles<false, false, Bytes>()) &&
         finds_engines(few_tiles<false, true, Bytes>()) &&
         finds_engines(few_tiles<true, false, Bytes>()) &&
         finds_engines(few_tiles<true, true, Bytes>());
}
static_assert(finds_engines(loops::hopper::all_tiles()) && finds_engines_of_few<1>() &&
              finds_engines_of_few<2>() && finds_engines_of_few<4>());

/// Integers have the tiles whose columns come by the 16, and no others.
template <std::size_t... Tiles>
constexpr bool are_by_16(std::index_sequence<Tiles...>) {
  using loops::hopper::menu_tiles;
  return ((std::tuple_element_t<Tiles, menu_tiles>::columns % 16 == 0) && ...);
}
using integer_tiles = loops::hopper::tiles_for<loops::hopper::all_tiles, std::int8_t>;
static_assert(
    are_by_16(integer_tiles()) && integer_tiles::size() == 70 &&
    loops::hopper::all_tiles::size() == 88 &&
    loops::hopper::tiles_for<loops::hopper::few_tiles<false, true, 1>, std::int8_t>::size() == 27 &&
    finds_engines(integer_tiles()));
static_assert(std::is_same_v<loops::hopper::tiles_for<loops::hopper::all_tiles, loops::half>,
                             loops::hopper::all_tiles>);

/// Of elements that the matrix units do not turn, a B that lies across is turned in its stage:
/// never, where a tile with the roles exchanged has it for A.
template <bool Swapped, std::size_t... Tiles>
constexpr bool are_all(std::index_sequence<Tiles...>) {
  return ((std::tuple_element_t<Tiles, loops::hopper::menu_tiles>::swapped == Swapped) && ...);
}
static_assert(are_all<true>(loops::hopper::few_tiles<false, true, 4>()) &&
              are_all<false>(loops::hopper::few_tiles<true, false, 4>()));

/// Whether a line of the menu is the first of its tile.
bool is_first(int config) {
  const auto& menu = loops::hopper::gemm_menu;
  return config == 0 || menu[config].tile != menu[config - 1].tile;
}

constexpr int all_waves[] = {0, 1, 2, -1};

TEST_F(hopper_menu, takes_every_tile_under_every_schedule) {
  for (const sizes& s : {sizes{328, 456, 136}, sizes{64, 72, 1096}}) {
    expected product(any(), s);
    for (int config = 0; config < loops::hopper::gemm_configs; ++config)
      if (is_first(config))
        for (const int waves : all_waves) check(product, {config, waves});
  }
}

TEST_F(hopper_menu, takes_every_line) {
  for (const sizes& s : {sizes{328, 456, 136}, sizes{64, 72, 1096}}) {
    expected product(any(), s);
    for (int config = 0; config < loops::hopper::gemm_configs; ++config)
      if (!is_first(config)) check(product, {config, all_waves[config % 4]});
  }
}

constexpr sizes tails[] = {{1, 8, 8},
                           {8, 1, 8},
                           {257, 193, 64, 1, 0, 0},
                           {130, 264, 200, 2, 8, 0},
                           {65, 520, 72, 3, 16, 8},
                           {129, 73, 201, 1, 7}};

TEST_F(hopper_menu, every_tile_has_tails_and_single_rows) {
  for (const sizes& s : tails) {
    expected product(any(), s);
    for (int config = 0; config < loops::hopper::gemm_configs; ++config)
      if (is_first(config)) check(product, {config, s.m % 2 ? -1 : 0});
  }
}

TEST_F(hopper_menu, every_line_has_some_tails) {
  constexpr int kinds = int(std::size(tails));
  for (int i = 0; i < kinds; ++i) {
    expected product(any(), tails[i]);
    for (int config = 0; config < loops::hopper::gemm_configs; ++config)
      if (!is_first(config) && (config + i) % kinds == 0)
        check(product, {config, tails[i].m % 2 ? -1 : 0});
  }
}

TEST_F(hopper_menu, splits_the_tiles_of_a_large_product) {
  expected large(any(), {1416, 1160, 264});
  for (const int waves : {0, 1, 2, 3, -1}) check(large, {5, waves});
  expected larger(any(), {2184, 1288, 136});
  for (const int waves : all_waves) check(larger, {7, waves});
}

TEST_F(hopper_menu, teams_take_tiles_in_turn) {
  // One to four tiles per worker, of fewer steps than there are stages and of more.
  for (const sizes& s : {sizes{3208, 2568, 72}, sizes{2696, 2104, 328}, sizes{4104, 2064, 8}}) {
    expected product(any(), s);
    for (int config = 0; config < loops::hopper::gemm_configs; ++config)
      if (has_teams(config)) check(product, {config, 0});
  }
}

/// One tile, whatever the menu says, under a schedule that cuts tiles or does not.
template <class Tile, class Exec, class A, class B, class C, class Parts>
void multiply_by(const Exec& exec, loops::hopper::cluster_shape cluster, int waves, const A& a,
                 const B& b, const C& c, const Parts& parts) {
  const auto p = loops::make_gemm_problem(a, b, c, parts);
  using program = loops::hopper::program_for<std::remove_const_t<decltype(p)>, Tile>;
  const auto tiles = p.tiles(program::tile_of(cluster));
  const program product = loops::hopper::make_program<Tile>(p, tiles, cluster);
  auto plan = loops::plan_run(exec, loops::schedule::stream_k{.waves = waves}, tiles, product);
  plan(product);
  plan.check();
}

template <class Tile, class T, loops::layout A, loops::layout B, class Exec>
void check_tile(const Exec& exec, const sizes& s, loops::hopper::cluster_shape cluster) {
  products::expected_product<T, T, bfloat16, A, B, row> product(exec, s);
  for (const int waves : {0, -1})
    product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
      multiply_by<Tile>(exec, cluster, waves, a, b, c, loops::gemm_detail::chain());
    });
}

using loops::hopper::gemm_tile;
constexpr auto straight = loops::hopper::roles::straight;
constexpr auto swapped = loops::hopper::roles::swapped;

TEST_F(hopper_menu, shares_turned_operands) {
  const sizes s{328, 456, 200};
  check_tile<gemm_tile<128, 128>, bfloat16, col, row>(any(), s, {2, 2});
  check_tile<gemm_tile<64, 64>, bfloat16, row, row>(any(), s, {4, 1});
  check_tile<gemm_tile<64, 64>, bfloat16, col, col>(any(), s, {1, 4});
  check_tile<gemm_tile<64, 64, straight, 2>, bfloat16, col, row>(any(), s, {2, 2, 2});
  check_tile<gemm_tile<128, 64, swapped>, bfloat16, col, row>(any(), s, {2, 2});
  check_tile<gemm_tile<64, 128, swapped>, bfloat16, row, row>(any(), s, {2, 1});
}

TEST_F(hopper_menu, turns_operands_of_any_width) {
  // The last block of 64 columns is the tile's in part, and outside of the matrix for the rest.
  for (const sizes& s :
       {sizes{328, 456, 200}, sizes{136, 200, 72}, sizes{72, 520, 136, 3, 16, 8}}) {
    check_tile<gemm_tile<128, 80>, bfloat16, row, row>(any(), s, {1, 1});
    check_tile<gemm_tile<128, 208>, bfloat16, row, row>(any(), s, {2, 1});
    check_tile<gemm_tile<64, 72>, bfloat16, col, row>(any(), s, {1, 4});
    check_tile<gemm_tile<64, 48, swapped>, bfloat16, col, col>(any(), s, {4, 2});
    check_tile<gemm_tile<192, 112, swapped>, bfloat16, col, row>(any(), s, {2, 1});
    check_tile<gemm_tile<128, 152, swapped>, bfloat16, row, row>(any(), s, {1, 2});
    check_tile<gemm_tile<64, 80, straight, 8>, bfloat16, row, row>(any(), s, {1, 1, 5});
    check_tile<gemm_tile<64, 112, swapped, 8>, bfloat16, col, row>(any(), s, {2, 1, 2});
  }
}

/// 2 A B - 0.5 C by one tile, in every order of blocks: a row or column that two tiles compute and
/// both store would have C taken off twice.
template <class Tile, class TC, class Exec>
void check_onto_c(const Exec& exec, loops::hopper::cluster_shape cluster = {1, 1}) {
  const products::scales by{2, -0.5F};
  for (const sizes& s : {sizes{328, 456, 584}, sizes{331, 472, 520, 2}, sizes{264, 261, 136},
                         sizes{264, 261, 520}}) {
    products::expected_product<bfloat16, bfloat16, TC, row, col, row> product(exec, s, by);
    for (const int waves : {0, -1}) {
      if (Tile::teams > 1 && waves != 0) continue;
      product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
        multiply_by<Tile>(exec, cluster, waves, a, b, c,
                          loops::gemm_detail::chain(loops::epilogue::alpha{by.alpha},
                                                    loops::epilogue::beta{by.beta}));
      });
    }
  }
}

TEST_F(hopper_menu, tiles_at_the_edge_store_what_is_theirs) {
  check_onto_c<gemm_tile<256, 128>, bfloat16>(any());
  check_onto_c<gemm_tile<192, 160>, float>(any(), {1, 2});
  check_onto_c<gemm_tile<128, 176, swapped>, bfloat16>(any(), {2, 1});
  check_onto_c<gemm_tile<64, 72>, bfloat16>(any(), {1, 4});
  check_onto_c<gemm_tile<64, 128, straight, 8>, bfloat16>(any(), {1, 1, 3});
  check_onto_c<gemm_tile<128, 160, straight, 1, 2>, bfloat16>(any());
}

TEST_F(hopper_menu, takes_clusters_of_any_shape) {
  for (const loops::hopper::cluster_shape c : {loops::hopper::cluster_shape{1, 1},
                                               {2, 1},
                                               {1, 2},
                                               {3, 1},
                                               {1, 8},
                                               {8, 1},
                                               {4, 2},
                                               {2, 4}}) {
    SCOPED_TRACE(std::to_string(c.tall) + " x " + std::to_string(c.wide));
    if (c.tall != 3) check_tile<gemm_tile<64, 64>, bfloat16, row, col>(any(), {456, 648, 392}, c);
    check_tile<gemm_tile<64, 96, swapped>, bfloat16, row, col>(any(), {648, 456, 392}, c);
  }
}

TEST_F(hopper_menu, shares_the_steps_of_a_tile) {
  // As many parts as there are steps, fewer and more; parts that finish nothing, and tiles enough
  // for clusters to take several.
  for (int deep = 1; deep <= 8; ++deep) {
    if (deep == 7) continue;
    SCOPED_TRACE(deep);
    for (const sizes s : {sizes{130, 200, 520}, sizes{64, 72, 72}, sizes{712, 584, 264}}) {
      check_tile<gemm_tile<64, 96, straight, 8>, bfloat16, row, col>(any(), s, {1, 1, deep});
      check_tile<gemm_tile<128, 128, straight, 8>, bfloat16, row, col>(any(), s, {1, 1, deep});
      if (deep <= 4)
        check_tile<gemm_tile<64, 64, straight, 8>, bfloat16, row, col>(any(), s, {2, 1, deep});
    }
  }
}

TEST_F(hopper_menu, refuses_clusters_that_cannot_share_evenly) {
  for (const loops::hopper::cluster_shape c :
       {loops::hopper::cluster_shape{3, 1}, {1, 16}, {4, 4}, {3, 2}, {1, 1, 2}})
    support::expect_error(loops::errc::invalid_argument, "cannot share", [&] {
      check_tile<gemm_tile<64, 80>, bfloat16, row, col>(any(), {64, 80, 64}, c);
    });
  // Turned operands are shared by the depth.
  support::expect_error(loops::errc::invalid_argument, "cannot share", [&] {
    check_tile<gemm_tile<64, 192>, bfloat16, row, row>(any(), {64, 192, 64}, {3, 1});
  });
}

TEST_F(hopper_menu, teams_refuse_parts_of_tiles) {
  support::expect_error(loops::errc::unsupported, "take whole tiles", [&] {
    check_tile<gemm_tile<128, 128, straight, 1, 2>, bfloat16, row, col>(any(), {328, 456, 4104},
                                                                        {1, 1});
  });
}

TEST_F(hopper_menu, swaps_the_roles_of_a_batch) {
  check_tile<gemm_tile<128, 80, swapped>, bfloat16, row, col>(any(), {328, 264, 136, 3, 16, 8},
                                                              {2, 1});
  // Rows of C that boxes cannot take, and sums of 4 bytes.
  check_tile<gemm_tile<64, 80, swapped>, bfloat16, row, col>(any(), {130, 131, 72}, {1, 2});
  check_tile<gemm_tile<64, 80, swapped, 2>, bfloat16, row, col>(any(), {130, 136, 328}, {1, 1, 2});
}

TEST_F(hopper_menu, shares_operands_of_8_bits) {
  using float8 = loops::float8_e4m3;
  check_tile<gemm_tile<128, 128>, float8, row, col>(any(), {328, 464, 400}, {2, 2});
  check_tile<gemm_tile<64, 112, swapped>, float8, row, col>(any(), {328, 464, 400}, {2, 2});
}

TEST_F(hopper_menu, refuses_what_it_cannot_address) {
  const auto exec = any();
  const loops::array<bfloat16> room(4096, exec.memory());
  loops::array<bfloat16> out(4096, exec.memory());
  const loops::matrix<const bfloat16, row> a(room.data(), 16, 20);
  const loops::matrix<const bfloat16, col> b(room.data(), 20, 16);
  const loops::matrix<bfloat16, row> c(out.data(), 16, 16);
  using loops::select::gemm_candidate;
  support::expect_error(loops::errc::unsupported, "multiples of 16 bytes", [&] {
    loops::plan_gemm(exec, gemm_candidate{0, 0}, a, b, c);
  });
  const loops::matrix<const bfloat16, row> wide(room.data(), 16, 24);
  const loops::matrix<const bfloat16, col> tall(room.data(), 24, 16);
  for (const gemm_candidate none : {gemm_candidate{999, 0}, {-1, 0}, {0, -2}})
    support::expect_error(loops::errc::invalid_argument, "there is no line",
                          [&] { loops::plan_gemm(exec, none, wide, tall, c); });
}

}  // namespace

#endif
