// SPDX-License-Identifier: Apache-2.0
/// Dense matrix times matrix: C = parts(A B), any layouts, any tile schedule.
#pragma once

#include "algorithms/gemm/engines.hpp"
#include "algorithms/gemm/problem.hpp"
#include "algorithms/gemm/trial.hpp"
#include "loops/algorithm/run.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"
#include "loops/schedule/stream_k.hpp"

#include <type_traits>
#include <utility>
#include <variant>

namespace loops {

namespace gemm_detail {

/// An order of tiles as this device is best served by.
template <class Exec>
raster order_on(const Exec& exec, raster order) {
  if constexpr (requires { exec.facts().dies; }) {
    if (order.dies == 0) order.dies = exec.facts().dies;
    if (order.on_each == 0 && order.dies > 0) order.on_each = exec.facts().processors / order.dies;
  }
  return order;
}

/// A problem planned for one engine.
template <class Exec, class Schedule, class Problem, class Engine>
class engine_plan {
  using program = typename Engine::template program<Problem>;

 public:
  using engine = Engine;
  engine_plan(const Exec& exec, const Schedule& schedule, const Problem& p, raster order, int form)
      : form_(form),
        tiles_(p.tiles(Engine::template tile_shape<Problem>(form), order_on(exec, order))),
        program_(Engine::make(exec, p, tiles_, form)),
        plan_(exec, schedule, tiles_, program_) {}

  void operator()() const { plan_(program_); }
  /// The same sizes with other matrices.
  void operator()(const Problem& p) const {
    plan_(Engine::make(plan_.executor(), p, tiles_, form_));
  }
  void check() { plan_.check(); }
  [[nodiscard]] const Exec& executor() const { return plan_.executor(); }
  [[nodiscard]] const gemm_tiles& tiles() const { return tiles_; }
  [[nodiscard]] std::size_t bytes() const { return plan_.bytes(); }
  [[nodiscard]] std::int64_t workers() const { return plan_.workers(); }
  [[nodiscard]] std::int64_t resident() const { return plan_.resident(); }

 private:
  int form_;
  gemm_tiles tiles_;
  program program_;
  run_plan<Exec, Schedule, gemm_tiles, program> plan_;
};

template <class Exec, class Schedule, class Problem, class List>
struct plan_variant;
template <class Exec, class Schedule, class Problem, class... Engines>
struct plan_variant<Exec, Schedule, Problem, engine_list<Engines...>> {
  using type = std::variant<engine_plan<Exec, Schedule, Problem, Engines>...>;

  static type make(const Exec& exec, const Schedule& schedule, const Problem& p, raster order,
                   engine_choice choice) {
    return plan_by<type>(
        engine_list<Engines...>{}, choice.engine,
        [&](auto engine) { return decltype(engine)::suits(exec, p); }, exec, schedule, p, order,
        choice.form);
  }
};

/// What a schedule comes to, and the engines for it: itself, or what `automatic` decides, or what a
/// trial finds.
template <class Schedule>
struct decided {
  using type = Schedule;
  template <class Engines>
  using list = typename Engines::list;
  template <class Engines, class Exec, class Problem>
  static std::pair<type, engine_choice> of(const Schedule& s, const Exec&, const Problem&, raster) {
    return {s, {}};
  }
};
template <>
struct decided<schedule::automatic> {
  using type = schedule::stream_k;
  template <class Engines>
  using list = typename Engines::choices;
  template <class Engines, class Exec, class Problem>
  static std::pair<type, engine_choice> of(const schedule::automatic&, const Exec& exec,
                                           const Problem& p, raster) {
    const engine_choice c = Engines::choose(exec, p);
    return {type{.waves = c.waves}, c};
  }
};
template <>
struct decided<schedule::measured> : decided<schedule::automatic> {
  template <class Engines, class Exec, class Problem>
  static std::pair<type, engine_choice> of(const schedule::measured& s, const Exec& exec,
                                           const Problem& p, raster order) {
    require(s.candidates > 0, errc::invalid_argument,
            "`measured` tries at least one candidate: `candidates` is 0 or less");
    using plans = plan_variant<Exec, type, Problem, list<Engines>>;
    const auto choices = Engines::choose_several(exec, p, s.candidates);
    const std::size_t best =
        fastest_plan(exec, p, choices.size(), [&](const Problem& like, std::size_t i) {
          return
              [made = plans::make(exec, type{.waves = choices[i].waves}, like, order, choices[i])](
                  const Problem& q) { std::visit([&q](const auto& plan) { plan(q); }, made); };
        });
    return {type{.waves = choices[best].waves}, choices[best]};
  }
};

}  // namespace gemm_detail

/// A GEMM prepared for its sizes, a schedule and an executor. Calling it allocates nothing, waits
/// for nothing, is one launch, and can be captured into a graph. One plan serves one stream.
template <class Exec, class Schedule, class Problem>
class gemm_plan {
  using engines = gemm_engines<Exec, Problem>;
  using decided = gemm_detail::decided<Schedule>;

