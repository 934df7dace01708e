// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 87482e2b15c6.
/// On 160 rows of 16 groups held out, 100 uses: 96.8 % of the oracle in geometric mean,
/// 1.033 of its time in total, 1.14 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.6 % of the oracle in geometric mean,
/// 1.014 of its time in total, 1.14 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place where columns are near each other, beyond how many bytes of atoms
// and how many atoms per tile; the same where they are far, by the bytes that they lie over
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 1.21},
    {"group_mapped", candidate::fitted, -1, 1.21},
    {"group_mapped", candidate::fitted, 0, 1.21, {"nonzero_split", 150000000, 12}, {"merge_path", 2000000, 6}},
    {"group_mapped", candidate::fitted, 1, 1.21, {"nonzero_split", 130000000, 10}, {"merge_path", 700000, 0}},
    {"group_mapped", candidate::fitted, 2, 1.21},
    {"merge_path", 0, 0, 17.8, {"nonzero_split", 40000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 5.2 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 147 matrices of 33 groups, loses 17.9 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.05, 0.011, 1.16},
    {147, 33, true, 1.47, 0.0338, 8.32},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.97, 1.07, 1.49, 0.148},      // group_mapped:fitting / 4
    {0.983, 1.08, 1.25, 0.0862},    // group_mapped:fitting / 2
    {0.983, 1.08, 1.15, 0.0523},    // group_mapped:fitting
    {0.99, 1.11, 1.18, 0.0537},     // group_mapped:fitting * 2
    {1.02, 1.12, 1.2, 0.0658},      // group_mapped:fitting * 4
    {1.1, 1.23, 1.35, 0.176},       // merge_path
    // leaf 1
    {1.04, 2.05, 47.9, 1.13},       // group_mapped:fitting / 4
    {1.03, 1.58, 47.9, 0.972},      // group_mapped:fitting / 2
    {1.03, 1.41, 46.1, 0.818},      // group_mapped:fitting
    {1.05, 1.48, 43.8, 0.817},      // group_mapped:fitting * 2
    {1.14, 1.92, 43.6, 1.02},       // group_mapped:fitting * 4
    {1.07, 1.51, 3.07, 0.179},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::steps, 7.9, 3},              // steps <= 7.9? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 108 matrices of 29 groups, loses 3.3 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 29 matrices of 12 groups, loses 2.3 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 41 matrices of 13 groups, loses 1.2 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {108, 29, true, 1.27, 0, 0},
    {29, 12, true, 1.19, 0, 0},
    {41, 13, true, 1.96, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.99, 1.18, 3.07, 0.163},      // group_mapped:fitting / 4
    {0.99, 1.14, 2.97, 0.0544},     // group_mapped:fitting / 2
    {0.976, 1.12, 2.98, 0.0329},    // group_mapped:fitting
    {0.983, 1.17, 3.01, 0.131},     // group_mapped:fitting * 2
    {1.03, 1.46, 4.78, 0.513},      // group_mapped:fitting * 4
    {1.09, 1.29, 3, 0.235},         // merge_path
    // leaf 1
    {1.03, 1.84, 3.48, 0.68},       // group_mapped:fitting / 4
    {1.04, 1.4, 2.28, 0.281},       // group_mapped:fitting / 2
    {0.978, 1.21, 1.66, 0.0538},    // group_mapped:fitting
    {0.978, 1.13, 1.63, 0.023},     // group_mapped:fitting * 2
    {0.991, 1.46, 2.07, 0.259},     // group_mapped:fitting * 4
    {0.978, 1.36, 1.85, 0.175},     // merge_path
    // leaf 2
    {5.08, 33.2, 55.9, 2.89},       // group_mapped:fitting / 4
    {3.1, 30.3, 54.5, 2.72},        // group_mapped:fitting / 2
    {2.02, 9.92, 45.8, 1.9},        // group_mapped:fitting
    {1.65, 3.24, 41.5, 1.51},       // group_mapped:fitting * 2
    {1.74, 10.1, 46.2, 2.17},       // group_mapped:fitting * 4
    {1.45, 1.94, 2.91, 0.0121},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 87482e2b15c6",
    .proved = true,
    .launch_us = 4.69,
    .gb_per_s = 4.01e+03,
    .gather_us = 16.8,
    .gather_ns = 0.0145,
    .copy_us = 9.94,
    .step_ns = 82.5,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
