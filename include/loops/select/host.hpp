// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class host. Generated; do not edit.
///
/// loops train spmv-host-f32-f64.json --name host --schedules tiles_in_groups,merge_path -o
/// host.hpp
///
/// Trained on Intel(R) Xeon(R) Processor @ 2.50GHz, commit 2f9145b15b19.
/// On 160 rows of 16 groups held out, 100 uses: 90.5 % of the oracle in geometric mean,
/// 1.059 of its time in total, 2.78 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 90.5 % of the oracle in geometric mean,
/// 1.059 of its time in total, 2.78 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace host_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many atoms
inline constexpr candidate schedules[] = {
    {"tiles_in_groups", 1, 0, 0},
    {"merge_path", 0, 0, 0},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::tiles, 300, 2},              // tiles <= 300? else line 2
    /*  1 */ {feature::none, 0, 0},                 // merge_path, 20 matrices of 12 groups, loses 8.6 %
    /*  2 */ {feature::atoms, 28000, 4},            // atoms <= 28000? else line 4
    /*  3 */ {feature::none, 0, 1},                 // tiles_in_groups, 20 matrices of 11 groups, loses 1.1 %
    /*  4 */ {feature::value_bytes, 6, 6},          // value_bytes <= 6? else line 6
    /*  5 */ {feature::none, 0, 2},                 // tiles_in_groups, 26 matrices of 16 groups, loses 7.6 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 26 matrices of 16 groups, loses 1.1 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {20, 12, true, 1.22, 0.119},
    {20, 11, true, 1.75, 0.094},
    {26, 16, true, 2.08, 0.0977},
    {26, 16, true, 1.26, 0.0108},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.647, 1.59, 3.57, 0.364},     // tiles_in_groups
    {0.598, 1.14, 3.64, 0.0857},    // merge_path
    // leaf 1
    {0.901, 1.78, 3.18, 0.0115},    // tiles_in_groups
    {1.04, 2.11, 4.31, 0.231},      // merge_path
    // leaf 2
    {1.24, 2.18, 3.71, 0.0762},     // tiles_in_groups
    {1.24, 2.25, 3.56, 0.0945},     // merge_path
    // leaf 3
    {0.888, 1.31, 2.23, 0.123},     // tiles_in_groups
    {0.779, 1.24, 2.02, 0.0108},    // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::tiles, 300, 2},              // tiles <= 300? else line 2
    /*  1 */ {feature::none, 0, 0},                 // merge_path, 20 matrices of 12 groups, loses 8.6 %
    /*  2 */ {feature::atoms, 28000, 4},            // atoms <= 28000? else line 4
    /*  3 */ {feature::none, 0, 1},                 // tiles_in_groups, 20 matrices of 11 groups, loses 1.1 %
    /*  4 */ {feature::value_bytes, 6, 6},          // value_bytes <= 6? else line 6
    /*  5 */ {feature::none, 0, 2},                 // tiles_in_groups, 26 matrices of 16 groups, loses 7.6 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 26 matrices of 16 groups, loses 1.1 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {20, 12, true, 1.22, 0},
    {20, 11, true, 1.75, 0},
    {26, 16, true, 2.08, 0},
    {26, 16, true, 1.26, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.647, 1.59, 3.57, 0.364},     // tiles_in_groups
    {0.598, 1.14, 3.64, 0.0857},    // merge_path
    // leaf 1
    {0.901, 1.78, 3.18, 0.0115},    // tiles_in_groups
    {1.04, 2.11, 4.31, 0.231},      // merge_path
    // leaf 2
    {1.24, 2.18, 3.71, 0.0762},     // tiles_in_groups
    {1.24, 2.25, 3.56, 0.0945},     // merge_path
    // leaf 3
    {0.888, 1.31, 2.23, 0.123},     // tiles_in_groups
    {0.779, 1.24, 2.02, 0.0108},    // merge_path
};

}  // namespace host_data

/// The selector of the device class.
inline constexpr selector host{
    .device = "host",
    .basis = "Intel(R) Xeon(R) Processor @ 2.50GHz, commit 2f9145b15b19",
    .proved = true,
    .launch_us = 0.146,
    .gb_per_s = 20,
    .gather_us = 1.92,
    .gather_ns = 1.11,
    .copy_us = 1.92,
    .step_ns = 5.28,
    .schedules = host_data::schedules,
    .safe = 1,
    .known = {host_data::known_nodes, host_data::known_leaves, host_data::known_forecasts},
    .gathered = {host_data::gathered_nodes, host_data::gathered_leaves, host_data::gathered_forecasts},
};
static_assert(well_formed(host));

}  // namespace loops::select

// clang-format on
