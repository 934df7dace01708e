// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-more.json
/// spmv-h200-everywhere.json spmv-h200-long-first.json spmv-h200-long-first-suitesparse.json
/// --limits spmv-h200-bands.json spmv-h200-held.json spmv-h200-placed.json
/// spmv-h200-placed-more.json spmv-h200-bands-more.json spmv-h200-long-first-limits.json --name
/// h200 --schedules merge_path,group_mapped,long_first,nonzero_split,wide_split,wide_groups -o
/// h200.hpp
///
/// Trained on NVIDIA H200, commit d5816d61ff2d.
/// On 160 rows of 16 groups held out, 100 uses: 96.3 % of the oracle in geometric mean,
/// 1.039 of its time in total, 1.30 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.1 % of the oracle in geometric mean,
/// 1.019 of its time in total, 1.25 at worst.
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
    {"group_mapped", candidate::fitted, 0, 0.748, {{{.name = "merge_path", .where = placing::far, .from = 751500, .most = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 19000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 62000000, .mean = 4, .most = 71}, {.name = "wide_groups", .where = placing::narrow_band, .from = 20200000, .most = 76, .large = 44000000, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 76000000, .mean = 6.001, .large = 212000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .most = 40, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 200000000, .most = 19}}}},
    {"group_mapped", candidate::fitted, 1, 0.748, {{{.name = "merge_path", .where = placing::far, .from = 5000, .most = 59}, {.name = "nonzero_split", .where = placing::everywhere, .from = 19000000, .most = 40, .crowded = 1e+18}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .most = 230, .crowded = 1e+18}, {.name = "nonzero_split", .where = placing::near, .from = 31700000}, {.name = "wide_groups", .where = placing::narrow_band, .from = 20200000, .large = 44000000, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 76000000, .mean = 6.001, .large = 212000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .large = 40000000}, {.name = "wide_split", .where = placing::wide_band, .from = 80000000, .most = 60}}}},
    {"group_mapped", candidate::fitted, 2, 0.748},
    {"long_first", 0, 0, 29.6},
    {"merge_path", 0, 0, 15.7, {{{.name = "nonzero_split", .where = placing::strewn, .from = 60000000, .mean = 50}, {.name = "nonzero_split", .where = placing::everywhere, .from = 19000000, .crowded = 20000000}, {.name = "wide_split", .where = placing::everywhere, .from = 28000000, .crowded = 100000000}, {.name = "nonzero_split", .where = placing::near, .from = 29400000, .crowded = 93000000}, {.name = "nonzero_split", .where = placing::held, .from = 15000000, .mean = 30}, {.name = "wide_groups", .where = placing::held, .from = 114000000, .crowded = 1e+18, .by_lanes = true}, {.name = "wide_split", .where = placing::narrow_band, .from = 20200000, .large = 44000000}, {.name = "wide_split", .where = placing::band, .from = 70000000, .large = 30200000}, {.name = "wide_split", .where = placing::wide_band, .from = 80000000}}}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 30000, 6},            // atoms <= 30000? else line 6
    /*  1 */ {feature::tiles, 1000, 5},             // tiles <= 1000? else line 5
    /*  2 */ {feature::tiles, 400, 4},              // tiles <= 400? else line 4
    /*  3 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 23 matrices of 14 groups, loses 2.7 %
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting, 9 matrices of 5 groups, loses 2.5 %
    /*  5 */ {feature::none, 0, 2},                 // long_first, 13 matrices of 12 groups, loses 3.1 %
    /*  6 */ {feature::atoms, 7500000, 8},          // atoms <= 7500000? else line 8
    /*  7 */ {feature::none, 0, 3},                 // long_first, 108 matrices of 36 groups, loses 10.3 %
    /*  8 */ {feature::mean, 240, 10},              // mean <= 240? else line 10
    /*  9 */ {feature::none, 0, 4},                 // merge_path, 121 matrices of 15 groups, loses 12.3 %
    /* 10 */ {feature::none, 0, 5},                 // group_mapped:fitting, 17 matrices of 4 groups, loses 25.7 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {23, 14, true, 0.959, 0.0153, 2.12},
    {9, 5, true, 1.03, 0.0114, 4.21},
    {13, 12, true, 1.09, 0.0289, 13.2},
    {108, 36, true, 1.4, 0.0298, 15},
    {121, 15, true, 1.76, 0.0465, 12.9},
    {17, 4, true, 1.54, 0.0534, 4.88},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.916, 0.979, 1.07, 0.0322},   // group_mapped:fitting / 4
    {0.905, 0.982, 1.05, 0.0272},   // group_mapped:fitting / 2
    {0.909, 0.999, 1.07, 0.0361},   // group_mapped:fitting
    {0.905, 1.01, 1.09, 0.0502},    // group_mapped:fitting * 2
    {0.922, 1.03, 1.09, 0.0699},    // group_mapped:fitting * 4
    {0.949, 1, 1.13, 0.064},        // long_first
    {1.04, 1.12, 1.23, 0.172},      // merge_path
    // leaf 1
    {0.995, 1.06, 1.32, 0.0878},    // group_mapped:fitting / 4
    {1.01, 1.07, 1.2, 0.0566},      // group_mapped:fitting / 2
    {1.02, 1.06, 1.09, 0.0249},     // group_mapped:fitting
    {1.03, 1.08, 1.09, 0.0367},     // group_mapped:fitting * 2
    {1.05, 1.07, 1.11, 0.0426},     // group_mapped:fitting * 4
    {1.02, 1.07, 1.25, 0.0688},     // long_first
    {1.11, 1.16, 1.35, 0.158},      // merge_path
    // leaf 2
    {0.991, 1.07, 10.1, 0.782},     // group_mapped:fitting / 4
    {1, 1.06, 4.99, 0.649},         // group_mapped:fitting / 2
    {1.01, 1.08, 3.62, 0.402},      // group_mapped:fitting
    {1.05, 1.13, 2.36, 0.234},      // group_mapped:fitting * 2
    {1.13, 1.29, 1.86, 0.289},      // group_mapped:fitting * 4
    {1.01, 1.06, 1.37, 0.0306},     // long_first
    {1.1, 1.19, 1.46, 0.132},       // merge_path
    // leaf 3
    {1.05, 2.26, 42.9, 1.32},       // group_mapped:fitting / 4
    {1.03, 1.86, 42.9, 1.17},       // group_mapped:fitting / 2
    {1.06, 1.57, 41.8, 1.05},       // group_mapped:fitting
    {1.16, 1.6, 41.2, 1.06},        // group_mapped:fitting * 2
    {1.47, 2.04, 35.6, 1.24},       // group_mapped:fitting * 4
    {1.05, 1.39, 2.63, 0.103},      // long_first
    {1.16, 1.51, 2.72, 0.198},      // merge_path
    // leaf 4
    {1.11, 2.84, 53.7, 1.04},       // group_mapped:fitting / 4
    {1.04, 2.55, 53.7, 0.836},      // group_mapped:fitting / 2
    {1.01, 2.37, 47.4, 0.742},      // group_mapped:fitting
    {1.13, 2.28, 46.3, 0.749},      // group_mapped:fitting * 2
    {1.62, 2.59, 45.4, 1.01},       // group_mapped:fitting * 4
    {1.1, 2.09, 3.93, 0.253},       // long_first
    {1.06, 1.69, 3.38, 0.123},      // merge_path
    // leaf 5
    {0.963, 1.73, 6.61, 0.361},     // group_mapped:fitting / 4
    {0.971, 1.51, 6.91, 0.272},     // group_mapped:fitting / 2
    {0.948, 1.31, 6.99, 0.257},     // group_mapped:fitting
    {0.948, 1.37, 7.07, 0.268},     // group_mapped:fitting * 2
    {0.948, 1.43, 7.05, 0.28},      // group_mapped:fitting * 4
    {1.02, 1.74, 7.19, 0.364},      // long_first
    {0.958, 1.84, 7.25, 0.501},     // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 1.2, 10},             // delay <= 1.2? else line 10
    /*  1 */ {feature::skew, 18, 9},                // skew <= 18? else line 9
    /*  2 */ {feature::tiles, 70000, 6},            // tiles <= 70000? else line 6
    /*  3 */ {feature::steps, 2, 5},                // steps <= 2? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 29 matrices of 15 groups, loses 1.8 %
    /*  5 */ {feature::none, 0, 1},                 // group_mapped:fitting, 63 matrices of 21 groups, loses 2.1 %
    /*  6 */ {feature::atoms, 28000000, 8},         // atoms <= 28000000? else line 8
    /*  7 */ {feature::none, 0, 2},                 // group_mapped:fitting, 109 matrices of 15 groups, loses 2.9 %
    /*  8 */ {feature::none, 0, 3},                 // merge_path, 12 matrices of 7 groups, loses 1.2 %
    /*  9 */ {feature::none, 0, 4},                 // long_first, 6 matrices of 6 groups, loses 2.3 %
    /* 10 */ {feature::tiles, 280000, 16},          // tiles <= 280000? else line 16
    /* 11 */ {feature::steps, 200, 13},             // steps <= 200? else line 13
    /* 12 */ {feature::none, 0, 5},                 // long_first, 12 matrices of 10 groups, loses 1.3 %
    /* 13 */ {feature::skew, 4000, 15},             // skew <= 4000? else line 15
    /* 14 */ {feature::none, 0, 6},                 // long_first, 15 matrices of 6 groups, loses 0.5 %
    /* 15 */ {feature::none, 0, 7},                 // merge_path, 6 matrices of 5 groups, loses 1.7 %
    /* 16 */ {feature::none, 0, 8},                 // merge_path, 40 matrices of 8 groups, loses 2.3 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.04, 0, 0},
    {63, 21, true, 1.22, 0, 0},
    {109, 15, true, 1.57, 0, 0},
    {12, 7, true, 1.8, 0, 0},
    {6, 6, true, 1.17, 0, 0},
    {12, 10, true, 1.36, 0, 0},
    {15, 6, true, 1.89, 0, 0},
    {6, 5, true, 1.61, 0, 0},
    {40, 8, true, 1.89, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.921, 1.05, 1.43, 0.0452},    // group_mapped:fitting / 4
    {0.921, 1.03, 1.43, 0.0181},    // group_mapped:fitting / 2
    {0.936, 1.02, 1.4, 0.0226},     // group_mapped:fitting
    {0.931, 1.05, 1.42, 0.0654},    // group_mapped:fitting * 2
    {0.914, 1.05, 1.98, 0.213},     // group_mapped:fitting * 4
    {0.953, 1.04, 1.41, 0.0549},    // long_first
    {1.05, 1.16, 1.55, 0.171},      // merge_path
    // leaf 1
    {0.962, 1.18, 3.81, 0.242},     // group_mapped:fitting / 4
    {0.955, 1.11, 3.48, 0.0951},    // group_mapped:fitting / 2
    {0.922, 1.06, 3.35, 0.0214},    // group_mapped:fitting
    {0.918, 1.11, 3.32, 0.0519},    // group_mapped:fitting * 2
    {0.923, 1.15, 3.72, 0.159},     // group_mapped:fitting * 4
    {0.993, 1.12, 3.82, 0.186},     // long_first
    {1.05, 1.22, 3.63, 0.314},      // merge_path
    // leaf 2
    {1.05, 1.99, 3.79, 0.309},      // group_mapped:fitting / 4
    {1.03, 1.54, 3.43, 0.124},      // group_mapped:fitting / 2
    {1.01, 1.33, 3.17, 0.0288},     // group_mapped:fitting
    {1.13, 1.5, 3.25, 0.168},       // group_mapped:fitting * 2
    {1.57, 2.5, 6.19, 0.883},       // group_mapped:fitting * 4
    {1.07, 1.63, 3.64, 0.227},      // long_first
    {1.07, 1.49, 3.25, 0.159},      // merge_path
    // leaf 3
    {1.15, 2.55, 4.38, 0.382},      // group_mapped:fitting / 4
    {1.08, 2.03, 3.86, 0.14},       // group_mapped:fitting / 2
    {1.06, 1.86, 3.42, 0.0358},     // group_mapped:fitting
    {1.06, 2.32, 3.42, 0.188},      // group_mapped:fitting * 2
    {1.68, 4.33, 6.16, 1.08},       // group_mapped:fitting * 4
    {1.09, 2.11, 4.32, 0.177},      // long_first
    {1.02, 1.81, 3.42, 0.0118},     // merge_path
    // leaf 4
    {1.17, 2.17, 2.69, 0.694},      // group_mapped:fitting / 4
    {1.07, 1.63, 1.86, 0.288},      // group_mapped:fitting / 2
    {1.07, 1.33, 1.43, 0.0929},     // group_mapped:fitting
    {1.11, 1.24, 1.44, 0.0768},     // group_mapped:fitting * 2
    {1.06, 1.64, 1.93, 0.321},      // group_mapped:fitting * 4
    {1.07, 1.19, 1.32, 0.0234},     // long_first
    {1.22, 1.33, 1.45, 0.14},       // merge_path
    // leaf 5
    {3.41, 5.76, 10.7, 2.54},       // group_mapped:fitting / 4
    {2.21, 3.69, 5.79, 1.8},        // group_mapped:fitting / 2
    {1.63, 2.57, 3.33, 0.923},      // group_mapped:fitting
    {1.42, 1.96, 3.06, 0.584},      // group_mapped:fitting * 2
    {1.47, 1.83, 3.68, 0.564},      // group_mapped:fitting * 4
    {1.25, 1.34, 1.71, 0.0128},     // long_first
    {1.31, 1.47, 1.72, 0.0983},     // merge_path
    // leaf 6
    {11.6, 31.5, 63, 3},            // group_mapped:fitting / 4
    {8.33, 27.2, 49.2, 2.96},       // group_mapped:fitting / 2
    {5.32, 18.3, 39.1, 2.9},        // group_mapped:fitting
    {3.74, 11.2, 39.1, 2.73},       // group_mapped:fitting * 2
    {3.49, 9.01, 30.8, 2.57},       // group_mapped:fitting * 4
    {1.36, 1.71, 4.9, 0.00505},     // long_first
    {1.48, 2.03, 4.81, 0.108},      // merge_path
    // leaf 7
    {26.2, 30.5, 46.3, 3},          // group_mapped:fitting / 4
    {26.2, 30.5, 46.3, 3},          // group_mapped:fitting / 2
    {26.2, 30.5, 46.3, 3},          // group_mapped:fitting
    {25.3, 29.3, 46.3, 3},          // group_mapped:fitting * 2
    {17.4, 29, 46.3, 3},            // group_mapped:fitting * 4
    {1.32, 1.65, 2.44, 0.0691},     // long_first
    {1.35, 1.53, 2.32, 0.0167},     // merge_path
    // leaf 8
    {2.41, 26, 58.5, 2.46},         // group_mapped:fitting / 4
    {2.11, 26, 58.5, 2.37},         // group_mapped:fitting / 2
    {1.86, 2.81, 32, 1.16},         // group_mapped:fitting
    {2.08, 2.95, 28.2, 1.2},        // group_mapped:fitting * 2
    {4.09, 6.99, 54, 2.51},         // group_mapped:fitting * 4
    {1.38, 2.23, 3.33, 0.215},      // long_first
    {1.31, 1.82, 3, 0.0234},        // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit d5816d61ff2d",
    .proved = true,
    .launch_us = 5,
    .gb_per_s = 4.03e+03,
    .gather_us = 14.7,
    .gather_ns = 0.0153,
    .copy_us = 7.67,
    .step_ns = 109,
    .schedules = h200_data::schedules,
    .safe = 6,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
