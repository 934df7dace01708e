// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json spmv-h200-applied.json
/// --name h200 --schedules merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 40e672400bb5.
/// On 160 rows of 16 groups held out, 100 uses: 96.9 % of the oracle in geometric mean,
/// 1.031 of its time in total, 1.14 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.8 % of the oracle in geometric mean,
/// 1.012 of its time in total, 1.15 at worst.
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
    {"group_mapped", candidate::fitted, -2, 1.17},
    {"group_mapped", candidate::fitted, -1, 1.17},
    {"group_mapped", candidate::fitted, 0, 1.17, {"nonzero_split", 60000000, 7, 80}, {"merge_path", 1130000, 6, 50}, {"wide_split", 30000000, 0, 27}},
    {"group_mapped", candidate::fitted, 1, 1.17, {"nonzero_split", 30000000, 0}, {"merge_path", 5000, 0, 75}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 2, 1.17},
    {"merge_path", 0, 0, 18, {"nonzero_split", 30000000, 0, 0, 120000000}, {}, {"wide_split", 20000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.6 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 215 matrices of 38 groups, loses 18.1 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.01, 0.0117, 1.16},
    {215, 38, true, 1.47, 0.0471, 7.36},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.935, 1.03, 1.36, 0.136},     // group_mapped:fitting / 4
    {0.936, 1.03, 1.19, 0.0715},    // group_mapped:fitting / 2
    {0.936, 1.05, 1.12, 0.0465},    // group_mapped:fitting
    {0.949, 1.08, 1.14, 0.05},      // group_mapped:fitting * 2
    {0.95, 1.08, 1.15, 0.0661},     // group_mapped:fitting * 4
    {1.06, 1.19, 1.31, 0.187},      // merge_path
    // leaf 1
    {1.05, 2.08, 45.9, 1.09},       // group_mapped:fitting / 4
    {1.05, 1.62, 45.9, 0.928},      // group_mapped:fitting / 2
    {1.04, 1.49, 44.9, 0.829},      // group_mapped:fitting
    {1.11, 1.55, 41.2, 0.835},      // group_mapped:fitting * 2
    {1.17, 2.09, 36, 1.04},         // group_mapped:fitting * 4
    {1.08, 1.5, 3.1, 0.181},        // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 10},             // delay <= 0.5? else line 10
    /*  1 */ {feature::rounds, 21, 9},              // rounds <= 21? else line 9
    /*  2 */ {feature::steps, 13, 8},               // steps <= 13? else line 8
    /*  3 */ {feature::tiles, 70000, 7},            // tiles <= 70000? else line 7
    /*  4 */ {feature::steps, 2, 6},                // steps <= 2? else line 6
    /*  5 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 29 matrices of 15 groups, loses 1.5 %
    /*  6 */ {feature::none, 0, 1},                 // group_mapped:fitting, 51 matrices of 21 groups, loses 1.4 %
    /*  7 */ {feature::none, 0, 2},                 // group_mapped:fitting, 77 matrices of 15 groups, loses 1.5 %
    /*  8 */ {feature::none, 0, 3},                 // group_mapped:fitting * 2, 18 matrices of 10 groups, loses 2.3 %
    /*  9 */ {feature::none, 0, 4},                 // merge_path, 19 matrices of 8 groups, loses 4.2 %
    /* 10 */ {feature::none, 0, 5},                 // merge_path, 57 matrices of 16 groups, loses 1.6 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {29, 15, true, 1.08, 0, 0},
    {51, 21, true, 1.16, 0, 0},
    {77, 15, true, 1.34, 0, 0},
    {18, 10, true, 1.3, 0, 0},
    {19, 8, true, 2.07, 0, 0},
    {57, 16, true, 1.82, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.956, 1.09, 1.54, 0.0522},    // group_mapped:fitting / 4
    {0.956, 1.05, 1.48, 0.0148},    // group_mapped:fitting / 2
    {0.967, 1.07, 1.48, 0.019},     // group_mapped:fitting
    {0.949, 1.08, 1.48, 0.0656},    // group_mapped:fitting * 2
    {0.954, 1.1, 2.08, 0.217},      // group_mapped:fitting * 4
    {1.08, 1.23, 1.64, 0.192},      // merge_path
    // leaf 1
    {0.996, 1.17, 2.54, 0.118},     // group_mapped:fitting / 4
    {0.982, 1.1, 2.35, 0.0473},     // group_mapped:fitting / 2
    {0.955, 1.07, 2.32, 0.014},     // group_mapped:fitting
    {0.962, 1.12, 2.31, 0.0519},    // group_mapped:fitting * 2
    {0.954, 1.14, 3.14, 0.175},     // group_mapped:fitting * 4
    {1.09, 1.26, 2.75, 0.28},       // merge_path
    // leaf 2
    {1.04, 1.62, 3.09, 0.331},      // group_mapped:fitting / 4
    {1.02, 1.27, 2.89, 0.118},      // group_mapped:fitting / 2
    {1.02, 1.17, 2.83, 0.0148},     // group_mapped:fitting
    {1.13, 1.37, 3.04, 0.168},      // group_mapped:fitting * 2
    {1.59, 2.18, 4.4, 0.817},       // group_mapped:fitting * 4
    {1.07, 1.34, 2.87, 0.146},      // merge_path
    // leaf 3
    {1.01, 2.04, 3.44, 0.655},      // group_mapped:fitting / 4
    {0.996, 1.61, 2.25, 0.23},      // group_mapped:fitting / 2
    {0.973, 1.41, 1.69, 0.0373},    // group_mapped:fitting
    {0.973, 1.37, 1.68, 0.023},     // group_mapped:fitting * 2
    {0.973, 1.51, 1.98, 0.136},     // group_mapped:fitting * 4
    {0.967, 1.61, 2.94, 0.379},     // merge_path
    // leaf 4
    {1.14, 2.75, 3.85, 0.27},       // group_mapped:fitting / 4
    {1.1, 2.55, 3.38, 0.132},       // group_mapped:fitting / 2
    {1.12, 2.4, 3.2, 0.0878},       // group_mapped:fitting
    {1.24, 2.46, 3.33, 0.225},      // group_mapped:fitting * 2
    {1.95, 4.83, 6.44, 1.27},       // group_mapped:fitting * 4
    {1.04, 2.42, 3.28, 0.0425},     // merge_path
    // leaf 5
    {4.17, 28.7, 53.6, 2.85},       // group_mapped:fitting / 4
    {3.09, 26.9, 51.7, 2.66},       // group_mapped:fitting / 2
    {2.03, 7.35, 40.4, 1.95},       // group_mapped:fitting
    {1.71, 4.92, 37.8, 1.69},       // group_mapped:fitting * 2
    {1.74, 7.76, 45.3, 2.18},       // group_mapped:fitting * 4
    {1.35, 1.71, 2.83, 0.0157},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 40e672400bb5",
    .proved = true,
    .launch_us = 4.72,
    .gb_per_s = 4.02e+03,
    .gather_us = 17.6,
    .gather_ns = 0.0133,
    .copy_us = 10,
    .step_ns = 90.1,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
