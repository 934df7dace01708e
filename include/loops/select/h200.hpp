// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-f32-f64.json spmv-h200-generated.json --name
/// h200 --schedules merge_path,group_mapped -o h200.hpp
///
/// Trained on NVIDIA H200, commit 767484312881.
/// On 160 rows of 16 groups held out, 100 uses: 94.9 % of the oracle in geometric mean,
/// 1.052 of its time in total, 1.21 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.6 % of the oracle in geometric mean,
/// 1.015 of its time in total, 1.19 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.655},
    {"group_mapped", candidate::fitted, -1, 0.655},
    {"group_mapped", candidate::fitted, 0, 0.655},
    {"group_mapped", candidate::fitted, 1, 0.655},
    {"group_mapped", candidate::fitted, 2, 0.655},
    {"merge_path", 0, 0, 14.7},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 31 matrices of 16 groups, loses 5.3 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 78 matrices of 33 groups, loses 20.2 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.06, 0.0136},
    {78, 33, true, 1.43, 0.0584},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.994, 1.09, 1.74, 0.205},     // group_mapped:fitting / 4
    {1, 1.09, 1.45, 0.122},         // group_mapped:fitting / 2
    {1.01, 1.1, 1.22, 0.0685},      // group_mapped:fitting
    {1.01, 1.12, 1.23, 0.053},      // group_mapped:fitting * 2
    {1.01, 1.14, 1.23, 0.0649},     // group_mapped:fitting * 4
    {1.13, 1.24, 1.56, 0.21},       // merge_path
    // leaf 1
    {1.1, 1.53, 42.4, 1.1},         // group_mapped:fitting / 4
    {1.09, 1.42, 42.4, 0.954},      // group_mapped:fitting / 2
    {1.08, 1.48, 42.4, 0.877},      // group_mapped:fitting
    {1.17, 1.82, 42.4, 0.959},      // group_mapped:fitting * 2
    {1.19, 2.42, 40.3, 1.21},       // group_mapped:fitting * 4
    {1.25, 1.56, 2.93, 0.202},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::steps, 30, 14},              // steps <= 30? else line 14
    /*  1 */ {feature::steps, 14, 13},              // steps <= 14? else line 13
    /*  2 */ {feature::rounds, 0.568, 8},           // rounds <= 0.568? else line 8
    /*  3 */ {feature::atoms, 100, 5},              // atoms <= 100? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 6 matrices of 4 groups, loses 0.7 %
    /*  5 */ {feature::steps, 1.5, 7},              // steps <= 1.5? else line 7
    /*  6 */ {feature::none, 0, 1},                 // group_mapped:fitting / 2, 6 matrices of 4 groups, loses 0.5 %
    /*  7 */ {feature::none, 0, 2},                 // group_mapped:fitting, 44 matrices of 20 groups, loses 0.6 %
    /*  8 */ {feature::steps, 5, 12},               // steps <= 5? else line 12
    /*  9 */ {feature::skew, 1.003, 11},            // skew <= 1.003? else line 11
    /* 10 */ {feature::none, 0, 3},                 // group_mapped:fitting, 6 matrices of 5 groups, loses 0.3 %
    /* 11 */ {feature::none, 0, 4},                 // group_mapped:fitting / 2, 7 matrices of 6 groups, loses 0.2 %
    /* 12 */ {feature::none, 0, 5},                 // group_mapped:fitting, 15 matrices of 10 groups, loses 5.4 %
    /* 13 */ {feature::none, 0, 6},                 // merge_path, 4 matrices of 4 groups, loses 4.4 %
    /* 14 */ {feature::none, 0, 7},                 // merge_path, 21 matrices of 13 groups, loses 6.1 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {6, 4, true, 0.989, 0},
    {6, 4, true, 1.1, 0},
    {44, 20, true, 1.11, 0},
    {6, 5, true, 1.13, 0},
    {7, 6, true, 1.27, 0},
    {15, 10, true, 1.61, 0},
    {4, 4, true, 1.63, 0},
    {21, 13, true, 1.87, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.977, 1.03, 1.08, 0.0456},    // group_mapped:fitting / 4
    {0.977, 1.03, 1.08, 0.0456},    // group_mapped:fitting / 2
    {0.992, 1.01, 1.03, 0.0254},    // group_mapped:fitting
    {0.967, 1, 1.02, 0.00749},      // group_mapped:fitting * 2
    {0.99, 1.01, 1.04, 0.0244},     // group_mapped:fitting * 4
    {1.11, 1.15, 1.18, 0.162},      // merge_path
    // leaf 1
    {1.12, 1.18, 1.29, 0.0873},     // group_mapped:fitting / 4
    {1.06, 1.11, 1.15, 0.0045},     // group_mapped:fitting / 2
    {1.06, 1.13, 1.15, 0.0111},     // group_mapped:fitting
    {1.07, 1.15, 1.29, 0.0574},     // group_mapped:fitting * 2
    {1.09, 1.17, 1.66, 0.174},      // group_mapped:fitting * 4
    {1.2, 1.26, 1.71, 0.226},       // merge_path
    // leaf 2
    {1.06, 1.22, 1.41, 0.117},      // group_mapped:fitting / 4
    {1.06, 1.21, 1.3, 0.081},       // group_mapped:fitting / 2
    {1.02, 1.1, 1.27, 0.00558},     // group_mapped:fitting
    {1.02, 1.14, 1.33, 0.0462},     // group_mapped:fitting * 2
    {1.05, 1.14, 1.57, 0.112},      // group_mapped:fitting * 4
    {1.19, 1.31, 1.6, 0.229},       // merge_path
    // leaf 3
    {0.946, 1.13, 1.44, 0.0305},    // group_mapped:fitting / 4
    {0.946, 1.13, 1.47, 0.0132},    // group_mapped:fitting / 2
    {0.946, 1.12, 1.44, 0.00255},   // group_mapped:fitting
    {1.21, 1.36, 1.51, 0.229},      // group_mapped:fitting * 2
    {1.81, 2.01, 2.48, 0.888},      // group_mapped:fitting * 4
    {1.38, 1.56, 1.84, 0.416},      // merge_path
    // leaf 4
    {1.17, 1.31, 1.48, 0.0316},     // group_mapped:fitting / 4
    {1.17, 1.25, 1.48, 0.00154},    // group_mapped:fitting / 2
    {1.24, 1.37, 1.49, 0.0821},     // group_mapped:fitting
    {1.63, 1.74, 2.07, 0.392},      // group_mapped:fitting * 2
    {2.41, 2.57, 3.18, 1.08},       // group_mapped:fitting * 4
    {1.47, 1.52, 1.77, 0.245},      // merge_path
    // leaf 5
    {1.46, 2.26, 4.64, 0.546},      // group_mapped:fitting / 4
    {1.25, 1.69, 3.83, 0.214},      // group_mapped:fitting / 2
    {1.09, 1.5, 3.38, 0.0536},      // group_mapped:fitting
    {1.16, 1.91, 3.29, 0.188},      // group_mapped:fitting * 2
    {1.59, 2.16, 3.16, 0.455},      // group_mapped:fitting * 4
    {1.18, 1.65, 3.34, 0.175},      // merge_path
    // leaf 6
    {3.14, 3.87, 4.36, 1.34},       // group_mapped:fitting / 4
    {2.15, 2.58, 2.86, 0.563},      // group_mapped:fitting / 2
    {1.7, 1.88, 2.03, 0.159},       // group_mapped:fitting
    {1.71, 1.81, 1.9, 0.127},       // group_mapped:fitting * 2
    {1.71, 2.03, 2.71, 0.307},      // group_mapped:fitting * 4
    {1.35, 1.73, 2, 0.0438},        // merge_path
    // leaf 7
    {5.21, 31.4, 59.4, 2.88},       // group_mapped:fitting / 4
    {3.18, 30.3, 59.4, 2.66},       // group_mapped:fitting / 2
    {2.14, 29.3, 59.4, 2.42},       // group_mapped:fitting
    {1.84, 29.3, 57.5, 2.33},       // group_mapped:fitting * 2
    {1.91, 21.6, 50.1, 2.27},       // group_mapped:fitting * 4
    {1.48, 1.73, 3.18, 0.0614},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 767484312881",
    .proved = true,
    .launch_us = 4.86,
    .gb_per_s = 4.01e+03,
    .gather_us = 26.9,
    .gather_ns = 0.00676,
    .step_ns = 83.9,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
