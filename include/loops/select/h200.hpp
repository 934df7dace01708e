// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit e7ab5e58ed2e.
/// On 160 rows of 16 groups held out, 100 uses: 96.5 % of the oracle in geometric mean,
/// 1.037 of its time in total, 1.54 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.9 % of the oracle in geometric mean,
/// 1.011 of its time in total, 1.13 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many atoms
// and atoms per tile, for values of how many bytes (0: any), where columns are near
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.618},
    {"group_mapped", candidate::fitted, -1, 0.618},
    {"group_mapped", candidate::fitted, 0, 0.618, "nonzero_split", 7000000, 10, 4},
    {"group_mapped", candidate::fitted, 1, 0.618},
    {"group_mapped", candidate::fitted, 2, 0.618},
    {"merge_path", 0, 0, 14.5, "nonzero_split", 7000000, 0, 0},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 4},             // atoms <= 7900? else line 4
    /*  1 */ {feature::tiles, 400, 3},              // tiles <= 400? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 23 matrices of 14 groups, loses 2.6 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 8 matrices of 6 groups, loses 6.6 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 126 matrices of 33 groups, loses 14.3 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {23, 14, true, 1.03, 0.00872},
    {8, 6, true, 1.11, 0.00869},
    {126, 33, true, 1.45, 0.0437},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.986, 1.05, 1.2, 0.0325},     // group_mapped:fitting / 4
    {0.988, 1.05, 1.13, 0.0259},    // group_mapped:fitting / 2
    {0.988, 1.06, 1.14, 0.0298},    // group_mapped:fitting
    {0.993, 1.07, 1.16, 0.049},     // group_mapped:fitting * 2
    {1, 1.11, 1.17, 0.0709},        // group_mapped:fitting * 4
    {1.05, 1.12, 1.27, 0.119},      // merge_path
    // leaf 1
    {1.06, 1.12, 3.3, 0.43},        // group_mapped:fitting / 4
    {1.07, 1.11, 2.3, 0.234},       // group_mapped:fitting / 2
    {1.08, 1.13, 1.7, 0.115},       // group_mapped:fitting
    {1.12, 1.15, 1.37, 0.0665},     // group_mapped:fitting * 2
    {1.13, 1.18, 1.26, 0.0711},     // group_mapped:fitting * 4
    {1.15, 1.19, 1.39, 0.108},      // merge_path
    // leaf 2
    {1.06, 2, 46, 1.1},             // group_mapped:fitting / 4
    {1.06, 1.5, 46, 0.934},         // group_mapped:fitting / 2
    {1.03, 1.38, 45.1, 0.796},      // group_mapped:fitting
    {1.13, 1.54, 45.1, 0.832},      // group_mapped:fitting * 2
    {1.16, 2, 44.5, 1.01},          // group_mapped:fitting * 4
    {1.08, 1.45, 3.01, 0.143},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 6},              // delay <= 0.5? else line 6
    /*  1 */ {feature::delay, 0.2, 5},              // delay <= 0.2? else line 5
    /*  2 */ {feature::mean, 1000, 4},              // mean <= 1000? else line 4
    /*  3 */ {feature::none, 0, 0},                 // group_mapped:fitting, 112 matrices of 29 groups, loses 3.6 %
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 6 matrices of 4 groups, loses 4.8 %
    /*  5 */ {feature::none, 0, 2},                 // merge_path, 7 matrices of 7 groups, loses 2.4 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 32 matrices of 13 groups, loses 0.2 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {112, 29, true, 1.25, 0},
    {6, 4, true, 1.14, 0},
    {7, 7, true, 1.49, 0},
    {32, 13, true, 1.87, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1, 1.25, 2.98, 0.289},         // group_mapped:fitting / 4
    {1, 1.2, 2.76, 0.12},           // group_mapped:fitting / 2
    {0.986, 1.12, 2.73, 0.0364},    // group_mapped:fitting
    {1.01, 1.21, 3.37, 0.211},      // group_mapped:fitting * 2
    {1, 1.52, 6.19, 0.596},         // group_mapped:fitting * 4
    {1.06, 1.23, 2.85, 0.16},       // merge_path
    // leaf 1
    {0.96, 1.34, 3.43, 0.469},      // group_mapped:fitting / 4
    {0.965, 1.19, 2.05, 0.159},     // group_mapped:fitting / 2
    {0.946, 1.19, 2.07, 0.166},     // group_mapped:fitting
    {0.946, 1.16, 1.54, 0.0484},    // group_mapped:fitting * 2
    {0.946, 1.16, 1.54, 0.0484},    // group_mapped:fitting * 4
    {0.956, 1.61, 2.3, 0.356},      // merge_path
    // leaf 2
    {2.45, 3.33, 4.94, 1.38},       // group_mapped:fitting / 4
    {1.76, 2.27, 3.06, 0.586},      // group_mapped:fitting / 2
    {1.44, 1.71, 2.08, 0.169},      // group_mapped:fitting
    {1.43, 1.62, 1.87, 0.103},      // group_mapped:fitting * 2
    {1.66, 2.01, 2.18, 0.333},      // group_mapped:fitting * 4
    {1.32, 1.47, 1.77, 0.0241},     // merge_path
    // leaf 3
    {6.17, 31.7, 55.7, 2.93},       // group_mapped:fitting / 4
    {3.77, 30.7, 55.7, 2.76},       // group_mapped:fitting / 2
    {2.56, 28.1, 54.1, 2.52},       // group_mapped:fitting
    {1.95, 24.1, 54.1, 2.32},       // group_mapped:fitting * 2
    {1.79, 14.6, 49.9, 2.19},       // group_mapped:fitting * 4
    {1.39, 1.69, 2.85, 0.00164},    // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit e7ab5e58ed2e",
    .proved = true,
    .launch_us = 4.7,
    .gb_per_s = 4.02e+03,
    .gather_us = 27,
    .gather_ns = 0.00577,
    .copy_us = 10,
    .step_ns = 86.2,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
