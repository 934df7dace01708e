// SPDX-License-Identifier: Apache-2.0
/// Which programs can compute a GEMM on an executor, the preferred ones first.
#pragma once

#include "algorithms/gemm/engine_lines.hpp"
#include "algorithms/gemm/packed_operands.hpp"
#include "algorithms/gemm/parts_choice.hpp"
#include "algorithms/gemm/portable_engine.hpp"
#include "algorithms/gemm/select/model.hpp"
#include "loops/core/error.hpp"

#if LOOPS_CUDA
#include "algorithms/gemm/hopper_engine.hpp"
#include "algorithms/gemm/hopper_waves_engine.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops {

namespace gemm_detail {

/// The engines of a list, then the portable ones that `Portable` makes of an element type's
/// blockings.
template <class Blockings, template <class, int> class Portable, class... Special>
auto and_portable(engine_list<Special...>) {
  using any = Portable<typename Blockings::type, 0>;
  if constexpr (requires { typename Blockings::large; }) {
    return engine_list<Special..., Portable<typename Blockings::large, 75>,
                       Portable<typename Blockings::whole, 0>, any>{};
  } else if constexpr (requires { typename Blockings::whole; }) {
    return engine_list<Special..., Portable<typename Blockings::whole, 0>, any>{};
  } else {
    return engine_list<Special..., any>{};
  }
}

/// The engines of a list, then those that `Blockings` has for batches of small products.
template <class Blockings, class... Engines>
auto and_small(engine_list<Engines...> list) {
  if constexpr (requires { typename Blockings::small; }) {
    return []<class... Tiles>(std::type_identity<std::tuple<Tiles...>>) {
      return engine_list<Engines..., small_engine<typename Tiles::for_whole>...,
                         small_engine<Tiles>...>{};
    }(std::type_identity<typename Blockings::small>());
  } else {
    return list;
  }
}

/// The operands that fast engines for a problem take: `type`, or void where they take any. With
/// Hopper's copy unit as they lie, or, if of 8 bits, along k; otherwise what a portable engine for
/// whole operands takes, if there is one.
template <class Exec, class Problem>
struct packed_for;
template <class Exec, class TA, layout LA, class TB, layout LB, class Epilogue>
struct packed_for<Exec, gemm_problem<TA, LA, TB, LB, Epilogue>> {
  using given = gemm_problem<TA, LA, TB, LB, Epilogue>;
#if LOOPS_CUDA
  using along_k = gemm_problem<TA, layout::row_major, TB, layout::column_major, Epilogue>;
  static constexpr bool as_it_lies =
      hopper::takes_types<given>() || hopper::takes_from_registers<given>();
  template <class Direct>
  using packed = packed_operands<Exec, given, Direct>;
  using type =
      std::conditional_t<as_it_lies, packed<given>,
                         std::conditional_t<hopper::takes_types<along_k>(), packed<along_k>, void>>;
#else
  static auto choose() {
    if constexpr (requires { typename portable_blocking<Exec, TA>::whole; })
      return std::type_identity<packed_operands<Exec, given, given, true>>();
    else
      return std::type_identity<void>();
  }
  using type = typename decltype(choose())::type;
#endif
};

}  // namespace gemm_detail

/// How many engines are compiled for a problem: for a schedule that is named, for a choice, for
/// a choice among all that there are, and for parts of k.
enum class gemm_breadth { named, few, all, parts };

/// The engines for a problem on an executor, the preferred ones first; the last one suits
/// everything: `list`. What the cost model makes of them: `choose` and `choose_several`. Specialise
/// it to add one.
template <class Exec, class Problem>
struct gemm_engines {
  using blocking = portable_blocking<Exec, typename Problem::a_type>;
  template <gemm_breadth B>
  static auto special() {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>() && B == gemm_breadth::named)
      return gemm_detail::listed(std::type_identity<hopper::engines>());
    else if constexpr (hopper::takes_types<Problem>())
      return gemm_detail::listed(std::type_identity<hopper::engines_of<tiles<B>>>());
    else if constexpr (hopper::takes_from_registers<Problem>())
      return hopper_waves<B>();
    else
#endif
      return engine_list<>{};
  }
  /// Schedules that are named run on what suits most problems.
  template <gemm_breadth B>
  static auto special_and_small() {
    if constexpr (B == gemm_breadth::few || B == gemm_breadth::all)
      return gemm_detail::and_small<blocking>(special<B>());
    else
      return special<B>();
  }
  template <gemm_breadth B>
  using list =
      decltype(gemm_detail::and_portable<blocking, portable_engine>(special_and_small<B>()));

  /// By the cost model, where the machine has been measured.
  template <gemm_breadth B>
  static engine_choice choose(const Exec& exec, const Problem& p) {
    if (const int small = gemm_detail::off_menu(list<B>{}, exec, p); small >= 0)
      return {small, -1, 0};
    const std::vector<engine_forecast> whole = forecasts<B>(exec, p, 1);
    if (whole.empty()) return {};
    const engine_forecast parts = choose_parts(exec, p);
    return (parts.us < whole.front().us ? parts : whole.front()).choice;
  }
  /// What is worth a trial, at most so many: what `choose` takes comes first.
  template <gemm_breadth B>
  static std::vector<engine_choice> choose_several(const Exec& exec, const Problem& p, int most) {
    std::vector<engine_choice> out;
    if (const int small = gemm_detail::off_menu(list<B>{}, exec, p); small >= 0)
      out.push_back({small, -1, 0});
    const auto add = [&](const engine_choice& c) {
      if (static_cast<int>(out.size()) < most && std::find(out.begin(), out.end(), c) == out.end())
        out.push_back(c);
    };
    const std::vector<engine_forecast> whole = forecasts<B>(exec, p, most);
    if (!whole.empty()) {
      const engine_forecast parts = choose_parts(exec, p);
      if (parts.us < whole.front().us) add(parts.choice);
      add(whole.front().choice);
      if (parts.us < worth_a_trial * whole.front().us) add(parts.choice);
      for (const engine_forecast& f : whole) add(f.choice);
    }
    if (static_cast<int>(out.size()) >= most) return out;
    const auto able = gemm_detail::takers(list<B>{}, exec, p);
    for (const int waves : {engine_choice().waves, 0, 1, -1})
      for (const gemm_detail::placed_engine& e : able) add({e.place, -1, waves});
    return out;
  }

  /// Whether `choose` may split products along k.
  static constexpr bool may_split() {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>()) return tiles<gemm_breadth::parts>::size() > 0;
    return hopper::takes_from_registers<Problem>();
