// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class host. Generated; do not edit.
///
/// loops train spmv-host-in-turns.json --name host --schedules merge_path -o host.hpp
///
/// Trained on AMD EPYC, commit e34287cd9daf.
/// On 160 rows of 16 groups held out, 100 uses: 95.8 % of the oracle in geometric mean,
/// 0.995 of its time in total, 1.77 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 96.0 % of the oracle in geometric mean,
/// 0.995 of its time in total, 1.77 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace host_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, the last one that may: how columns lie there, from how many bytes
// of atoms (far: that a tile lies over; everywhere: of all columns) on, and for how many atoms
// per tile
inline constexpr candidate schedules[] = {
    {"merge_path", 0, 0, 1.66},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::none, 0, 0},                 // merge_path, 70 matrices of 26 groups, loses 0.0 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {70, 26, true, 0.914, 0, 147},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.515, 0.913, 1.68, 0},        // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::none, 0, 0},                 // merge_path, 70 matrices of 26 groups, loses 0.0 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {70, 26, true, 0.914, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.515, 0.913, 1.68, 0},        // merge_path
};

}  // namespace host_data

/// The selector of the device class.
inline constexpr selector host{
    .device = "host",
    .basis = "AMD EPYC, commit e34287cd9daf",
    .proved = true,
    .launch_us = 0.18,
    .gb_per_s = 13.4,
    .gather_us = 17,
    .gather_ns = 2.38,
    .copy_us = 17,
    .step_ns = 50,
    .schedules = host_data::schedules,
    .safe = 0,
    .known = {host_data::known_nodes, host_data::known_leaves, host_data::known_forecasts},
    .gathered = {host_data::gathered_nodes, host_data::gathered_leaves, host_data::gathered_forecasts},
};
static_assert(well_formed(host));

}  // namespace loops::select

// clang-format on
