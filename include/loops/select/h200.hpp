// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json
/// spmv-h200-everywhere.json --limits spmv-h200-bands.json spmv-h200-held.json
/// spmv-h200-placed.json spmv-h200-placed-more.json spmv-h200-bands-more.json --name h200
/// --schedules merge_path,group_mapped,nonzero_split,wide_split,wide_groups -o h200.hpp
///
/// Trained on NVIDIA H200, commit 524754d2cd12.
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
    {"group_mapped", candidate::fitted, -2, 0.748},
    {"group_mapped", candidate::fitted, -1, 0.748},
    {"group_mapped", candidate::fitted, 0, 0.748, {{{.name = "merge_path", .where = placing::far, .from = 751500, .most = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 62000000, .mean = 4, .most = 71}, {.name = "wide_groups", .where = placing::narrow_band, .from = 20200000, .most = 76, .large = 44000000, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 76000000, .mean = 6.001, .large = 212000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .most = 40, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 200000000, .most = 19}}}},
    {"group_mapped", candidate::fitted, 1, 0.748, {{{.name = "merge_path", .where = placing::far, .from = 5000, .most = 59}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 31700000}, {.name = "wide_groups", .where = placing::narrow_band, .from = 20200000, .large = 44000000, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 76000000, .mean = 6.001, .large = 212000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 80000000, .most = 60}}}},
    {"group_mapped", candidate::fitted, 2, 0.748},
    {"merge_path", 0, 0, 17.4, {{{.name = "nonzero_split", .where = placing::strewn, .from = 60000000, .mean = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .crowded = 20000000}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .crowded = 100000000}, {.name = "nonzero_split", .where = placing::near, .from = 28400000, .crowded = 93000000}, {.name = "nonzero_split", .where = placing::held, .from = 15000000, .mean = 30}, {.name = "wide_groups", .where = placing::held, .from = 114000000, .crowded = 1e+18, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 20200000, .large = 44000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .large = 30200000}, {.name = "wide_split", .where = placing::wide_band, .from = 80000000}}}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.5 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 260 matrices of 38 groups, loses 19.0 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 0.98, 0.0128, 0.924},
    {260, 38, true, 1.56, 0.0421, 8.32},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.916, 1, 1.3, 0.135},         // group_mapped:fitting / 4
    {0.91, 1.01, 1.16, 0.0734},     // group_mapped:fitting / 2
    {0.909, 1.01, 1.09, 0.0448},    // group_mapped:fitting
    {0.91, 1.04, 1.1, 0.0476},      // group_mapped:fitting * 2
    {0.922, 1.05, 1.13, 0.0663},    // group_mapped:fitting * 4
    {1.04, 1.16, 1.25, 0.181},      // merge_path
    // leaf 1
    {1.03, 2.46, 46.5, 1.09},       // group_mapped:fitting / 4
    {1.01, 2.06, 46.5, 0.919},      // group_mapped:fitting / 2
    {1.02, 1.82, 46.2, 0.818},      // group_mapped:fitting
    {1.08, 1.85, 42.7, 0.82},       // group_mapped:fitting * 2
    {1.17, 2.24, 37.1, 1.02},       // group_mapped:fitting * 4
    {1.08, 1.52, 3.31, 0.19},       // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 1.2, 10},             // delay <= 1.2? else line 10
    /*  1 */ {feature::tiles, 70000, 7},            // tiles <= 70000? else line 7
    /*  2 */ {feature::steps, 13, 6},               // steps <= 13? else line 6
    /*  3 */ {feature::steps, 2, 5},                // steps <= 2? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 29 matrices of 15 groups, loses 1.5 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 53 matrices of 21 groups, loses 1.4 %
    /*  6 */ {feature::none, 0, 2},                 // group_mapped:fitting * 2, 18 matrices of 9 groups, loses 2.3 %
    /*  7 */ {feature::atoms, 22400000, 9},         // atoms <= 22400000? else line 9
    /*  8 */ {feature::none, 0, 3},                 // group_mapped:fitting, 104 matrices of 15 groups, loses 2.7 %
    /*  9 */ {feature::none, 0, 4},                 // merge_path, 17 matrices of 8 groups, loses 2.6 %
    /* 10 */ {feature::none, 0, 5},                 // merge_path, 73 matrices of 17 groups, loses 2.0 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.05, 0, 0},
    {53, 21, true, 1.18, 0, 0},
    {18, 9, true, 1.34, 0, 0},
    {104, 15, true, 1.58, 0, 0},
    {17, 8, true, 1.65, 0, 0},
    {73, 17, true, 1.82, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.921, 1.05, 1.42, 0.0422},    // group_mapped:fitting / 4
    {0.921, 1.03, 1.43, 0.0151},    // group_mapped:fitting / 2
    {0.936, 1.02, 1.4, 0.0197},     // group_mapped:fitting
    {0.931, 1.05, 1.42, 0.0624},    // group_mapped:fitting * 2
    {0.914, 1.05, 1.98, 0.21},      // group_mapped:fitting * 4
    {1.05, 1.2, 1.54, 0.185},       // merge_path
    // leaf 1
    {0.964, 1.16, 3.7, 0.117},      // group_mapped:fitting / 4
    {0.961, 1.07, 3.48, 0.049},     // group_mapped:fitting / 2
    {0.922, 1.06, 3.33, 0.0139},    // group_mapped:fitting
    {0.916, 1.09, 3.3, 0.0545},     // group_mapped:fitting * 2
    {0.923, 1.1, 3.74, 0.175},      // group_mapped:fitting * 4
    {1.05, 1.23, 3.52, 0.278},      // merge_path
    // leaf 2
    {0.978, 2.03, 3.52, 0.586},     // group_mapped:fitting / 4
    {0.969, 1.59, 3.06, 0.206},     // group_mapped:fitting / 2
    {0.942, 1.35, 2.36, 0.0304},    // group_mapped:fitting
    {0.942, 1.31, 2.36, 0.0232},    // group_mapped:fitting * 2
    {0.942, 1.47, 2.42, 0.112},     // group_mapped:fitting * 4
    {1.01, 1.64, 4.35, 0.416},      // merge_path
    // leaf 3
    {1.03, 1.99, 3.71, 0.305},      // group_mapped:fitting / 4
    {1.03, 1.53, 3.38, 0.121},      // group_mapped:fitting / 2
    {1, 1.36, 3.15, 0.0269},        // group_mapped:fitting
    {1.13, 1.5, 3.21, 0.167},       // group_mapped:fitting * 2
    {1.57, 2.47, 6.24, 0.873},      // group_mapped:fitting * 4
    {1.08, 1.51, 3.23, 0.162},      // merge_path
    // leaf 4
    {1.12, 2.04, 4.33, 0.376},      // group_mapped:fitting / 4
    {1.02, 1.37, 3.77, 0.138},      // group_mapped:fitting / 2
    {1.02, 1.28, 3.35, 0.0394},     // group_mapped:fitting
    {1.07, 1.68, 3.35, 0.188},      // group_mapped:fitting * 2
    {1.61, 3.34, 5.88, 1.09},       // group_mapped:fitting * 4
    {1.03, 1.2, 3.35, 0.0258},      // merge_path
    // leaf 5
    {2.89, 27.3, 57.4, 2.61},       // group_mapped:fitting / 4
    {2.33, 22.4, 57, 2.42},         // group_mapped:fitting / 2
    {1.86, 3.22, 37, 1.6},          // group_mapped:fitting
    {1.65, 3.09, 33.7, 1.54},       // group_mapped:fitting * 2
    {1.69, 6.71, 46.8, 2.21},       // group_mapped:fitting * 4
    {1.32, 1.62, 2.93, 0.0197},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 524754d2cd12",
    .proved = true,
    .launch_us = 5,
    .gb_per_s = 4e+03,
    .gather_us = 15.7,
    .gather_ns = 0.0156,
    .copy_us = 8.66,
    .step_ns = 113,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
