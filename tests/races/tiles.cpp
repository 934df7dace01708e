// SPDX-License-Identifier: Apache-2.0
/// Reductions and scans of tiles under every kind of schedule.
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/reduce_wide.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/algorithm/statistics.hpp"
#include "loops/loops.hpp"
#include "support/schedules.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "races/small.hpp"

namespace {

struct squares {
  LOOPS_HD std::int64_t operator()(std::int64_t i) const { return i * i; }
};
struct by_tile {
  LOOPS_HD std::int64_t operator()(std::int64_t t, std::int64_t i) const { return t + i; }
};
struct store {
  std::int64_t* out;
  LOOPS_HD void operator()(std::int64_t t, std::int64_t v) const { out[t] = v; }
};
// All that it is told: what nobody looks at, the compiler does not read.
struct store_atom {
  std::int64_t* out;
  LOOPS_HD void operator()(std::int64_t t, std::int64_t i, std::int64_t before,
                           std::int64_t through) const {
    out[i] = t + before + through;
  }
};
struct share_of_atom {
  LOOPS_HD float operator()(int share, std::int64_t i) const {
    return static_cast<float>(share + i);
  }
};
struct store_share {
  using neighbours = std::true_type;
  float* out;
  LOOPS_HD void operator()(int share, std::int64_t t, float v) const { out[t * 4 + share] = v; }
};

template <class Exec, class Schedule, class Work>
void watch(const Exec& exec, const Schedule& how, const Work& rows) {
  const auto tiles = static_cast<std::size_t>(rows.tiles());
  const auto atoms = static_cast<std::size_t>(rows.atoms());
  loops::array<std::int64_t> of_tiles(tiles, exec.memory()), of_atoms(atoms, exec.memory());
  loops::array<float> shares(tiles * 4, exec.memory());
  const store keep{of_tiles.data()};

  // A block of one wave of the wider machine, and blocks of several of either.
  using one_wave = loops::tile_plan<Exec, Schedule, Work, std::int64_t, loops::shape<64, 3>>;
  const one_wave small(exec, how, rows);
  loops::reduce_tiles(small, squares{}, loops::plus{}, keep);
  loops::scan_tiles(small, squares{}, loops::plus{}, store_atom{of_atoms.data()});
  const auto plan = loops::plan<std::int64_t>(exec, how, rows);
  loops::reduce_tiles(plan, squares{}, loops::plus{}, keep);
  loops::reduce_tiles(plan, by_tile{}, loops::plus{}, keep);

  const auto scan = loops::plan_scan<std::int64_t>(exec, how, rows);
  loops::scan_tiles(scan, squares{}, loops::plus{}, store_atom{of_atoms.data()});
  loops::scan_tiles(scan, by_tile{}, loops::plus{}, store_atom{of_atoms.data()});

  const loops::wide_plan<Exec, Schedule, Work, float, 4> wide(exec, how, rows);
  loops::reduce_wide(wide, share_of_atom{}, loops::plus{}, store_share{shares.data()});
  static_cast<void>(loops::gather_statistics(exec, rows));
}

}  // namespace

int main() {
  // One of every kind: others differ in numbers.
  const auto points = support::points_named({"group_mapped:8", "nonzero_split", "work_oriented",
                                             "merge_path", "dynamic_merge_path", "lrb", "queue",
                                             "tiles_in_groups:8", "long_first"});
  races::on_every_wave([&](const auto& exec) {
    races::for_each_small<float>([&](const auto& m) {
      const auto there = m.to(exec.memory());
      for (const auto& p : points) {
        std::printf(" %s\n", p.name.c_str());
        std::visit(
            [&](auto how) {
              watch(exec, how, rows_of(there.view()));
              // Whoever has few processors comes by more than once, and goes round more than once
              // in a large slice; lanes have more slices than are joined at once.
              constexpr bool by_lane =
                  std::is_same_v<decltype(how.composed.who), loops::worker::lane>;
              how.composed.processors = 2;
              how.composed.grain = by_lane ? 1 : 500;
              watch(exec, how, rows_of(there.view()));
            },
            p.schedule);
      }
    });
  });
}
