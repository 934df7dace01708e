// SPDX-License-Identifier: Apache-2.0
/// What `automatic` knows about the device class host. Generated; do not edit.
///
/// loops train real.json --name host --schedules merge_path,tiles_in_groups -o host.hpp
///
/// Trained on AMD EPYC, commit d2014985a6af.
/// On 160 rows of 16 groups held out, 100 uses: 94.1 % of the oracle in geometric mean,
/// 1.096 of its time in total, 2.21 at worst.
/// On 160 rows of 16 groups held out, 1000 uses: 93.8 % of the oracle in geometric mean,
/// 1.102 of its time in total, 2.21 at worst.
#pragma once

#include "loops/select/selector.hpp"

// clang-format off

namespace loops::select {

namespace host_data {

// name, lanes that take a tile alone (0: long tiles are cut), shift of fitted ones, us to plan
inline constexpr candidate schedules[] = {
    {"tiles_in_groups", 1, 0, 0.17},
    {"merge_path", 0, 0, 1.11},
};

// By the size alone.
inline constexpr node known_nodes[] = {
    /*  0 */ {feature::none, 0, 0},                 // tiles_in_groups, 66 matrices of 23 groups, loses 3.1 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf known_leaves[] = {
    {66, 23, true, 1.47, 0.0314},
};
// low, typical, high, loss
inline constexpr forecast known_forecasts[] = {
    // leaf 0
    {0.726, 1.45, 3.34, 0.0314},    // tiles_in_groups
    {0.832, 2.26, 5.73, 0.711},     // merge_path
};

// After a pass over the tiles.
inline constexpr node gathered_nodes[] = {
    /*  0 */ {feature::none, 0, 0},                 // tiles_in_groups, 66 matrices of 23 groups, loses 3.1 %
};
// matrices, groups, sure, best, informed
inline constexpr leaf gathered_leaves[] = {
    {66, 23, true, 1.47, 0},
};
// low, typical, high, loss
inline constexpr forecast gathered_forecasts[] = {
    // leaf 0
    {0.726, 1.45, 3.34, 0.0314},    // tiles_in_groups
    {0.832, 2.26, 5.73, 0.711},     // merge_path
};

}  // namespace host_data

/// The selector of the device class.
inline constexpr selector host{
    .device = "host",
    .basis = "AMD EPYC, commit d2014985a6af",
    .proved = true,
    .launch_us = 0.121,
    .gb_per_s = 24.4,
    .gather_us = 1.61,
    .gather_ns = 0.899,
    .step_ns = 4.21,
    .schedules = host_data::schedules,
    .safe = 1,
    .known = {host_data::known_nodes, host_data::known_leaves, host_data::known_forecasts},
    .gathered = {host_data::gathered_nodes, host_data::gathered_leaves, host_data::gathered_forecasts},
};
static_assert(well_formed(host));

}  // namespace loops::select

// clang-format on
