// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-nt-fit.json gemm-h200-f32-nt-narrow-fit.json --type f32 --layouts nt -o gemm_h200_f32.hpp
// from what commit a45dc4cf999594dc9c6c48b1b5486225eb4076bb measured; median error 1.8%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.8400f, 2.6190f, 2.8504f, 2.1036f, 2.9052f, 0.3737f, 1.9172f, 1.2912f, 0.0480f, 0.0000f, 0.0000f, 0.0386f, 0.0000f, 0.0000f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.4789f, 1.7650f, 1.7650f, 1.4431f, 1.8488f, 0.3730f, 1.8543f, 1.1800f, 0.0231f, 0.0001f, 0.0001f, 0.0386f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.9831f, 0.8427f, 0.8427f, 1.1285f, 1.5836f, 0.4046f, 1.8409f, 1.1661f, 0.0113f, 0.0000f, 0.0000f, 0.0390f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.0709f, 0.8193f, 0.8193f, 0.8163f, 1.6063f, 0.4119f, 1.7846f, 1.0851f, 0.0113f, 0.0000f, 0.0000f, 0.0389f, 0.0000f, 0.0000f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.8601f, 1.7600f, 1.7600f, 1.9910f, 1.8357f, 0.3777f, 1.8913f, 1.2074f, 0.0233f, 0.0001f, 0.0001f, 0.0386f, 0.0000f, 0.0000f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.1712f, 1.0693f, 1.1200f, 1.5956f, 1.1919f, 0.3821f, 1.8925f, 1.0992f, 0.0118f, 0.0002f, 0.0002f, 0.0386f, 0.0000f, 0.0000f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.1883f, 1.0830f, 1.0830f, 1.6677f, 1.1941f, 0.3739f, 1.8883f, 1.1230f, 0.0118f, 0.0001f, 0.0001f, 0.0386f, 0.0000f, 0.0000f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.4746f, 0.4947f, 0.4947f, 0.8848f, 0.8328f, 0.3530f, 1.8017f, 1.1299f, 0.0057f, 0.0000f, 0.0000f, 0.0387f, 0.0000f, 0.0000f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.5013f, 0.4821f, 0.4821f, 0.8848f, 0.8506f, 0.3565f, 1.8823f, 1.1031f, 0.0057f, 0.0000f, 0.0000f, 0.0388f, 0.0000f, 0.0000f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.3821f, 0.5622f, 0.5622f, 0.8091f, 1.0458f, 0.4034f, 1.8246f, 1.0136f, 0.0059f, 0.0000f, 0.0000f, 0.0387f, 0.0000f, 0.0000f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.3754f, 0.5710f, 0.5719f, 0.8072f, 0.9964f, 0.3881f, 1.8578f, 1.0393f, 0.0059f, 0.0001f, 0.0001f, 0.0388f, 0.0000f, 0.0000f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.4801f, 0.2953f, 0.2953f, 0.6410f, 0.9157f, 0.4000f, 2.0800f, 1.1336f, 0.0029f, 0.0000f, 0.0000f, 0.0390f, 0.0000f, 0.0000f}},
};

inline constexpr gemm_table gemm_h200_f32{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2435114,
    .overlap = 0.10,
    .costs = gemm_h200_f32_costs};
// clang-format on

}  // namespace loops::select::tables
