// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit f62989cfd77f.
/// On 160 rows of 16 groups held out, 100 uses: 95.8 % of the oracle in geometric mean,
/// 1.043 of its time in total, 1.17 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.6 % of the oracle in geometric mean,
/// 1.014 of its time in total, 1.17 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace h200_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan;
// what takes its place, beyond how many bytes of atoms
// and how many atoms per tile, where columns are near
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 1.13},
    {"group_mapped", candidate::fitted, -1, 1.13},
    {"group_mapped", candidate::fitted, 0, 1.13, "nonzero_split", 150000000, 12},
    {"group_mapped", candidate::fitted, 1, 1.13, "nonzero_split", 161900000, 10},
    {"group_mapped", candidate::fitted, 2, 1.13},
    {"merge_path", 0, 0, 17.5, "nonzero_split", 40000000, 0},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.3 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 147 matrices of 33 groups, loses 18.3 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.04, 0.0164},
    {147, 33, true, 1.48, 0.0358},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.965, 1.06, 1.41, 0.137},     // group_mapped:fitting / 4
    {0.965, 1.07, 1.25, 0.0757},    // group_mapped:fitting / 2
    {0.972, 1.08, 1.16, 0.0427},    // group_mapped:fitting
    {0.965, 1.1, 1.17, 0.0507},     // group_mapped:fitting * 2
    {1, 1.12, 1.21, 0.0658},        // group_mapped:fitting * 4
    {1.09, 1.24, 1.39, 0.19},       // merge_path
    // leaf 1
    {1.05, 2.07, 47.9, 1.13},       // group_mapped:fitting / 4
    {1.03, 1.59, 47.9, 0.972},      // group_mapped:fitting / 2
    {1.03, 1.43, 46.5, 0.821},      // group_mapped:fitting
    {1.05, 1.5, 45.5, 0.831},       // group_mapped:fitting * 2
    {1.15, 1.94, 43.8, 1.02},       // group_mapped:fitting * 4
    {1.08, 1.52, 3.08, 0.183},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 10},             // delay <= 0.5? else line 10
    /*  1 */ {feature::steps, 7.9, 7},              // steps <= 7.9? else line 7
    /*  2 */ {feature::mean, 70, 6},                // mean <= 70? else line 6
    /*  3 */ {feature::strewn, 0.99985, 5},         // strewn <= 0.99985? else line 5
    /*  4 */ {feature::none, 0, 0},                 // group_mapped:fitting, 89 matrices of 29 groups, loses 2.3 %
    /*  5 */ {feature::none, 0, 1},                 // merge_path, 11 matrices of 2 groups, loses 2.1 %
    /*  6 */ {feature::none, 0, 2},                 // group_mapped:fitting / 2, 8 matrices of 3 groups, loses 6.9 %
    /*  7 */ {feature::strewn, 0.45, 9},            // strewn <= 0.45? else line 9
    /*  8 */ {feature::none, 0, 3},                 // group_mapped:fitting * 2, 21 matrices of 10 groups, loses 1.4 %
    /*  9 */ {feature::none, 0, 4},                 // group_mapped:fitting, 8 matrices of 4 groups, loses 2.6 %
    /* 10 */ {feature::none, 0, 5},                 // merge_path, 41 matrices of 13 groups, loses 1.4 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {89, 29, true, 1.16, 0},
    {11, 2, false, 2.66, 0},
    {8, 3, true, 1.3, 0},
    {21, 10, true, 1.16, 0},
    {8, 4, true, 1.28, 0},
    {41, 13, true, 1.97, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1, 1.18, 2.28, 0.167},         // group_mapped:fitting / 4
    {0.993, 1.13, 2.2, 0.0457},     // group_mapped:fitting / 2
    {0.978, 1.11, 2.03, 0.0234},    // group_mapped:fitting
    {0.979, 1.14, 2.43, 0.124},     // group_mapped:fitting * 2
    {0.986, 1.23, 4.07, 0.462},     // group_mapped:fitting * 4
    {1.08, 1.28, 2.37, 0.202},      // merge_path
    // leaf 1
    {2.48, 2.85, 3.93, 0.132},      // group_mapped:fitting / 4
    {2.35, 2.72, 3.49, 0.0658},     // group_mapped:fitting / 2
    {2.29, 2.73, 3.41, 0.0426},     // group_mapped:fitting
    {2.4, 3.05, 3.76, 0.154},       // group_mapped:fitting * 2
    {3.42, 4.67, 6.03, 0.848},      // group_mapped:fitting * 4
    {2.3, 2.7, 3.19, 0.021},        // merge_path
    // leaf 2
    {1.01, 1.23, 2.83, 0.0995},     // group_mapped:fitting / 4
    {1.02, 1.19, 2.58, 0.0692},     // group_mapped:fitting / 2
    {1.04, 1.28, 2.55, 0.118},      // group_mapped:fitting
    {1.04, 1.52, 2.71, 0.29},       // group_mapped:fitting * 2
    {1.04, 1.94, 4.04, 0.444},      // group_mapped:fitting * 4
    {1.14, 1.58, 3.27, 0.47},       // merge_path
    // leaf 3
    {1.04, 1.91, 3.46, 0.747},      // group_mapped:fitting / 4
    {1.02, 1.44, 2.27, 0.319},      // group_mapped:fitting / 2
    {0.98, 1.21, 1.64, 0.0638},     // group_mapped:fitting
    {0.98, 1.1, 1.55, 0.014},       // group_mapped:fitting * 2
    {0.983, 1.49, 2, 0.31},         // group_mapped:fitting * 4
    {0.98, 1.22, 1.76, 0.107},      // merge_path
    // leaf 4
    {1.04, 1.54, 3.49, 0.471},      // group_mapped:fitting / 4
    {1.04, 1.32, 2.7, 0.188},       // group_mapped:fitting / 2
    {1.04, 1.2, 1.82, 0.0261},      // group_mapped:fitting
    {1.04, 1.27, 1.81, 0.0331},     // group_mapped:fitting * 2
    {1.04, 1.34, 2.14, 0.112},      // group_mapped:fitting * 4
    {1.2, 1.69, 2.18, 0.317},       // merge_path
    // leaf 5
    {5.29, 33.7, 56.1, 2.9},        // group_mapped:fitting / 4
    {3.14, 30.6, 54.5, 2.72},       // group_mapped:fitting / 2
    {2.18, 27.4, 54.5, 2.49},       // group_mapped:fitting
    {1.66, 17.1, 53.2, 2.31},       // group_mapped:fitting * 2
    {1.76, 10.2, 46.4, 2.17},       // group_mapped:fitting * 4
    {1.47, 1.95, 2.93, 0.0139},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit f62989cfd77f",
    .proved = true,
    .launch_us = 4.54,
    .gb_per_s = 4.02e+03,
    .gather_us = 32.1,
    .gather_ns = 0.00352,
    .copy_us = 12.1,
    .step_ns = 82.7,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
