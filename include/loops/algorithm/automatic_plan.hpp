// SPDX-License-Identifier: Apache-2.0
/// A plan whose schedule is chosen when it is made.
#pragma once

#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/statistics.hpp"
#include "loops/schedule/automatic.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace loops {

/// Holds the plan of the chosen schedule; serves wherever a plan does.
template <class Exec, work Work, class Value, class Shape>
class tile_plan<Exec, schedule::automatic, Work, Value, Shape> {
  template <class Schedule>
  using plan_of = tile_plan<Exec, Schedule, Work, Value, Shape>;
  template <class Choices>
  struct plans_of;
  template <class... Schedules>
  struct plans_of<std::tuple<Schedules...>> {
    using type = std::variant<plan_of<Schedules>...>;
    template <class S>
    static constexpr bool has = (std::same_as<S, Schedules> || ...);
  };
  static constexpr bool lone_lanes = Exec::template block<Shape>::threads == 1;
  static constexpr bool bundled = requires(const machine& m) { Exec::for_a_tile(0, 0, m); };
  using choices = schedule::choices_of_blocks<Exec::template block<Shape>::threads,
                                              Exec::template block<Shape>::wave>;
  using plans = plans_of<
      std::conditional_t<bundled && !lone_lanes, schedule::choices_without_pieces, choices>>;
  using any_plan = typename plans::type;

 public:
  using shape_type = Shape;
  /// `column`: where the atoms read, as `gather_statistics` takes it.
  template <class Columns = no_columns>
  tile_plan(Exec exec, const schedule::automatic& s, const Work& w, reuse uses = reuse::many_times,
            const Columns& column = {})
      : machine_(exec.template describe<Shape>()),
        decision_(decide(exec, machine_, s, w, uses, column)),
        plan_(plan(exec, w, uses)) {
    if (decision_.gathered) settle();  // the look has waited for the work's arrays
  }

  /// By a decision that has been made, for this work on this executor. Who made it may have looked
  /// at arrays that have been written anew since: only the caller can `settle` such a plan.
  tile_plan(const Exec& exec, const select::decision& decision, const Work& w,
            reuse uses = reuse::many_times)
      : machine_(exec.template describe<Shape>()),
        decision_(decision),
        plan_(plan(exec, w, uses)) {}

  /// What a plan of these decides on. Waits where it looks at the tiles.
  template <class Columns = no_columns>
  static select::decision decide(const Exec& exec, const schedule::automatic& s, const Work& w,
                                 reuse uses = reuse::many_times, const Columns& column = {}) {
    return decide(exec, exec.template describe<Shape>(), s, w, uses, column);
  }

