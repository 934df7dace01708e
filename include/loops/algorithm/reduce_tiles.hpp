// SPDX-License-Identifier: Apache-2.0
/// Combines the atoms of every tile and emits one value per tile.
#pragma once

#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_kernels.hpp"
#include "loops/algorithm/tiles_by_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace loops {

namespace detail {

/// The value type of a map; nvcc cannot tell it on the host for a device lambda, so there the
/// caller names it or gets `double`-sized room and the type deduced on the device.
template <class Named, class Map>
struct value_of {
  using type = Named;
};
template <class Map>
struct value_of<void, Map> {
  using type = typename mapped<Map>::type;
  static_assert(!std::is_void_v<type>, "a map returns the value of an atom");
  static_assert(!std::is_integral_v<type> || sizeof(type) >= sizeof(int),
                "a map that returns bool or a small integer, in which counts and sums do not fit: "
                "name the type of the values, reduce_tiles<int>(…)");
};

/// Whether a map and a combiner are called as they can be; else one line says what is wrong, and no
/// kernel is compiled. Device compilers may hide from the host what a function takes.
template <class Value, class Map, class Combine>
inline constexpr bool can_reduce = [] {
  if constexpr (LOOPS_CUDA || LOOPS_HIP) {
    return true;
  } else {
    constexpr bool maps =
        maps_atoms<Map> || std::is_invocable_v<const Map&, std::int64_t, std::int64_t>;
    static_assert(maps,
                  "a map is called as map(atom) or map(tile, atom), and is const: no lambda "
                  "that is `mutable`");
    constexpr bool combines = requires(const Combine& combine, Value value) {
      combine(value, value);
      combine.template identity<Value>();
    };
    static_assert(combines,
                  "combine is called as combine(a, b), and knows its identity: make it "
                  "of a function with combine_with(function, neutral)");
    return maps && combines;
  }
}();

/// The same of what is called with `Arguments` for every tile or atom.
template <class Emit, class... Arguments>
inline constexpr bool can_emit = [] {
  if constexpr (LOOPS_CUDA || LOOPS_HIP) {
    return true;
  } else {
    constexpr bool emits = std::is_invocable_v<const Emit&, Arguments...>;
    static_assert(emits,
                  "emit is called as emit(tile, value), or for a scan as emit(tile, atom, "
                  "before, through), and is const: no lambda that is `mutable`");
    return emits;
  }
}();

/// Whether there is a kernel that reads past a processor's own cache: blocks take equal atoms, so
/// their waves read whole lines.
template <class Plan, class Reduction>
inline constexpr bool may_read_past = [] {
  using bound_type = typename Plan::bound_type;
  return native::reads_past && !Reduction::wide && knows_its_lines<decltype(Reduction::map)> &&
         can_read_past<decltype(Reduction::map)> &&
         std::is_same_v<typename bound_type::measure_type, measure::atoms> &&
         requires(const typename Plan::executor_type& exec) {
    exec.facts().cache_bytes;
  };
}();

/// Launches the kernel whose last blocks join. What does not fit the last cache is not kept in the
/// first.
template <class Plan, class Reduction>
void launch_joining(const Plan& p, const Reduction& r) {
  using bound_type = typename Plan::bound_type;
  using shape = typename Plan::shape_type;
  const bound_type& b = p.bound_schedule();
  const std::int64_t blocks = p.blocks() + ceil_div(b.a.slices, std::int64_t{shape::threads});
  const auto launch = [&](const auto& some) {
    using some_type = std::remove_cvref_t<decltype(some)>;
    p.executor().template launch<shape>(
        blocks, reduce_slices<bound_type, some_type, post>{b, some, p.boxes()});
  };
  if constexpr (may_read_past<Plan, Reduction>) {
    if (r.map.lines() > static_cast<std::int64_t>(p.executor().facts().cache_bytes) / line_bytes)
      return launch(
          reduction<typename Reduction::value_type, decltype(r.map.past()), decltype(r.combine),
                    decltype(r.emit)>{r.map.past(), r.combine, r.emit});
  }
  launch(r);
}

/// Launches the one or two kernels of a reduction over a plan; `Kernel` takes slices.
template <class Kernel, class Plan, class Reduction>
void run_reduction(const Plan& p, const Reduction& r, const partials<Reduction>& parts) {
  using bound_type = typename Plan::bound_type;
  using shape = typename Plan::shape_type;
  if constexpr (!Reduction::wide) require_lanes_alone<Plan>();
  const bound_type& b = p.bound_schedule();
  if (b.w.tiles() == 0) return;
  const use_of guard(p);
  if constexpr (Plan::may_post && may_hold_slices<bound_type, shape> &&
                may_be_short<Reduction, typename Plan::work_type>) {
    if (p.joiner() == joiner::closing_slice) {
      const reduce_short_slices<bound_type, Reduction> kernel{b, r, p.boxes()};
      switch (short_items<shape>(b.a.step)) {
        case few_items:
          return p.executor().template launch_early<short_shape<shape, few_items>>(p.blocks(),
                                                                                   kernel);
        case some_items:
          return p.executor().template launch_early<short_shape<shape, some_items>>(p.blocks(),
                                                                                    kernel);
        default:
          return p.executor().template launch_early<short_shape<shape, most_items>>(p.blocks(),
                                                                                    kernel);
      }
    }
  }
  if constexpr (Plan::may_post && !bound_type::long_first && !Reduction::wide) {
    if (p.joiner() == joiner::last_blocks) return launch_joining(p, r);
  }
  using block = typename Plan::executor_type::template block<shape>;
  if constexpr (may_go_by_groups<block, bound_type, Reduction> &&
                (Plan::may_post || !bound_type::long_first)) {
    if (goes_by_groups<block>(b, r)) {
      const pieces_to_join cut = p.pieces_to_join();
      const std::int64_t blocks = p.blocks() + cut.blocks(block::threads);
      return by_groups<most_known_lanes<block>>(b, r, p.settled(), cut, [&](const auto& kernel) {
        p.executor().template launch_early<shape>(blocks, kernel);
      });
    }
  }
  p.executor().template launch<shape>(p.blocks(), Kernel{b, r, parts});
  if constexpr (bound_type::measure_type::splits_tiles) {
    if (b.slices_with_parts() > 1) {
      constexpr std::int64_t per_block = block::threads * block::batch;
      const std::int64_t blocks = ceil_div(b.slices_with_parts(), per_block);
      p.executor().template launch_early<shape>(std::min(blocks, most_blocks(block::threads)),
                                                join_slices<bound_type, Reduction>{b, r, parts});
    }
  }
}

template <class Plan, class Reduction>
void run_reduction(const Plan& p, const Reduction& r, const partials<Reduction>& parts) {
  run_reduction<reduce_slices<typename Plan::bound_type, Reduction>>(p, r, parts);
}

}  // namespace detail

