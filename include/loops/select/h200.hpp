// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 84be77489c8a.
/// On 160 rows of 16 groups held out, 100 uses: 95.1 % of the oracle in geometric mean,
/// 1.051 of its time in total, 1.49 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.7 % of the oracle in geometric mean,
/// 1.012 of its time in total, 1.13 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many atoms
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.638},
    {"group_mapped", candidate::fitted, -1, 0.638},
    {"group_mapped", candidate::fitted, 0, 0.638},
    {"group_mapped", candidate::fitted, 1, 0.638},
    {"group_mapped", candidate::fitted, 2, 0.638},
    {"merge_path", 0, 0, 14.7, "nonzero_split", 9700000},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 4},             // atoms <= 7900? else line 4
    /*  1 */ {feature::tiles, 400, 3},              // tiles <= 400? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 23 matrices of 14 groups, loses 2.4 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 4, 8 matrices of 6 groups, loses 6.2 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 120 matrices of 33 groups, loses 14.0 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {23, 14, true, 1.05, 0.0107},
    {8, 6, true, 1.13, 0.00801},
    {120, 33, true, 1.48, 0.0463},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.995, 1.05, 1.21, 0.0307},    // group_mapped:fitting / 4
    {1, 1.07, 1.14, 0.0236},        // group_mapped:fitting / 2
    {0.995, 1.09, 1.16, 0.031},     // group_mapped:fitting
    {1, 1.1, 1.17, 0.0502},         // group_mapped:fitting * 2
    {1.02, 1.13, 1.18, 0.0694},     // group_mapped:fitting * 4
    {1.05, 1.14, 1.27, 0.102},      // merge_path
    // leaf 1
    {1.09, 1.16, 3.2, 0.41},        // group_mapped:fitting / 4
    {1.1, 1.13, 2.26, 0.223},       // group_mapped:fitting / 2
    {1.1, 1.14, 1.7, 0.107},        // group_mapped:fitting
    {1.13, 1.17, 1.38, 0.0675},     // group_mapped:fitting * 2
    {1.15, 1.18, 1.27, 0.0617},     // group_mapped:fitting * 4
    {1.14, 1.21, 1.4, 0.102},       // merge_path
    // leaf 2
    {1.05, 2.01, 48.1, 1.1},        // group_mapped:fitting / 4
    {1.05, 1.55, 48.1, 0.953},      // group_mapped:fitting / 2
    {1.05, 1.41, 48.1, 0.845},      // group_mapped:fitting
    {1.13, 1.55, 46.9, 0.849},      // group_mapped:fitting * 2
    {1.18, 2.01, 45.4, 1},          // group_mapped:fitting * 4
    {1.16, 1.47, 3.01, 0.14},       // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::delay, 0.2, 3},              // delay <= 0.2? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 112 matrices of 30 groups, loses 4.1 %
    /*  3 */ {feature::none, 0, 1},                 // merge_path, 7 matrices of 7 groups, loses 2.2 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 32 matrices of 13 groups, loses 0.4 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {112, 30, true, 1.26, 0},
    {7, 7, true, 1.5, 0},
    {32, 13, true, 1.9, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1, 1.26, 2.96, 0.227},         // group_mapped:fitting / 4
    {1, 1.21, 2.75, 0.1},           // group_mapped:fitting / 2
    {1, 1.14, 2.73, 0.0409},        // group_mapped:fitting
    {1, 1.19, 3.35, 0.199},         // group_mapped:fitting * 2
    {1.01, 1.41, 6.2, 0.557},       // group_mapped:fitting * 4
    {1.06, 1.25, 2.91, 0.17},       // merge_path
    // leaf 1
    {2.43, 3.33, 4.85, 1.34},       // group_mapped:fitting / 4
    {1.72, 2.3, 3.03, 0.571},       // group_mapped:fitting / 2
    {1.43, 1.72, 2.07, 0.159},      // group_mapped:fitting
    {1.43, 1.62, 1.84, 0.0997},     // group_mapped:fitting * 2
    {1.65, 2.02, 2.18, 0.317},      // group_mapped:fitting * 4
    {1.33, 1.47, 1.75, 0.0219},     // merge_path
    // leaf 2
    {6.08, 31.2, 58.4, 2.92},       // group_mapped:fitting / 4
    {3.64, 29.9, 58.4, 2.75},       // group_mapped:fitting / 2
    {2.51, 27.7, 56.3, 2.51},       // group_mapped:fitting
    {1.85, 24.1, 56.3, 2.3},        // group_mapped:fitting * 2
    {1.81, 14.3, 51.6, 2.17},       // group_mapped:fitting * 4
    {1.37, 1.69, 3, 0.00392},       // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 84be77489c8a",
    .proved = true,
    .launch_us = 4.83,
    .gb_per_s = 4.02e+03,
    .gather_us = 27.9,
    .gather_ns = 0.00351,
    .copy_us = 27.1,
    .step_ns = 85.2,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
