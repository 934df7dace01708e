// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-f32-f64.json spmv-h200-generated.json --name
/// h200 --schedules merge_path,group_mapped -o h200.hpp
///
/// Trained on NVIDIA H200, commit 8b2d531d5e29.
/// On 160 rows of 16 groups held out, 100 uses: 94.9 % of the oracle in geometric mean,
/// 1.053 of its time in total, 1.54 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 97.7 % of the oracle in geometric mean,
/// 1.025 of its time in total, 1.28 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.619},
    {"group_mapped", candidate::fitted, -1, 0.619},
    {"group_mapped", candidate::fitted, 0, 0.619},
    {"group_mapped", candidate::fitted, 1, 0.619},
    {"group_mapped", candidate::fitted, 2, 0.619},
    {"merge_path", 0, 0, 14.2},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 4},             // atoms <= 7900? else line 4
    /*  1 */ {feature::tiles, 400, 3},              // tiles <= 400? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 23 matrices of 14 groups, loses 2.1 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 4, 8 matrices of 6 groups, loses 5.5 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 86 matrices of 33 groups, loses 22.7 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {23, 14, true, 1.03, 0.00995},
    {8, 6, true, 1.11, 0.00905},
    {86, 33, true, 1.38, 0.0617},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.987, 1.05, 1.18, 0.0309},    // group_mapped:fitting / 4
    {0.975, 1.05, 1.15, 0.0213},    // group_mapped:fitting / 2
    {0.988, 1.07, 1.13, 0.0286},    // group_mapped:fitting
    {1.01, 1.09, 1.14, 0.0502},     // group_mapped:fitting * 2
    {1, 1.11, 1.16, 0.0653},        // group_mapped:fitting * 4
    {1.12, 1.21, 1.5, 0.211},       // merge_path
    // leaf 1
    {1.06, 1.14, 3.25, 0.423},      // group_mapped:fitting / 4
    {1.08, 1.11, 2.25, 0.226},      // group_mapped:fitting / 2
    {1.08, 1.12, 1.66, 0.105},      // group_mapped:fitting
    {1.12, 1.14, 1.34, 0.0654},     // group_mapped:fitting * 2
    {1.12, 1.15, 1.24, 0.0547},     // group_mapped:fitting * 4
    {1.22, 1.27, 1.59, 0.218},      // merge_path
    // leaf 2
    {1.05, 1.46, 41.8, 1.02},       // group_mapped:fitting / 4
    {1.03, 1.33, 41.8, 0.869},      // group_mapped:fitting / 2
    {1.04, 1.43, 41.8, 0.805},      // group_mapped:fitting
    {1.11, 1.73, 39.8, 0.881},      // group_mapped:fitting * 2
    {1.14, 2.25, 37.6, 1.12},       // group_mapped:fitting * 4
    {1.2, 1.55, 2.81, 0.227},       // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::excess, 43, 8},              // excess <= 43? else line 8
    /*  1 */ {feature::skew, 20, 5},                // skew <= 20? else line 5
    /*  2 */ {feature::steps, 9, 4},                // steps <= 9? else line 4
    /*  3 */ {feature::none, 0, 0},                 // group_mapped:fitting, 80 matrices of 28 groups, loses 2.7 %
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 10 matrices of 6 groups, loses 4.7 %
    /*  5 */ {feature::value_bytes, 6, 7},          // value_bytes <= 6? else line 7
    /*  6 */ {feature::none, 0, 2},                 // merge_path, 8 matrices of 8 groups, loses 3.1 %
    /*  7 */ {feature::none, 0, 3},                 // group_mapped:fitting, 8 matrices of 8 groups, loses 6.4 %
    /*  8 */ {feature::none, 0, 4},                 // merge_path, 19 matrices of 11 groups, loses 0.0 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {80, 28, true, 1.15, 0},
    {10, 6, true, 1.33, 0},
    {8, 8, true, 1.5, 0},
    {8, 8, true, 1.46, 0},
    {19, 11, true, 1.92, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1.01, 1.2, 2.06, 0.156},       // group_mapped:fitting / 4
    {1.01, 1.17, 1.76, 0.102},      // group_mapped:fitting / 2
    {0.98, 1.11, 1.48, 0.0273},     // group_mapped:fitting
    {1.01, 1.13, 2.03, 0.115},      // group_mapped:fitting * 2
    {1.01, 1.16, 2.66, 0.346},      // group_mapped:fitting * 4
    {1.15, 1.31, 1.9, 0.266},       // merge_path
    // leaf 1
    {0.973, 1.84, 4.45, 0.659},     // group_mapped:fitting / 4
    {0.978, 1.41, 2.86, 0.23},      // group_mapped:fitting / 2
    {0.952, 1.27, 2.73, 0.0616},    // group_mapped:fitting
    {0.952, 1.27, 2.46, 0.0472},    // group_mapped:fitting * 2
    {0.952, 1.27, 2.37, 0.0689},    // group_mapped:fitting * 4
    {0.993, 1.76, 2.85, 0.374},     // merge_path
    // leaf 2
    {1.74, 3.1, 5.85, 1.26},        // group_mapped:fitting / 4
    {1.43, 2.05, 3.76, 0.561},      // group_mapped:fitting / 2
    {1.32, 1.73, 2.51, 0.207},      // group_mapped:fitting
    {1.4, 1.85, 2.1, 0.214},        // group_mapped:fitting * 2
    {1.45, 2.17, 3.07, 0.509},      // group_mapped:fitting * 4
    {1.39, 1.54, 1.67, 0.031},      // merge_path
    // leaf 3
    {1.43, 2.1, 3.94, 0.629},       // group_mapped:fitting / 4
    {1.29, 1.6, 2.52, 0.208},       // group_mapped:fitting / 2
    {1.29, 1.54, 1.83, 0.0636},     // group_mapped:fitting
    {1.39, 1.85, 2.12, 0.243},      // group_mapped:fitting * 2
    {1.39, 2.23, 3.14, 0.562},      // group_mapped:fitting * 4
    {1.44, 1.65, 1.77, 0.136},      // merge_path
    // leaf 4
    {7.27, 31.7, 58.7, 2.96},       // group_mapped:fitting / 4
    {4.02, 30.4, 58.7, 2.8},        // group_mapped:fitting / 2
    {2.57, 30.4, 58.7, 2.61},       // group_mapped:fitting
    {1.97, 30, 56.8, 2.5},          // group_mapped:fitting * 2
    {2.1, 22.4, 50.5, 2.39},        // group_mapped:fitting * 4
    {1.47, 1.74, 3.19, 0},          // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 8b2d531d5e29",
    .proved = true,
    .launch_us = 4.8,
    .gb_per_s = 4.02e+03,
    .gather_us = 26.1,
    .gather_ns = 0.00461,
    .step_ns = 97.6,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
