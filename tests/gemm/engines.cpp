// SPDX-License-Identifier: Apache-2.0
/// Products of 16-bit operands by the engine and the schedule that `schedule::automatic` chooses,
/// and by every one that it can choose.
#include "algorithms/gemm/engines.hpp"

#include "algorithms/gemm/planned.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "gemm/products.hpp"

namespace {

using namespace loops;
using products::col;
using products::row;
using products::scales;
using products::sizes;

/// With tails on all sides; of one row, of one column, without steps; in batches; rows that start
/// on 16 bytes though their length does not, and rows that do not.
const sizes small_ones[] = {
    {130, 72, 296},       {1, 72, 88},      {72, 1, 88},           {64, 64, 0},
    {129, 65, 201, 1, 7}, {96, 136, 72, 2}, {72, 40, 64, 3, 8, 8}, {61, 45, 130, 2, 3, 1},
    {70, 45, 67}};
/// For GPUs: fewer tiles than processors and more, few tiles of many steps.
const sizes large_ones[] = {{712, 1384, 264},       {2184, 1288, 136}, {580, 648, 264, 2, 16},
                            {257, 385, 1993, 1, 7}, {64, 136, 4104},   {3000, 1000, 72}};
#if LOOPS_CUDA || LOOPS_HIP
constexpr bool small_only = false;
#else
constexpr bool small_only = true;
#endif

template <class Exec>
class engines_on : public support::on_executor<Exec> {
 protected:
  /// One type in one choice of layouts, all sizes, C of a type of its own.
  template <class T, layout A, layout B, class TC, layout C>
  static void check() {
    const auto exec = engines_on::any();
    const auto one = [&](const sizes& s, const scales& by) {
      products::check_product<T, T, TC, A, B, C>(
          exec, s,
          [&](const auto& a, const auto& b, const auto& c) {
            gemm(exec, schedule::automatic{}, a, b, c, epilogue::alpha{by.alpha},
                 epilogue::beta{by.beta});
          },
          by);
    };
    for (const sizes& s : small_ones)
      for (const scales& by : {scales{}, scales{-1.5F, 0.75F}}) one(s, by);
    if (small_only) return;
    for (const sizes& s : large_ones) one(s, {0.5F, -2});
  }
};
TYPED_TEST_SUITE(engines_on, support::executors, support::executor_name);

TYPED_TEST(engines_on, automatic_takes_operands_along_k) {
  this->template check<bfloat16, row, col, bfloat16, row>();
}
TYPED_TEST(engines_on, automatic_takes_a_turned_a) {
  this->template check<loops::half, col, col, loops::half, row>();
}
TYPED_TEST(engines_on, automatic_takes_a_turned_b) {
  this->template check<bfloat16, row, row, float, row>();
}
TYPED_TEST(engines_on, automatic_takes_both_turned) {
  this->template check<bfloat16, col, row, bfloat16, row>();
}
TYPED_TEST(engines_on, automatic_turns_the_product_for_a_column_major_result) {
  this->template check<bfloat16, row, row, float, col>();
}

/// Matrices of a batch may be one by their stride, and what follows a single row is nobody's.
TYPED_TEST(engines_on, automatic_takes_a_stride_of_nothing) {
  const auto exec = this->any();
  const auto multiply = [&](std::int64_t m, std::int64_t leading, std::int64_t batch) {
    const products::owned<bfloat16, row> a(exec, m, 72, 0, 1, 0, 1);
    const products::owned<bfloat16, col> b(exec, 72, 40, 0, 3, 0, 2);
    products::owned<bfloat16, row> c(exec, m, 40, 0, 3, 0, 3);
    const matrix<const bfloat16, row> like(a.device.data(), m, 72, leading, batch, 0);
    gemm(exec, schedule::automatic{}, like, b.view(), c.target(), epilogue::alpha{1.0F},
         epilogue::beta{0.0F});
    exec.synchronize();
    return c.device.to_vector();
  };
  for (const std::int64_t m : {1, 70})
    EXPECT_TRUE(support::same_bits(multiply(m, 72, 1), multiply(m, 72, 3))) << m;
  EXPECT_TRUE(support::same_bits(multiply(1, 72, 1), multiply(1, 8, 1)));
  EXPECT_TRUE(support::same_bits(multiply(1, 72, 1), multiply(1, 8, 3)));
}

/// An engine that takes what it is told to, and so on.
template <bool Takes, bool Suits, int Rows = 64>
struct told {
  template <class Problem>
  static constexpr gemm_tile_shape tile_shape(int) {
    return {Rows, 64, 32};
  }
  static bool takes(int, int) { return Takes; }
  static bool suits(int, int) { return Suits; }
};

TEST(engines, are_listed_one_for_each_tile_with_the_one_that_suits_first) {
  const auto listed = [](auto list) {
    std::vector<std::pair<int, int>> out;
    for (const auto& e : gemm_detail::takers(list, 0, 0)) out.emplace_back(e.place, e.line);
    return out;
  };
  using all = std::vector<std::pair<int, int>>;
  EXPECT_EQ(listed(engine_list<told<false, false, 256>, told<true, false, 128>, told<true, true>,
                               told<true, true, 32>>()),
            (all{{2, 2}, {1, 1}, {3, 3}}));
  // Of one tile the first that can.
  EXPECT_EQ(listed(engine_list<told<false, false>, told<true, false, 32>, told<true, true>,
                               told<true, true>>()),
            (all{{2, 0}, {1, 1}}));
  EXPECT_EQ(listed(engine_list<told<false, false>>()), all());
}

TEST(engines, are_found_by_number_or_by_what_suits) {
  using list = engine_list<told<true, false>, told<true, true>, told<false, true>>;
  const auto found = [](int wanted) {
    return gemm_detail::by_engine(
        list(), wanted, [](auto engine) { return engine.suits(0, 0); },
        [](auto engine) { return 10 * engine.takes(0, 0) + engine.suits(0, 0); });
  };
  EXPECT_EQ(found(-1), 11);
  EXPECT_EQ(found(0), 10);
  EXPECT_EQ(found(2), 1);
}

/// Of a machine with so many processors.
/// Memory that nobody has or asks for, each far from the others.
template <class T>
T* nowhere(std::uintptr_t number) {
  return reinterpret_cast<T*>(number << 50);
}

struct processors {
  int processors_;
  struct known {
    int processors;
  };
  [[nodiscard]] known facts() const { return {processors_}; }
};

TEST(engines, with_large_tiles_suit_what_keeps_three_processors_in_four_busy) {
  using large = portable_engine<gemm_blocking<256, 256, 64, 2, 4, 64, 2, 94, true>, 75>;
  using small = portable_engine<gemm_blocking<128, 128, 64, 2, 4, 64, 2, 94, true>>;
  using mine = gemm_blocking<256, 256, 64, 2, 4, 64, 2, 94>;
  auto* const data = nowhere<const loops::half>(1);
  auto* const c = nowhere<float>(2);
  const auto product = [&](std::int64_t m, std::int64_t n, std::int64_t leading,
                           std::int64_t k = 64) {
    return make_gemm_problem(matrix<const loops::half, row>(data, m, k, leading),
                             matrix<const loops::half, col>(data, k, n), matrix<float>(c, m, n),
                             gemm_detail::chain());
  };
  // 16 x 19 tiles are 304, and 228 are three quarters of that.
  EXPECT_TRUE(large::suits(processors{304}, product(4096, 4864, 64)));
  EXPECT_TRUE(large::suits(processors{304}, product(12 * 256, 19 * 256, 64)));
  EXPECT_TRUE(large::suits(processors{304}, product(12 * 256 - 255, 19 * 256 - 255, 64)));
  EXPECT_FALSE(large::suits(processors{304}, product(227 * 256, 256, 64)));
  EXPECT_TRUE(large::takes(processors{304}, product(227 * 256, 256, 64)));
  EXPECT_TRUE(small::suits(processors{304}, product(8, 8, 64)));
  // Rows that do not begin on 16 bytes are not for programs of whole operands.
  EXPECT_FALSE(large::takes(processors{1}, product(4096, 4864, 65)));
  EXPECT_FALSE(small::suits(processors{1}, product(4096, 4864, 65)));
  EXPECT_TRUE(portable_engine<mine>::suits(processors{1}, product(4096, 4864, 65)));
  // Their offsets in a tile of 256 rows, and as far again, are bytes in 31 bits.
  constexpr std::int64_t far = INT32_MAX / (2 * 256 * 2) / 8 * 8;
  EXPECT_TRUE(large::takes(processors{1}, product(512, 512, far)));
  EXPECT_FALSE(large::takes(processors{1}, product(512, 512, far + 8)));
  EXPECT_TRUE(large::takes_copies(product(512, 512, far + 8)));
  EXPECT_TRUE(large::takes_copies(product(512, 512, far, far)));
  EXPECT_FALSE(large::takes_copies(product(512, 512, far + 8, far + 8)));
}

#if !LOOPS_CUDA && !LOOPS_HIP

/// Costs of two tiles, of which the smaller one takes more per element.
constexpr select::gemm_costs costs_of_two[] = {{{64, 64}, 8, 1, {1, 0.9F, 1.0F, 0, 0.5F, 0, 1, 1}},
                                               {{64, 32}, 8, 1, {1, 0.5F, 0.6F, 0, 0.3F, 0, 1, 1}}};
constexpr select::gemm_table table_of_two{"nowhere", "f16", 32, 2, 4, 1, 1e9, 0, costs_of_two};

TEST(engines, are_chosen_by_what_tiles_cost) {
  using large = portable_engine<gemm_blocking<64, 64, 64, 2, 1, 64, 2, 94, true>>;
  using small = portable_engine<gemm_blocking<64, 32, 64, 2, 1, 64, 2, 94, true>>;
  using any = portable_engine<gemm_blocking<64, 32, 64, 2, 1, 64, 2, 94>>;
  using list = engine_list<large, small, any>;
  const emulation_executor<64> exec(emulation_options{.residency = 8});
  auto* const data = nowhere<const loops::half>(1);
  auto* const c = nowhere<float>(2);
  const auto chosen = [&](std::int64_t m, std::int64_t n, std::int64_t leading = 640) {
    const auto p = make_gemm_problem(matrix<const loops::half, row>(data, m, 640, leading),
                                     matrix<const loops::half, col>(data, 640, n),
                                     matrix<float>(c, m, n), gemm_detail::chain());
    EXPECT_EQ(gemm_detail::menu_of<std::remove_const_t<decltype(p)>>(list(), exec).size(), 2U);
    const auto all = gemm_detail::likeliest_engines(list(), exec, p, table_of_two);
    EXPECT_EQ(all.size(), leading % 8 == 0 ? 2U : 1U);  // a choice for each line that can
    return all.front().choice;
  };
  // Eight workers: four tiles leave half of them idle, eight small ones none.
  EXPECT_EQ(chosen(128, 128), (engine_choice{1, -1, 0}));
  EXPECT_EQ(chosen(512, 512), (engine_choice{0, -1, 0}));
  // Nine tiles are best shared.
  EXPECT_EQ(chosen(64, 64 * 9).engine, 0);
  EXPECT_NE(chosen(64, 64 * 9).waves, 0);
  // What is not whole is for the last one.
  EXPECT_EQ(chosen(128, 128, 641).engine, 2);
  EXPECT_EQ(chosen(512, 512, 641).engine, 2);
}

TEST(engines, cost_endless_time_where_they_do_not_take_a_problem) {
  using large = portable_engine<gemm_blocking<64, 64, 64, 2, 1, 64, 2, 94, true>>;
  using small = portable_engine<gemm_blocking<64, 32, 64, 2, 1, 64, 2, 94>>;
  const emulation_executor<64> exec(emulation_options{.residency = 8});
  auto* const data = nowhere<const loops::half>(1);
  const auto problem = [&](std::int64_t leading) {
    return make_gemm_problem(matrix<const loops::half, row>(data, 128, 640, leading),
                             matrix<const loops::half, col>(data, 640, 128),
                             matrix<float>(nowhere<float>(2), 128, 128), gemm_detail::chain());
  };
  using problem_type = decltype(problem(640));
  const auto parts = [&](auto list, std::int64_t leading) {
    const auto p = problem(leading);
    return gemm_detail::list_costs<decltype(list), emulation_executor<64>, problem_type>(
               exec, p, table_of_two)
        .for_parts(p);
  };
  using both = engine_list<large, small>;
  // Eight tiles for eight workers; of the larger there are four, whose steps take longer.
  EXPECT_EQ(parts(both(), 640).choice, (engine_choice{1, -1, 0}));
  EXPECT_LT(parts(both(), 640).us, parts(engine_list<large>(), 640).us);
  EXPECT_EQ(parts(both(), 641).choice.engine, 1);
  EXPECT_EQ(parts(engine_list<large>(), 640).choice.engine, 0);
  EXPECT_EQ(parts(engine_list<large>(), 641).us, HUGE_VAL);
}

TEST(engines, are_lines_of_a_menu) {
  const emulation_executor<64> exec;
  const products::owned<float, row> a(exec, 70, 64, 0, 1, 0, 1);
  const products::owned<float, col> b(exec, 64, 40, 0, 1, 0, 2);
  products::owned<float, row> c(exec, 70, 40, 0, 1, 0, 3);
  const auto plan = [&](select::gemm_candidate line) {
    return plan_gemm(exec, line, a.view(), b.view(), c.target());
  };
  EXPECT_EQ(plan({0, 1}).schedule().waves, 1);
  for (const select::gemm_candidate none : {select::gemm_candidate{1, 0}, {-1, 0}, {0, -2}})
    support::expect_error(errc::invalid_argument, "there is no line", [&] { plan(none); });
}

TEST(engines, are_chosen_by_what_was_tuned) {
  using select::gemm_tuning;
  const emulation_executor<64> exec;
  const products::owned<float, row> a(exec, 70, 64, 0, 1, 0, 1);
  const products::owned<float, col> b(exec, 64, 40, 0, 1, 0, 2);
  products::owned<float, row> c(exec, 70, 40, 0, 1, 0, 3);
  const auto waves = [&](const gemm_tuning& tuning) {
    const auto plan = plan_gemm(exec, tuning, a.view(), b.view(), c.target());
    plan();
    exec.synchronize();
    return plan.schedule().waves;
  };
  const auto key = [&](const auto& left) {
    return select::key_of(
        select::size_of(make_gemm_problem(left, b.view(), c.target(), gemm_detail::chain())));
  };
  const std::uint64_t mine = key(a.view());
  const auto winning = [](std::uint64_t product, select::gemm_candidate best) {
    std::vector<std::vector<std::uint64_t>> winners(8);
    winners[select::number_of(best)].push_back(product);
    return std::make_shared<const select::sieve>(winners, 1e-6);
  };
  EXPECT_EQ(waves({&table_of_two, {{mine, {0, 1}}}}), 1);
  EXPECT_EQ(waves({&table_of_two, {}, winning(mine, {0, -1})}), -1);
  EXPECT_EQ(waves({&table_of_two, {{mine, {0, 1}}}, winning(mine, {0, -1})}), 1);
  // Others get what `automatic` takes.
  const int usual = engine_choice().waves;
  EXPECT_EQ(waves({&table_of_two, {{mine + 1, {0, 1}}}, winning(mine + 1, {0, -1})}), usual);
  EXPECT_EQ(waves({&table_of_two}), usual);
  support::expect_error(errc::invalid_argument, "tune again", [&] {
    waves({&table_of_two, {{mine, {1, 0}}}});
  });
  support::expect_error(errc::invalid_argument, "no costs", [&] { waves({}); });
  const select::gemm_table no_lines;
  support::expect_error(errc::invalid_argument, "no costs", [&] { waves({&no_lines}); });
}

#endif

#if LOOPS_CUDA

/// Says whether it was compiled with Hopper's matrix instructions.
struct tell_instructions {
  int* there;
  LOOPS_HD void operator()(std::int64_t, std::int64_t) const { *there = gpu::has_wgmma ? 1 : 0; }
};

TYPED_TEST(engines_on, knows_what_its_code_was_compiled_for) {
  const auto exec = this->any();
  loops::array<int> there(1, exec.memory());
  for_each_atom(exec, schedule::merge_path{}, uniform(1, 1), tell_instructions{there.data()});
  EXPECT_EQ(there.to_vector().front() == 1, gpu::code_has_wgmma(exec.device()));
  EXPECT_EQ(hopper::has_units(exec),
            gpu::code_has_wgmma(exec.device()) && exec.facts().architecture == "sm_90");
}

/// What `automatic` and `measured` would take first.
template <class A, class B, layout LB>
class first_choice {
 public:
  explicit first_choice(const gpu_executor& exec)
      : a_(exec, 200, 8000, 0, 2, 0, 1),
        b_(exec, 8000, 200, 0, 2, 0, 2),
        c_(exec, 200, 200, 0, 2, 0, 3) {
    const auto p = make_gemm_problem(a_.view(), b_.view(), c_.target(), gemm_detail::chain());
    using engines = gemm_engines<gpu_executor, std::remove_const_t<decltype(p)>>;
    automatic = engines::template choose<gemm_breadth::named>(exec, p);
    measured = engines::template choose_several<gemm_breadth::named>(exec, p, 1).front();
  }
  engine_choice automatic, measured;

