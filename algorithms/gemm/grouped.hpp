// SPDX-License-Identifier: Apache-2.0
/// Many products of different sizes as one work: ragged (grouped) GEMM in a single launch.
#pragma once

#include "algorithms/gemm/engines.hpp"
#include "algorithms/gemm/problem.hpp"
#include "algorithms/gemm/tabled_plan.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/stream_k.hpp"

#if LOOPS_CUDA
#include "algorithms/gemm/hopper_grouped.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace loops {

/// One product of a group: its own sizes, matrices and leading dimensions; C is row-major.
template <class TA, class TB, class TC, layout LA = layout::row_major,
          layout LB = layout::row_major>
struct gemm_group {
  matrix<const TA, LA> a;
  matrix<const TB, LB> b;
  matrix<TC> c;
};

namespace gemm_detail {

/// What programs know about one product.
template <class TA, class TB, class TC>
struct group_record {
  placed_tile<TA, TB> operands;  ///< without the place of a tile
  TC* c;
  std::int64_t c_leading;
  std::int32_t c_widest;
  std::int64_t first_tile;
  tile_raster order;
};

/// The tiles of all products, one after the other.
template <class Problem>
class grouped_source {
 public:
  using problem_type = Problem;
  using epilogue_type = typename Problem::epilogue_type;
  using output = typename epilogue_type::output;
  using record = group_record<typename Problem::a_type, typename Problem::b_type, output>;
  using placed = placed_tile<typename Problem::a_type, typename Problem::b_type>;

  grouped_source(const record* records, const std::int32_t* group_of, gemm_tile_shape shape,
                 const epilogue_type& parts)
      : records_(records), group_of_(group_of), shape_(shape), parts_(parts) {}

  [[nodiscard]] LOOPS_HD placed at(std::int64_t t) const {
    const record& r = records_[group_of_[t]];
    placed p = r.operands;
    const tile_place place = r.order.at(static_cast<std::int32_t>(t - r.first_tile));
    p.row = place.row * shape_.m;
    p.col = place.col * shape_.n;
    return p;
  }
  /// Parts that know batches take the number of the group for one.
  [[nodiscard]] LOOPS_HD epilogue_type epilogue(std::int64_t t) const {
    const std::int32_t group = group_of_[t];
    const record& r = records_[group];
    return parts_.of_batch(group).into(matrix<output>(r.c, r.operands.m, r.operands.n, r.c_leading),
                                       r.c_widest);
  }

 private:
  const record* records_;
  const std::int32_t* group_of_;
  gemm_tile_shape shape_;
  epilogue_type parts_;
};

/// What the portable program of a blocking knows of many products. Throws: overflow, and what is
/// wrong with a group.
template <class Program, class Problem>
auto portable_tables(const std::vector<Problem>& problems, raster order) {
  using record = typename Program::source_type::record;
  group_tables<record, std::int32_t> made;
  for (const Problem& p : problems) {
    const auto number = static_cast<std::int32_t>(made.records.size());
    const gemm_tiles t =
        naming_group(made.records.size(), [&] { return p.tiles(Program::tile_shape, order); });
    const dense_source<Problem> one(p, t);
    record r{};
    if (t.tiles() > 0) r.operands = one.at(0);
    r.c = p.epilogue.c().data;
    r.c_leading = p.epilogue.c().leading;
    r.c_widest = p.epilogue.widest();
    r.first_tile = static_cast<std::int64_t>(made.tiles.size());
    r.order = t.order();
    made.check_room(t.tiles());
    for (std::int64_t i = 0; i < t.tiles(); ++i) {
      made.tiles.push_back(number);
      made.offsets.push_back(made.offsets.back() + t.steps());
    }
    made.records.push_back(r);
  }
  return made;
}

/// The products planned for one engine's blocking.
template <class Exec, class Schedule, class Problem, class Blocking>
struct grouped_engine_plan
    : tabled_plan<Exec, Schedule, portable_gemm<grouped_source<Problem>, Blocking>,
                  typename grouped_source<Problem>::record, std::int32_t> {
  using source = grouped_source<Problem>;
  using record = typename source::record;
  using program = portable_gemm<source, Blocking>;

  grouped_engine_plan(const Exec& exec, const Schedule& schedule,
                      const std::vector<Problem>& problems, raster order)
      : tabled_plan<Exec, Schedule, program, record, std::int32_t>(
            exec, schedule,
            tables_of(problems.size(), [&] { return portable_tables<program>(problems, order); }),
            1, [&](const std::int32_t* group_of, const record* records) {
              return program{
                  source(records, group_of, program::tile_shape, problems.front().epilogue)};
            }) {}
};

/// Refuses products whose C meets that of another, where who writes last is chance, or an operand
/// of another, which may be read after it was written. One that begins inside of others is compared
/// with that of them which ends last: this finds all that meet, but for some among matrices that
/// lie between each other's rows.
template <class Problem>
void check_outputs(const std::vector<Problem>& problems, source_place where) {
  struct place {
    stretches memory;
    std::size_t group;
    const char* name;
    [[nodiscard]] auto begin() const { return memory.first() + memory.begin; }
    [[nodiscard]] auto end() const { return memory.end() + memory.begin; }
    [[nodiscard]] bool written() const { return *name == 'C'; }
    [[nodiscard]] std::string text() const {
      return std::string(name) + " of group " + std::to_string(group);
    }
  };
  std::vector<place> places;
  places.reserve(3 * problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Problem& p = problems[i];
    if (p.m() == 0 || p.n() == 0) continue;
    places.push_back({memory_of(p.epilogue.c()), i, "C"});
    if (p.k() == 0) continue;
    places.push_back({memory_of(p.a), i, "A"});
    places.push_back({memory_of(p.b), i, "B"});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const place& x, const place& y) { return x.begin() < y.begin(); });
  const place* written = nullptr;
  const place* read = nullptr;
  for (const place& p : places) {
    for (const place* other : {written, p.written() ? read : nullptr})
      if (other && meet(other->memory, p.memory))
        throw error(errc::invalid_argument,
                    p.text() + " overlaps " + other->text() +
                        ", and which is used first is chance: give each C a place of its own",
                    where);
    const place*& last = p.written() ? written : read;
    if (!last || last->end() < p.end()) last = &p;
  }
}