/// As below, with everything prepared by `plan`.
template <class Value = void, class... P, class Map, class Combine, class Emit>
void reduce_tiles(const tile_plan<P...>& p, const Map& map, const Combine& combine,
                  const Emit& emit) {
  using value = typename detail::value_of<Value, Map>::type;
  if constexpr (detail::can_reduce<value, Map, Combine> &&
                detail::can_emit<Emit, std::int64_t, value>) {
    using reduction = detail::reduction<value, Map, Combine, Emit>;
    const auto [heads, tails] = p.template parts<value>();
    detail::run_reduction(p, reduction{map, combine, emit},
                          detail::partials<reduction>{heads, tails});
  }
}

/// For every tile t of `w`, empty ones included, calls `emit(t, value)` exactly once with the
/// combination of `map(atom)` or `map(tile, atom)` over its atoms. Outputs need no zeroing.
/// `map` is asked once about every atom, and a pure one (`pure_map`) sometimes twice; on a CPU it
/// may take whole stretches of a tile, and remember what it met (`takes_stretches`).
/// `combine` is associative and commutative and has `identity<Value>()`; see `combine_with`.
/// Repeatable: the same device, plan and input give the same bits. Cost: one kernel, and a small
/// second one when the schedule cuts tiles of a work that is not small, with workspace allocated in
/// stream order; prefer a plan for what is done again. Value: deduced from `map`; name it for
/// device lambdas under CUDA, and where `map` returns bool or an integer smaller than int, in which
/// sums do not fit.
template <class Value = void, class Exec, class Schedule, work Work, class Map, class Combine,
          class Emit>
void reduce_tiles(const Exec& exec, const Schedule& schedule, const Work& w, const Map& map,
                  const Combine& combine, const Emit& emit) {
  using value = typename detail::value_of<Value, Map>::type;
  reduce_tiles<value>(plan<value>(exec, schedule, w, reuse::once), map, combine, emit);
}

}  // namespace loops
