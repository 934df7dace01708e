// SPDX-License-Identifier: Apache-2.0
/// Which programs can compute a GEMM on an executor, the preferred ones first.
#pragma once

#include "algorithms/gemm/portable_engine.hpp"
#include "algorithms/gemm/select/model.hpp"
#include "loops/core/error.hpp"

#if LOOPS_CUDA
#include "algorithms/gemm/hopper_doubles_engine.hpp"
#include "algorithms/gemm/hopper_engine.hpp"
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

/// Types, as a list. An engine makes programs: `program<Problem>` is the type of the tile program,
/// `tile_shape(form)` its tile, `takes(exec, problem)` whether it can compute this problem on this
/// device, `suits(exec, problem)` whether it is also worth while, `make(exec, problem, tiles,
/// form)` the program itself. A `form` is the engine's own matter; -1 is its usual one.
template <class... Engines>
struct engine_list {};

/// What `schedule::automatic` decides for a GEMM: an engine by its place in the list, or none for
/// the first that suits; in which form; and how many waves of tiles are shared, as in
/// `schedule::stream_k`.
struct engine_choice {
  int engine = -1;
  int form = -1;
  int waves = 2;  ///< the hybrid that is never far from the best where nothing has been measured
};

namespace gemm_detail {

/// A tuple of engines as a list.
template <class... Engines>
engine_list<Engines...> listed(std::type_identity<std::tuple<Engines...>>) {
  return {};
}

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

template <class... Engines>
constexpr int length(engine_list<Engines...>) {
  return sizeof...(Engines);
}

/// What `make(engine)` returns for engine number `wanted`, or for the first that `suits(engine)`.
/// Requires: one does.
template <class... Engines, class Suits, class Make>
auto by_engine(engine_list<Engines...>, int wanted, const Suits& suits, const Make& make) {
  std::optional<std::common_type_t<decltype(make(Engines{}))...>> made;
  int at = 0;
  (void)(((wanted < 0 ? suits(Engines{}) : wanted == at++) &&
          (made.emplace(make(Engines{})), true)) ||
         ...);
  return std::move(*made);
}

/// The engines of a list that take a problem, by their places: first the one that suits it.
template <class... Engines, class Exec, class Problem>
std::vector<int> takers(engine_list<Engines...>, const Exec& exec, const Problem& p) {
  std::vector<int> out;
  int at = 0;
  bool found = false;
  const auto look = [&](auto engine) {
    if (!found && engine.suits(exec, p)) {
      found = true;
      out.insert(out.begin(), at);
    } else if (engine.takes(exec, p)) {
      out.push_back(at);
    }
    ++at;
  };
  (look(Engines{}), ...);
  return out;
}

}  // namespace gemm_detail

/// How many engines are compiled for a problem: for a schedule that is named, for a choice, and for
/// a choice among all that there are.
enum class gemm_breadth { named, few, all };

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
    else if constexpr (hopper::takes_doubles<Problem>())
      return gemm_detail::listed(std::type_identity<hopper::doubles_engines>());
    else
#endif
      return engine_list<>{};
  }
  template <gemm_breadth B>
  using list = decltype(gemm_detail::and_portable<blocking, portable_engine>(special<B>()));

  /// By the cost model, where the machine has been measured.
  template <gemm_breadth B>
  static engine_choice choose([[maybe_unused]] const Exec& exec,
                              [[maybe_unused]] const Problem& p) {
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>())
      if (hopper::takes(p) && hopper::has_units(exec))
        return engine_for<B>(hopper::choose<Problem, tiles<B>>(exec, p));
#endif
    return {};
  }
  /// What is worth a trial, at most so many: what `choose` takes comes first.
  template <gemm_breadth B>
  static std::vector<engine_choice> choose_several([[maybe_unused]] const Exec& exec,
                                                   [[maybe_unused]] const Problem& p, int most) {
    std::vector<engine_choice> out;
#if LOOPS_CUDA
    if constexpr (hopper::takes_types<Problem>()) {
      if (hopper::takes(p) && hopper::has_units(exec)) {
        for (const auto& choice : hopper::choose_several<Problem, tiles<B>>(exec, p, most))
          out.push_back(engine_for<B>(choice));
        return out;
      }
    }
#endif
    for (const int engine : gemm_detail::takers(list<B>{}, exec, p))
      for (const int waves : {engine_choice().waves, 0, 1, -1})
        if (static_cast<int>(out.size()) < most) out.push_back({engine, -1, waves});
    return out;
  }

  /// A line of the menu, by its number: Hopper's, else an engine of the list. Throws:
  /// invalid_argument where there is none; unsupported where it cannot take the operands.
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
      among(hopper::lines_for(turned));
      require(hopper::takes(p) && hopper::has_units(exec), errc::unsupported,
              "this menu is for GPUs of sm_90, whose copy unit takes operands whose start, leading "
              "dimension and batch stride are multiples of 16 bytes");
      return engine_for<B>(line);
    }
#endif
    among(gemm_detail::length(list<B>{}));
    const auto able = gemm_detail::takers(list<B>{}, exec, p);
    require(std::find(able.begin(), able.end(), line.config) != able.end(), errc::unsupported,
            "this line of the menu cannot take these operands: they are not aligned, or not of "
            "this device's types");
    return {line.config, -1, line.waves};
  }

#if LOOPS_CUDA
 private:
  /// The engine for a line of Hopper's menu whose tile is among those that are compiled.
  template <gemm_breadth B>
  static engine_choice engine_for(const select::gemm_candidate& line) {
    return {hopper::engine_of(line.config, tiles<B>()), line.config, line.waves};
  }
  static constexpr bool turned = hopper::is_turned<Problem>;
  template <gemm_breadth B>
  using tiles = std::conditional_t<B == gemm_breadth::all, hopper::all_tiles<turned>,
                                   hopper::few_tiles<turned>>;
#endif
};

}  // namespace loops
