// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json spmv-h200-everywhere.json spmv-h200-bands.json spmv-h200-held.json --name h200 --schedules merge_path,group_mapped,nonzero_split,wide_split,wide_groups -o h200.hpp
///
/// Trained on NVIDIA H200, commit 580d75eb08b9.
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
// what takes its place, the last one that may: how columns lie there, from how many bytes
// of atoms (far: that a tile lies over; everywhere: of all columns) on, and for how many atoms
// per tile
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.74},
    {"group_mapped", candidate::fitted, -1, 0.74},
    {"group_mapped", candidate::fitted, 0, 0.74, {{{.name = "merge_path", .where = placing::far, .from = 751500, .most = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 62000000, .mean = 7, .most = 80}, {.name = "wide_groups", .where = placing::band, .from = 30000000, .large = 40000000, .by_lanes = true}, {.name = "wide_split", .where = placing::band, .from = 62000000, .mean = 6, .most = 70, .large = 340000000}, {.name = "wide_split", .where = placing::wide_band, .from = 114000000, .most = 20}}}},
    {"group_mapped", candidate::fitted, 1, 0.74, {{{.name = "merge_path", .where = placing::far, .from = 5000, .most = 62}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 30000000}, {.name = "wide_groups", .where = placing::band, .from = 30000000, .large = 40000000, .by_lanes = true}, {.name = "wide_split", .where = placing::band, .from = 62000000, .mean = 6, .most = 70, .large = 340000000}, {.name = "wide_split", .where = placing::wide_band, .from = 114000000, .most = 60}}}},
    {"group_mapped", candidate::fitted, 2, 0.74},
    {"merge_path", 0, 0, 17.3, {{{.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .crowded = 20000000}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .crowded = 100000000}, {.name = "nonzero_split", .where = placing::near, .from = 29400000, .crowded = 93000000}, {.name = "nonzero_split", .where = placing::held, .from = 30000000}, {.name = "wide_split", .where = placing::band, .from = 30000000, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 114000000}}}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.5 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 293 matrices of 38 groups, loses 19.1 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1, 0.014, 0.934},
    {293, 38, true, 1.58, 0.0444, 8.74},
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
    {1.05, 2.52, 46.3, 1.09},       // group_mapped:fitting / 4
    {1.03, 2.15, 46.3, 0.927},      // group_mapped:fitting / 2
    {1.03, 1.9, 45.7, 0.815},       // group_mapped:fitting
    {1.11, 1.92, 41.7, 0.811},      // group_mapped:fitting * 2
    {1.25, 2.29, 35.7, 1},          // group_mapped:fitting * 4
    {1.1, 1.57, 3.31, 0.191},       // merge_path
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
    /*  8 */ {feature::none, 0, 3},                 // group_mapped:fitting, 126 matrices of 15 groups, loses 3.0 %
    /*  9 */ {feature::none, 0, 4},                 // merge_path, 21 matrices of 8 groups, loses 1.0 %
    /* 10 */ {feature::none, 0, 5},                 // merge_path, 80 matrices of 17 groups, loses 2.4 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.07, 0, 0},
    {53, 21, true, 1.2, 0, 0},
    {18, 9, true, 1.35, 0, 0},
    {126, 15, true, 1.56, 0, 0},
    {21, 8, true, 1.81, 0, 0},
    {80, 17, true, 1.83, 0, 0},
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
    {0.98, 1.1, 3.51, 0.0454},      // group_mapped:fitting / 2
    {0.941, 1.08, 3.36, 0.0149},    // group_mapped:fitting
    {0.935, 1.11, 3.32, 0.0545},    // group_mapped:fitting * 2
    {0.942, 1.12, 3.76, 0.175},     // group_mapped:fitting * 4
    {1.07, 1.25, 3.55, 0.29},       // merge_path
    // leaf 2
    {0.981, 2.05, 3.54, 0.586},     // group_mapped:fitting / 4
    {0.973, 1.6, 3.08, 0.206},      // group_mapped:fitting / 2
    {0.945, 1.37, 2.37, 0.0304},    // group_mapped:fitting
    {0.945, 1.33, 2.37, 0.0232},    // group_mapped:fitting * 2
    {0.945, 1.48, 2.45, 0.112},     // group_mapped:fitting * 4
    {0.955, 1.64, 4.5, 0.429},      // merge_path
    // leaf 3
    {1.09, 1.98, 3.67, 0.323},      // group_mapped:fitting / 4
    {1.04, 1.63, 3.36, 0.147},      // group_mapped:fitting / 2
    {1.01, 1.39, 3.16, 0.0296},     // group_mapped:fitting
    {1.14, 1.51, 3.18, 0.159},      // group_mapped:fitting * 2
    {1.61, 2.53, 6.09, 0.883},      // group_mapped:fitting * 4
    {1.08, 1.52, 3.26, 0.169},      // merge_path
    // leaf 4
    {1.22, 2.75, 4.33, 0.452},      // group_mapped:fitting / 4
    {1.12, 2.3, 3.73, 0.207},       // group_mapped:fitting / 2
    {1.07, 1.84, 3.33, 0.026},      // group_mapped:fitting
    {1.13, 2.04, 3.33, 0.132},      // group_mapped:fitting * 2
    {1.8, 3.68, 5.83, 1.03},        // group_mapped:fitting * 4
    {1.04, 1.84, 3.33, 0.0102},     // merge_path
    // leaf 5
    {2.94, 27.1, 57.6, 2.65},       // group_mapped:fitting / 4
    {2.36, 19.4, 56.7, 2.46},       // group_mapped:fitting / 2
    {1.89, 3.81, 36.3, 1.67},       // group_mapped:fitting
    {1.64, 3.13, 32.8, 1.53},       // group_mapped:fitting * 2
    {1.74, 6.74, 46.7, 2.23},       // group_mapped:fitting * 4
    {1.34, 1.67, 2.93, 0.0242},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 580d75eb08b9",
    .proved = true,
    .launch_us = 4.9,
    .gb_per_s = 4.01e+03,
    .gather_us = 15.3,
    .gather_ns = 0.0145,
    .copy_us = 8.66,
    .step_ns = 103,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
