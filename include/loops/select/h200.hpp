// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json --name
/// h200 --schedules merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit a398dab1ed71.
/// On 160 rows of 16 groups held out, 100 uses: 97.3 % of the oracle in geometric mean,
/// 1.027 of its time in total, 1.15 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.8 % of the oracle in geometric mean,
/// 1.011 of its time in total, 1.13 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place where columns are near each other, beyond how many bytes of atoms,
// and how many atoms per tile, up to how many; the same where they are far, beyond how
// many bytes that a tile lies over; and where they are strewn over a band, as the first
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.728},
    {"group_mapped", candidate::fitted, -1, 0.728},
    {"group_mapped", candidate::fitted, 0, 0.728, {"nonzero_split", 60000000, 7, 80}, {"merge_path", 1130000, 0, 50}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 1, 0.728, {"nonzero_split", 30000000, 0}, {"merge_path", 5000, 0, 62}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 2, 0.728},
    {"merge_path", 0, 0, 17, {"nonzero_split", 30000000, 0, 0, 120000000}, {}, {"wide_split", 30000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.5 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 245 matrices of 38 groups, loses 19.3 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.01, 0.0138, 0.931},
    {245, 38, true, 1.52, 0.0418, 8.68},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.944, 1.03, 1.34, 0.135},     // group_mapped:fitting / 4
    {0.937, 1.04, 1.19, 0.0734},    // group_mapped:fitting / 2
    {0.937, 1.04, 1.13, 0.0448},    // group_mapped:fitting
    {0.937, 1.07, 1.13, 0.0476},    // group_mapped:fitting * 2
    {0.95, 1.08, 1.17, 0.0663},     // group_mapped:fitting * 4
    {1.07, 1.2, 1.29, 0.181},       // merge_path
    // leaf 1
    {1.05, 2.35, 45.5, 1.07},       // group_mapped:fitting / 4
    {1.03, 1.87, 45.5, 0.895},      // group_mapped:fitting / 2
    {1.03, 1.64, 44.3, 0.792},      // group_mapped:fitting
    {1.11, 1.68, 40.8, 0.797},      // group_mapped:fitting * 2
    {1.19, 2.18, 35.3, 1},          // group_mapped:fitting * 4
    {1.08, 1.51, 3.24, 0.193},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 1.2, 12},             // delay <= 1.2? else line 12
    /*  1 */ {feature::tiles, 70000, 7},            // tiles <= 70000? else line 7
    /*  2 */ {feature::excess, 8, 6},               // excess <= 8? else line 6
    /*  3 */ {feature::steps, 2, 5},                // steps <= 2? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 29 matrices of 15 groups, loses 1.5 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 58 matrices of 21 groups, loses 2.1 %
    /*  6 */ {feature::none, 0, 2},                 // group_mapped:fitting * 2, 11 matrices of 6 groups, loses 1.3 %
    /*  7 */ {feature::atoms, 28000000, 11},        // atoms <= 28000000? else line 11
    /*  8 */ {feature::tiles, 2700000, 10},         // tiles <= 2700000? else line 10
    /*  9 */ {feature::none, 0, 3},                 // group_mapped:fitting, 97 matrices of 15 groups, loses 2.4 %
    /* 10 */ {feature::none, 0, 4},                 // group_mapped:fitting / 4, 6 matrices of 6 groups, loses 3.6 %
    /* 11 */ {feature::none, 0, 5},                 // merge_path, 8 matrices of 7 groups, loses 1.5 %
    /* 12 */ {feature::excess, 231, 18},            // excess <= 231? else line 18
    /* 13 */ {feature::tiles, 200000, 17},          // tiles <= 200000? else line 17
    /* 14 */ {feature::steps, 46, 16},              // steps <= 46? else line 16
    /* 15 */ {feature::none, 0, 6},                 // group_mapped:fitting * 2, 4 matrices of 4 groups, loses 5.2 %
    /* 16 */ {feature::none, 0, 7},                 // merge_path, 8 matrices of 6 groups, loses 1.0 %
    /* 17 */ {feature::none, 0, 8},                 // merge_path, 9 matrices of 3 groups, loses 3.4 %
    /* 18 */ {feature::none, 0, 9},                 // merge_path, 47 matrices of 10 groups, loses 1.5 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.08, 0, 0},
    {58, 21, true, 1.22, 0, 0},
    {11, 6, true, 1.37, 0, 0},
    {97, 15, true, 1.53, 0, 0},
    {6, 6, true, 1.48, 0, 0},
    {8, 7, true, 1.37, 0, 0},
    {4, 4, true, 1.5, 0, 0},
    {8, 6, true, 1.53, 0, 0},
    {9, 3, true, 1.57, 0, 0},
    {47, 10, true, 1.93, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.949, 1.08, 1.46, 0.0422},    // group_mapped:fitting / 4
    {0.949, 1.06, 1.46, 0.0151},    // group_mapped:fitting / 2
    {0.965, 1.05, 1.43, 0.0197},    // group_mapped:fitting
    {0.959, 1.08, 1.45, 0.0624},    // group_mapped:fitting * 2
    {0.942, 1.09, 2.03, 0.21},      // group_mapped:fitting * 4
    {1.08, 1.23, 1.58, 0.194},      // merge_path
    // leaf 1
    {0.99, 1.19, 3.8, 0.137},       // group_mapped:fitting / 4
    {0.979, 1.11, 3.63, 0.0485},    // group_mapped:fitting / 2
    {0.944, 1.09, 3.48, 0.0207},    // group_mapped:fitting
    {0.944, 1.12, 3.44, 0.0535},    // group_mapped:fitting * 2
    {0.944, 1.12, 3.85, 0.166},     // group_mapped:fitting * 4
    {1.07, 1.26, 5.28, 0.322},      // merge_path
    // leaf 2
    {1.72, 2.36, 3.13, 0.782},      // group_mapped:fitting / 4
    {1.33, 1.69, 2.27, 0.273},      // group_mapped:fitting / 2
    {1.13, 1.4, 1.61, 0.0237},      // group_mapped:fitting
    {1.13, 1.38, 1.61, 0.0127},     // group_mapped:fitting * 2
    {1.13, 1.54, 1.98, 0.145},      // group_mapped:fitting * 4
    {1.33, 1.67, 3.25, 0.412},      // merge_path
    // leaf 3
    {1.07, 1.95, 3.58, 0.315},      // group_mapped:fitting / 4
    {1.02, 1.43, 3.33, 0.117},      // group_mapped:fitting / 2
    {1.01, 1.27, 3.12, 0.0237},     // group_mapped:fitting
    {1.12, 1.5, 3.16, 0.174},       // group_mapped:fitting * 2
    {1.61, 2.44, 6.1, 0.87},        // group_mapped:fitting * 4
    {1.06, 1.46, 3.18, 0.181},      // merge_path
    // leaf 4
    {1.04, 1.21, 2.73, 0.0359},     // group_mapped:fitting / 4
    {1.04, 1.21, 2.73, 0.0359},     // group_mapped:fitting / 2
    {1.04, 1.27, 2.82, 0.0567},     // group_mapped:fitting
    {1.16, 1.49, 2.82, 0.157},      // group_mapped:fitting * 2
    {1.52, 2.88, 4.57, 1.01},       // group_mapped:fitting * 4
    {1.15, 1.27, 2.82, 0.064},      // merge_path
    // leaf 5
    {1.13, 1.7, 3.93, 0.411},       // group_mapped:fitting / 4
    {1.05, 1.25, 3.6, 0.118},       // group_mapped:fitting / 2
    {1.04, 1.14, 3.29, 0.0483},     // group_mapped:fitting
    {1.03, 1.33, 3.29, 0.256},      // group_mapped:fitting * 2
    {1.62, 2.11, 5.73, 1.19},       // group_mapped:fitting * 4
    {1, 1.14, 3.29, 0.015},         // merge_path
    // leaf 6
    {3.42, 3.9, 4.67, 1.63},        // group_mapped:fitting / 4
    {2.21, 2.49, 3, 0.699},         // group_mapped:fitting / 2
    {1.62, 1.95, 2.33, 0.293},      // group_mapped:fitting
    {1.45, 1.53, 1.85, 0.0522},     // group_mapped:fitting * 2
    {1.48, 1.71, 1.94, 0.161},      // group_mapped:fitting * 4
    {1.36, 1.57, 1.81, 0.0661},     // merge_path
    // leaf 7
    {4.85, 7.51, 11.5, 2.79},       // group_mapped:fitting / 4
    {3.02, 4.42, 6.06, 2},          // group_mapped:fitting / 2
    {2.37, 2.91, 3.52, 0.949},      // group_mapped:fitting
    {1.73, 2.47, 3.26, 0.617},      // group_mapped:fitting * 2
    {1.6, 2.08, 3.81, 0.552},       // group_mapped:fitting * 4
    {1.4, 1.54, 1.74, 0.00954},     // merge_path
    // leaf 8
    {1.43, 2.99, 3.91, 0.898},      // group_mapped:fitting / 4
    {1.43, 2.55, 3.31, 0.6},        // group_mapped:fitting / 2
    {1.43, 2.35, 2.83, 0.487},      // group_mapped:fitting
    {2.12, 2.91, 3.29, 0.861},      // group_mapped:fitting * 2
    {3.12, 4.85, 6.11, 2.1},        // group_mapped:fitting * 4
    {1.35, 1.5, 2.77, 0.0345},      // merge_path
    // leaf 9
    {6.4, 32, 58, 2.93},            // group_mapped:fitting / 4
    {5.04, 29.6, 55.5, 2.89},       // group_mapped:fitting / 2
    {2.27, 14.5, 40.5, 2.18},       // group_mapped:fitting
    {2.1, 8.31, 40.5, 2},           // group_mapped:fitting * 2
    {4.15, 19.5, 46.4, 2.6},        // group_mapped:fitting * 4
    {1.34, 1.84, 2.96, 0.0145},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit a398dab1ed71",
    .proved = true,
    .launch_us = 4.85,
    .gb_per_s = 4.01e+03,
    .gather_us = 15.3,
    .gather_ns = 0.0163,
    .copy_us = 8.66,
    .step_ns = 93.5,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
