// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json
/// spmv-h200-everywhere.json spmv-h200-long-first.json spmv-h200-long-first-suitesparse.json
/// spmv-h200-small-skewed.json --limits spmv-h200-bands.json spmv-h200-held.json
/// spmv-h200-placed.json spmv-h200-placed-more.json spmv-h200-bands-more.json
/// spmv-h200-long-first-limits.json --name h200 --schedules
/// merge_path,group_mapped,long_first,nonzero_split,wide_split,wide_groups -o h200.hpp
///
/// Trained on NVIDIA H200, commit 43d86dc836e9.
/// On 160 rows of 16 groups held out, 100 uses: 96.0 % of the oracle in geometric mean,
/// 1.042 of its time in total, 1.22 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.8 % of the oracle in geometric mean,
/// 1.012 of its time in total, 1.11 at worst.
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
    {"group_mapped", candidate::fitted, -2, 0.745},
    {"group_mapped", candidate::fitted, -1, 0.745},
    {"group_mapped", candidate::fitted, 0, 0.745, {{{.name = "merge_path", .where = placing::far, .from = 751500, .most = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 62000000, .mean = 4, .most = 71}, {.name = "wide_groups", .where = placing::narrow_band, .from = 20200000, .most = 76, .large = 44000000, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 76000000, .mean = 6.001, .large = 212000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .most = 40, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 200000000, .most = 19}}}},
    {"group_mapped", candidate::fitted, 1, 0.745, {{{.name = "merge_path", .where = placing::far, .from = 5000, .most = 59}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 31700000}, {.name = "wide_groups", .where = placing::narrow_band, .from = 20200000, .large = 44000000, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 76000000, .mean = 6.001, .large = 212000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 80000000, .most = 60}}}},
    {"group_mapped", candidate::fitted, 2, 0.745},
    {"long_first", 0, 0, 31.5},
    {"merge_path", 0, 0, 17.5, {{{.name = "nonzero_split", .where = placing::strewn, .from = 60000000, .mean = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 17000000, .crowded = 20000000}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .crowded = 100000000}, {.name = "nonzero_split", .where = placing::near, .from = 29400000, .crowded = 93000000}, {.name = "nonzero_split", .where = placing::held, .from = 15000000, .mean = 30}, {.name = "wide_groups", .where = placing::held, .from = 114000000, .crowded = 1e+18, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 20200000, .large = 44000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .large = 30200000}, {.name = "wide_split", .where = placing::wide_band, .from = 80000000}}}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 46000, 6},            // atoms <= 46000? else line 6
    /*  1 */ {feature::tiles, 1030, 5},             // tiles <= 1030? else line 5
    /*  2 */ {feature::tiles, 500, 4},              // tiles <= 500? else line 4
    /*  3 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 36 matrices of 17 groups, loses 5.2 %
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting * 4, 11 matrices of 5 groups, loses 4.1 %
    /*  5 */ {feature::none, 0, 2},                 // long_first, 36 matrices of 19 groups, loses 2.1 %
    /*  6 */ {feature::tiles, 266000, 8},           // tiles <= 266000? else line 8
    /*  7 */ {feature::none, 0, 3},                 // long_first, 112 matrices of 32 groups, loses 16.5 %
    /*  8 */ {feature::atoms, 6500000, 10},         // atoms <= 6500000? else line 10
    /*  9 */ {feature::none, 0, 4},                 // long_first, 21 matrices of 15 groups, loses 13.7 %
    /* 10 */ {feature::none, 0, 5},                 // merge_path, 108 matrices of 15 groups, loses 11.4 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {36, 17, true, 0.985, 0.0159, 0.874},
    {11, 5, true, 1.04, 0.0265, 6.75},
    {36, 19, true, 1.14, 0.00703, 17.5},
    {112, 32, true, 1.5, 0.029, 14.6},
    {21, 15, true, 1.49, 0.0422, 10.8},
    {108, 15, true, 1.7, 0.0803, 23.6},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.917, 1.01, 1.73, 0.193},     // group_mapped:fitting / 4
    {0.914, 1.02, 1.38, 0.103},     // group_mapped:fitting / 2
    {0.91, 1.02, 1.19, 0.0551},     // group_mapped:fitting
    {0.914, 1.05, 1.11, 0.0522},    // group_mapped:fitting * 2
    {0.927, 1.05, 1.11, 0.0609},    // group_mapped:fitting * 4
    {0.929, 1.05, 1.19, 0.0702},    // long_first
    {1.02, 1.15, 1.3, 0.178},       // merge_path
    // leaf 1
    {1.06, 1.47, 3.09, 0.62},       // group_mapped:fitting / 4
    {1.01, 1.22, 2.13, 0.287},      // group_mapped:fitting / 2
    {0.991, 1.08, 1.76, 0.114},     // group_mapped:fitting
    {0.999, 1.06, 1.36, 0.042},     // group_mapped:fitting * 2
    {1.02, 1.07, 1.26, 0.0411},     // group_mapped:fitting * 4
    {0.999, 1.1, 1.24, 0.0606},     // long_first
    {1.15, 1.23, 1.39, 0.202},      // merge_path
    // leaf 2
    {1.02, 2.43, 22.7, 1.46},       // group_mapped:fitting / 4
    {1.02, 1.72, 12.7, 1.24},       // group_mapped:fitting / 2
    {1.03, 1.35, 7.36, 0.943},      // group_mapped:fitting
    {1.05, 1.32, 4.1, 0.678},       // group_mapped:fitting * 2
    {1.13, 1.58, 3.07, 0.581},      // group_mapped:fitting * 4
    {1.03, 1.17, 1.29, 0.0214},     // long_first
    {1.15, 1.32, 1.49, 0.149},      // merge_path
    // leaf 3
    {1.03, 2.18, 39.6, 1.07},       // group_mapped:fitting / 4
    {1.01, 1.73, 39.6, 0.911},      // group_mapped:fitting / 2
    {1.03, 1.54, 38.2, 0.809},      // group_mapped:fitting
    {1.08, 1.53, 33.6, 0.815},      // group_mapped:fitting * 2
    {1.09, 1.94, 29.8, 0.97},       // group_mapped:fitting * 4
    {1.07, 1.47, 5.65, 0.165},      // long_first
    {1.15, 1.56, 6.39, 0.264},      // merge_path
    // leaf 4
    {1.03, 2.5, 44, 1.44},          // group_mapped:fitting / 4
    {1.03, 2.5, 44, 1.44},          // group_mapped:fitting / 2
    {1.03, 2.21, 44, 1.4},          // group_mapped:fitting
    {1.17, 2.17, 42.6, 1.49},       // group_mapped:fitting * 2
    {1.65, 2.67, 41.3, 1.71},       // group_mapped:fitting * 4
    {1.05, 1.52, 2.74, 0.137},      // long_first
    {1.23, 1.57, 2.81, 0.202},      // merge_path
    // leaf 5
    {1.1, 2.83, 54.3, 1.1},         // group_mapped:fitting / 4
    {1.04, 2.57, 54.3, 0.902},      // group_mapped:fitting / 2
    {1.01, 2.4, 47.1, 0.807},       // group_mapped:fitting
    {1.13, 2.27, 46.5, 0.799},      // group_mapped:fitting * 2
    {1.62, 2.61, 45.9, 1.05},       // group_mapped:fitting * 4
    {1.1, 2.09, 3.66, 0.254},       // long_first
    {1.05, 1.66, 3.31, 0.114},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 1.2, 10},             // delay <= 1.2? else line 10
    /*  1 */ {feature::delay, 0.48, 9},             // delay <= 0.48? else line 9
    /*  2 */ {feature::tiles, 70000, 6},            // tiles <= 70000? else line 6
    /*  3 */ {feature::steps, 2.14, 5},             // steps <= 2.14? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 35 matrices of 18 groups, loses 1.6 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 75 matrices of 27 groups, loses 1.9 %
    /*  6 */ {feature::atoms, 28000000, 8},         // atoms <= 28000000? else line 8
    /*  7 */ {feature::none, 0, 2},                 // group_mapped:fitting, 109 matrices of 15 groups, loses 2.9 %
    /*  8 */ {feature::none, 0, 3},                 // merge_path, 11 matrices of 6 groups, loses 1.2 %
    /*  9 */ {feature::none, 0, 4},                 // long_first, 14 matrices of 9 groups, loses 3.1 %
    /* 10 */ {feature::tiles, 280000, 16},          // tiles <= 280000? else line 16
    /* 11 */ {feature::steps, 200, 13},             // steps <= 200? else line 13
    /* 12 */ {feature::none, 0, 5},                 // long_first, 20 matrices of 11 groups, loses 0.6 %
    /* 13 */ {feature::skew, 3300, 15},             // skew <= 3300? else line 15
    /* 14 */ {feature::none, 0, 6},                 // long_first, 13 matrices of 5 groups, loses 0.5 %
    /* 15 */ {feature::none, 0, 7},                 // merge_path, 8 matrices of 5 groups, loses 1.7 %
    /* 16 */ {feature::none, 0, 8},                 // merge_path, 40 matrices of 8 groups, loses 2.6 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {35, 18, true, 1.04, 0, 0},
    {75, 27, true, 1.19, 0, 0},
    {109, 15, true, 1.57, 0, 0},
    {11, 6, true, 1.72, 0, 0},
    {14, 9, true, 1.32, 0, 0},
    {20, 11, true, 1.29, 0, 0},
    {13, 5, true, 1.93, 0, 0},
    {8, 5, true, 1.68, 0, 0},
    {40, 8, true, 1.88, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.926, 1.06, 1.39, 0.0508},    // group_mapped:fitting / 4
    {0.926, 1.03, 1.4, 0.0162},     // group_mapped:fitting / 2
    {0.945, 1.02, 1.37, 0.0209},    // group_mapped:fitting
    {0.941, 1.04, 1.39, 0.0588},    // group_mapped:fitting * 2
    {0.917, 1.04, 1.93, 0.196},     // group_mapped:fitting * 4
    {0.932, 1.06, 1.46, 0.0631},    // long_first
    {1.05, 1.17, 1.57, 0.179},      // merge_path
    // leaf 1
    {0.966, 1.2, 3.31, 0.213},      // group_mapped:fitting / 4
    {0.961, 1.11, 3.28, 0.089},     // group_mapped:fitting / 2
    {0.925, 1.06, 3.28, 0.0195},    // group_mapped:fitting
    {0.925, 1.1, 3.28, 0.0509},     // group_mapped:fitting * 2
    {0.928, 1.1, 3.28, 0.152},      // group_mapped:fitting * 4
    {0.97, 1.15, 3.42, 0.132},      // long_first
    {1.04, 1.26, 3.53, 0.315},      // merge_path
    // leaf 2
    {1.04, 1.98, 3.77, 0.309},      // group_mapped:fitting / 4
    {1.03, 1.53, 3.41, 0.123},      // group_mapped:fitting / 2
    {1.01, 1.32, 3.17, 0.0285},     // group_mapped:fitting
    {1.12, 1.5, 3.23, 0.168},       // group_mapped:fitting * 2
    {1.57, 2.48, 6.16, 0.882},      // group_mapped:fitting * 4
    {1.09, 1.62, 3.63, 0.232},      // long_first
    {1.07, 1.49, 3.23, 0.161},      // merge_path
    // leaf 3
    {1.13, 2.07, 4.36, 0.392},      // group_mapped:fitting / 4
    {1.07, 1.37, 3.86, 0.139},      // group_mapped:fitting / 2
    {1.06, 1.28, 3.42, 0.0382},     // group_mapped:fitting
    {1.05, 2.2, 3.42, 0.201},       // group_mapped:fitting * 2
    {1.66, 4.12, 6.18, 1.08},       // group_mapped:fitting * 4
    {1.09, 1.41, 4.35, 0.18},       // long_first
    {1.01, 1.18, 3.42, 0.0125},     // merge_path
    // leaf 4
    {1.6, 2.12, 3.67, 0.74},        // group_mapped:fitting / 4
    {1.35, 1.56, 2.88, 0.301},      // group_mapped:fitting / 2
    {1.22, 1.31, 2.21, 0.0883},     // group_mapped:fitting
    {1.2, 1.29, 2.21, 0.0675},      // group_mapped:fitting * 2
    {1.2, 1.53, 4.04, 0.315},       // group_mapped:fitting * 4
    {1.13, 1.23, 2.48, 0.0306},     // long_first
    {1.26, 1.41, 2.22, 0.136},      // merge_path
    // leaf 5
    {3.51, 7.34, 12.7, 2.69},       // group_mapped:fitting / 4
    {2.34, 4.3, 6.59, 2.17},        // group_mapped:fitting / 2
    {1.72, 2.85, 3.85, 1.3},        // group_mapped:fitting
    {1.43, 2.34, 3.35, 0.844},      // group_mapped:fitting * 2
    {1.5, 1.89, 3.36, 0.656},       // group_mapped:fitting * 4
    {1.17, 1.27, 1.74, 0.00635},    // long_first
    {1.31, 1.44, 1.7, 0.134},       // merge_path
    // leaf 6
    {10.6, 31.2, 68.3, 3},          // group_mapped:fitting / 4
    {7.01, 25.5, 48.6, 2.96},       // group_mapped:fitting / 2
    {4.85, 15.4, 30.7, 2.88},       // group_mapped:fitting
    {3.31, 9.35, 30.7, 2.69},       // group_mapped:fitting * 2
    {3.26, 7.82, 27.9, 2.5},        // group_mapped:fitting * 4
    {1.38, 1.74, 5.73, 0.00481},    // long_first
    {1.52, 2.09, 5.58, 0.111},      // merge_path
    // leaf 7
    {27.1, 31.8, 48, 3},            // group_mapped:fitting / 4
    {27.1, 31.8, 48, 3},            // group_mapped:fitting / 2
    {27.1, 31.8, 48, 3},            // group_mapped:fitting
    {25.4, 29.9, 48, 3},            // group_mapped:fitting * 2
    {17.7, 29.8, 45.4, 3},          // group_mapped:fitting * 4
    {1.38, 1.72, 2.42, 0.0734},     // long_first
    {1.38, 1.59, 2.43, 0.0167},     // merge_path
    // leaf 8
    {2.4, 26.6, 58.4, 2.46},        // group_mapped:fitting / 4
    {2.1, 26.6, 58.4, 2.37},        // group_mapped:fitting / 2
    {1.84, 2.8, 32.1, 1.16},        // group_mapped:fitting
    {2.08, 2.94, 28.4, 1.2},        // group_mapped:fitting * 2
    {4.07, 6.96, 54.1, 2.51},       // group_mapped:fitting * 4
    {1.39, 2.23, 3.3, 0.213},       // long_first
    {1.33, 1.81, 2.99, 0.0261},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 43d86dc836e9",
    .proved = true,
    .launch_us = 4.99,
    .gb_per_s = 4e+03,
    .gather_us = 15.4,
    .gather_ns = 0.0154,
    .copy_us = 9.69,
    .step_ns = 97.7,
    .schedules = h200_data::schedules,
    .safe = 6,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
