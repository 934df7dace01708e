// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 394c3ea9b399.
/// On 160 rows of 16 groups held out, 100 uses: 96.1 % of the oracle in geometric mean,
/// 1.041 of its time in total, 1.20 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.7 % of the oracle in geometric mean,
/// 1.013 of its time in total, 1.15 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many bytes of atoms
// and how many atoms per tile, where columns are near
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 0.72},
    {"group_mapped", candidate::fitted, -1, 0.72},
    {"group_mapped", candidate::fitted, 0, 0.72, "nonzero_split", 150000000, 12},
    {"group_mapped", candidate::fitted, 1, 0.72, "nonzero_split", 161900000, 10},
    {"group_mapped", candidate::fitted, 2, 0.72},
    {"merge_path", 0, 0, 16.3, "nonzero_split", 40000000, 0},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.6 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 147 matrices of 33 groups, loses 18.3 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.05, 0.00928},
    {147, 33, true, 1.49, 0.0382},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.965, 1.07, 1.42, 0.137},     // group_mapped:fitting / 4
    {0.979, 1.07, 1.24, 0.0742},    // group_mapped:fitting / 2
    {0.979, 1.09, 1.16, 0.0462},    // group_mapped:fitting
    {0.979, 1.11, 1.19, 0.0517},    // group_mapped:fitting * 2
    {0.993, 1.13, 1.2, 0.0692},     // group_mapped:fitting * 4
    {1.1, 1.25, 1.37, 0.186},       // merge_path
    // leaf 1
    {1.04, 2.07, 48.4, 1.13},       // group_mapped:fitting / 4
    {1.05, 1.59, 48.4, 0.972},      // group_mapped:fitting / 2
    {1.04, 1.45, 46.6, 0.822},      // group_mapped:fitting
    {1.06, 1.52, 45.9, 0.833},      // group_mapped:fitting * 2
    {1.15, 1.98, 44.2, 1.02},       // group_mapped:fitting * 4
    {1.07, 1.53, 3.09, 0.183},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 12},             // delay <= 0.5? else line 12
    /*  1 */ {feature::steps, 7.9, 9},              // steps <= 7.9? else line 9
    /*  2 */ {feature::mean, 70, 8},                // mean <= 70? else line 8
    /*  3 */ {feature::strewn, 0.99985, 7},         // strewn <= 0.99985? else line 7
    /*  4 */ {feature::steps, 2, 6},                // steps <= 2? else line 6
    /*  5 */ {feature::none, 0, 0},                 // group_mapped:fitting / 2, 36 matrices of 16 groups, loses 1.7 %
    /*  6 */ {feature::none, 0, 1},                 // group_mapped:fitting, 53 matrices of 24 groups, loses 0.9 %
    /*  7 */ {feature::none, 0, 2},                 // merge_path, 11 matrices of 2 groups, loses 2.1 %
    /*  8 */ {feature::none, 0, 3},                 // group_mapped:fitting / 2, 8 matrices of 3 groups, loses 7.3 %
    /*  9 */ {feature::strewn, 0.45, 11},           // strewn <= 0.45? else line 11
    /* 10 */ {feature::none, 0, 4},                 // group_mapped:fitting * 2, 21 matrices of 10 groups, loses 1.6 %
    /* 11 */ {feature::none, 0, 5},                 // group_mapped:fitting, 8 matrices of 4 groups, loses 3.0 %
    /* 12 */ {feature::none, 0, 6},                 // merge_path, 41 matrices of 13 groups, loses 1.2 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {36, 16, true, 1.25, 0},
    {53, 24, true, 1.12, 0},
    {11, 2, false, 2.67, 0},
    {8, 3, true, 1.31, 0},
    {21, 10, true, 1.17, 0},
    {8, 4, true, 1.28, 0},
    {41, 13, true, 2, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.99, 1.15, 2.6, 0.0509},      // group_mapped:fitting / 4
    {0.99, 1.12, 2.4, 0.0173},      // group_mapped:fitting / 2
    {0.994, 1.14, 2.35, 0.0298},    // group_mapped:fitting
    {0.993, 1.14, 2.61, 0.134},     // group_mapped:fitting * 2
    {0.997, 1.19, 4.53, 0.475},     // group_mapped:fitting * 4
    {1.14, 1.3, 2.64, 0.205},       // merge_path
    // leaf 1
    {1.01, 1.2, 2.08, 0.216},       // group_mapped:fitting / 4
    {0.996, 1.15, 1.35, 0.0561},    // group_mapped:fitting / 2
    {0.975, 1.11, 1.26, 0.00892},   // group_mapped:fitting
    {0.993, 1.16, 1.48, 0.0947},    // group_mapped:fitting * 2
    {0.993, 1.27, 2.19, 0.377},     // group_mapped:fitting * 4
    {1.08, 1.29, 1.6, 0.178},       // merge_path
    // leaf 2
    {2.48, 2.85, 3.94, 0.13},       // group_mapped:fitting / 4
    {2.38, 2.75, 3.49, 0.0654},     // group_mapped:fitting / 2
    {2.31, 2.73, 3.42, 0.0417},     // group_mapped:fitting
    {2.43, 3.05, 3.76, 0.151},      // group_mapped:fitting * 2
    {3.55, 4.68, 6.04, 0.846},      // group_mapped:fitting * 4
    {2.31, 2.72, 3.2, 0.0215},      // merge_path
    // leaf 3
    {1.01, 1.25, 2.84, 0.101},      // group_mapped:fitting / 4
    {1.02, 1.2, 2.58, 0.0727},      // group_mapped:fitting / 2
    {1.05, 1.3, 2.56, 0.124},       // group_mapped:fitting
    {1.05, 1.52, 2.71, 0.291},      // group_mapped:fitting * 2
    {1.05, 1.96, 4.04, 0.442},      // group_mapped:fitting * 4
    {1.16, 1.58, 3.28, 0.473},      // merge_path
    // leaf 4
    {1.04, 1.9, 3.57, 0.744},       // group_mapped:fitting / 4
    {1.03, 1.45, 2.3, 0.313},       // group_mapped:fitting / 2
    {0.977, 1.2, 1.67, 0.0589},     // group_mapped:fitting
    {0.977, 1.1, 1.59, 0.0161},     // group_mapped:fitting * 2
    {0.985, 1.5, 2.04, 0.31},       // group_mapped:fitting * 4
    {0.977, 1.22, 1.79, 0.105},     // merge_path
    // leaf 5
    {1.03, 1.55, 3.58, 0.471},      // group_mapped:fitting / 4
    {1.05, 1.33, 2.74, 0.188},      // group_mapped:fitting / 2
    {1.04, 1.2, 1.86, 0.0302},      // group_mapped:fitting
    {1.04, 1.28, 1.83, 0.0373},     // group_mapped:fitting * 2
    {1.04, 1.34, 2.19, 0.119},      // group_mapped:fitting * 4
    {1.21, 1.7, 2.19, 0.327},       // merge_path
    // leaf 6
    {5.36, 34, 56.6, 2.9},          // group_mapped:fitting / 4
    {3.16, 30.9, 55.1, 2.72},       // group_mapped:fitting / 2
    {2.26, 27.8, 55.1, 2.49},       // group_mapped:fitting
    {1.74, 17.1, 53.5, 2.31},       // group_mapped:fitting * 2
    {1.8, 10.3, 46.5, 2.17},        // group_mapped:fitting * 4
    {1.49, 1.96, 2.95, 0.0118},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 394c3ea9b399",
    .proved = true,
    .launch_us = 4.45,
    .gb_per_s = 4.02e+03,
    .gather_us = 30.4,
    .gather_ns = 0.00341,
    .copy_us = 11.2,
    .step_ns = 82.4,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
