// SPDX-License-Identifier: Apache-2.0
/// Dense matrix times matrix: C = parts(A B), any layouts, any tile schedule.
#pragma once

#include "algorithms/gemm/one_line.hpp"
#include "algorithms/gemm/planned.hpp"
#include "algorithms/gemm/problem.hpp"
#include "algorithms/gemm/select/seen.hpp"
#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "algorithms/gemm/split_plan.hpp"
#include "algorithms/gemm/trial.hpp"
#include "loops/schedule/among_all.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"
#include "loops/schedule/stream_k.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace loops {

namespace gemm_detail {

/// What a schedule comes to, and the engines for it: itself, or what `automatic` decides, or what a
/// trial finds, or a line of a menu.
template <class Schedule>
struct decided {
  using type = Schedule;
  static constexpr bool may_choose = false;  ///< copies and parts; what is named is one launch
  static constexpr bool tries = false;       ///< runs plans on what the operands hold
  static constexpr gemm_breadth engines = gemm_breadth::named;
  template <class Engines, gemm_breadth, class Exec, class Problem>
  static std::pair<type, engine_choice> of(const Schedule& s, const Exec&, const Problem&, raster) {
    return {s, {}};
  }
};

/// Whether engines for some problem would take it faster if its operands were copied.
template <class Engines>
concept packs = requires {
  typename Engines::packed;
}
&&!std::is_void_v<typename Engines::packed>;

/// What a choice comes to: Stream-K with so many waves of tiles shared, by an engine.
struct decided_by_choice {
  using type = schedule::stream_k;
  static constexpr bool may_choose = true;
  static constexpr bool tries = false;
  static std::pair<type, engine_choice> by(const engine_choice& c) {
    return {type{.waves = c.waves}, c};
  }
};
template <>
struct decided<schedule::automatic> : decided_by_choice {
  static constexpr gemm_breadth engines = gemm_breadth::few;
  template <class Engines, gemm_breadth B, class Exec, class Problem>
  static auto of(const schedule::automatic&, const Exec& exec, const Problem& p, raster) {
    return by(Engines::template choose<B>(exec, p));
  }
};
template <>
struct decided<schedule::measured> : decided_by_choice {
  static constexpr bool tries = true;
  static constexpr gemm_breadth engines = gemm_breadth::few;
  template <class Engines, gemm_breadth B, class Exec, class Problem>
  static auto of(const schedule::measured& s, const Exec& exec, const Problem& p, raster order) {
    using list = typename Engines::template list<B>;
    const auto choices = Engines::template choose_several<B>(exec, p, s.most());
    const std::size_t best =
        fastest_plan(exec, p, choices.size(), [&](const Problem& like, std::size_t i) {
          return [made = plan_choice<list, Engines::may_split()>(
                      exec, by(choices[i]).first, like, order, choices[i])](const Problem& q) {
            made->start(q);
          };
        });
    return by(choices[best]);
  }
};
template <class Choice>
struct decided<schedule::among_all<Choice>> : decided<Choice> {
  static constexpr gemm_breadth engines = gemm_breadth::all;
};
template <>
struct decided<select::gemm_tuning> : decided_by_choice {
  static constexpr gemm_breadth engines = gemm_breadth::all;
  template <class Engines, gemm_breadth B, class Exec, class Problem>
  static auto of(const select::gemm_tuning& t, const Exec& exec, const Problem& p, raster) {
    require(t.costs != nullptr && !t.costs->costs.empty(), errc::invalid_argument,
            "there are no costs to choose by among tuned tiles: name their table");
    const select::menu_table menu(Engines::menu(exec), *t.costs);
    const auto tuned = select::gemm_selector(*menu, t.best, t.filters).tuned(select::size_of(p));
    return by(tuned ? Engines::template chosen<B>(exec, p, tuned->choice)
                    : Engines::template choose<B>(exec, p));
  }
};
template <>
struct decided<select::gemm_candidate> : decided_by_choice {
  static constexpr bool may_choose = false;
  static constexpr gemm_breadth engines = gemm_breadth::all;
  template <class Engines, gemm_breadth B, class Exec, class Problem>
  static auto of(const select::gemm_candidate& line, const Exec& exec, const Problem& p, raster) {
    return by(Engines::template chosen<B>(exec, p, line));
  }
};

}  // namespace gemm_detail

/// A GEMM prepared for its sizes, a schedule and an executor. Calling it allocates nothing, waits
/// for nothing, is one launch, and can be captured into a graph. One plan serves one stream. Where
/// `automatic` or `measured` finds that copied operands are multiplied so much faster that copies
/// pay, a call copies them first, to memory that the plan holds: a launch for each, or for both
/// where they lie alike. Where few tiles have many steps, these may multiply parts of k side by
/// side, as a batch, and a second launch adds up. One row, or one column, and a few of floats and
/// doubles, are a reduction over the other operand, on a GPU and where tiles are no faster.
template <class Exec, class Schedule, class Problem>
class gemm_plan {
  using decided = gemm_detail::decided<Schedule>;
  static constexpr gemm_breadth compiled = decided::engines;
  using engines = gemm_engines<Exec, Problem>;

