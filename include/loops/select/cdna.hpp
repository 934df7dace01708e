// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class cdna. Generated; do not edit.
///
/// loops train spmv-h200-suitesparse.json spmv-h200-f32-f64.json --name cdna --predict --schedules
/// merge_path,group_mapped -o cdna.hpp
///
/// Trained on predictions for cdna, commit 8b2d531d5e29.
/// Unproved: the times are predictions, nobody has run it on such a device.
/// What the pass over the tiles costs is an assumption.
/// On 160 rows of 16 groups held out, 100 uses: 96.6 % of the oracle in geometric mean,
/// 1.042 of its time in total, 1.33 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 99.0 % of the oracle in geometric mean,
/// 1.013 of its time in total, 1.21 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace cdna_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan
inline constexpr candidate schedules[] = {
    {"group_mapped", candidate::fitted, -2, 2.2},
    {"group_mapped", candidate::fitted, -1, 2.2},
    {"group_mapped", candidate::fitted, 0, 2.2},
    {"group_mapped", candidate::fitted, 1, 2.2},
    {"group_mapped", candidate::fitted, 2, 2.2},
    {"merge_path", 0, 0, 13.2},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::atoms, 110000, 2},           // atoms <= 110000? else line 2
    /*  1 */ {feature::none, 0, 0},                 // group_mapped:fitting * 2, 51 matrices of 19 groups, loses 3.7 %
    /*  2 */ {feature::none, 0, 1},                 // merge_path, 22 matrices of 16 groups, loses 26.6 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {51, 19, true, 1.02, 0.000842},
    {22, 16, true, 1.22, 0.0217},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {1, 1.04, 3.83, 0.417},         // group_mapped:fitting / 4
    {1, 1, 2.4, 0.229},             // group_mapped:fitting / 2
    {1, 1, 1.7, 0.0933},            // group_mapped:fitting
    {1, 1, 1.33, 0.0374},           // group_mapped:fitting * 2
    {1, 1, 1.39, 0.0799},           // group_mapped:fitting * 4
    {1.65, 1.67, 1.67, 0.646},      // merge_path
    // leaf 1
    {1.04, 1.66, 31.3, 1.16},       // group_mapped:fitting / 4
    {1, 1.33, 31.3, 1.01},          // group_mapped:fitting / 2
    {1.01, 1.22, 31.3, 0.884},      // group_mapped:fitting
    {1.19, 1.35, 31.3, 0.972},      // group_mapped:fitting * 2
    {1.24, 1.86, 30.4, 1.18},       // group_mapped:fitting * 4
    {1.17, 1.58, 1.65, 0.266},      // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::longest, 2000, 4},           // longest <= 2000? else line 4
    /*  1 */ {feature::rounds, 0.4, 3},             // rounds <= 0.4? else line 3
    /*  2 */ {feature::none, 0, 0},                 // group_mapped:fitting * 4, 51 matrices of 19 groups, loses 0.1 %
    /*  3 */ {feature::none, 0, 1},                 // group_mapped:fitting, 15 matrices of 12 groups, loses 1.8 %
    /*  4 */ {feature::none, 0, 2},                 // merge_path, 7 matrices of 7 groups, loses 0.0 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {51, 19, true, 1, 0},
    {15, 12, true, 1.19, 0},
    {7, 7, true, 1.43, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {1.01, 1.13, 1.43, 0.182},      // group_mapped:fitting / 4
    {1.01, 1.13, 1.22, 0.119},      // group_mapped:fitting / 2
    {1.04, 1.08, 1.09, 0.0611},     // group_mapped:fitting
    {1, 1.04, 1.04, 0.0217},        // group_mapped:fitting * 2
    {1, 1, 1, 0.000765},            // group_mapped:fitting * 4
    {1.64, 1.67, 1.67, 0.664},      // merge_path
    // leaf 1
    {1.06, 1.3, 3.43, 0.433},       // group_mapped:fitting / 4
    {1.06, 1.17, 2.19, 0.141},      // group_mapped:fitting / 2
    {1.03, 1.14, 1.65, 0.0179},     // group_mapped:fitting
    {1.06, 1.27, 1.61, 0.106},      // group_mapped:fitting * 2
    {1.18, 1.59, 1.99, 0.329},      // group_mapped:fitting * 4
    {1.18, 1.6, 1.66, 0.309},       // merge_path
    // leaf 2
    {2.44, 24.3, 32.6, 2.73},       // group_mapped:fitting / 4
    {1.72, 24.3, 32.6, 2.65},       // group_mapped:fitting / 2
    {1.36, 25.1, 32.6, 2.43},       // group_mapped:fitting
    {1.36, 24.3, 32.6, 2.43},       // group_mapped:fitting * 2
    {1.36, 24, 31.1, 2.43},         // group_mapped:fitting * 4
    {1.18, 1.5, 1.64, 0},           // merge_path
};

}  // namespace cdna_data

/// The selector of the device class.
inline constexpr selector cdna{
    .device = "cdna",
    .basis = "predictions for cdna, commit 8b2d531d5e29",
    .proved = false,
    .launch_us = 4.6,
    .gb_per_s = 4.42e+03,
    .gather_us = 25,
    .gather_ns = 0.00181,
    .step_ns = 62.6,
    .schedules = cdna_data::schedules,
    .safe = 5,
    .known = {cdna_data::known_nodes, cdna_data::known_leaves, cdna_data::known_forecasts},
    .gathered = {cdna_data::gathered_nodes, cdna_data::gathered_leaves, cdna_data::gathered_forecasts},
};
static_assert(well_formed(cdna));

}  // namespace loops::select

// clang-format on
