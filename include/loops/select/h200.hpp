// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit d11c10815b92.
/// On 160 rows of 16 groups held out, 100 uses: 96.7 % of the oracle in geometric mean,
/// 1.034 of its time in total, 1.17 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.3 % of the oracle in geometric mean,
/// 1.017 of its time in total, 1.15 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place where columns are near each other, beyond how many bytes of atoms,
// and how many atoms per tile, up to how many; the same where they are far, beyond how
// many bytes that a tile lies over
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.653},
    {"group_mapped", candidate::fitted, -1, 0.653},
    {"group_mapped", candidate::fitted, 0, 0.653, {"nonzero_split", 80000000, 12, 63.999}, {"merge_path", 1130000, 6, 50}},
    {"group_mapped", candidate::fitted, 1, 0.653, {"nonzero_split", 70000000, 10, 600}, {"merge_path", 500000, 0, 70}},
    {"group_mapped", candidate::fitted, 2, 0.653},
    {"merge_path", 0, 0, 16, {"nonzero_split", 40000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 31 matrices of 16 groups, loses 4.2 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 167 matrices of 34 groups, loses 19.2 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.03, 0.0168, 0.793},
    {167, 34, true, 1.51, 0.0224, 7.37},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.959, 1.05, 1.41, 0.14},      // group_mapped:fitting / 4
    {0.953, 1.06, 1.23, 0.0736},    // group_mapped:fitting / 2
    {0.959, 1.06, 1.14, 0.043},     // group_mapped:fitting
    {0.973, 1.08, 1.15, 0.0425},    // group_mapped:fitting * 2
    {0.994, 1.1, 1.18, 0.0672},     // group_mapped:fitting * 4
    {1.1, 1.22, 1.34, 0.183},       // merge_path
    // leaf 1
    {1.03, 2.09, 47.1, 1.08},       // group_mapped:fitting / 4
    {1.04, 1.74, 47.1, 0.918},      // group_mapped:fitting / 2
    {1.03, 1.45, 44.7, 0.725},      // group_mapped:fitting
    {1.05, 1.51, 41.4, 0.712},      // group_mapped:fitting * 2
    {1.14, 1.94, 41.4, 0.956},      // group_mapped:fitting * 4
    {1.07, 1.53, 3.18, 0.192},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::steps, 7, 3},                // steps <= 7? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 114 matrices of 30 groups, loses 1.5 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 43 matrices of 12 groups, loses 2.4 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 43 matrices of 14 groups, loses 1.7 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {114, 30, true, 1.34, 0, 0},
    {43, 12, true, 1.21, 0, 0},
    {43, 14, true, 1.94, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.995, 1.2, 3.48, 0.167},      // group_mapped:fitting / 4
    {0.993, 1.13, 3.24, 0.0478},    // group_mapped:fitting / 2
    {0.979, 1.11, 3.12, 0.0153},    // group_mapped:fitting
    {1, 1.16, 3.13, 0.083},         // group_mapped:fitting * 2
    {0.988, 1.55, 5.52, 0.452},     // group_mapped:fitting * 4
    {1.1, 1.28, 3.16, 0.194},       // merge_path
    // leaf 1
    {1.02, 1.86, 3.34, 0.655},      // group_mapped:fitting / 4
    {1.02, 1.45, 2.4, 0.288},       // group_mapped:fitting / 2
    {0.993, 1.2, 1.65, 0.053},      // group_mapped:fitting
    {0.998, 1.18, 1.57, 0.0238},    // group_mapped:fitting * 2
    {1.03, 1.47, 1.96, 0.23},       // group_mapped:fitting * 4
    {0.996, 1.38, 2.73, 0.316},     // merge_path
    // leaf 2
    {4.53, 33.1, 55.6, 2.87},       // group_mapped:fitting / 4
    {2.93, 30.2, 54.4, 2.68},       // group_mapped:fitting / 2
    {1.99, 8.77, 41.7, 1.86},       // group_mapped:fitting
    {1.61, 3.47, 41.7, 1.56},       // group_mapped:fitting * 2
    {1.73, 10.3, 46.2, 2.16},       // group_mapped:fitting * 4
    {1.43, 1.87, 2.89, 0.0171},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit d11c10815b92",
    .proved = true,
    .launch_us = 4.7,
    .gb_per_s = 4.02e+03,
    .gather_us = 15.8,
    .gather_ns = 0.0164,
    .copy_us = 8.79,
    .step_ns = 84.2,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