/// The parts of an epilogue, with the C of each product.
template <class... Parts>
struct parts_of {
  template <class Group>
  using problem =
      decltype(make_gemm_problem(std::declval<Group>().a, std::declval<Group>().b,
                                 std::declval<Group>().c, std::declval<part_chain<Parts...>>()));
};

/// The portable program for many products: `whole` operands only if those of all are, and where
/// their tiles together are enough.
template <class Blocking, int Percent>
struct portable_groups {
  using one = portable_engine<Blocking, Percent>;
  static constexpr const char* name() { return one::name(); }
  template <class Exec, class Schedule, class Problem>
  using plan = grouped_engine_plan<Exec, Schedule, Problem, Blocking>;
  template <class Exec, class Problem>
  static bool takes(const Exec& exec, const std::vector<Problem>& problems) {
    std::int64_t tiles = 0;
    std::size_t group = 0;
    for (const Problem& p : problems) {
      if (!one::takes(exec, p)) return false;
      tiles += naming_group(group++,
                            [&] { return p.tiles(one::template tile_shape<Problem>(-1)).tiles(); });
    }
    return one::keeps_busy(exec, tiles);
  }
};

/// The engines for many products at once, the preferred ones first; the last one takes everything.
/// An engine has a `plan`, and says what it `takes`.
template <class Exec, class Problem>
struct grouped_engines {
  using blocking = portable_blocking<Exec, typename Problem::a_type>;
  static auto special() {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>())
      return listed(std::type_identity<hopper::grouped_engines>());
    else
#endif
      return engine_list<>{};
  }
  /// The engine that suits these products, and how many waves of tiles are best shared.
  static engine_choice choose([[maybe_unused]] const Exec& exec,
                              [[maybe_unused]] const std::vector<Problem>& problems) {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>()) {
      if (hopper::takes_all(problems) && hopper::has_units(exec)) {
        const hopper::gemm_choice c = hopper::choose_for_all(exec, problems);
        return {c.config, -1, c.waves};
      }
    }
#endif
    return {};
  }
  using list = decltype(and_portable<blocking, portable_groups>(special()));
};

template <class Exec, class Schedule, class Problem, class List>
struct grouped_variant;
template <class Exec, class Schedule, class Problem, class... Engines>
struct grouped_variant<Exec, Schedule, Problem, engine_list<Engines...>> {
  using type = std::variant<typename Engines::template plan<Exec, Schedule, Problem>...>;

  static type make(const Exec& exec, const Schedule& schedule, const std::vector<Problem>& problems,
                   raster order, int wanted) {
    return by_engine(
        engine_list<Engines...>{}, wanted,
        [&](auto engine) { return decltype(engine)::takes(exec, problems); },
        [&](auto engine) {
          using plan = typename decltype(engine)::template plan<Exec, Schedule, Problem>;
          return type(std::in_place_type<plan>, exec, schedule, problems, order);
        });
  }
  static const char* name(std::size_t engine) {
    constexpr const char* names[] = {Engines::name()...};
    return names[engine];
  }
};

}  // namespace gemm_detail

