// SPDX-License-Identifier: Apache-2.0
/// Room for a total per tile is as much as tiles are told of, not as there are.
// expect: has to say how many there are of those, by tile_ids
#include "loops/algorithm/reduce_to_atoms.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

/// Every tenth of many tiles.
struct tenths {
  [[nodiscard]] LOOPS_HD std::int64_t tiles() const { return 5; }
  [[nodiscard]] LOOPS_HD std::int64_t atoms() const { return 10; }
  [[nodiscard]] LOOPS_HD std::int64_t offset(std::int64_t t) const { return 2 * t; }
  [[nodiscard]] LOOPS_HD std::int64_t tile_id(std::int64_t t) const { return 10 * t; }
  [[nodiscard]] LOOPS_HD std::int64_t atom_id(std::int64_t, std::int64_t a) const { return a; }
};

void wrong(const loops::executor& exec) {
  loops::reduce_to_atoms<float>(
      exec, loops::schedule::merge_path{}, tenths{}, [](std::int64_t) { return 1.0f; },
      loops::plus{}, [](std::int64_t, std::int64_t, float, float) {});
}
