// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 354d651ca571.
/// On 160 rows of 16 groups held out, 100 uses: 96.8 % of the oracle in geometric mean,
/// 1.032 of its time in total, 1.20 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.4 % of the oracle in geometric mean,
/// 1.017 of its time in total, 1.17 at worst.
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
    {"group_mapped", candidate::fitted, -2, 0.651},
    {"group_mapped", candidate::fitted, -1, 0.651},
    {"group_mapped", candidate::fitted, 0, 0.651, {"nonzero_split", 80000000, 7, 63.999}, {}, {"wide_split", 23000000, 0, 80}},
    {"group_mapped", candidate::fitted, 1, 0.651, {"nonzero_split", 70000000, 0, 600}, {"merge_path", 600000, 4, 65}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 2, 0.651},
    {"merge_path", 0, 0, 15.8, {"nonzero_split", 39000000, 0}, {}, {"wide_split", 20000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.3 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 180 matrices of 34 groups, loses 19.1 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.02, 0.00959, 0.663},
    {180, 34, true, 1.52, 0.0293, 7.62},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.944, 1.03, 1.39, 0.137},     // group_mapped:fitting / 4
    {0.944, 1.05, 1.23, 0.0718},    // group_mapped:fitting / 2
    {0.951, 1.05, 1.11, 0.0428},    // group_mapped:fitting
    {0.951, 1.08, 1.13, 0.0471},    // group_mapped:fitting * 2
    {0.965, 1.1, 1.17, 0.0629},     // group_mapped:fitting * 4
    {1.08, 1.21, 1.33, 0.187},      // merge_path
    // leaf 1
    {1.05, 2.28, 47.9, 1.05},       // group_mapped:fitting / 4
    {1.05, 1.88, 47.9, 0.892},      // group_mapped:fitting / 2
    {1.04, 1.54, 41.3, 0.654},      // group_mapped:fitting
    {1.06, 1.56, 35.6, 0.627},      // group_mapped:fitting * 2
    {1.14, 1.99, 40.2, 0.922},      // group_mapped:fitting * 4
    {1.08, 1.58, 3.16, 0.191},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::steps, 7, 3},                // steps <= 7? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 119 matrices of 30 groups, loses 1.9 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 51 matrices of 12 groups, loses 3.4 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 43 matrices of 14 groups, loses 2.6 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {119, 30, true, 1.35, 0, 0},
    {51, 12, true, 1.27, 0, 0},
    {43, 14, true, 1.96, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.984, 1.2, 3.49, 0.181},      // group_mapped:fitting / 4
    {0.979, 1.15, 3.24, 0.0705},    // group_mapped:fitting / 2
    {0.965, 1.11, 3.16, 0.0189},    // group_mapped:fitting
    {0.972, 1.18, 3.15, 0.0843},    // group_mapped:fitting * 2
    {0.972, 1.62, 5.5, 0.457},      // group_mapped:fitting * 4
    {1.09, 1.29, 3.19, 0.197},      // merge_path
    // leaf 1
    {1.04, 2, 3.19, 0.661},         // group_mapped:fitting / 4
    {1.03, 1.55, 2.67, 0.313},      // group_mapped:fitting / 2
    {0.994, 1.26, 1.91, 0.0529},    // group_mapped:fitting
    {1.01, 1.25, 1.77, 0.0341},     // group_mapped:fitting * 2
    {1.04, 1.54, 2.1, 0.244},       // group_mapped:fitting * 4
    {1.01, 1.48, 2.73, 0.287},      // merge_path
    // leaf 2
    {4.59, 33.3, 55.8, 2.87},       // group_mapped:fitting / 4
    {3, 30.6, 54.2, 2.69},          // group_mapped:fitting / 2
    {2.06, 27.5, 54.2, 2.46},       // group_mapped:fitting
    {1.67, 4.37, 41.3, 1.58},       // group_mapped:fitting * 2
    {1.73, 10.5, 46.4, 2.16},       // group_mapped:fitting * 4
    {1.46, 1.97, 2.92, 0.026},      // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 354d651ca571",
    .proved = true,
    .launch_us = 4.58,
    .gb_per_s = 4.02e+03,
    .gather_us = 15.9,
    .gather_ns = 0.0175,
    .copy_us = 8.12,
    .step_ns = 83.4,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
