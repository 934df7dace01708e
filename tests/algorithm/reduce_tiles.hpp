// SPDX-License-Identifier: Apache-2.0
/// The properties of reductions over schedule x work x type, for one executor per source.
#pragma once

#include "loops/work/flattened.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/sorted_keys.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reduction.hpp"

namespace reduction {

template <class Exec>
class reduce_tiles : public support::on_executor<Exec> {};
TYPED_TEST_SUITE_P(reduce_tiles);

TYPED_TEST_P(reduce_tiles, every_schedule_on_every_awkward_work) {
  using shape = loops::shape<64, 3>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  auto variants = this->variants();
  if (variants.size() > 2) variants.erase(variants.begin() + 1);  // the first and the last order
  for (const support::sizes& s : support::awkward_sizes(capacity, lanes))
    check<float, shape>(variants, support::all_points(), true, make_segments<std::int32_t>{s});
}

TYPED_TEST_P(reduce_tiles, a_block_for_every_tile) {
  using shape = loops::shape<64, 3>;
  using own = support::point<
      loops::composed<loops::measure::one_tile, loops::worker::block, loops::order::in_order>>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    check_schedule<float, shape>(this->variants(), "one's own", own{}, true,
                                 make_segments<std::int32_t>{s});
}

TYPED_TEST_P(reduce_tiles, maps_of_tile_and_atom) {
  using shape = loops::shape<128, 3>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    check<double, shape, of_tile_and_atom>(this->variants(), support::all_points(), true,
                                           make_segments<std::int64_t>{s});
}

TYPED_TEST_P(reduce_tiles, sums_of_random_numbers_are_within_the_error_bound) {
  using shape = loops::shape<128, 3>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    check<double, shape, of_tile_and_atom>(this->variants(), support::all_points(), false,
                                           make_segments<std::int64_t>{s});
  using small = loops::shape<64, 3>;
  const auto [few, some] = capacity_and_lanes<small>(this->any());
  for (const support::sizes& s : support::few_sizes(few, some))
    check<float, small>(this->variants(), support::all_points(), false,
                        make_segments<std::int32_t>{s});
}

TYPED_TEST_P(reduce_tiles, blocks_of_the_size_plans_choose) {
  using shape = loops::shape_for<sizeof(double)>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    if (s.name != "hardly an atom")  // too many blocks for an emulation
      check<double, shape>(
          this->variants(),
          support::points_named({"thread_mapped", "group_mapped:128", "block_mapped",
                                 "nonzero_split", "work_oriented", "merge_path",
                                 "dynamic_merge_path", "lrb", "three_bins", "queue",
                                 "tiles_in_groups:8", "tiles_in_groups:256"}),
          true, make_segments<std::int32_t>{s});
}

TYPED_TEST_P(reduce_tiles, permuted_and_filtered_works) {
  using shape = loops::shape<64, 3>;
  using base_type = loops::segments<std::int32_t>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    for (const bool all : {true, false}) {
      const auto make = [&](const auto& exec, const auto& f) {
        const auto offsets = s.offsets<std::int32_t>();
        const loops::array<std::int32_t> device(offsets, exec.memory());
        const base_type base(offsets.data(), s.tiles(), s.atoms());
        const base_type there(device.data(), s.tiles(), s.atoms());
        std::vector<std::int64_t> order;
        for (std::int64_t t = 0; t < s.tiles(); ++t) order.push_back(s.tiles() - 1 - t);
        const auto chosen = all ? loops::permuted(base, order)
                                : loops::filtered(base, [](std::int64_t t) { return t % 3 != 1; });
        const auto chosen_there = chosen.to(exec.memory(), there);
        f(scenario<decltype(chosen.view())>{s.name + (all ? ", permuted" : ", filtered"),
                                            chosen.view(), chosen_there.view(), s.tiles(),
                                            s.atoms()});
      };
      check<std::int64_t, shape, of_tile_and_atom>(this->variants(), support::all_points(), true,
                                                   make);
    }
}

TYPED_TEST_P(reduce_tiles, closed_form_works) {
  using shape = loops::shape<64, 3>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  using pair = std::pair<std::int64_t, std::int64_t>;
  for (const auto& [tiles, width] :
       {pair{0, 0}, pair{0, 7}, pair{5, 0}, pair{capacity, 1}, pair{1, 5 * capacity + 1},
        pair{lanes + 1, 3}, pair{7, capacity - 1}, pair{3, capacity}, pair{100, 7}}) {
    const loops::uniform w(tiles, width);
    const std::string name = std::to_string(tiles) + " x " + std::to_string(width);
    check<float, shape>(this->variants(), support::all_points(), true,
                        [&](const auto&, const auto& f) {
                          f(scenario<loops::uniform>{name, w, w, w.tiles(), w.atoms()});
                        });
  }
  for (const auto& [atoms, width] :
       {pair{0, 5}, pair{1, 5}, pair{3 * capacity + 1, 7}, pair{5 * capacity, capacity + 1}}) {
    using work = loops::flattened<loops::uniform>;
    const work w(loops::uniform(1, atoms), width);
    const std::string name = std::to_string(atoms) + " in chunks of " + std::to_string(width);
    check<float, shape>(this->variants(), support::all_points(), true,
                        [&](const auto&, const auto& f) {
                          f(scenario<work>{name, w, w, w.tiles(), w.atoms()});
                        });
  }
}

TYPED_TEST_P(reduce_tiles, sorted_keys) {
  using shape = loops::shape<64, 3>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity / 2, lanes / 2))
    check<float, shape>(
        this->variants(), support::all_points(), true, [&](const auto& exec, const auto& f) {
          const auto keys = s.keys<std::int32_t>();
          const loops::array<std::int32_t> device(keys, exec.memory());
          using work = loops::sorted_keys<std::int32_t>;
          f(scenario<work>{s.name, work(keys.data(), s.tiles(), s.atoms()),
                           work(device.data(), s.tiles(), s.atoms()), s.tiles(), s.atoms()});
        });
}

TYPED_TEST_P(reduce_tiles, the_largest_of_every_tile) {
  using shape = loops::shape<64, 3>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    check<std::int32_t, shape, of_tile_and_atom, loops::maximum>(
        this->variants(), support::all_points(), true, make_segments<std::int32_t>{s});
}

TYPED_TEST_P(reduce_tiles, values_of_several_words) {
  using shape = loops::shape<32, 2>;
  const auto [capacity, lanes] = capacity_and_lanes<shape>(this->any());
  for (const support::sizes& s : support::few_sizes(capacity, lanes))
    check<loops::row_sums<double, 4>, shape>(this->variants(), support::all_points(), true,
                                             make_segments<std::int32_t>{s});
}

REGISTER_TYPED_TEST_SUITE_P(reduce_tiles, every_schedule_on_every_awkward_work,
                            a_block_for_every_tile, maps_of_tile_and_atom,
                            sums_of_random_numbers_are_within_the_error_bound,
                            blocks_of_the_size_plans_choose, permuted_and_filtered_works,
                            closed_form_works, sorted_keys, the_largest_of_every_tile,
                            values_of_several_words);

}  // namespace reduction
