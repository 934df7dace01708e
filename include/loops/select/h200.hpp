// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class h200. Generated; do not edit.
///
/// loops train spmv-h200-tiles-suitesparse.json spmv-h200-generated.json --name h200 --schedules
/// merge_path,group_mapped,nonzero_split,wide_split -o h200.hpp
///
/// Trained on NVIDIA H200, commit 733f44ac09ad.
/// On 160 rows of 16 groups held out, 100 uses: 97.1 % of the oracle in geometric mean,
/// 1.029 of its time in total, 1.14 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 98.7 % of the oracle in geometric mean,
/// 1.012 of its time in total, 1.13 at worst.
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
    {"group_mapped", candidate::fitted, -2, 0.734},
    {"group_mapped", candidate::fitted, -1, 0.734},
    {"group_mapped", candidate::fitted, 0, 0.734, {"nonzero_split", 60000000, 7, 80}, {"merge_path", 1130000, 6, 50}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 1, 0.734, {"nonzero_split", 30000000, 0}, {"merge_path", 5000, 0, 75}, {"wide_split", 36000000, 0}},
    {"group_mapped", candidate::fitted, 2, 0.734},
    {"merge_path", 0, 0, 17.1, {"nonzero_split", 30000000, 0, 0, 120000000}, {}, {"wide_split", 20000000, 0}},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 7900, 2},             // atoms <= 7900? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting, 31 matrices of 16 groups, loses 4.5 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 215 matrices of 38 groups, loses 18.6 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf known_leaves[] = {
    {31, 16, true, 1.02, 0.0125, 0.924},
    {215, 38, true, 1.46, 0.0461, 7.43},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.956, 1.04, 1.36, 0.135},     // group_mapped:fitting / 4
    {0.95, 1.06, 1.21, 0.0734},     // group_mapped:fitting / 2
    {0.949, 1.06, 1.14, 0.0448},    // group_mapped:fitting
    {0.95, 1.09, 1.15, 0.0476},     // group_mapped:fitting * 2
    {0.963, 1.09, 1.18, 0.0663},    // group_mapped:fitting * 4
    {1.08, 1.21, 1.31, 0.181},      // merge_path
    // leaf 1
    {1.04, 2.07, 46, 1.09},         // group_mapped:fitting / 4
    {1.02, 1.6, 46, 0.926},         // group_mapped:fitting / 2
    {1.02, 1.46, 44.9, 0.83},       // group_mapped:fitting
    {1.11, 1.54, 41.8, 0.838},      // group_mapped:fitting * 2
    {1.17, 2.1, 36.1, 1.04},        // group_mapped:fitting * 4
    {1.08, 1.49, 3.09, 0.186},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::delay, 0.5, 6},              // delay <= 0.5? else line 6
    /*  1 */ {feature::rounds, 21, 5},              // rounds <= 21? else line 5
    /*  2 */ {feature::steps, 13, 4},               // steps <= 13? else line 4
    /*  3 */ {feature::none, 0, 0},                 // group_mapped:fitting, 156 matrices of 33 groups, loses 1.8 %
    /*  4 */ {feature::none, 0, 1},                 // group_mapped:fitting * 2, 18 matrices of 10 groups, loses 2.2 %
    /*  5 */ {feature::none, 0, 2},                 // merge_path, 19 matrices of 8 groups, loses 4.3 %
    /*  6 */ {feature::none, 0, 3},                 // merge_path, 57 matrices of 16 groups, loses 1.6 %
};
// matrices, groups, sure, best, informed, plan then
inline constexpr leaf gathered_leaves[] = {
    {156, 33, true, 1.23, 0, 0},
    {18, 10, true, 1.29, 0, 0},
    {19, 8, true, 2.06, 0, 0},
    {57, 16, true, 1.81, 0, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.99, 1.22, 2.76, 0.227},      // group_mapped:fitting / 4
    {0.988, 1.15, 2.53, 0.0875},    // group_mapped:fitting / 2
    {0.973, 1.11, 2.36, 0.0183},    // group_mapped:fitting
    {0.996, 1.21, 2.59, 0.128},     // group_mapped:fitting * 2
    {0.994, 1.68, 4.17, 0.531},     // group_mapped:fitting * 4
    {1.07, 1.27, 2.79, 0.229},      // merge_path
    // leaf 1
    {0.982, 2.08, 3.46, 0.66},      // group_mapped:fitting / 4
    {0.973, 1.6, 2.28, 0.234},      // group_mapped:fitting / 2
    {0.946, 1.4, 1.72, 0.0357},     // group_mapped:fitting
    {0.946, 1.35, 1.69, 0.0224},    // group_mapped:fitting * 2
    {0.946, 1.48, 1.97, 0.128},     // group_mapped:fitting * 4
    {0.956, 1.61, 2.92, 0.387},     // merge_path
    // leaf 2
    {1.13, 2.74, 3.89, 0.271},      // group_mapped:fitting / 4
    {1.1, 2.55, 3.36, 0.131},       // group_mapped:fitting / 2
    {1.11, 2.4, 3.19, 0.0877},      // group_mapped:fitting
    {1.24, 2.45, 3.32, 0.23},       // group_mapped:fitting * 2
    {1.98, 4.89, 6.48, 1.3},        // group_mapped:fitting * 4
    {1.04, 2.41, 3.27, 0.0426},     // merge_path
    // leaf 3
    {4.18, 28.8, 53.3, 2.85},       // group_mapped:fitting / 4
    {3.04, 26.8, 51.3, 2.66},       // group_mapped:fitting / 2
    {2.02, 7.47, 39.8, 1.96},       // group_mapped:fitting
    {1.72, 5.02, 36.9, 1.7},        // group_mapped:fitting * 2
    {1.71, 7.93, 45.4, 2.2},        // group_mapped:fitting * 4
    {1.34, 1.66, 2.81, 0.0156},     // merge_path
};

}  // namespace h200_data

/// The selector of the device class.
inline constexpr selector h200{
    .device = "h200",
    .basis = "NVIDIA H200, commit 733f44ac09ad",
    .proved = true,
    .launch_us = 4.79,
    .gb_per_s = 4.01e+03,
    .gather_us = 15.3,
    .gather_ns = 0.0166,
    .copy_us = 8.66,
    .step_ns = 92,
    .schedules = h200_data::schedules,
    .safe = 5,
    .known = {h200_data::known_nodes, h200_data::known_leaves, h200_data::known_forecasts},
    .gathered = {h200_data::gathered_nodes, h200_data::gathered_leaves, h200_data::gathered_forecasts},
};
static_assert(well_formed(h200));

}  // namespace loops::select

// clang-format on
