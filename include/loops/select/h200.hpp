// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 394c3ea9b399.
/// On 160 rows of 16 groups held out, 100 uses: 96.0 % of the oracle in geometric mean,
/// 1.042 of its time in total, 1.20 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.6 % of the oracle in geometric mean,
/// 1.014 of its time in total, 1.15 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many bytes of atoms
// and how many atoms per tile, where columns are near
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.72},
    {"group_mapped", candidate::fitted, -1, 0.72},
    {"group_mapped", candidate::fitted, 0, 0.72, "nonzero_split", 150000000, 12},
    {"group_mapped", candidate::fitted, 1, 0.72, "nonzero_split", 161900000, 10},
    {"group_mapped", candidate::fitted, 2, 0.72},
    {"merge_path", 0, 0, 16.3, "nonzero_split", 40000000, 0},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.6 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 147 matrices of 33 groups, loses 18.3 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.05, 0.0129},
    {147, 33, true, 1.49, 0.0364},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.965, 1.07, 1.42, 0.137},     // group_mapped:fitting / 4
    {0.979, 1.07, 1.24, 0.0742},    // group_mapped:fitting / 2
    {0.979, 1.09, 1.16, 0.0462},    // group_mapped:fitting
    {0.979, 1.11, 1.19, 0.0517},    // group_mapped:fitting * 2
    {0.993, 1.13, 1.2, 0.0692},     // group_mapped:fitting * 4
    {1.1, 1.25, 1.37, 0.186},       // merge_path
    // leaf 1
    {1.04, 2.07, 48.4, 1.13},       // group_mapped:fitting / 4
    {1.05, 1.59, 48.4, 0.972},      // group_mapped:fitting / 2
    {1.04, 1.45, 46.6, 0.822},      // group_mapped:fitting
    {1.06, 1.52, 45.9, 0.833},      // group_mapped:fitting * 2
    {1.15, 1.98, 44.2, 1.02},       // group_mapped:fitting * 4
    {1.07, 1.53, 3.09, 0.183},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::steps, 7.9, 3},              // steps <= 7.9? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 108 matrices of 29 groups, loses 3.7 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 29 matrices of 12 groups, loses 2.2 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 41 matrices of 13 groups, loses 1.2 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {108, 29, true, 1.28, 0},
    {29, 12, true, 1.2, 0},
    {41, 13, true, 2, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1, 1.2, 3.08, 0.162},          // group_mapped:fitting / 4
    {0.999, 1.15, 3, 0.0549},       // group_mapped:fitting / 2
    {0.986, 1.13, 3.03, 0.0374},    // group_mapped:fitting
    {0.993, 1.19, 3.18, 0.145},     // group_mapped:fitting * 2
    {0.998, 1.51, 4.85, 0.513},     // group_mapped:fitting * 4
    {1.1, 1.31, 3.05, 0.241},       // merge_path
    // leaf 1
    {1.03, 1.84, 3.61, 0.683},      // group_mapped:fitting / 4
    {1.03, 1.42, 2.36, 0.283},      // group_mapped:fitting / 2
    {0.978, 1.2, 1.71, 0.052},      // group_mapped:fitting
    {0.978, 1.13, 1.67, 0.022},     // group_mapped:fitting * 2
    {0.994, 1.48, 2.13, 0.26},      // group_mapped:fitting * 4
    {0.978, 1.38, 1.88, 0.177},     // merge_path
    // leaf 2
    {5.36, 34, 56.6, 2.9},          // group_mapped:fitting / 4
    {3.16, 30.9, 55.1, 2.72},       // group_mapped:fitting / 2
    {2.26, 27.8, 55.1, 2.49},       // group_mapped:fitting
    {1.74, 17.1, 53.5, 2.31},       // group_mapped:fitting * 2
    {1.8, 10.3, 46.5, 2.17},        // group_mapped:fitting * 4
    {1.49, 1.96, 2.95, 0.0118},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 394c3ea9b399",
    .proved = true,
    .launch_us = 4.45,
    .gb_per_s = 4.02e+03,
    .gather_us = 30.4,
    .gather_ns = 0.00341,
    .copy_us = 11.2,
    .step_ns = 82.4,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
