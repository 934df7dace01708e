// SPDX-License-Identifier: Apache-2.0
/// Combines the atoms of every tile where a tile's value is wider than one lane can hold.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/bundles.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/wide_kernel.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

namespace loops {

namespace detail {

/// A map of shares whose walkers are each about one.
template <class F>
concept has_walker = requires(const F& f) {
  f.walker(0);
};

/// A map that says where an atom reads what its shares have in common, by what no use of a plan
/// changes.
template <class F>
concept has_places = has_common<F> && requires(const F& f) {
  f.common(std::int64_t{0}, f.place(std::int64_t{0}));
};

/// A caller's function that is told which share it is about. `Share`: an int, or the constant that
/// it is.
template <class F, class Share = int>
struct of_share {
  using pure = std::bool_constant<pure_map<F>>;
  F f;
  Share share{};
  LOOPS_CALLS_USER
  template <class... A>
  requires std::is_invocable_v<const F&, int, A...> LOOPS_HD auto operator()(const A&... a) const {
    return f(share, a...);
  }
  LOOPS_CALLS_USER
  template <class A>
  requires(has_common<F>&& std::is_same_v<A, std::int64_t>) LOOPS_HD auto operator()(A atom) const {
    return f(share, f.common(atom));
  }
  LOOPS_CALLS_USER
  template <class A>
  requires(has_common<F>&& std::is_same_v<A, std::int64_t>) LOOPS_HD auto common(A atom) const {
    return f.common(atom);
  }
  /// What is common is asked for first, of where `place` says if the caller's has that; what comes
  /// of it is the share's.
  LOOPS_CALLS_USER
  LOOPS_HD auto ask(std::int64_t atom) const requires has_common<F> { return f.common(atom); }
  LOOPS_CALLS_USER
  LOOPS_HD auto place(std::int64_t atom) const requires has_places<F> { return f.place(atom); }
  LOOPS_CALLS_USER
  template <class Place>
  LOOPS_HD auto ask(std::int64_t atom, const Place& at) const requires has_places<F> {
    return f.common(atom, at);
  }
  LOOPS_CALLS_USER
  template <class Common>
  LOOPS_HD auto finish(const Common& common) const requires has_common<F> {
    return f(share, common);
  }
  [[nodiscard]] LOOPS_HD std::int64_t lines() const requires knows_its_lines<F> {
    return f.lines();
  }
  LOOPS_HD void fetch(std::int64_t line) const requires knows_its_lines<F> { f.fetch(line); }
  /// The caller's, which is told the share as well.
  template <class Block>
  LOOPS_HD auto walker(const Block&) const requires has_walker<F> {
    return f.walker(share);
  }
};

/// The caller's emitter, which may want neighbouring tiles in neighbouring lanes.
template <class F>
struct emit_share : of_share<F> {
  using neighbours = std::bool_constant<wants_neighbours<F>>;
  /// For a member of the bundle that is `further` lanes away.
  LOOPS_CALLS_USER
  template <class Value>
  LOOPS_HD void for_member(int further, std::int64_t tile, const Value& v) const {
    this->f(this->share + further, tile, v);
  }
};

/// The parts of one share, those of a slice side by side.
template <class Value>
struct strided_parts {
  Value* first = nullptr;
  std::int64_t stride = 0;
  LOOPS_HD Value& operator[](std::int64_t slice) const { return first[slice * stride]; }
};

/// A reduction of one share of every value.
template <class Value, class Map, class Combine, class Emit>
struct wide_reduction {
  using value_type = Value;
  using parts_type = strided_parts<Value>;
  static constexpr bool wide = true;
  of_share<Map> map;
  Combine combine;
  emit_share<Emit> emit;
  LOOPS_HD void take_share(int share) {
    map.share = share;
    emit.share = share;
  }
};

}  // namespace detail

/// A plan for values of `copies * Width` shares: share s of every value is held by member s % Width
/// of a bundle, in copy s / Width of the grid. `Value` is one share. Everything a `tile_plan`
/// promises holds. Bundles are `Width` lanes, a power of two up to the wave; on the host, one.
template <class Exec, class Schedule, work Work, class Value, int Width,
          class Shape = shape<128, 32>>
class wide_plan {
  using nothing = detail::kept_elsewhere<Value>;  // here, not in the plan below

