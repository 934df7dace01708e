// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class cdna. Generated; do not edit.
///
/// loops train spmv-h200-passes.json spmv-h200-tiles-suitesparse.json --name cdna --predict
/// --schedules merge_path,group_mapped -o cdna.hpp
///
/// Trained on predictions for cdna, commit a26effe57bf4.
/// Unproved: the times are predictions, nobody has run it on such a device.
/// What the pass over the tiles costs is an assumption.
/// On 160 rows of 16 groups held out, 100 uses: 98.3 % of the oracle in geometric mean,
/// 1.021 of its time in total, 1.19 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 99.2 % of the oracle in geometric mean,
/// 1.009 of its time in total, 1.17 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace cdna_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many atoms
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
    /*  0 */ {feature::atoms, 49300, 2},            // atoms <= 49300? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 4, 51 matrices of 23 groups, loses 2.4 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 20 matrices of 14 groups, loses 40.3 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {51, 23, true, 1.03, 0.0136},
    {20, 14, true, 1.18, 0.0317},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {1, 1.04, 4.62, 0.519},         // group_mapped:fitting / 4
    {1, 1, 2.81, 0.358},            // group_mapped:fitting / 2
    {1, 1, 1.9, 0.2},               // group_mapped:fitting
    {1, 1, 1.43, 0.0738},           // group_mapped:fitting * 2
    {1, 1, 1.24, 0.0244},           // group_mapped:fitting * 4
    {1.66, 1.67, 1.67, 0.63},       // merge_path
    // leaf 1
    {1.04, 1.32, 31.5, 1.18},       // group_mapped:fitting / 4
    {1, 1.23, 31.5, 0.924},         // group_mapped:fitting / 2
    {1, 1.12, 31.5, 0.723},         // group_mapped:fitting
    {1, 1.05, 31.5, 0.66},          // group_mapped:fitting * 2
    {1, 1.33, 31.5, 0.768},         // group_mapped:fitting * 4
    {1.53, 1.63, 1.66, 0.403},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::steps, 50, 4},               // steps <= 50? else line 4
    /*  1 */ {feature::rounds, 0.3, 3},             // rounds <= 0.3? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting * 4, 53 matrices of 21 groups, loses 0.1 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 14 matrices of 11 groups, loses 2.6 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 4 matrices of 4 groups, loses 0.0 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {53, 21, true, 1, 0},
    {14, 11, true, 1.24, 0},
    {4, 4, true, 1.54, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1.01, 1.13, 1.42, 0.176},      // group_mapped:fitting / 4
    {1.01, 1.13, 1.22, 0.114},      // group_mapped:fitting / 2
    {1.04, 1.04, 1.09, 0.0606},     // group_mapped:fitting
    {1, 1, 1.04, 0.021},            // group_mapped:fitting * 2
    {1, 1, 1, 0.000753},            // group_mapped:fitting * 4
    {1.65, 1.67, 1.67, 0.665},      // merge_path
    // leaf 1
    {1.11, 2.46, 6.12, 1.23},       // group_mapped:fitting / 4
    {1.08, 1.73, 3.54, 0.54},       // group_mapped:fitting / 2
    {1.05, 1.35, 2.26, 0.17},       // group_mapped:fitting
    {1.02, 1.17, 1.88, 0.0262},     // group_mapped:fitting * 2
    {1.15, 1.29, 1.85, 0.112},      // group_mapped:fitting * 4
    {1.56, 1.64, 1.67, 0.339},      // merge_path
    // leaf 2
    {14.4, 25.7, 32.6, 3},          // group_mapped:fitting / 4
    {7.68, 25.7, 32.6, 3},          // group_mapped:fitting / 2
    {4.34, 25.7, 32.6, 2.68},       // group_mapped:fitting
    {4.34, 28.2, 32.6, 2.68},       // group_mapped:fitting * 2
    {4.34, 22.1, 32.6, 2.68},       // group_mapped:fitting * 4
    {1.34, 1.6, 1.64, 0},           // merge_path
};

}  // namespace cdna_data

/// The selector of the device class.
inline constexpr selector cdna{
    .device = "cdna",
    .basis = "predictions for cdna, commit a26effe57bf4",
    .proved = false,
    .launch_us = 4.6,
    .gb_per_s = 4.42e+03,
    .gather_us = 25,
    .gather_ns = 0.00181,
    .copy_us = 12.5,
    .step_ns = 85.8,
    .schedules = cdna_data::schedules,
    .safe = 5,
    .known = {cdna_data::known_nodes, cdna_data::known_leaves, cdna_data::known_forecasts},
    .gathered = {cdna_data::gathered_nodes, cdna_data::gathered_leaves, cdna_data::gathered_forecasts},
};
static_assert(well_formed(cdna));

}  // namespace loops::select

// clang-format on
