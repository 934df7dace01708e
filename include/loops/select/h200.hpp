// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-f32-f64.json --name h200 --schedules
/// merge_path,group_mapped -o h200.hpp
///
/// Trained on NVIDIA H200, commit b801f674dcb6.
/// On 160 rows of 16 groups held out, 100 uses: 94.5 % of the oracle in geometric mean,
/// 1.059 of its time in total, 1.22 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.3 % of the oracle in geometric mean,
/// 1.022 of its time in total, 1.18 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.689},
    {"group_mapped", candidate::fitted, -1, 0.689},
    {"group_mapped", candidate::fitted, 0, 0.689},
    {"group_mapped", candidate::fitted, 1, 0.689},
    {"group_mapped", candidate::fitted, 2, 0.689},
    {"merge_path", 0, 0, 15.9},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 30000, 2},            // atoms <= 30000? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 40 matrices of 18 groups, loses 6.6 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 33 matrices of 20 groups, loses 24.7 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {40, 18, true, 1.09, 0.0038},
    {33, 20, true, 1.43, 0.0971},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {1, 1.11, 1.78, 0.268},         // group_mapped:fitting / 4
    {1.01, 1.11, 1.42, 0.148},      // group_mapped:fitting / 2
    {1.01, 1.13, 1.3, 0.0772},      // group_mapped:fitting
    {1.01, 1.14, 1.33, 0.0656},     // group_mapped:fitting * 2
    {1.02, 1.16, 1.55, 0.119},      // group_mapped:fitting * 4
    {1.15, 1.46, 1.71, 0.316},      // merge_path
    // leaf 1
    {1.12, 1.61, 37.6, 1.05},       // group_mapped:fitting / 4
    {1.15, 1.37, 37.6, 0.865},      // group_mapped:fitting / 2
    {1.16, 1.54, 37.6, 0.773},      // group_mapped:fitting
    {1.22, 1.88, 37.6, 0.904},      // group_mapped:fitting * 2
    {1.62, 2.57, 37.4, 1.26},       // group_mapped:fitting * 4
    {1.42, 1.68, 2.37, 0.247},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::steps, 7.14, 2},             // steps <= 7.14? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 57 matrices of 21 groups, loses 1.8 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 16 matrices of 14 groups, loses 9.6 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {57, 21, true, 1.12, 0},
    {16, 14, true, 1.74, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1.01, 1.22, 1.52, 0.133},      // group_mapped:fitting / 4
    {1.01, 1.21, 1.37, 0.0877},     // group_mapped:fitting / 2
    {1, 1.12, 1.34, 0.0178},        // group_mapped:fitting
    {1.01, 1.14, 1.62, 0.0765},     // group_mapped:fitting * 2
    {1.01, 1.15, 2.37, 0.214},      // group_mapped:fitting * 4
    {1.15, 1.51, 1.78, 0.342},      // merge_path
    // leaf 1
    {1.93, 5.03, 43.1, 1.91},       // group_mapped:fitting / 4
    {1.48, 3.5, 43.1, 1.56},        // group_mapped:fitting / 2
    {1.12, 2.61, 43.1, 1.25},       // group_mapped:fitting
    {1.13, 2.1, 43.1, 1.21},        // group_mapped:fitting * 2
    {1.36, 2.92, 43.1, 1.38},       // group_mapped:fitting * 4
    {1.34, 1.77, 2.84, 0.0956},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit b801f674dcb6",
    .proved = true,
    .launch_us = 4.8,
    .gb_per_s = 4e+03,
    .gather_us = 26.6,
    .gather_ns = 0.00559,
    .step_ns = 82.4,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
