// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json
/// spmv-h200-everywhere.json spmv-h200-bands.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit dacf003dd45f.
/// On 160 rows of 16 groups held out, 100 uses: 97.3 % of the oracle in geometric mean,
/// 1.026 of its time in total, 1.12 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.9 % of the oracle in geometric mean,
/// 1.010 of its time in total, 1.13 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, the last one that may: how columns lie there, beyond how many bytes
// of atoms (far: that a tile lies over; everywhere: of all columns), and how many atoms per
// tile, up to how many (0: any); beyond how many bytes where many atoms are crowded
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.725},
    {"group_mapped", candidate::fitted, -1, 0.725},
    {"group_mapped", candidate::fitted, 0, 0.725, {{{"merge_path", placing::far, 751500, 0, 50}, {"nonzero_split", placing::everywhere, 17000000, 0, 40, 1e+18}, {"wide_split", placing::everywhere, 28000000, 0, 230, 1e+18}, {"nonzero_split", placing::near, 60000000, 7, 80}, {"wide_split", placing::band, 36000000, 0}, {"wide_split", placing::wide_band, 114000000, 0, 20}}}},
    {"group_mapped", candidate::fitted, 1, 0.725, {{{"merge_path", placing::far, 5000, 0, 62}, {"nonzero_split", placing::everywhere, 17000000, 0, 40, 1e+18}, {"wide_split", placing::everywhere, 28000000, 0, 230, 1e+18}, {"nonzero_split", placing::near, 30000000, 0}, {"wide_split", placing::band, 36000000, 0}, {"wide_split", placing::wide_band, 114000000, 0, 20}}}},
    {"group_mapped", candidate::fitted, 2, 0.725},
    {"merge_path", 0, 0, 17.1, {{{"nonzero_split", placing::everywhere, 17000000, 0, 0, 20000000}, {"wide_split", placing::everywhere, 28000000, 0, 0, 100000000}, {"nonzero_split", placing::near, 30000000, 0, 0, 120000000}, {"wide_split", placing::band, 30000000, 0}, {"wide_split", placing::wide_band, 114000000, 0}}}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.5 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 270 matrices of 38 groups, loses 18.6 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1, 0.0128, 0.924},
    {270, 38, true, 1.58, 0.0411, 9.07},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.935, 1.02, 1.33, 0.135},     // group_mapped:fitting / 4
    {0.928, 1.03, 1.18, 0.0734},    // group_mapped:fitting / 2
    {0.928, 1.03, 1.12, 0.0448},    // group_mapped:fitting
    {0.928, 1.06, 1.12, 0.0476},    // group_mapped:fitting * 2
    {0.941, 1.07, 1.16, 0.0663},    // group_mapped:fitting * 4
    {1.06, 1.19, 1.28, 0.181},      // merge_path
    // leaf 1
    {1.04, 2.53, 46.6, 1.07},       // group_mapped:fitting / 4
    {1.03, 2.15, 46.6, 0.902},      // group_mapped:fitting / 2
    {1.03, 1.87, 46.2, 0.798},      // group_mapped:fitting
    {1.1, 1.89, 42.9, 0.799},       // group_mapped:fitting * 2
    {1.19, 2.27, 36.2, 0.994},      // group_mapped:fitting * 4
    {1.08, 1.55, 3.32, 0.186},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 1.2, 10},             // delay <= 1.2? else line 10
    /*  1 */ {feature::tiles, 70000, 7},            // tiles <= 70000? else line 7
    /*  2 */ {feature::steps, 13, 6},               // steps <= 13? else line 6
    /*  3 */ {feature::steps, 2, 5},                // steps <= 2? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 29 matrices of 15 groups, loses 1.5 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 53 matrices of 21 groups, loses 1.5 %
    /*  6 */ {feature::none, 0, 2},                 // group_mapped:fitting * 2, 18 matrices of 9 groups, loses 2.3 %
    /*  7 */ {feature::atoms, 28000000, 9},         // atoms <= 28000000? else line 9
    /*  8 */ {feature::none, 0, 3},                 // group_mapped:fitting, 110 matrices of 15 groups, loses 2.4 %
    /*  9 */ {feature::none, 0, 4},                 // merge_path, 21 matrices of 8 groups, loses 0.9 %
    /* 10 */ {feature::none, 0, 5},                 // merge_path, 73 matrices of 17 groups, loses 2.3 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.07, 0, 0},
    {53, 21, true, 1.2, 0, 0},
    {18, 9, true, 1.35, 0, 0},
    {110, 15, true, 1.59, 0, 0},
    {21, 8, true, 1.81, 0, 0},
    {73, 17, true, 1.84, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.94, 1.07, 1.45, 0.0422},     // group_mapped:fitting / 4
    {0.94, 1.05, 1.45, 0.0151},     // group_mapped:fitting / 2
    {0.955, 1.04, 1.42, 0.0197},    // group_mapped:fitting
    {0.95, 1.07, 1.44, 0.0624},     // group_mapped:fitting * 2
    {0.933, 1.08, 2.02, 0.21},      // group_mapped:fitting * 4
    {1.07, 1.22, 1.57, 0.194},      // merge_path
    // leaf 1
    {0.981, 1.18, 3.73, 0.115},     // group_mapped:fitting / 4
    {0.979, 1.1, 3.51, 0.0454},     // group_mapped:fitting / 2
    {0.941, 1.08, 3.36, 0.0149},    // group_mapped:fitting
    {0.935, 1.11, 3.32, 0.0545},    // group_mapped:fitting * 2
    {0.942, 1.12, 3.76, 0.175},     // group_mapped:fitting * 4
    {1.07, 1.25, 3.55, 0.294},      // merge_path
    // leaf 2
    {0.98, 2.05, 3.53, 0.586},      // group_mapped:fitting / 4
    {0.972, 1.6, 3.07, 0.206},      // group_mapped:fitting / 2
    {0.944, 1.37, 2.37, 0.0304},    // group_mapped:fitting
    {0.944, 1.33, 2.37, 0.0232},    // group_mapped:fitting * 2
    {0.944, 1.48, 2.45, 0.112},     // group_mapped:fitting * 4
    {0.954, 1.64, 4.5, 0.429},      // merge_path
    // leaf 3
    {1.05, 1.98, 3.77, 0.293},      // group_mapped:fitting / 4
    {1.03, 1.53, 3.42, 0.112},      // group_mapped:fitting / 2
    {1.01, 1.4, 3.17, 0.0243},      // group_mapped:fitting
    {1.13, 1.52, 3.25, 0.166},      // group_mapped:fitting * 2
    {1.59, 2.5, 6.15, 0.872},       // group_mapped:fitting * 4
    {1.07, 1.49, 3.27, 0.167},      // merge_path
    // leaf 4
    {1.22, 2.75, 4.32, 0.452},      // group_mapped:fitting / 4
    {1.12, 2.3, 3.72, 0.208},       // group_mapped:fitting / 2
    {1.07, 1.83, 3.33, 0.0247},     // group_mapped:fitting
    {1.13, 2.04, 3.33, 0.131},      // group_mapped:fitting * 2
    {1.8, 3.62, 5.73, 1.02},        // group_mapped:fitting * 4
    {1.04, 1.83, 3.33, 0.00897},    // merge_path
    // leaf 5
    {2.89, 27.7, 57.6, 2.61},       // group_mapped:fitting / 4
    {2.34, 22.5, 57.3, 2.42},       // group_mapped:fitting / 2
    {1.87, 3.25, 37.2, 1.6},        // group_mapped:fitting
    {1.67, 3.05, 34.1, 1.5},        // group_mapped:fitting * 2
    {1.72, 6.73, 46.9, 2.21},       // group_mapped:fitting * 4
    {1.34, 1.64, 2.94, 0.0225},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit dacf003dd45f",
    .proved = true,
    .launch_us = 4.9,
    .gb_per_s = 4.01e+03,
    .gather_us = 15.3,
    .gather_ns = 0.0141,
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
