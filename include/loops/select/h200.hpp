// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit e5ee29c13c1d.
/// On 160 rows of 16 groups held out, 100 uses: 96.3 % of the oracle in geometric mean,
/// 1.038 of its time in total, 1.18 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.1 % of the oracle in geometric mean,
/// 1.019 of its time in total, 1.16 at worst.
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
    {"group_mapped", candidate::fitted, -2, 1.18},
    {"group_mapped", candidate::fitted, -1, 1.18},
    {"group_mapped", candidate::fitted, 0, 1.18, {"nonzero_split", 80000000, 12, 63.999}, {"merge_path", 1130000, 6, 50}, {"wide_split", 20000000, 0, 27}},
    {"group_mapped", candidate::fitted, 1, 1.18, {"nonzero_split", 78000000, 0, 600}, {"merge_path", 400000, 0, 65}, {"wide_split", 30000000, 0, 27}},
    {"group_mapped", candidate::fitted, 2, 1.18},
    {"merge_path", 0, 0, 18.1, {"nonzero_split", 39000000, 0}, {}, {"wide_split", 20000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.6 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 180 matrices of 34 groups, loses 18.9 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.03, 0.0138, 1.16},
    {180, 34, true, 1.52, 0.0242, 9.24},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.952, 1.05, 1.38, 0.136},     // group_mapped:fitting / 4
    {0.952, 1.05, 1.21, 0.0715},    // group_mapped:fitting / 2
    {0.952, 1.07, 1.14, 0.0465},    // group_mapped:fitting
    {0.966, 1.09, 1.16, 0.05},      // group_mapped:fitting * 2
    {0.967, 1.1, 1.17, 0.0661},     // group_mapped:fitting * 4
    {1.08, 1.21, 1.33, 0.187},      // merge_path
    // leaf 1
    {1.06, 2.25, 47, 1.04},         // group_mapped:fitting / 4
    {1.05, 1.85, 47, 0.885},        // group_mapped:fitting / 2
    {1.04, 1.54, 43.7, 0.696},      // group_mapped:fitting
    {1.06, 1.55, 37.8, 0.641},      // group_mapped:fitting * 2
    {1.15, 1.99, 40.2, 0.92},       // group_mapped:fitting * 4
    {1.08, 1.59, 3.17, 0.189},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 4},              // delay <= 0.5? else line 4
    /*  1 */ {feature::steps, 7, 3},                // steps <= 7? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting, 119 matrices of 30 groups, loses 1.5 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 51 matrices of 12 groups, loses 2.8 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 43 matrices of 14 groups, loses 1.7 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {119, 30, true, 1.35, 0, 0},
    {51, 12, true, 1.27, 0, 0},
    {43, 14, true, 1.95, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.993, 1.21, 3.49, 0.174},     // group_mapped:fitting / 4
    {0.984, 1.15, 3.24, 0.0675},    // group_mapped:fitting / 2
    {0.978, 1.11, 3.13, 0.0152},    // group_mapped:fitting
    {0.979, 1.19, 3.13, 0.0827},    // group_mapped:fitting * 2
    {0.991, 1.62, 5.49, 0.459},     // group_mapped:fitting * 4
    {1.09, 1.29, 3.14, 0.192},      // merge_path
    // leaf 1
    {1.04, 1.96, 3.14, 0.646},      // group_mapped:fitting / 4
    {1.02, 1.5, 2.61, 0.298},       // group_mapped:fitting / 2
    {0.997, 1.33, 1.91, 0.0534},    // group_mapped:fitting
    {1.01, 1.26, 1.77, 0.0279},     // group_mapped:fitting * 2
    {1.04, 1.54, 2.1, 0.238},       // group_mapped:fitting * 4
    {1.01, 1.45, 2.73, 0.285},      // merge_path
    // leaf 2
    {4.59, 33.3, 55.8, 2.88},       // group_mapped:fitting / 4
    {2.99, 30.3, 54.6, 2.69},       // group_mapped:fitting / 2
    {2.01, 8.83, 41.5, 1.86},       // group_mapped:fitting
    {1.64, 3.43, 41.5, 1.56},       // group_mapped:fitting * 2
    {1.75, 10.4, 46.3, 2.16},       // group_mapped:fitting * 4
    {1.45, 1.87, 2.92, 0.017},      // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit e5ee29c13c1d",
    .proved = true,
    .launch_us = 4.64,
    .gb_per_s = 4.01e+03,
    .gather_us = 17.6,
    .gather_ns = 0.015,
    .copy_us = 10,
    .step_ns = 84.2,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
