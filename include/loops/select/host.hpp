// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class host. Generated; do not edit.
///
/// loops train spmv-host-in-turns.json --name host --schedules merge_path,tiles_in_groups -o
/// host.hpp
///
/// Trained on AMD EPYC, commit e34287cd9daf.
/// On 160 rows of 16 groups held out, 100 uses: 98.6 % of the oracle in geometric mean,
/// 1.006 of its time in total, 1.67 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.5 % of the oracle in geometric mean,
/// 1.006 of its time in total, 1.68 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace host_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, the last one that may: how columns lie there, beyond how many bytes
// of atoms (far: that a tile lies over; everywhere: of all columns), and how many atoms per
// tile, up to how many (0: any); beyond how many bytes where many atoms are crowded
inline constexpr candidate schedules[] = {
    {"tiles_in_groups", 1, 0, 0.22},
    {"merge_path", 0, 0, 1.66},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::value_bytes, 6, 4},          // value_bytes <= 6? else line 4
    /*  1 */ {feature::tiles, 103, 3},              // tiles <= 103? else line 3
    /*  2 */ {feature::none, 0, 0},                 // merge_path, 12 matrices of 8 groups, loses 0.6 %
    /*  3 */ {feature::none, 0, 1},                 // tiles_in_groups, 58 matrices of 24 groups, loses 4.7 %
    /*  4 */ {feature::mean, 6.6, 6},               // mean <= 6.6? else line 6
    /*  5 */ {feature::none, 0, 2},                 // tiles_in_groups, 36 matrices of 18 groups, loses 4.2 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 34 matrices of 17 groups, loses 2.5 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {12, 8, true, 0.845, 0.0606, 0.949},
    {58, 24, true, 1.06, 0.0683, 87.6},
    {36, 18, true, 0.796, 0.0529, 1.71},
    {34, 17, true, 0.698, 0.0793, 146},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.659, 0.885, 1.48, 0.0902},   // tiles_in_groups
    {0.615, 0.81, 1.41, 0.00551},   // merge_path
    // leaf 1
    {0.714, 1.02, 1.89, 0.0474},    // tiles_in_groups
    {0.748, 1.03, 1.84, 0.113},     // merge_path
    // leaf 2
    {0.591, 0.82, 1.18, 0.042},     // tiles_in_groups
    {0.541, 0.799, 1.22, 0.0514},   // merge_path
    // leaf 3
    {0.536, 0.763, 1.29, 0.179},    // tiles_in_groups
    {0.451, 0.688, 1.06, 0.0252},   // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::value_bytes, 6, 4},          // value_bytes <= 6? else line 4
    /*  1 */ {feature::tiles, 103, 3},              // tiles <= 103? else line 3
    /*  2 */ {feature::none, 0, 0},                 // merge_path, 12 matrices of 8 groups, loses 0.6 %
    /*  3 */ {feature::none, 0, 1},                 // tiles_in_groups, 58 matrices of 24 groups, loses 4.7 %
    /*  4 */ {feature::padding, 4.2, 6},            // padding <= 4.2? else line 6
    /*  5 */ {feature::none, 0, 2},                 // merge_path, 62 matrices of 25 groups, loses 3.2 %
    /*  6 */ {feature::none, 0, 3},                 // tiles_in_groups, 8 matrices of 6 groups, loses 5.5 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {12, 8, true, 0.845, 0, 0},
    {58, 24, true, 1.06, 0, 0},
    {62, 25, true, 0.753, 0, 0},
    {8, 6, true, 0.698, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.659, 0.885, 1.48, 0.0902},   // tiles_in_groups
    {0.615, 0.81, 1.41, 0.00551},   // merge_path
    // leaf 1
    {0.714, 1.02, 1.89, 0.0474},    // tiles_in_groups
    {0.748, 1.03, 1.84, 0.113},     // merge_path
    // leaf 2
    {0.544, 0.82, 1.3, 0.135},      // tiles_in_groups
    {0.455, 0.768, 1.22, 0.0325},   // merge_path
    // leaf 3
    {0.578, 0.671, 0.969, 0.0548},  // tiles_in_groups
    {0.525, 0.696, 1.15, 0.0904},   // merge_path
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
    .step_ns = 5.72,
    .schedules = host_data::schedules,
    .safe = 1,
    .known = {host_data::known_nodes, host_data::known_leaves, host_data::known_forecasts},
    .gathered = {host_data::gathered_nodes, host_data::gathered_leaves, host_data::gathered_forecasts},
};
static_assert(well_formed(host));

}  // namespace loops::select

// clang-format on
