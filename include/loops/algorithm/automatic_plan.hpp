// SPDX-License-Identifier: Apache-2.0
/// A plan whose schedule is chosen when it is made.
#pragma once

#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/statistics.hpp"
#include "loops/schedule/automatic.hpp"

#include <string>
#include <utility>
#include <variant>

namespace loops {

/// Holds the plan of the chosen schedule; serves wherever a plan does.
template <class Exec, work Work, class Value, class Shape>
class tile_plan<Exec, schedule::automatic, Work, Value, Shape> {
  template <class Schedule>
  using plan_of = tile_plan<Exec, Schedule, Work, Value, Shape>;
  using any_plan = std::variant<plan_of<schedule::group_mapped>, plan_of<schedule::nonzero_split>,
                                plan_of<schedule::merge_path>>;

 public:
  tile_plan(Exec exec, const schedule::automatic& s, const Work& w, reuse uses = reuse::many_times)
      : tile_plan(exec, decide(exec, s, w, uses), w, uses) {}

  /// The plan that was chosen, for `std::visit`.
  [[nodiscard]] const any_plan& chosen() const { return plan_; }
  /// The name of the chosen schedule and why it was chosen.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::size_t bytes() const {
    return std::visit([](const auto& p) { return p.bytes(); }, plan_);
  }

 private:
  tile_plan(const Exec& exec, schedule::explained_choice choice, const Work& w, reuse uses)
      : plan_(std::visit([&](const auto& s) { return any_plan(plan(exec, s, w, uses)); },
                         choice.schedule)),
        reason_(std::move(choice.reason)) {}

  template <class Schedule>
  static plan_of<Schedule> plan(const Exec& exec, const Schedule& s, const Work& w, reuse uses) {
    return plan_of<Schedule>(exec, s, w, uses);
  }

  static schedule::explained_choice decide(const Exec& exec, const schedule::automatic& s,
                                           const Work& w, reuse uses) {
    const machine m = exec.template describe<Shape>();
    if (m.threads == 1) return schedule::choose({w.tiles(), w.atoms(), 0, 0}, m);
    if (uses == reuse::once || s.uses <= 1) return schedule::choose_unseen();
    return schedule::choose(gather_statistics(exec, w), m);
  }

  any_plan plan_;
  std::string reason_;
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