 public:
  using problem_type = Problem;
  /// What runs: the schedule that was asked for, or the one that a choice came to.
  using schedule_type = typename decided::type;
  gemm_plan(const Exec& exec, const Schedule& schedule, const Problem& p, raster order = {})
      : gemm_plan(made_for(exec, schedule, p, order), p) {}

  /// Computes the product that was planned.
  void operator()() const { plan_->start(); }
  /// Computes another product of the same sizes and types, as `make_gemm_problem` gives it. Throws:
  /// invalid_argument when its sizes differ; unsupported when the planned engine cannot take it.
  void operator()(const Problem& p) const {
    if (p.m() != m_ || p.n() != n_ || p.k() != k_ || p.batch() != batch_)
      throw error(errc::invalid_argument,
                  "the plan is for another size of product: plan this one too");
    plan_->start(p);
  }
  /// Waits, and throws where a block lost another's partial; see `run_plan::check`.
  void check() { plan_->check(); }
  /// Of k, that are multiplied side by side and added by a second launch; 1: k is in one piece.
  [[nodiscard]] std::int64_t parts() const { return plan_->parts(); }
  /// The tiles and steps of the product, or of a batch of its parts; of a column-major C those of
  /// the transposed product, m and n exchanged.
  [[nodiscard]] const gemm_tiles& tiles() const { return plan_->tiles(); }
  /// Workers that are launched.
  [[nodiscard]] std::int64_t workers() const { return plan_->workers(); }
  /// How many of them run at once.
  [[nodiscard]] std::int64_t resident() const { return plan_->resident(); }
  /// Bytes of memory the plan holds.
  [[nodiscard]] std::size_t bytes() const { return plan_->bytes(); }
  /// The schedule that runs.
  [[nodiscard]] const schedule_type& schedule() const { return schedule_; }
  /// The engine that was chosen.
  [[nodiscard]] const char* engine() const { return plan_->engine(); }

 private:
  using made = std::pair<schedule_type, std::unique_ptr<gemm_detail::planned<Problem>>>;

  /// What a problem's own engines, or those of another that has its types, make of a schedule.
  template <class Engines, class Same>
  static auto made_by(const Exec& exec, const Schedule& schedule, const Same& p, raster order) {
    const auto choice = decided::template of<Engines, compiled>(schedule, exec, p, order);
    constexpr bool may_split = decided::may_choose && Engines::may_split();
    return std::pair(choice.first,
                     gemm_detail::plan_choice<typename Engines::template list<compiled>, may_split>(
                         exec, choice.first, p, order, choice.second));
  }
  template <class Operands>
  static made made_of_copies(const Exec& exec, const Schedule& schedule, const Problem& p,
                             raster order) {
    Operands packed(exec, p);
    auto of_copies = made_by<gemm_engines<Exec, typename Operands::direct>>(
        exec, schedule, decided::tries ? packed.of(p) : packed.place_of(p), order);
    return {of_copies.first, std::make_unique<gemm_detail::packed_plan<Operands>>(
                                 std::move(packed), p, std::move(of_copies.second))};
  }
  static made made_for(const Exec& exec, const Schedule& schedule, const Problem& p, raster order) {
    if constexpr (decided::may_choose) {
      if (auto plan = gemm_detail::plan_one_line(exec, p))
        return {schedule_type{.waves = 0}, std::move(plan)};
    }
    if constexpr (decided::may_choose && gemm_detail::packs<engines>) {
      if (engines::had_better_pack(exec, p)) {
        // Without room for copies any operands will do.
        auto of_copies = if_it_fits(
            [&] { return made_of_copies<typename engines::packed>(exec, schedule, p, order); });
        if (of_copies) return std::move(*of_copies);
      }
    }
    return made_by<engines>(exec, schedule, p, order);
  }
  gemm_plan(made plan, const Problem& p)
      : m_(p.m()),
        n_(p.n()),
        k_(p.k()),
        batch_(p.batch()),
        schedule_(std::move(plan.first)),
        plan_(std::move(plan.second)) {}

  std::int64_t m_;
  std::int64_t n_;
  std::int64_t k_;
  std::int64_t batch_;
  schedule_type schedule_;
  std::unique_ptr<gemm_detail::planned<Problem>> plan_;
};

/// Plans C = parts(A B), m x n = m x k times k x n, for repeated use. Matrices are views; parts are
/// those of `loops::epilogue`, applied in order: `plan_gemm(exec, s, a, b, c, epilogue::alpha{2.f},
/// epilogue::beta{1.f}, epilogue::gelu{})`. `schedule::automatic` chooses tile and schedule by the
/// costs that were measured on the machine, or takes the hybrid of two tiles of Stream-K;
/// `schedule::measured` runs what these costs make likely, and keeps the fastest; both choose among
/// all tiles that there are inside `schedule::among_all`. C must not overlap A, B or the values of
/// parts. A `select::gemm_candidate` is a line of the menu and waves of tiles that are shared;
/// `select::gemm_tuning` finds it by what was tuned. Throws: invalid_argument for operands that do
/// not fit or that C overlaps, and for schedules that mean nothing; overflow for sizes that cannot
/// be counted; unsupported where a schedule or a line of the menu cannot compute the product here;
/// out_of_memory.
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