/// Products of different sizes, prepared as one launch: schedules cut all of them together, so a
/// few long ones do not hold up many short ones. Holds tables in the executor's memory, at most 512
/// bytes per product and 24 per tile, beside what its schedule needs where it cuts tiles; the
/// matrices must outlive it.
template <class Exec, class Schedule, class Problem>
class grouped_gemm_plan {
  using engines = gemm_detail::grouped_engines<Exec, Problem>;
  static constexpr bool decides = std::is_same_v<Schedule, schedule::automatic>;
  static_assert(
      decides || requires(const Schedule& s) { s.compose(); },
      "groups are not tried before they are planned: name a schedule, or take "
      "schedule::automatic");

 public:
  /// What runs: the schedule that was asked for, or the one that `schedule::automatic` came to.
  using schedule_type = std::conditional_t<decides, schedule::stream_k, Schedule>;

  grouped_gemm_plan(const Exec& exec, const Schedule& schedule,
                    const std::vector<Problem>& problems, raster order = {})
      : grouped_gemm_plan(exec, schedule, problems, order, engines::choose(exec, problems)) {}

  /// Computes all of them: one launch, no allocation.
  void operator()() const {
    std::visit([](const auto& p) { p(); }, plan_);
  }
  /// Waits, and throws where a block lost another's partial; see `run_plan::check`.
  void check() {
    std::visit([](auto& p) { p.check(); }, plan_);
  }
  /// Tiles of all products.
  [[nodiscard]] std::int64_t tiles() const {
    return std::visit([](const auto& p) { return p.tiles(); }, plan_);
  }
  /// Bytes of memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& p) { return p.bytes(); }, plan_);
  }
  /// The schedule that runs.
  [[nodiscard]] const schedule_type& schedule() const { return schedule_; }
  /// The engine that was chosen.
  [[nodiscard]] const char* engine() const { return factory::name(plan_.index()); }

 private:
  using factory =
      gemm_detail::grouped_variant<Exec, schedule_type, Problem, typename engines::list>;
  grouped_gemm_plan(const Exec& exec, const Schedule& schedule,
                    const std::vector<Problem>& problems, raster order, engine_choice choice)
      : schedule_(decided(schedule, choice)),
        plan_(factory::make(exec, schedule_, problems, order, choice.engine)) {}
  static schedule_type decided(const Schedule& schedule, engine_choice choice) {
    if constexpr (decides) {
      return {.waves = choice.waves};
    } else {
      return schedule;
    }
  }

  schedule_type schedule_;
  typename factory::type plan_;
};

/// Plans C_g = parts(A_g B_g) for every group, each with sizes of its own, zero included. No C may
/// overlap another, or anything that is read for another. Throws: invalid_argument or overflow,
/// naming the group that is wrong and why; overlaps too, but not of a C with another group's values
/// of parts, nor all of those between matrices that lie between each other's rows.
template <class Exec, class Schedule, class TA, class TB, class TC, layout LA, layout LB,
          class... Parts>
auto plan_grouped_gemm(const Exec& exec, const Schedule& schedule,
                       std::span<const gemm_group<TA, TB, TC, LA, LB>> groups,
                       const Parts&... parts) {
  using group = gemm_group<TA, TB, TC, LA, LB>;
  using problem = typename gemm_detail::parts_of<Parts...>::template problem<group>;
  std::vector<problem> problems;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    problems.push_back(gemm_detail::naming_group(i, [&] {
      return make_gemm_problem(groups[i].a, groups[i].b, groups[i].c, gemm_detail::chain(parts...),
                               source_place::here(), static_cast<std::int64_t>(i));
    }));
    if (groups[i].c.batch != 1)
      throw error(errc::invalid_argument,
                  "group " + std::to_string(i) + " is a batch: list its products one by one");
  }
  gemm_detail::check_outputs(problems, source_place::here());
  return grouped_gemm_plan<Exec, Schedule, problem>(exec, schedule, problems);
}
template <class Exec, class Schedule, class TA, class TB, class TC, layout LA, layout LB,
          class... Parts>
auto plan_grouped_gemm(const Exec& exec, const Schedule& schedule,
                       const std::vector<gemm_group<TA, TB, TC, LA, LB>>& groups,
                       const Parts&... parts) {
  return plan_grouped_gemm(exec, schedule, std::span<const gemm_group<TA, TB, TC, LA, LB>>(groups),
                           parts...);
}

}  // namespace loops
