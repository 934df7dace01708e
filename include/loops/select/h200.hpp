// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json --name
/// h200 --schedules merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 91df102e6914.
/// On 160 rows of 16 groups held out, 100 uses: 97.2 % of the oracle in geometric mean,
/// 1.028 of its time in total, 1.12 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.9 % of the oracle in geometric mean,
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
    {"group_mapped", candidate::fitted, -2, 0.729},
    {"group_mapped", candidate::fitted, -1, 0.729},
    {"group_mapped", candidate::fitted, 0, 0.729, {"nonzero_split", 60000000, 7, 80}, {"merge_path", 1130000, 0, 50}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 1, 0.729, {"nonzero_split", 30000000, 0}, {"merge_path", 5000, 0, 62}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 2, 0.729},
    {"merge_path", 0, 0, 16.9, {"nonzero_split", 30000000, 0, 0, 120000000}, {}, {"wide_split", 30000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.5 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 231 matrices of 38 groups, loses 20.0 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.02, 0.0128, 0.924},
    {231, 38, true, 1.53, 0.0475, 7.12},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.952, 1.04, 1.35, 0.135},     // group_mapped:fitting / 4
    {0.946, 1.05, 1.2, 0.0734},     // group_mapped:fitting / 2
    {0.946, 1.05, 1.14, 0.0448},    // group_mapped:fitting
    {0.946, 1.08, 1.14, 0.0476},    // group_mapped:fitting * 2
    {0.959, 1.09, 1.18, 0.0663},    // group_mapped:fitting * 4
    {1.08, 1.21, 1.3, 0.181},       // merge_path
    // leaf 1
    {1.05, 2.26, 46.4, 1.07},       // group_mapped:fitting / 4
    {1.03, 1.81, 46.4, 0.903},      // group_mapped:fitting / 2
    {1.03, 1.55, 45.2, 0.808},      // group_mapped:fitting
    {1.12, 1.59, 42.1, 0.815},      // group_mapped:fitting * 2
    {1.2, 2.16, 36.1, 1.02},        // group_mapped:fitting * 4
    {1.09, 1.52, 3.22, 0.2},        // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.8, 8},              // delay <= 0.8? else line 8
    /*  1 */ {feature::tiles, 70000, 7},            // tiles <= 70000? else line 7
    /*  2 */ {feature::steps, 13, 6},               // steps <= 13? else line 6
    /*  3 */ {feature::steps, 2, 5},                // steps <= 2? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 29 matrices of 15 groups, loses 1.5 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 53 matrices of 21 groups, loses 1.5 %
    /*  6 */ {feature::none, 0, 2},                 // group_mapped:fitting * 2, 18 matrices of 9 groups, loses 2.3 %
    /*  7 */ {feature::none, 0, 3},                 // group_mapped:fitting, 105 matrices of 15 groups, loses 2.8 %
    /*  8 */ {feature::none, 0, 4},                 // merge_path, 60 matrices of 16 groups, loses 2.3 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.09, 0, 0},
    {53, 21, true, 1.22, 0, 0},
    {18, 9, true, 1.36, 0, 0},
    {105, 15, true, 1.51, 0, 0},
    {60, 16, true, 1.85, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.958, 1.09, 1.47, 0.0422},    // group_mapped:fitting / 4
    {0.958, 1.07, 1.47, 0.0151},    // group_mapped:fitting / 2
    {0.974, 1.06, 1.44, 0.0197},    // group_mapped:fitting
    {0.968, 1.09, 1.47, 0.0624},    // group_mapped:fitting * 2
    {0.951, 1.1, 2.05, 0.21},       // group_mapped:fitting * 4
    {1.09, 1.24, 1.59, 0.194},      // merge_path
    // leaf 1
    {0.999, 1.2, 3.77, 0.115},      // group_mapped:fitting / 4
    {0.993, 1.12, 3.54, 0.0456},    // group_mapped:fitting / 2
    {0.959, 1.1, 3.39, 0.0151},     // group_mapped:fitting
    {0.953, 1.13, 3.35, 0.0548},    // group_mapped:fitting * 2
    {0.96, 1.14, 3.83, 0.176},      // group_mapped:fitting * 4
    {1.09, 1.27, 3.6, 0.302},       // merge_path
    // leaf 2
    {0.987, 2.08, 3.56, 0.586},     // group_mapped:fitting / 4
    {0.979, 1.61, 3.1, 0.206},      // group_mapped:fitting / 2
    {0.951, 1.4, 2.39, 0.0304},     // group_mapped:fitting
    {0.951, 1.35, 2.39, 0.0233},    // group_mapped:fitting * 2
    {0.951, 1.49, 2.48, 0.112},     // group_mapped:fitting * 4
    {0.961, 1.66, 4.79, 0.439},     // merge_path
    // leaf 3
    {1.06, 1.89, 3.54, 0.304},      // group_mapped:fitting / 4
    {1.02, 1.39, 3.33, 0.11},       // group_mapped:fitting / 2
    {1.01, 1.26, 3.13, 0.0281},     // group_mapped:fitting
    {1.13, 1.5, 3.16, 0.189},       // group_mapped:fitting * 2
    {1.61, 2.42, 6.09, 0.937},      // group_mapped:fitting * 4
    {1.06, 1.42, 3.18, 0.179},      // merge_path
    // leaf 4
    {3.96, 28.8, 56.2, 2.81},       // group_mapped:fitting / 4
    {2.82, 26.2, 53, 2.6},          // group_mapped:fitting / 2
    {1.94, 7, 39.8, 1.88},          // group_mapped:fitting
    {1.6, 4.64, 36.7, 1.69},        // group_mapped:fitting * 2
    {1.71, 7.48, 45.3, 2.18},       // group_mapped:fitting * 4
    {1.36, 1.67, 2.91, 0.0226},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 91df102e6914",
    .proved = true,
    .launch_us = 4.8,
    .gb_per_s = 4.03e+03,
    .gather_us = 15.3,
    .gather_ns = 0.0172,
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
