// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-tiles-suitesparse.json spmv-h200-generated.json
/// spmv-h200-generated-large.json --name h200 --schedules merge_path,group_mapped,nonzero_split -o
/// h200.hpp
///
/// Trained on NVIDIA H200, commit 71491328730e.
/// On 160 rows of 16 groups held out, 100 uses: 94.5 % of the oracle in geometric mean,
/// 1.058 of its time in total, 1.54 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.0 % of the oracle in geometric mean,
/// 1.020 of its time in total, 1.18 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many atoms
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.599},
    {"group_mapped", candidate::fitted, -1, 0.599},
    {"group_mapped", candidate::fitted, 0, 0.599},
    {"group_mapped", candidate::fitted, 1, 0.599},
    {"group_mapped", candidate::fitted, 2, 0.599},
    {"merge_path", 0, 0, 14, "nonzero_split", 9700000},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 4},             // atoms <= 7900? else line 4
    /*  1 */ {feature::tiles, 400, 3},              // tiles <= 400? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 23 matrices of 14 groups, loses 3.1 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 8 matrices of 6 groups, loses 6.7 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 120 matrices of 33 groups, loses 14.2 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {23, 14, true, 1.03, 0.0093},
    {8, 6, true, 1.12, 0.0474},
    {120, 33, true, 1.49, 0.0531},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.98, 1.05, 1.18, 0.0351},     // group_mapped:fitting / 4
    {0.982, 1.05, 1.14, 0.0313},    // group_mapped:fitting / 2
    {0.987, 1.08, 1.14, 0.0418},    // group_mapped:fitting
    {0.993, 1.09, 1.17, 0.0559},    // group_mapped:fitting * 2
    {1.01, 1.11, 1.16, 0.0733},     // group_mapped:fitting * 4
    {1.05, 1.12, 1.27, 0.116},      // merge_path
    // leaf 1
    {1.06, 1.16, 3.26, 0.42},       // group_mapped:fitting / 4
    {1.08, 1.12, 2.25, 0.221},      // group_mapped:fitting / 2
    {1.08, 1.13, 1.68, 0.108},      // group_mapped:fitting
    {1.12, 1.15, 1.35, 0.067},      // group_mapped:fitting * 2
    {1.13, 1.17, 1.31, 0.0672},     // group_mapped:fitting * 4
    {1.15, 1.19, 1.4, 0.106},       // merge_path
    // leaf 2
    {1.07, 1.99, 48.9, 1.04},       // group_mapped:fitting / 4
    {1.07, 1.52, 48.9, 0.911},      // group_mapped:fitting / 2
    {1.07, 1.52, 48.9, 0.847},      // group_mapped:fitting
    {1.12, 1.81, 47.3, 0.902},      // group_mapped:fitting * 2
    {1.17, 2.35, 45.8, 1.12},       // group_mapped:fitting * 4
    {1.16, 1.46, 3.06, 0.142},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::excess, 43, 6},              // excess <= 43? else line 6
    /*  1 */ {feature::skew, 10, 3},                // skew <= 10? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 111 matrices of 29 groups, loses 4.7 %
    /*  3 */ {feature::steps, 7.14, 5},             // steps <= 7.14? else line 5
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting, 4 matrices of 4 groups, loses 2.0 %
    /*  5 */ {feature::none, 0, 2},                 // merge_path, 8 matrices of 8 groups, loses 1.4 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 28 matrices of 11 groups, loses 0.3 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {111, 29, true, 1.26, 0},
    {4, 4, true, 1.24, 0},
    {8, 8, true, 1.47, 0},
    {28, 11, true, 2.01, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1, 1.24, 3.2, 0.244},          // group_mapped:fitting / 4
    {1.01, 1.2, 2.8, 0.111},        // group_mapped:fitting / 2
    {0.98, 1.14, 2.76, 0.0466},     // group_mapped:fitting
    {1.01, 1.19, 3.38, 0.215},      // group_mapped:fitting * 2
    {1.01, 1.47, 6.19, 0.595},      // group_mapped:fitting * 4
    {1.06, 1.25, 3, 0.174},         // merge_path
    // leaf 1
    {1.21, 1.35, 1.97, 0.188},      // group_mapped:fitting / 4
    {1.22, 1.29, 1.58, 0.0751},     // group_mapped:fitting / 2
    {1.13, 1.27, 1.38, 0.0197},     // group_mapped:fitting
    {1.15, 1.4, 1.73, 0.151},       // group_mapped:fitting * 2
    {1.15, 1.4, 2.4, 0.294},        // group_mapped:fitting * 4
    {1.25, 1.32, 1.46, 0.0864},     // merge_path
    // leaf 2
    {1.8, 2.72, 5.42, 1.23},        // group_mapped:fitting / 4
    {1.49, 1.95, 3.29, 0.549},      // group_mapped:fitting / 2
    {1.52, 1.7, 2.22, 0.249},       // group_mapped:fitting
    {1.73, 1.94, 2.16, 0.325},      // group_mapped:fitting * 2
    {1.73, 2.38, 3.15, 0.678},      // group_mapped:fitting * 4
    {1.31, 1.49, 1.69, 0.0141},     // merge_path
    // leaf 3
    {7.62, 33.6, 61.7, 2.94},       // group_mapped:fitting / 4
    {4.52, 31.3, 61.7, 2.83},       // group_mapped:fitting / 2
    {2.88, 29.6, 60.8, 2.68},       // group_mapped:fitting
    {2.01, 28.4, 60.8, 2.53},       // group_mapped:fitting * 2
    {2.4, 19, 54.8, 2.43},          // group_mapped:fitting * 4
    {1.42, 1.87, 3.09, 0.00284},    // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 71491328730e",
    .proved = true,
    .launch_us = 4.8,
    .gb_per_s = 4.01e+03,
    .gather_us = 26.9,
    .gather_ns = 0.00402,
    .step_ns = 87.8,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