 private:
  products::owned<A, row> a_;
  products::owned<B, LB> b_;
  products::owned<float, row> c_;
};

/// Of few tiles with many steps Hopper's own programs would share none; the portable one takes the
/// hybrid, whatever the table of these types says.
TYPED_TEST(engines_on, costs_of_hoppers_programs_are_not_the_portable_ones) {
  const auto exec = this->any();
  const auto hybrid = [](const engine_choice& c) { return c.waves == 2 && c.parts == 1; };
  const first_choice<float8_e4m3, float8_e4m3, row> by_rows(exec);
  EXPECT_TRUE(hybrid(by_rows.automatic) && hybrid(by_rows.measured));
  const first_choice<loops::half, bfloat16, col> unlike(exec);
  EXPECT_TRUE(hybrid(unlike.automatic) && hybrid(unlike.measured));
}

/// What `automatic` has engines for, whatever it would choose.
class engine_lines : public support::on_executor<gpu_executor> {
 protected:
  void SetUp() override {
    on_executor::SetUp();
    if (!IsSkipped() && any().facts().architecture != "sm_90")
      GTEST_SKIP() << "this GPU is no Hopper";
  }
  /// Every line of the menu that has such an engine, in plans as `automatic` makes them.
  template <layout A, layout B, class TC, class T = bfloat16>
  static void check() {
    const auto exec = any();
    const auto by = std::is_integral_v<TC> ? scales{} : scales{0.5F, -1};
    const std::int64_t gap = sizeof(T) == 1 ? 15 : 7;
    for (const sizes& s : {sizes{328, 456, 144}, sizes{65, 73, 1089, 1, gap}}) {
      products::expected_product<T, T, TC, A, B, row> product(exec, s, by);
      for (int line = 0; line < hopper::gemm_configs; ++line)
        for (const int waves : {0, -1, 2}) {
          SCOPED_TRACE("line " + std::to_string(line) + ", waves " + std::to_string(waves));
          if (!has_engine<A, B, T>(line)) continue;
          if (waves != 0 && takes_whole_tiles<A, B, T>(line)) continue;
          product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
            const auto p = make_gemm_problem(
                a, b, c, gemm_detail::chain(epilogue::alpha{by.alpha}, epilogue::beta{by.beta}));
            start(exec, p, line, waves);
          });
        }
    }
  }

 private:
  static constexpr int tile_of(int line) { return hopper::gemm_menu[line].tile; }
  template <layout A, layout B, class T>
  using few = hopper::tiles_for<hopper::few_tiles<A == col, B == row, int(sizeof(T))>, T>;
  template <layout A, layout B, class T>
  static bool has_engine(int line) {
    bool has = false;
    hopper::with_tile(
        line, [&](auto) { has = true; }, few<A, B, T>());
    return has;
  }
  /// `automatic` shares no tile among teams.
  template <layout A, layout B, class T>
  static bool takes_whole_tiles(int line) {
    bool teams = false;
    hopper::with_tile(
        line, [&]<class Tile>(std::type_identity<Tile>) { teams = Tile::teams > 1; },
        few<A, B, T>());
    return teams;
  }
  template <class Problem>
  static void start(const gpu_executor& exec, const Problem& p, int line, int waves) {
    using tiles = few<Problem::a_order, Problem::b_order, typename Problem::a_type>;
    using list = typename gemm_engines<gpu_executor, Problem>::template list<gemm_breadth::few>;
    const auto plan = gemm_detail::plan_by<list>(exec, schedule::stream_k{.waves = waves}, p, {},
                                                 {hopper::engine_of(line, tiles()), line});
    hopper::with_tile(
        line,
        [&]<class Tile>(std::type_identity<Tile>) {
          using program = hopper::program_for<Problem, Tile>;
          const gemm_tile_shape got = plan->tiles().shape();
          const gemm_tile_shape wanted = program::tile_of(hopper::gemm_menu[line].cluster);
          EXPECT_TRUE(got.m == wanted.m && got.n == wanted.n);
        },
        tiles());
    plan->start();
    plan->check();
  }
};

TEST_F(engine_lines, all_take_operands_along_k) {
  check<row, col, bfloat16>();
}
TEST_F(engine_lines, all_take_integers) {
  check<row, col, std::int32_t, std::int8_t>();
}
TEST_F(engine_lines, all_take_turned_operands) {
  check<row, row, float>();
}

#endif

}  // namespace
