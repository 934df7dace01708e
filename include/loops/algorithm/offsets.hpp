// SPDX-License-Identifier: Apache-2.0
/// What the offsets of a work must be, and how each side of a launch sees whether they are.
///
/// The CPU reads them where it can, when a plan is made. Those on a GPU it reads when it waits
/// anyway: `schedule::automatic` in its look, `tile_plan::check` where they are an array. A kernel
/// that cuts tiles looks at both ends, and whoever takes its slices has nothing to emit when they
/// are wrong, rather than no end.
#pragma once

#include "loops/execution/memory.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace loops::detail {

/// Whether a work's tiles begin at its first atom and end with its last.
template <work W>
LOOPS_HD constexpr bool ends_with_its_atoms(const W& w) {
  return w.tiles() == 0 || (w.offset(0) == 0 && w.offset(w.tiles()) == w.atoms());
}

/// Whether these atoms are among a work's.
template <work W>
LOOPS_HD constexpr bool has_atoms(const W& w, const atom_range& atoms) {
  return 0 <= atoms.first && atoms.first <= atoms.last && atoms.last <= w.atoms();
}

/// Throws unless a work's offsets go from 0 to its atoms. Reads both ends through `memory`, where
/// they lie, and waits for them; out of the CPU's reach, of works with an array of offsets only.
template <work W>
void require_ends(memory& where, const W& w) {
  if (w.tiles() == 0) return;
  std::int64_t first = 0;
  std::int64_t last = w.atoms();
  if constexpr (requires { w.offsets(); }) {
    std::remove_cvref_t<decltype(*w.offsets())> ends[2] = {};
    where.download(&ends[0], w.offsets(), sizeof ends[0]);
    where.download(&ends[1], w.offsets() + w.tiles(), sizeof ends[1]);
    first = static_cast<std::int64_t>(ends[0]);
    last = static_cast<std::int64_t>(ends[1]);
  } else if (where.on_host()) {
    first = w.offset(0);
    last = w.offset(w.tiles());
  }
  if (first != 0 || last != w.atoms())
    throw error(errc::invalid_argument,
                "the offsets of a work go from " + std::to_string(first) + " to " +
                    std::to_string(last) + ", and not from 0 to its " + std::to_string(w.atoms()) +
                    " atoms: does a matrix not know how many nonzeros it has?");
}

/// Throws unless whoever looked at all offsets of a work of so many atoms found them `sound`.
inline void require_sound(bool sound, std::int64_t atoms) {
  if (!sound)
    throw error(errc::invalid_argument,
                "the offsets of a work decrease somewhere, or do not go from 0 to its " +
                    std::to_string(atoms) +
                    " atoms: does a matrix not know how many nonzeros it has?");
}

}  // namespace loops::detail
