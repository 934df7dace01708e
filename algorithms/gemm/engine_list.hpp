// SPDX-License-Identifier: Apache-2.0
/// What an engine is, and lists of them.
#pragma once

#include <cmath>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace loops {

/// Types, as a list. An engine makes programs: `program<Problem>` is the type of the tile program,
/// `tile_shape(form)` its tile, `takes(exec, problem)` whether it can compute this problem on this
/// device, `suits(exec, problem)` whether it is also worth while, `make(exec, problem, tiles,
/// form)` the program itself. A `form` is the engine's own matter; -1 is its usual one.
template <class... Engines>
struct engine_list {};

/// What is decided for a GEMM: an engine by its place in the list, or none for the first that
/// suits; in which form; and how many waves of tiles are shared, as in `schedule::stream_k`. In
/// parts of k, the engine is one for these, whose sums another launch adds.
struct engine_choice {
  int engine = -1;
  int form = -1;
  int waves = 2;  ///< the hybrid that is never far from the best where nothing has been measured
  int parts = 1;
  friend constexpr bool operator==(const engine_choice&, const engine_choice&) = default;
};

/// A choice, and the microseconds that it should take.
struct engine_forecast {
  engine_choice choice;
  double us = HUGE_VAL;
};

namespace gemm_detail {

/// Whether an engine is no line of any menu.
template <class Engine>
inline constexpr bool is_off_menu = requires {
  requires Engine::off_menu;
};

/// A tuple of engines as a list.
template <class... Engines>
engine_list<Engines...> listed(std::type_identity<std::tuple<Engines...>>) {
  return {};
}

/// The engines of one list, then those of another.
template <class... Engines, class... Others>
engine_list<Engines..., Others...> joined(engine_list<Engines...>, engine_list<Others...>) {
  return {};
}

/// The first engine of a list that no menu has, by its place, if it suits a problem; -1: none does.
template <class... Engines, class Exec, class Problem>
int off_menu(engine_list<Engines...>, const Exec& exec, const Problem& p) {
  int found = -1;
  int at = 0;
  const auto look = [&](auto engine) {
    if constexpr (is_off_menu<decltype(engine)>) {
      if (found < 0 && engine.suits(exec, p)) found = at;
    }
    ++at;
  };
  (look(Engines{}), ...);
  return found;
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

}  // namespace gemm_detail

}  // namespace loops
