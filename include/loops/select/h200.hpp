// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-f32-f64.json spmv-h200-generated.json --name
/// h200 --schedules merge_path,nonzero_split,group_mapped -o h200.hpp
///
/// Trained on NVIDIA H200, commit 767484312881.
/// On 160 rows of 16 groups held out, 100 uses: 94.8 % of the oracle in geometric mean,
/// 1.054 of its time in total, 1.44 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.4 % of the oracle in geometric mean,
/// 1.018 of its time in total, 1.19 at worst.
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
    {"nonzero_split", 0, 0, 14.7},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 6},             // atoms <= 7900? else line 6
    /*  1 */ {feature::tiles, 400, 5},              // tiles <= 400? else line 5
    /*  2 */ {feature::mean, 7.2, 4},               // mean <= 7.2? else line 4
    /*  3 */ {feature::none, 0, 0},                 // group_mapped:fitting / 4, 15 matrices of 9 groups, loses 1.5 %
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting, 8 matrices of 7 groups, loses 2.4 %
    /*  5 */ {feature::none, 0, 2},                 // group_mapped:fitting * 4, 8 matrices of 6 groups, loses 5.8 %
    /*  6 */ {feature::atoms, 46000, 10},           // atoms <= 46000? else line 10
    /*  7 */ {feature::mean, 7, 9},                 // mean <= 7? else line 9
    /*  8 */ {feature::none, 0, 3},                 // merge_path, 12 matrices of 12 groups, loses 12.1 %
    /*  9 */ {feature::none, 0, 4},                 // group_mapped:fitting * 4, 8 matrices of 7 groups, loses 19.8 %
    /* 10 */ {feature::atoms, 3970000, 12},         // atoms <= 3970000? else line 12
    /* 11 */ {feature::none, 0, 5},                 // merge_path, 42 matrices of 27 groups, loses 17.1 %
    /* 12 */ {feature::none, 0, 6},                 // nonzero_split, 16 matrices of 9 groups, loses 20.6 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {15, 9, true, 1.03, 0.0147},
    {8, 7, true, 1.08, 0.000684},
    {8, 6, true, 1.13, 0.00459},
    {12, 12, true, 1.22, 0.0268},
    {8, 7, true, 1.24, 0.0139},
    {42, 27, true, 1.44, 0.0325},
    {16, 9, true, 1.64, 0.128},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.987, 1.03, 1.11, 0.0153},    // group_mapped:fitting / 4
    {0.979, 1.05, 1.1, 0.0202},     // group_mapped:fitting / 2
    {0.999, 1.04, 1.12, 0.0284},    // group_mapped:fitting
    {1.01, 1.08, 1.16, 0.0484},     // group_mapped:fitting * 2
    {1.01, 1.11, 1.18, 0.0702},     // group_mapped:fitting * 4
    {1.11, 1.19, 1.32, 0.179},      // merge_path
    {1.22, 1.3, 1.74, 0.368},       // nonzero_split
    // leaf 1
    {1.01, 1.12, 1.25, 0.0584},     // group_mapped:fitting / 4
    {1.03, 1.1, 1.22, 0.0283},      // group_mapped:fitting / 2
    {1.03, 1.11, 1.15, 0.0236},     // group_mapped:fitting
    {1.06, 1.14, 1.16, 0.0473},     // group_mapped:fitting * 2
    {1.1, 1.14, 1.17, 0.0606},      // group_mapped:fitting * 4
    {1.21, 1.33, 1.57, 0.261},      // merge_path
    {1.3, 1.65, 1.8, 0.485},        // nonzero_split
    // leaf 2
    {1.08, 1.18, 3.4, 0.425},       // group_mapped:fitting / 4
    {1.1, 1.12, 2.44, 0.234},       // group_mapped:fitting / 2
    {1.1, 1.15, 1.76, 0.114},       // group_mapped:fitting
    {1.12, 1.15, 1.41, 0.0619},     // group_mapped:fitting * 2
    {1.13, 1.18, 1.27, 0.0581},     // group_mapped:fitting * 4
    {1.23, 1.28, 1.59, 0.21},       // merge_path
    {1.56, 1.74, 1.87, 0.535},      // nonzero_split
    // leaf 3
    {1.1, 1.15, 13.4, 0.781},       // group_mapped:fitting / 4
    {1.11, 1.16, 7.12, 0.599},      // group_mapped:fitting / 2
    {1.11, 1.22, 4.37, 0.464},      // group_mapped:fitting
    {1.14, 1.51, 2.92, 0.357},      // group_mapped:fitting * 2
    {1.27, 1.95, 2.48, 0.523},      // group_mapped:fitting * 4
    {1.25, 1.31, 1.64, 0.121},      // merge_path
    {1.57, 1.78, 1.96, 0.471},      // nonzero_split
    // leaf 4
    {1.11, 1.33, 12.3, 0.729},      // group_mapped:fitting / 4
    {1.11, 1.24, 7.24, 0.597},      // group_mapped:fitting / 2
    {1.15, 1.23, 4.07, 0.375},      // group_mapped:fitting
    {1.17, 1.23, 2.49, 0.198},      // group_mapped:fitting * 2
    {1.17, 1.38, 1.96, 0.198},      // group_mapped:fitting * 4
    {1.31, 1.56, 1.69, 0.256},      // merge_path
    {1.58, 1.73, 1.98, 0.417},      // nonzero_split
    // leaf 5
    {1.11, 1.48, 40.9, 1.28},       // group_mapped:fitting / 4
    {1.11, 1.47, 40.9, 1.17},       // group_mapped:fitting / 2
    {1.19, 1.57, 40.9, 1.14},       // group_mapped:fitting
    {1.5, 2.01, 40.9, 1.3},         // group_mapped:fitting * 2
    {1.93, 2.9, 40.1, 1.64},        // group_mapped:fitting * 4
    {1.3, 1.62, 2.09, 0.171},       // merge_path
    {1.58, 1.81, 2.31, 0.322},      // nonzero_split
    // leaf 6
    {1, 2.36, 54.3, 1.06},          // group_mapped:fitting / 4
    {0.998, 1.79, 54.3, 0.841},     // group_mapped:fitting / 2
    {0.982, 1.38, 54.3, 0.734},     // group_mapped:fitting
    {1.13, 1.7, 54.3, 0.816},       // group_mapped:fitting * 2
    {1.4, 2.24, 46.4, 1.01},        // group_mapped:fitting * 4
    {1.18, 1.82, 3.33, 0.255},      // merge_path
    {1.07, 1.74, 3.25, 0.206},      // nonzero_split
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::steps, 30, 8},               // steps <= 30? else line 8
    /*  1 */ {feature::steps, 14, 7},               // steps <= 14? else line 7
    /*  2 */ {feature::atoms, 14000000, 6},         // atoms <= 14000000? else line 6
    /*  3 */ {feature::atoms, 100, 5},              // atoms <= 100? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 6 matrices of 4 groups, loses 0.7 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 73 matrices of 29 groups, loses 2.6 %
    /*  6 */ {feature::none, 0, 2},                 // nonzero_split, 5 matrices of 4 groups, loses 5.4 %
    /*  7 */ {feature::none, 0, 3},                 // merge_path, 4 matrices of 4 groups, loses 4.4 %
    /*  8 */ {feature::steps, 200, 10},             // steps <= 200? else line 10
    /*  9 */ {feature::none, 0, 4},                 // merge_path, 6 matrices of 6 groups, loses 13.6 %
    /* 10 */ {feature::rounds, 1.4, 12},            // rounds <= 1.4? else line 12
    /* 11 */ {feature::none, 0, 5},                 // merge_path, 10 matrices of 8 groups, loses 0.6 %
    /* 12 */ {feature::none, 0, 6},                 // nonzero_split, 5 matrices of 2 groups, loses 0.4 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {6, 4, true, 0.989, 0},
    {73, 29, true, 1.2, 0},
    {5, 4, true, 1.29, 0},
    {4, 4, true, 1.63, 0},
    {6, 6, true, 1.49, 0},
    {10, 8, true, 1.75, 0},
    {5, 2, false, 2.75, 0},
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
    {1.21, 1.24, 1.28, 0.255},      // nonzero_split
    // leaf 1
    {1.06, 1.26, 2.51, 0.199},      // group_mapped:fitting / 4
    {1.05, 1.22, 1.87, 0.0841},     // group_mapped:fitting / 2
    {1.02, 1.13, 1.69, 0.0255},     // group_mapped:fitting
    {1.05, 1.18, 2.14, 0.127},      // group_mapped:fitting * 2
    {1.06, 1.2, 2.95, 0.348},       // group_mapped:fitting * 4
    {1.2, 1.38, 1.92, 0.262},       // merge_path
    {1.34, 1.73, 2.06, 0.473},      // nonzero_split
    // leaf 2
    {1.06, 1.97, 3.59, 0.508},      // group_mapped:fitting / 4
    {1.06, 1.29, 3.59, 0.32},       // group_mapped:fitting / 2
    {1.02, 1.18, 3.17, 0.078},      // group_mapped:fitting
    {1.13, 1.31, 3, 0.179},         // group_mapped:fitting * 2
    {1.57, 2.03, 2.9, 0.694},       // group_mapped:fitting * 4
    {1.15, 1.23, 3.01, 0.166},      // merge_path
    {1.05, 1.09, 2.83, 0.0537},     // nonzero_split
    // leaf 3
    {3.14, 3.87, 4.36, 1.34},       // group_mapped:fitting / 4
    {2.15, 2.58, 2.86, 0.563},      // group_mapped:fitting / 2
    {1.7, 1.88, 2.03, 0.159},       // group_mapped:fitting
    {1.71, 1.81, 1.9, 0.127},       // group_mapped:fitting * 2
    {1.71, 2.03, 2.71, 0.307},      // group_mapped:fitting * 4
    {1.35, 1.73, 2, 0.0438},        // merge_path
    {1.71, 1.92, 2.24, 0.202},      // nonzero_split
    // leaf 4
    {2, 7.3, 16.4, 2.58},           // group_mapped:fitting / 4
    {1.25, 4.47, 8.7, 1.83},        // group_mapped:fitting / 2
    {1.12, 2.8, 4.9, 0.951},        // group_mapped:fitting
    {1.12, 2, 3.93, 0.599},         // group_mapped:fitting * 2
    {1.12, 2.52, 3.88, 0.702},      // group_mapped:fitting * 4
    {1.48, 1.63, 1.73, 0.136},      // merge_path
    {1.61, 1.76, 2.06, 0.23},       // nonzero_split
    // leaf 5
    {19.2, 33.8, 40.2, 3},          // group_mapped:fitting / 4
    {18, 31.4, 40.2, 3},            // group_mapped:fitting / 2
    {12.3, 31.1, 40.2, 3},          // group_mapped:fitting
    {9.75, 31.1, 40.2, 3},          // group_mapped:fitting * 2
    {5.68, 29.3, 40.2, 2.89},       // group_mapped:fitting * 4
    {1.48, 1.76, 2.06, 0.00647},    // merge_path
    {1.73, 1.96, 2.27, 0.148},      // nonzero_split
    // leaf 6
    {15.6, 50, 62.7, 3},            // group_mapped:fitting / 4
    {15.6, 50, 62.7, 3},            // group_mapped:fitting / 2
    {15.6, 50, 62.7, 3},            // group_mapped:fitting
    {13.5, 50, 62.7, 3},            // group_mapped:fitting * 2
    {9.3, 44.1, 59.4, 2.86},        // group_mapped:fitting * 4
    {2.49, 2.77, 3.23, 0.0248},     // merge_path
    {2.38, 2.76, 3.19, 0.00362},    // nonzero_split
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