#else
    return false;
#endif
  }

  /// Whether there are units that copy tiles of these operands as they lie.
  static bool tiles_by_units([[maybe_unused]] const Exec& exec, [[maybe_unused]] const Problem& p) {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>() || hopper::takes_from_registers<Problem>())
      return hopper::has_units(exec) && hopper::takes(p);
#endif
    return false;
  }

  /// The operands that a faster engine would take if they were copied, and whether they had better
  /// be. Void, or missing, where there is none.
  using packed = typename gemm_detail::packed_for<Exec, Problem>::type;
  static bool had_better_pack(const Exec& exec, const Problem& p) {
    return p.m() > 0 && p.n() > 0 && p.k() > 0 && p.batch() > 0 && takes_only_copies(exec, p) &&
           packed::can_copy(p) && gemm_detail::off_menu(list<gemm_breadth::few>{}, exec, p) < 0 &&
           copies_pay(exec, p);
  }

  /// The menu as the device runs it, without costs: Hopper's, else the tiles of the list.
  static std::vector<select::gemm_costs> menu(const Exec& exec) {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>())
      return hopper::menu_of<Problem>(exec);
    else
#endif
      return gemm_detail::menu_of<Problem>(list<gemm_breadth::all>{}, exec);
  }

  /// A line of the menu, by its number: Hopper's, else a tile that engines of the list have.
  /// Throws: invalid_argument where there is none; unsupported where it cannot take the operands.
  template <gemm_breadth B>
  static engine_choice chosen(const Exec& exec, const Problem& p,
                              const select::gemm_candidate& line) {
    const auto among = [&](int lines) {
      if (line.config < 0 || line.config >= lines || line.waves < -1)
        throw error(errc::invalid_argument, "there is no line " + std::to_string(line.config) +
                                                " with " + std::to_string(line.waves) +
                                                " waves in a menu of " + std::to_string(lines));
    };
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>()) {
      among(hopper::gemm_configs);
      require(
          hopper::takes(p) && hopper::has_units(exec), errc::unsupported,
          "this menu is for GPUs of sm_90 and code for sm_90a; the copy unit takes operands whose "
          "start, leading dimension and batch stride are multiples of 16 bytes");
      const engine_choice of_line = engine_for<B>(line);
      require(of_line.engine < int(tiles<B>::size()), errc::unsupported,
              "8-bit integers have no tile of so many columns: the matrix units take them by the "
              "16");
      return of_line;
    }
