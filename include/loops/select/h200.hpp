// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-passes.json spmv-h200-tiles-suitesparse.json spmv-h200-generated.json
/// --name h200 --schedules merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit a26effe57bf4.
/// On 160 rows of 16 groups held out, 100 uses: 96.6 % of the oracle in geometric mean,
/// 1.035 of its time in total, 1.53 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.9 % of the oracle in geometric mean,
/// 1.011 of its time in total, 1.13 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many atoms
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.588},
    {"group_mapped", candidate::fitted, -1, 0.588},
    {"group_mapped", candidate::fitted, 0, 0.588},
    {"group_mapped", candidate::fitted, 1, 0.588},
    {"group_mapped", candidate::fitted, 2, 0.588},
    {"merge_path", 0, 0, 14.3, "nonzero_split", 9700000},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 4},             // atoms <= 7900? else line 4
    /*  1 */ {feature::tiles, 400, 3},              // tiles <= 400? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 23 matrices of 14 groups, loses 2.6 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 4, 8 matrices of 6 groups, loses 5.6 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 120 matrices of 33 groups, loses 14.4 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {23, 14, true, 1.03, 0.0101},
    {8, 6, true, 1.12, 0.0133},
    {120, 33, true, 1.49, 0.0452},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.973, 1.05, 1.23, 0.0346},    // group_mapped:fitting / 4
    {0.981, 1.05, 1.14, 0.0262},    // group_mapped:fitting / 2
    {0.988, 1.07, 1.15, 0.0356},    // group_mapped:fitting
    {1, 1.1, 1.15, 0.0546},         // group_mapped:fitting * 2
    {0.988, 1.12, 1.18, 0.0729},    // group_mapped:fitting * 4
    {1.04, 1.15, 1.28, 0.117},      // merge_path
    // leaf 1
    {1.06, 1.16, 3.23, 0.424},      // group_mapped:fitting / 4
    {1.1, 1.12, 2.24, 0.229},       // group_mapped:fitting / 2
    {1.1, 1.14, 1.67, 0.103},       // group_mapped:fitting
    {1.11, 1.15, 1.37, 0.0595},     // group_mapped:fitting * 2
    {1.13, 1.17, 1.25, 0.0562},     // group_mapped:fitting * 4
    {1.16, 1.22, 1.4, 0.111},       // merge_path
    // leaf 2
    {1.07, 2, 48.5, 1.11},          // group_mapped:fitting / 4
    {1.06, 1.54, 48.5, 0.954},      // group_mapped:fitting / 2
    {1.05, 1.41, 48.5, 0.846},      // group_mapped:fitting
    {1.13, 1.58, 47.4, 0.851},      // group_mapped:fitting * 2
    {1.17, 2.06, 46.7, 1.01},       // group_mapped:fitting * 4
    {1.16, 1.47, 3.04, 0.144},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::delay, 0.2, 3},              // delay <= 0.2? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 112 matrices of 30 groups, loses 4.1 %
    /*  3 */ {feature::none, 0, 1},                 // merge_path, 7 matrices of 7 groups, loses 2.0 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 32 matrices of 13 groups, loses 0.5 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {112, 30, true, 1.26, 0},
    {7, 7, true, 1.53, 0},
    {32, 13, true, 1.92, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.976, 1.26, 2.97, 0.231},     // group_mapped:fitting / 4
    {0.985, 1.2, 2.73, 0.0999},     // group_mapped:fitting / 2
    {0.974, 1.16, 2.72, 0.0406},    // group_mapped:fitting
    {1, 1.21, 3.37, 0.201},         // group_mapped:fitting * 2
    {1, 1.43, 6.24, 0.563},         // group_mapped:fitting * 4
    {1.05, 1.27, 2.91, 0.178},      // merge_path
    // leaf 1
    {2.49, 3.42, 4.96, 1.35},       // group_mapped:fitting / 4
    {1.77, 2.35, 3.12, 0.572},      // group_mapped:fitting / 2
    {1.47, 1.76, 2.09, 0.159},      // group_mapped:fitting
    {1.47, 1.66, 1.89, 0.101},      // group_mapped:fitting * 2
    {1.7, 2.07, 2.23, 0.318},       // group_mapped:fitting * 4
    {1.36, 1.51, 1.77, 0.0204},     // merge_path
    // leaf 2
    {6.2, 32.3, 58.1, 2.92},        // group_mapped:fitting / 4
    {3.73, 29.8, 58.1, 2.75},       // group_mapped:fitting / 2
    {2.53, 27.9, 56.4, 2.52},       // group_mapped:fitting
    {1.89, 24.7, 56.4, 2.31},       // group_mapped:fitting * 2
    {1.82, 14.6, 52.6, 2.18},       // group_mapped:fitting * 4
    {1.39, 1.71, 3.01, 0.00457},    // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit a26effe57bf4",
    .proved = true,
    .launch_us = 4.7,
    .gb_per_s = 3.99e+03,
    .gather_us = 27,
    .gather_ns = 0.00238,
    .copy_us = 9.67,
    .step_ns = 87.9,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