 public:
  using executor_type = bundle_executor<Exec, Width>;
  using plan_type = tile_plan<executor_type, Schedule, Work, nothing, Shape>;

  /// Throws: what tile_plan throws, and invalid_argument unless copies is positive.
  wide_plan(const Exec& exec, const Schedule& schedule, const Work& w, int copies = 1,
            reuse uses = reuse::many_times)
      : shares_(checked(copies) * Width),
        plan_(executor_type(exec, copies, detail::wide_slice_lanes), schedule, w, uses),
        parts_(visit([&](const auto& p) { return parts_of(p, exec, shares_); })) {}

  [[nodiscard]] int shares() const { return shares_; }
  [[nodiscard]] const plan_type& schedule_plan() const { return plan_; }
  [[nodiscard]] std::size_t bytes() const { return plan_.bytes() + parts_.size() * sizeof(Value); }
  /// As of the schedule's plan.
  void check() { plan_.check(); }

  /// See `reduce_wide`.
  template <class Map, class Combine, class Emit>
  void reduce(const Map& map, const Combine& combine, const Emit& emit) const {
    using reduction = detail::wide_reduction<Value, Map, Combine, Emit>;
    visit([&](const auto& p) {
      Value* const heads = const_cast<Value*>(parts_.data());
      Value* const tails = heads ? heads + parts_.size() / 2 : nullptr;
      launch(p, reduction{{map}, combine, {{emit}}},
             detail::partials<reduction>{{heads, shares_}, {tails, shares_}});
    });
  }

 private:
  template <class Plan, class Reduction>
  static void launch(const Plan& p, const Reduction& r, const detail::partials<Reduction>& parts) {
    using bound_type = typename Plan::bound_type;
    using block = typename executor_type::template block<Shape>;
    if constexpr (block::threads == 1 ||
                  std::is_same_v<typename bound_type::measure_type, measure::one_tile> ||
                  bound_type::long_first ||
                  std::is_same_v<typename bound_type::worker_type, worker::lane>) {
      detail::run_reduction(p, r, parts);
    } else {
      detail::run_reduction<detail::reduce_wide_slices<bound_type, Reduction>>(p, r, parts);
    }
  }
  static int checked(int copies) {
    require(copies <= std::numeric_limits<int>::max() / Width, errc::overflow,
            "the shares of a wide value are counted in 32 bits");
    return copies;
  }
  template <class F>
  decltype(auto) visit(const F& f) const {
    if constexpr (requires { plan_.chosen(); }) {
      return std::visit(f, plan_.chosen());
    } else {
      return f(plan_);
    }
  }
  template <class Plan>
  static array<Value> parts_of(const Plan& p, const Exec& exec, int shares) {
    std::int64_t slices = 0;
    if constexpr (Plan::bound_type::measure_type::splits_tiles)
      slices = p.bound_schedule().slices_with_parts();
    return array<Value>(2 * static_cast<std::size_t>(slices) * static_cast<std::size_t>(shares),
                        exec.memory());
  }

  int shares_;
  plan_type plan_;
  array<Value> parts_;
};

/// For every tile t and every share s of its value calls `emit(s, t, value)` exactly once with the
/// combination of `map(s, atom)` or `map(s, tile, atom)` over the tile's atoms. `combine` is as for
/// `reduce_tiles`, and so are the promises. Lanes of a bundle read one atom together: what is told
/// apart by the share should lie side by side in memory. What the shares of an atom have in common
/// is read once for all of them by a map that has `common(atom)`, and is called as
/// `map(s, map.common(atom))`. An `emit` whose stores of neighbouring tiles lie side by side says
/// so by `using neighbours = std::true_type`: then neighbouring lanes call it for neighbouring
/// tiles, where the schedule lets them.
template <class Exec, class Schedule, work Work, class Value, int Width, class Shape, class Map,
          class Combine, class Emit>
void reduce_wide(const wide_plan<Exec, Schedule, Work, Value, Width, Shape>& p, const Map& map,
                 const Combine& combine, const Emit& emit) {
  p.reduce(map, combine, emit);
}

}  // namespace loops
