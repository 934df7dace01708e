// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 80e405a61ddf.
/// On 160 rows of 16 groups held out, 100 uses: 96.7 % of the oracle in geometric mean,
/// 1.034 of its time in total, 1.18 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.5 % of the oracle in geometric mean,
/// 1.015 of its time in total, 1.16 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place where columns are near each other, beyond how many bytes of atoms
// and how many atoms per tile; the same where they are far, by the bytes that they lie over
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.891},
    {"group_mapped", candidate::fitted, -1, 0.891},
    {"group_mapped", candidate::fitted, 0, 0.891, {"nonzero_split", 120000000, 12}, {"merge_path", 1300000, 6}},
    {"group_mapped", candidate::fitted, 1, 0.891, {"nonzero_split", 125000000, 10}, {"merge_path", 760000, 0}},
    {"group_mapped", candidate::fitted, 2, 0.891},
    {"merge_path", 0, 0, 17.3, {"nonzero_split", 40000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 31 matrices of 16 groups, loses 3.6 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 161 matrices of 34 groups, loses 18.9 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.02, 0.0145, 0.888},
    {161, 34, true, 1.46, 0.0324, 8.06},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.986, 1.03, 1.38, 0.154},     // group_mapped:fitting / 4
    {0.986, 1.03, 1.2, 0.0786},     // group_mapped:fitting / 2
    {0.992, 1.03, 1.12, 0.0428},    // group_mapped:fitting
    {1.01, 1.04, 1.1, 0.0357},      // group_mapped:fitting * 2
    {1.01, 1.06, 1.14, 0.0459},     // group_mapped:fitting * 4
    {1.1, 1.18, 1.3, 0.178},        // merge_path
    // leaf 1
    {1.03, 2.06, 47.4, 1.1},        // group_mapped:fitting / 4
    {1.03, 1.59, 47.4, 0.938},      // group_mapped:fitting / 2
    {1.02, 1.39, 45.9, 0.776},      // group_mapped:fitting
    {1.04, 1.45, 43, 0.774},        // group_mapped:fitting * 2
    {1.1, 1.88, 41.7, 0.98},        // group_mapped:fitting * 4
    {1.08, 1.48, 3.09, 0.189},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::steps, 7, 3},                // steps <= 7? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 109 matrices of 30 groups, loses 1.5 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 42 matrices of 12 groups, loses 4.5 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 43 matrices of 14 groups, loses 1.7 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {109, 30, true, 1.27, 0, 0},
    {42, 12, true, 1.2, 0, 0},
    {43, 14, true, 1.92, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.992, 1.15, 3.23, 0.164},     // group_mapped:fitting / 4
    {0.992, 1.1, 3.11, 0.0449},     // group_mapped:fitting / 2
    {0.992, 1.08, 3.05, 0.0149},    // group_mapped:fitting
    {1.01, 1.13, 3.06, 0.0876},     // group_mapped:fitting * 2
    {1, 1.5, 5.48, 0.455},          // group_mapped:fitting * 4
    {1.1, 1.24, 3.03, 0.193},       // merge_path
    // leaf 1
    {1.01, 1.77, 3.34, 0.643},      // group_mapped:fitting / 4
    {1.01, 1.44, 2.4, 0.285},       // group_mapped:fitting / 2
    {0.984, 1.22, 1.66, 0.0616},    // group_mapped:fitting
    {0.984, 1.19, 1.66, 0.0447},    // group_mapped:fitting * 2
    {1.01, 1.53, 2.01, 0.287},      // group_mapped:fitting * 4
    {0.984, 1.33, 2.71, 0.294},     // merge_path
    // leaf 2
    {4.41, 33.1, 55.5, 2.88},       // group_mapped:fitting / 4
    {2.84, 30.3, 53.6, 2.68},       // group_mapped:fitting / 2
    {1.91, 7.4, 41.4, 1.83},        // group_mapped:fitting
    {1.58, 3.31, 41.4, 1.57},       // group_mapped:fitting * 2
    {1.65, 10.4, 46.7, 2.17},       // group_mapped:fitting * 4
    {1.41, 1.85, 2.89, 0.017},      // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 80e405a61ddf",
    .proved = true,
    .launch_us = 4.9,
    .gb_per_s = 4e+03,
    .gather_us = 16.5,
    .gather_ns = 0.017,
    .copy_us = 9.23,
    .step_ns = 85.7,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
