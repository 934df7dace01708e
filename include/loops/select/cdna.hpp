// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class cdna. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json --name cdna --predict --schedules
/// merge_path,group_mapped -o cdna.hpp
///
/// Trained on predictions for cdna, commit 733f44ac09ad.
/// Unproved: the times are predictions, nobody has run it on such a device.
/// What the pass over the tiles costs is an assumption.
/// On 160 rows of 16 groups held out, 100 uses: 94.7 % of the oracle in geometric mean,
/// 1.056 of its time in total, 1.29 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.7 % of the oracle in geometric mean,
/// 1.015 of its time in total, 1.24 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace cdna_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, the last one that may: how columns lie there, from how many bytes
// of atoms (far: that a tile lies over; everywhere: of all columns) on, and for how many atoms
// per tile
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 2.2},
    {"group_mapped", candidate::fitted, -1, 2.2},
    {"group_mapped", candidate::fitted, 0, 2.2},
    {"group_mapped", candidate::fitted, 1, 2.2},
    {"group_mapped", candidate::fitted, 2, 2.2},
    {"merge_path", 0, 0, 13.2},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 80000, 2},            // atoms <= 80000? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 49 matrices of 19 groups, loses 3.4 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 17 matrices of 12 groups, loses 35.7 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {49, 19, true, 1.02, 0.00335, 2.2},
    {17, 12, true, 1.21, 0.0698, 6.08},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {1, 1.04, 3.92, 0.427},         // group_mapped:fitting / 4
    {1, 1, 2.44, 0.234},            // group_mapped:fitting / 2
    {1, 1, 1.72, 0.0955},           // group_mapped:fitting
    {1, 1, 1.34, 0.0336},           // group_mapped:fitting * 2
    {1, 1, 1.36, 0.0434},           // group_mapped:fitting * 4
    {1.66, 1.67, 1.67, 0.646},      // merge_path
    // leaf 1
    {1.05, 2.15, 31.8, 1.35},       // group_mapped:fitting / 4
    {1.03, 1.57, 31.8, 1.06},       // group_mapped:fitting / 2
    {1, 1.29, 31.8, 0.824},         // group_mapped:fitting
    {1, 1.12, 31.8, 0.749},         // group_mapped:fitting * 2
    {1, 1.3, 31.8, 0.834},          // group_mapped:fitting * 4
    {1.48, 1.62, 1.65, 0.357},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::longest, 2000, 6},           // longest <= 2000? else line 6
    /*  1 */ {feature::atoms, 36000, 3},            // atoms <= 36000? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting * 4, 43 matrices of 18 groups, loses 0.1 %
    /*  3 */ {feature::steps, 12, 5},               // steps <= 12? else line 5
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 15 matrices of 8 groups, loses 1.0 %
    /*  5 */ {feature::none, 0, 2},                 // group_mapped:fitting * 4, 4 matrices of 4 groups, loses 0.1 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 4 matrices of 4 groups, loses 0.0 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {43, 18, true, 1.01, 0, 0},
    {15, 8, true, 1.05, 0, 0},
    {4, 4, true, 1.47, 0, 0},
    {4, 4, true, 1.54, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1.01, 1.13, 1.43, 0.184},      // group_mapped:fitting / 4
    {1.01, 1.13, 1.22, 0.116},      // group_mapped:fitting / 2
    {1.04, 1.09, 1.09, 0.0598},     // group_mapped:fitting
    {1, 1.04, 1.09, 0.0218},        // group_mapped:fitting * 2
    {1, 1, 1.09, 0.000917},         // group_mapped:fitting * 4
    {1.67, 1.67, 1.67, 0.663},      // merge_path
    // leaf 1
    {1.08, 1.21, 2.46, 0.39},       // group_mapped:fitting / 4
    {1.07, 1.17, 1.73, 0.198},      // group_mapped:fitting / 2
    {1.04, 1.08, 1.36, 0.0724},     // group_mapped:fitting
    {1, 1.04, 1.22, 0.00995},       // group_mapped:fitting * 2
    {1, 1, 1.41, 0.093},            // group_mapped:fitting * 4
    {1.56, 1.64, 1.66, 0.565},      // merge_path
    // leaf 2
    {3.03, 4.66, 6.83, 2.18},       // group_mapped:fitting / 4
    {1.99, 2.82, 3.89, 0.953},      // group_mapped:fitting / 2
    {1.48, 1.9, 2.43, 0.307},       // group_mapped:fitting
    {1.25, 1.52, 1.69, 0.0144},     // group_mapped:fitting * 2
    {1.25, 1.52, 1.62, 0.000758},   // group_mapped:fitting * 4
    {1.61, 1.64, 1.66, 0.132},      // merge_path
    // leaf 3
    {14.4, 25.7, 32.6, 3},          // group_mapped:fitting / 4
    {7.68, 25.7, 32.6, 3},          // group_mapped:fitting / 2
    {4.34, 28.2, 32.6, 2.68},       // group_mapped:fitting
    {4.34, 22.1, 32.6, 2.68},       // group_mapped:fitting * 2
    {4.34, 19.2, 32.6, 2.68},       // group_mapped:fitting * 4
    {1.34, 1.6, 1.64, 0},           // merge_path
};

}  // namespace cdna_data

/// The selector of the device class.
inline constexpr selector cdna{
    .device = "cdna",
    .basis = "predictions for cdna, commit 733f44ac09ad",
    .proved = false,
    .launch_us = 4.6,
    .gb_per_s = 4.42e+03,
    .gather_us = 25,
    .gather_ns = 0.00181,
    .copy_us = 12.5,
    .step_ns = 84.6,
    .schedules = cdna_data::schedules,
    .safe = 5,
    .known = {cdna_data::known_nodes, cdna_data::known_leaves, cdna_data::known_forecasts},
    .gathered = {cdna_data::gathered_nodes, cdna_data::gathered_leaves, cdna_data::gathered_forecasts},
};
static_assert(well_formed(cdna));

}  // namespace loops::select

// clang-format on