 public:
  using problem_type = Problem;
  /// What runs: the schedule that was asked for, or the one that `automatic` or `measured` came to.
  using schedule_type = typename decided::type;
  gemm_plan(const Exec& exec, const Schedule& schedule, const Problem& p, raster order = {})
      : gemm_plan(exec, decided::template of<engines>(schedule, exec, p, order), p, order) {}

  /// Computes the product that was planned.
  void operator()() const {
    std::visit([](const auto& plan) { plan(); }, plan_);
  }
  /// Computes another product of the same sizes and types, as `make_gemm_problem` gives it. Throws:
  /// invalid_argument when its sizes differ; unsupported when the planned engine cannot take it.
  void operator()(const Problem& p) const {
    if (p.m() != m_ || p.n() != n_ || p.k() != k_ || p.batch() != batch_)
      throw error(errc::invalid_argument,
                  "the plan is for another size of product: plan this one too");
    std::visit(
        [&](const auto& plan) {
          using engine = typename std::remove_cvref_t<decltype(plan)>::engine;
          if (!engine::takes(plan.executor(), p))
            throw error(errc::unsupported,
                        std::string("the planned engine, ") + engine::name() +
                            ", cannot take these matrices (their alignment differs from the "
                            "planned ones'): plan this product too");
          plan(p);
        },
        plan_);
  }
  /// Waits, and throws where a block lost another's partial; see `run_plan::check`.
  void check() {
    std::visit([](auto& plan) { plan.check(); }, plan_);
  }
  /// The tiles and steps of the product.
  [[nodiscard]] const gemm_tiles& tiles() const {
    return std::visit([](const auto& plan) -> const gemm_tiles& { return plan.tiles(); }, plan_);
  }
  /// Workers that are launched.
  [[nodiscard]] std::int64_t workers() const {
    return std::visit([](const auto& plan) { return plan.workers(); }, plan_);
  }
  /// How many of them run at once.
  [[nodiscard]] std::int64_t resident() const {
    return std::visit([](const auto& plan) { return plan.resident(); }, plan_);
  }
  /// Bytes of memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& plan) { return plan.bytes(); }, plan_);
  }
  /// The schedule that runs.
  [[nodiscard]] const schedule_type& schedule() const { return schedule_; }
  /// The engine that was chosen.
  [[nodiscard]] const char* engine() const {
    return std::visit(
        [](const auto& plan) { return std::remove_cvref_t<decltype(plan)>::engine::name(); },
        plan_);
  }

 private:
  using factory = gemm_detail::plan_variant<Exec, schedule_type, Problem,
                                            typename decided::template list<engines>>;
  gemm_plan(const Exec& exec, const std::pair<schedule_type, engine_choice>& choice,
            const Problem& p, raster order)
      : m_(p.m()),
        n_(p.n()),
        k_(p.k()),
        batch_(p.batch()),
        schedule_(choice.first),
        plan_(factory::make(exec, choice.first, p, order, choice.second)) {}

  std::int64_t m_;
  std::int64_t n_;
  std::int64_t k_;
  std::int64_t batch_;
  schedule_type schedule_;
  typename factory::type plan_;
};

/// Plans C = parts(A B), m x n = m x k times k x n, for repeated use. Matrices are views; parts are
/// those of `loops::epilogue`, applied in order: `plan_gemm(exec, s, a, b, c, epilogue::alpha{2.f},
/// epilogue::beta{1.f}, epilogue::gelu{})`. `schedule::automatic` chooses tile and schedule by the
/// costs that were measured on the machine, or takes the hybrid of two tiles of Stream-K;
/// `schedule::measured` runs what these costs make likely, and keeps the fastest. Throws:
/// invalid_argument for operands that do not fit.
template <class Exec, class Schedule, class TA, layout LA, class TB, layout LB, class TC, layout LC,
          class... Parts>
auto plan_gemm(const Exec& exec, const Schedule& schedule, const matrix<TA, LA>& a,
               const matrix<TB, LB>& b, const matrix<TC, LC>& c, const Parts&... parts) {
  const auto p = make_gemm_problem(a, b, c, gemm_detail::chain(parts...));
  return gemm_plan<Exec, Schedule, std::remove_const_t<decltype(p)>>(exec, schedule, p);
}

/// C = parts(A B), once.
template <class Exec, class Schedule, class TA, layout LA, class TB, layout LB, class TC, layout LC,
          class... Parts>
requires schedule_like<Schedule>
void gemm(const Exec& exec, const Schedule& schedule, const matrix<TA, LA>& a,
          const matrix<TB, LB>& b, const matrix<TC, LC>& c, const Parts&... parts) {
  plan_gemm(exec, schedule, a, b, c, parts...)();
}

/// C = parts(A B), once, with the tile and the schedule that suit it.
template <class Exec, class TA, layout LA, class TB, layout LB, class TC, layout LC, class... Parts>
void gemm(const Exec& exec, const matrix<TA, LA>& a, const matrix<TB, LB>& b,
          const matrix<TC, LC>& c, const Parts&... parts) {
  gemm(exec, schedule::automatic{}, a, b, c, parts...);
}

}  // namespace loops