  /// The plan that was chosen, for `std::visit`.
  [[nodiscard]] const any_plan& chosen() const { return plan_; }
  /// What was planned.
  [[nodiscard]] const Work& work() const {
    return std::visit([](const auto& p) -> const Work& { return p.work(); }, plan_);
  }
  /// What was decided, and on what grounds.
  [[nodiscard]] const select::decision& decision() const { return decision_; }
  /// Who decided.
  [[nodiscard]] const select::selector& selector() const {
    return schedule::selector_for(machine_);
  }
  /// The name of the chosen schedule and why it was chosen.
  [[nodiscard]] std::string reason() const { return select::reason_of(selector(), decision_); }
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& p) { return p.bytes(); }, plan_);
  }
  /// As of the plan that was chosen.
  void check() {
    std::visit([](auto& p) { p.check(); }, plan_);
  }
  void settle() {
    std::visit([](auto& p) { p.settle(); }, plan_);
  }
  [[nodiscard]] bool settled() const {
    return std::visit([](const auto& p) { return p.settled(); }, plan_);
  }

 private:
  /// The plan that was decided for. Reads what is declared before it.
  [[nodiscard]] any_plan plan(const Exec& exec, const Work& w, reuse uses) const {
    return std::visit(
        [&]<class Schedule>(const Schedule& s) {
          // What this machine's selector does not offer is not compiled for it.
          if constexpr (plans::template has<Schedule>) {
            plan_of<Schedule> p(exec, s, w, uses);
            if (select::favours_cache(decision_.given)) p.favour_cache();
            return any_plan(std::move(p));
          } else {
            return any_plan(plan_of<schedule::merge_path>(exec, {}, w, uses));
          }
        },
        schedule::chosen_schedule(selector(), decision_));
  }

  template <class Columns>
  static select::decision decide(const Exec& exec, const machine& m, const schedule::automatic& s,
                                 const Work& w, reuse uses, const Columns& column) {
    detail::check_work(exec, w);  // before anybody looks at it
    machine whole = m;
    // Copies of the grid come one after another, and each has all of the machine.
    if constexpr (requires { exec.copies(); }) whole.blocks *= exec.copies();
    select::facts x = schedule::facts_of(w.tiles(), w.atoms(), detail::element_bytes<Value>,
                                         uses == reuse::once ? 1 : s.uses, whole);
    if constexpr (requires { column.count; }) x.columns = column.count;
    select::decision d =
        select::decide(schedule::selector_for(m), x, [&] { return look_at(exec, w, column, x); });
    const select::selector& from = schedule::selector_for(m);
    const auto in_pieces = schedule::long_first::name();
    const auto in_slices = schedule::merge_path::name();
    if constexpr (bundled) {
      // Selectors know lanes; bundles read a tile side by side already, and have few partners in a
      // wave for its pieces.
      if (!lone_lanes && d.lanes > 0 && w.tiles() > 0) {
        if (!d.gathered && look_pays(from, x)) {
          x.seen = look_at(exec, w, column, x);
          d = select::decide_gathered(from, x);
        }
        if (d.lanes > 0) fit_bundles(from, d, m);
      }
      d.choice = instead(from, d, in_pieces, in_slices);
    } else if constexpr (!lone_lanes && sizeof(Value) > most_value_bytes_known) {
      // Slices pass values through shared memory, pieces do not; to list them is a wait more, which
      // who looks is ready for.
      if (d.gathered) d.choice = instead(from, d, in_slices, in_pieces);
    }
    return d;
  }

  /// Bundles for a tile in place of lanes, or slices where that takes too long. Unseen, a tile may
  /// be as long as selectors think then; none is known to be.
  static void fit_bundles(const select::selector& from, select::decision& d, const machine& m) {
    const tile_statistics& seen = d.given.seen;
    const std::int64_t longest = d.gathered ? seen.longest : seen.atoms / seen.tiles;
    const auto too_few = [&] { return Exec::too_few(d.lanes, seen.atoms, longest, m); };
    d.lanes = Exec::for_a_tile(seen.tiles, d.gathered ? longest : 8 * longest, m);
    if (too_few()) d.lanes = Exec::for_a_tile(seen.tiles, longest, m, 1);
    if (!too_few()) return;
    const auto in_slices = schedule::merge_path::name();
    d.choice = instead(from, d, schedule::group_mapped::name(), in_slices);
    d.choice = instead(from, d, schedule::wide_groups::name(), in_slices);
    d.lanes = 0;
  }

  /// Whether a look at the tiles costs less than a tenth of the uses' launches.
  static bool look_pays(const select::selector& s, const select::facts& x) {
    return 10 * select::gathering_us(s, x) < s.launch_us * static_cast<double>(x.uses);
  }

  /// Selectors learn from values of four and eight bytes.
  static constexpr std::size_t most_value_bytes_known = 8;

  /// What was decided, but `other` where that is `name`, if there is one.
  static int instead(const select::selector& s, const select::decision& d, std::string_view name,
                     std::string_view other) {
    const auto is = [&](int choice, std::string_view kernels) {
      return select::kernels_of(s.schedules[static_cast<std::size_t>(choice)], d.given) == kernels;
    };
    if (is(d.choice, name))
      for (int k = 0; k < static_cast<int>(s.schedules.size()); ++k)
        if (is(k, other)) return k;
    return d.choice;
  }

  machine machine_;
  select::decision decision_;
  any_plan plan_;
};

/// The algorithms over a chosen plan: those of the schedule that was chosen.
template <class Value = void, class Exec, work Work, class V, class Shape, class Map, class Combine,
          class Emit>
void reduce_tiles(const tile_plan<Exec, schedule::automatic, Work, V, Shape>& p, const Map& map,
                  const Combine& combine, const Emit& emit) {
  std::visit([&](const auto& chosen) { reduce_tiles<Value>(chosen, map, combine, emit); },
             p.chosen());
}
template <class Exec, work Work, class V, class Shape, class F>
void for_each_tile(const tile_plan<Exec, schedule::automatic, Work, V, Shape>& p, const F& f) {
  std::visit([&](const auto& chosen) { for_each_tile(chosen, f); }, p.chosen());
}
template <class Exec, work Work, class V, class Shape, class F>
void for_each_atom(const tile_plan<Exec, schedule::automatic, Work, V, Shape>& p, const F& f) {
  std::visit([&](const auto& chosen) { for_each_atom(chosen, f); }, p.chosen());
}

}  // namespace loops