#endif
    among(1 + std::ranges::max(gemm_detail::lines_of<Problem>(list<B>{})));
    for (const gemm_detail::placed_engine& e : gemm_detail::takers(list<B>{}, exec, p))
      if (e.line == line.config) return {e.place, -1, line.waves};
    throw error(errc::unsupported,
                "this line of the menu cannot take these operands: they are not aligned");
  }

 private:
  /// Whether there is a faster engine that takes the operands not as they lie, but as copies.
  static bool takes_only_copies([[maybe_unused]] const Exec& exec, const Problem& p) {
#if LOOPS_CUDA
    return hopper::has_units(exec) && !tiles_by_units(exec, p);
#else
    using whole = portable_engine<typename blocking::whole>;
    return !whole::takes(exec, p) && whole::takes_copies(p);
#endif
  }
  static bool copies_pay(const Exec& exec, const Problem& p) {
    const double bytes = packed::bytes_to_copy(p);
#if LOOPS_CUDA
    if constexpr (hopper::takes_from_registers<Problem>()) return hopper::copies_pay(p, bytes);
#endif
    return gemm_detail::packing_pays(p, bytes, processors(exec));
  }
  static int processors([[maybe_unused]] const Exec& exec) {
    if constexpr (requires { exec.facts().processors; })
      return exec.facts().processors;
    else
      return 1;
  }
  /// What is known of the costs of these engines on a device; null where nothing is. Tables of
  /// NVIDIA GPUs are of Hopper's programs and say nothing about the portable one: only engines that
  /// multiply from registers are looked up here, for the others `hopper::choose` does. Of another
  /// Hopper GPU it is hoped that costs are in proportion.
  static const select::gemm_table* known_costs([[maybe_unused]] const Exec& exec) {
#if LOOPS_CUDA
    if constexpr (hopper::takes_from_registers<Problem>())
      if (hopper::has_units(exec))
        return select::gemm_table_for(exec.facts().name, cost_type, layouts);
#else
    if constexpr (requires { exec.facts().name; })
      return select::gemm_table_of(exec.facts().name, cost_type, layouts);
#endif
    return nullptr;
  }
  /// How much longer than the best forecast parts may take to be tried.
  static constexpr double worth_a_trial = 1.15;
  /// What computes a whole problem by the cost model, the likeliest first and at most so many: none
  /// where nothing has been measured.
  template <gemm_breadth B>
  static std::vector<engine_forecast> forecasts([[maybe_unused]] const Exec& exec,
                                                [[maybe_unused]] const Problem& p,
                                                [[maybe_unused]] int most) {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>()) {
      if (hopper::takes(p) && hopper::has_units(exec)) {
        std::vector<engine_forecast> out;
        const auto add = [&](const select::gemm_forecast& f) {
          out.push_back({engine_for<B>(f.choice), f.us});
        };
        if (most == 1) {
          add(hopper::choose<Problem, tiles<B>>(exec, p));
          return out;
        }
        for (const select::gemm_forecast& f :
             hopper::choose_several<Problem, tiles<B>>(exec, p, most))
          add(f);
        return out;
      }
    }
#endif
    if (const select::gemm_table* costs = known_costs(exec))
      return gemm_detail::likeliest_engines(list<B>{}, exec, p, *costs);
    return {};
  }
  /// The best parts of k: of endless time where there are none. Requires: `forecasts` has some.
  static engine_forecast choose_parts([[maybe_unused]] const Exec& exec,
                                      [[maybe_unused]] const Problem& p) {
#if LOOPS_CUDA
    using parts_type = gemm_detail::parts_problem<Problem>;
    if constexpr (!may_split()) {
      return {};
    } else if constexpr (hopper::takes_types<Problem>()) {
      using split_tiles = tiles<gemm_breadth::parts>;
      return gemm_detail::cheapest_parts(
          p, processors(exec), [&](const parts_type& parts) -> engine_forecast {
            const auto [line, us] = hopper::choose_for_parts<parts_type, split_tiles>(exec, parts);
            return {engine_for<gemm_breadth::parts>(line), us};
          });
    } else {
      using list_of_parts = decltype(special<gemm_breadth::parts>());
      std::optional<gemm_detail::list_costs<list_of_parts, Exec, parts_type>> costs;
      return gemm_detail::cheapest_parts(p, processors(exec), [&](const parts_type& parts) {
        if (!costs) costs.emplace(exec, parts, *known_costs(exec));
        return costs->for_parts(parts);
      });
    }
#else
    return {};
#endif
  }
  static constexpr const char* cost_type = select::cost_name<typename Problem::a_type>();
  static constexpr const char* layouts = select::layouts_of<Problem>();
#if LOOPS_CUDA
  template <gemm_breadth B>
  static auto hopper_waves() {
    using engines = hopper::waves_engines<typename Problem::a_type>;
    const auto first = gemm_detail::listed(std::type_identity<typename engines::type>());
    if constexpr (B == gemm_breadth::few || B == gemm_breadth::all)
      return gemm_detail::joined(first,
                                 gemm_detail::listed(std::type_identity<typename engines::more>()));
    else if constexpr (B == gemm_breadth::parts)
      return gemm_detail::listed(std::type_identity<typename engines::parts>());
    else
      return first;
  }
  /// The engine for a line of Hopper's menu whose tile is among those that are compiled.
  template <gemm_breadth B>
  static engine_choice engine_for(const select::gemm_candidate& line) {
    return {hopper::engine_of(line.config, tiles<B>()), line.config, line.waves};
  }
  template <gemm_breadth B>
  using tiles = hopper::tiles_for<
      std::conditional_t<
          B == gemm_breadth::all, hopper::all_tiles,
          std::conditional_t<B == gemm_breadth::parts,
                             hopper::split_tiles<Problem::b_order == layout::row_major,
                                                 int(sizeof(typename Problem::a_type))>,
                             hopper::few_tiles<Problem::a_order == layout::column_major,
                                               Problem::b_order == layout::row_major,
                                               int(sizeof(typename Problem::a_type))>>>,
      typename Problem::a_type>;
#endif
};

}  // namespace loops
