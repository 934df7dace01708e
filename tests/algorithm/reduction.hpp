// SPDX-License-Identifier: Apache-2.0
/// Holds what reductions promise: every atom mapped once, every tile emitted once with the right
/// value into poisoned outputs, and the same bits however often and in whatever order it runs.
#pragma once

#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace reduction {

/// The value of an atom, and that it was asked for.
template <class Value>
struct of_atom {
  const Value* values;
  int* seen;
  LOOPS_HD Value operator()(std::int64_t a) const {
    support::count_up(seen + a);
    return values[a];
  }
};

/// The same scaled by a number of the tile, so that a tile mistaken for another shows.
template <class Value>
struct of_tile_and_atom {
  const Value* values;
  int* seen;
  LOOPS_HD Value operator()(std::int64_t t, std::int64_t a) const {
    support::count_up(seen + a);
    return static_cast<Value>(t % 3 + 1) * values[a];
  }
};

template <class Value>
struct store {
  Value* out;
  int* emitted;
  LOOPS_HD void operator()(std::int64_t t, Value v) const {
    support::count_up(emitted + t);
    out[t] = v;
  }
};

template <class Value>
Value from_integer(std::int64_t v) {
  return static_cast<Value>(v);
}
template <>
inline loops::row_sums<double, 4> from_integer<loops::row_sums<double, 4>>(std::int64_t v) {
  const auto d = static_cast<double>(v);
  return {{d, 2 * d, -d, d * d}};
}

/// Small integers, whose sums are exact in any order.
template <class Value>
std::vector<Value> small_integers(std::int64_t count) {
  std::vector<Value> out;
  for (std::int64_t a = 0; a < count; ++a)
    out.push_back(from_integer<Value>((a * 7919 + a / 5) % 17 - 8));
  return out;
}

template <class Value>
std::vector<Value> random_values(std::int64_t count) {
  std::vector<Value> out;
  std::mt19937 random(11);
  for (std::int64_t a = 0; a < count; ++a)
    out.push_back(static_cast<Value>(static_cast<double>(random()) / 2147483648.0 - 1));
  return out;
}

/// A work twice: as the host sees it, and in the memory of the executor.
template <class Work>
struct scenario {
  std::string name;
  Work host;
  Work device;
  std::int64_t tiles;  ///< of the work that names tiles and atoms
  std::int64_t atoms;
};

/// Runs one scenario under one schedule; remembers the bits of the first run of each schedule.
template <class Value, class Shape, template <class> class Map = of_atom,
          class Combine = loops::plus>
class checker {
 public:
  /// `exact`: sums in any order are the same numbers; otherwise they are held to the error bound of
  /// recursive summation, |got - sum| <= (n + 2) eps sum|terms|, against sums of twice the
  /// precision.
  explicit checker(bool exact = true) : exact_(exact) {}

  template <class Exec, class Work, class Schedule>
  void run(const support::variant_of<Exec>& v, const scenario<Work>& s,
           const std::vector<Value>& values, const Schedule& schedule, bool first_variant) {
    SCOPED_TRACE(s.name + ", " + v.name);
    run_one(v.exec, s, values, schedule, first_variant);
  }

 private:
  template <class Exec, class Schedule, class Work>
  void run_one(const Exec& exec, const scenario<Work>& s, const std::vector<Value>& values,
               const Schedule& schedule, bool first_variant) {
    using plan_type = loops::tile_plan<Exec, Schedule, Work, Value, Shape>;
    const auto& where = exec.memory();
    const loops::array<Value> input(values, where);
    loops::array<Value> out(static_cast<std::size_t>(s.tiles), where);
    loops::array<int> seen(static_cast<std::size_t>(s.atoms), where);
    loops::array<int> emitted(static_cast<std::size_t>(s.tiles), where);
    seen.fill(0);
    emitted.fill(0);
    int runs = 0;
    const auto once = [&](const plan_type& plan) {
      out.fill(0xff);  // NaN
      loops::reduce_tiles<Value>(plan, Map<Value>{input.data(), seen.data()}, Combine{},
                                 store<Value>{out.data(), emitted.data()});
      ++runs;
      std::vector<Value> found = out.to_vector();
      if (bits_.empty()) {
        bits_ = found;
        if (!found.empty()) expect_values(s, values, found);
      } else {
        EXPECT_TRUE(support::same_bits(bits_, found)) << "run " << runs << " has other bits";
      }
    };
    {
      const plan_type plan(exec, schedule, s.device);
      once(plan);
      if (first_variant) once(plan);
    }
    if (first_variant) once(plan_type(exec, schedule, s.device, loops::reuse::once));
    expect_counts(s, seen.to_vector(), emitted.to_vector(), runs);
  }

  template <class Work>
  static void expect_counts(const scenario<Work>& s, const std::vector<int>& seen,
                            const std::vector<int>& emitted, int runs) {
    std::vector<int> wanted_seen(seen.size(), 0);
    std::vector<int> wanted_emitted(emitted.size(), 0);
    for (std::int64_t t = 0; t < s.host.tiles(); ++t) {
      wanted_emitted[static_cast<std::size_t>(loops::tile_id(s.host, t))] += runs;
      for (const std::int64_t a : loops::atoms_of(s.host, t))
        wanted_seen[static_cast<std::size_t>(loops::atom_id(s.host, t, a))] += runs;
    }
    expect_equal("atom", "mapped", seen, wanted_seen);
    expect_equal("tile", "emitted", emitted, wanted_emitted);
  }

