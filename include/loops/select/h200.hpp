// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-f32-f64.json --name h200 -o h200.hpp
///
/// Trained on NVIDIA H200, commit bb80b72e284a.
/// What the pass over the tiles costs is an assumption.
/// On 160 rows of 16 groups held out, 100 uses: 92.1 % of the oracle in geometric mean,
/// 1.093 of its time in total, 1.61 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 96.0 % of the oracle in geometric mean,
/// 1.047 of its time in total, 1.37 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 2.27},
    {"group_mapped", candidate::fitted, -1, 2.27},
    {"group_mapped", candidate::fitted, 0, 2.27},
    {"group_mapped", candidate::fitted, 1, 2.27},
    {"group_mapped", candidate::fitted, 2, 2.27},
    {"merge_path", 0, 0, 14.8},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 30000, 4},            // atoms <= 30000? else line 4
    /*  1 */ {feature::tiles, 1000, 3},             // tiles <= 1000? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 32 matrices of 14 groups, loses 5.0 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 8 matrices of 7 groups, loses 11.8 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 33 matrices of 20 groups, loses 41.8 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {32, 14, true, 1.07, 0.0315},
    {8, 7, true, 1.18, 0.00751},
    {33, 20, true, 1.51, 0.094},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {1.01, 1.12, 1.49, 0.128},      // group_mapped:fitting / 4
    {1.03, 1.11, 1.36, 0.0726},     // group_mapped:fitting / 2
    {1.03, 1.12, 1.25, 0.0504},     // group_mapped:fitting
    {1.01, 1.16, 1.25, 0.0739},     // group_mapped:fitting * 2
    {1.03, 1.16, 1.25, 0.0776},     // group_mapped:fitting * 4
    {1.13, 1.86, 2.01, 0.574},      // merge_path
    // leaf 1
    {1.14, 1.21, 4.69, 0.561},      // group_mapped:fitting / 4
    {1.14, 1.18, 3, 0.274},         // group_mapped:fitting / 2
    {1.11, 1.2, 2.07, 0.136},       // group_mapped:fitting
    {1.15, 1.24, 1.61, 0.118},      // group_mapped:fitting * 2
    {1.2, 1.35, 2, 0.263},          // group_mapped:fitting * 4
    {1.88, 1.99, 2.11, 0.698},      // merge_path
    // leaf 2
    {1.13, 1.61, 46.3, 1.08},       // group_mapped:fitting / 4
    {1.15, 1.44, 46.3, 0.858},      // group_mapped:fitting / 2
    {1.17, 1.61, 46.3, 0.757},      // group_mapped:fitting
    {1.31, 1.99, 46.3, 0.905},      // group_mapped:fitting * 2
    {1.7, 2.67, 46.3, 1.27},        // group_mapped:fitting * 4
    {1.72, 2, 2.53, 0.418},         // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::steps, 30, 2},               // steps <= 30? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 64 matrices of 24 groups, loses 3.7 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 9 matrices of 9 groups, loses 11.7 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {64, 24, true, 1.18, 0},
    {9, 9, true, 2.05, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1.04, 1.29, 3.52, 0.286},      // group_mapped:fitting / 4
    {1.04, 1.26, 2.27, 0.165},      // group_mapped:fitting / 2
    {1.02, 1.15, 1.87, 0.0366},     // group_mapped:fitting
    {1.03, 1.17, 2.04, 0.0985},     // group_mapped:fitting * 2
    {1.03, 1.19, 2.75, 0.262},      // group_mapped:fitting * 4
    {1.18, 1.92, 2.24, 0.574},      // merge_path
    // leaf 1
    {1.73, 19, 50.2, 2.73},         // group_mapped:fitting / 4
    {1.15, 19, 50.2, 2.34},         // group_mapped:fitting / 2
    {1.13, 19, 50.2, 1.98},         // group_mapped:fitting
    {1.13, 18.2, 50.2, 1.89},       // group_mapped:fitting * 2
    {1.13, 11.8, 50.2, 1.96},       // group_mapped:fitting * 4
    {1.79, 2.15, 2.82, 0.117},      // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit bb80b72e284a",
    .proved = true,
    .launch_us = 4.42,
    .gb_per_s = 4.01e+03,
    .gather_us = 25,
    .gather_ns = 0.002,
    .step_ns = 86.6,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