  static void expect_equal(const char* what, const char* done, const std::vector<int>& found,
                           const std::vector<int>& wanted) {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != wanted[i]) {
        ADD_FAILURE() << what << " " << i << " was " << done << " " << found[i] << " times, not "
                      << wanted[i];
        return;
      }
  }

  template <class Work>
  void expect_values(const scenario<Work>& s, const std::vector<Value>& values,
                     const std::vector<Value>& found) {
    int none_seen = 0;
    std::vector<int> ignored(values.size(), 0);
    const Map<Value> map{values.data(), ignored.empty() ? &none_seen : ignored.data()};
    for (std::int64_t t = 0; t < s.host.tiles(); ++t) {
      const std::int64_t id = loops::tile_id(s.host, t);
      const Value got = found[static_cast<std::size_t>(id)];
      if (exact_) {
        Value sum = Combine::template identity<Value>();
        for (const std::int64_t a : loops::atoms_of(s.host, t))
          sum = Combine{}(sum, loops::detail::map_atom(s.host, map, t, a));
        // Compared as bytes: a NaN that was left where a value belongs equals nothing else.
        if (!support::same_bits<Value>({got}, {sum}) && !equal_numbers(got, sum)) {
          ADD_FAILURE() << "tile " << id << " of " << loops::atoms_of(s.host, t).size()
                        << " atoms has a wrong value";
          return;
        }
      } else {
        if (!within_bound(s.host, map, t, got)) return;
      }
    }
  }

  static bool equal_numbers(const Value& a, const Value& b) {
    if constexpr (std::is_arithmetic_v<Value>) return a == b;  // 0 and -0
    return false;
  }

  template <class Work, class M>
  bool within_bound(const Work& w, const M& map, std::int64_t t, const Value& got) {
    if constexpr (std::is_floating_point_v<Value>) {
      long double sum = 0;
      long double size = 0;
      for (const std::int64_t a : loops::atoms_of(w, t)) {
        const auto term = static_cast<long double>(loops::detail::map_atom(w, map, t, a));
        sum += term;
        size += std::fabs(term);
      }
      const auto n = static_cast<long double>(loops::atoms_of(w, t).size());
      const long double bound =
          (n + 2) * static_cast<long double>(std::numeric_limits<Value>::epsilon()) * size;
      if (!(std::fabs(static_cast<long double>(got) - sum) <= bound)) {
        ADD_FAILURE() << "tile " << t << " is " << got << ", not " << static_cast<double>(sum)
                      << " within " << static_cast<double>(bound);
        return false;
      }
    }
    return true;
  }

  bool exact_;
  std::vector<Value> bits_;
};

/// Checks one work, made by `make(exec, f)`, under one schedule on all variants of the executor.
template <class Value, class Shape, template <class> class Map = of_atom,
          class Combine = loops::plus, class Exec, class Schedule, class Make>
void check_schedule(const std::vector<support::variant_of<Exec>>& variants, const std::string& name,
                    const Schedule& schedule, bool exact, const Make& make) {
  SCOPED_TRACE(name);
  checker<Value, Shape, Map, Combine> c(exact);
  bool first = true;
  for (const auto& v : variants) {
    make(v.exec, [&](const auto& s) {
      const std::vector<Value> values = [&] {
        if constexpr (std::is_floating_point_v<Value>)
          if (!exact) return random_values<Value>(s.atoms);
        return small_integers<Value>(s.atoms);
      }();
      c.run(v, s, values, schedule, first);
    });
    first = false;
  }
}

/// The same under many schedules; the failures of one are enough to read.
template <class Value, class Shape, template <class> class Map = of_atom,
          class Combine = loops::plus, class Exec, class Make>
void check(const std::vector<support::variant_of<Exec>>& variants,
           const std::vector<support::named_point>& points, bool exact, const Make& make) {
  for (const support::named_point& p : points)
    if (!testing::Test::HasFailure())
      std::visit(
          [&](const auto& schedule) {
            check_schedule<Value, Shape, Map, Combine>(variants, p.name, schedule, exact, make);
          },
          p.schedule);
}

/// Makes a work of offsets in the executor's memory.
template <class Offset>
struct make_segments {
  support::sizes sizes;
  std::vector<Offset> offsets = sizes.offsets<Offset>();

  template <class Exec, class F>
  void operator()(const Exec& exec, const F& f) const {
    const loops::array<Offset> device(offsets, exec.memory());
    const std::int64_t tiles = sizes.tiles();
    const std::int64_t atoms = offsets.back();
    f(scenario<loops::segments<Offset>>{
        sizes.name, {offsets.data(), tiles, atoms}, {device.data(), tiles, atoms}, tiles, atoms});
  }
};

/// How many steps, and how many workers, a block of this shape has: what boundaries depend on.
template <class Shape, class Exec>
std::pair<std::int64_t, std::int64_t> capacity_and_lanes(const Exec& exec) {
  const loops::machine m = exec.template describe<Shape>();
  return {std::int64_t{m.threads} * m.items, std::int64_t{m.threads} * m.batch};
}

}  // namespace reduction
