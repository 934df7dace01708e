// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie tn: fitted to 288 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-tn-fit.json gemm-h200-f32-tn-narrow-fit.json --type f32 --layouts tn -o gemm_h200_f32_tn.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 2.1%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_tn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.3779f, 2.5579f, 2.5579f, 2.2993f, 2.1991f, 0.3499f, 1.9323f, 2.3774f, 0.0130f, 0.0905f, 0.0000f, 0.0956f, 0.0000f, 0.0386f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.4443f, 1.4626f, 1.4626f, 1.6120f, 1.5201f, 0.3488f, 1.8513f, 1.5556f, 0.0127f, 0.0450f, 0.0001f, 0.0912f, 0.0000f, 0.0386f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {4.0066f, 0.7807f, 0.7807f, 1.1535f, 1.2732f, 0.3637f, 1.9718f, 1.2987f, 0.0130f, 0.0226f, 0.0001f, 0.0901f, 0.0000f, 0.0387f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.2098f, 1.3776f, 1.3776f, 1.9691f, 1.3402f, 0.3434f, 1.8950f, 1.6011f, 0.0129f, 0.0451f, 0.0000f, 0.0907f, 0.0000f, 0.0386f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.1854f, 0.8857f, 1.0028f, 1.6308f, 1.0455f, 0.3421f, 1.8696f, 1.1730f, 0.0131f, 0.0227f, 0.0001f, 0.0884f, 0.0000f, 0.0386f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.0966f, 0.9670f, 0.9670f, 1.7098f, 1.0231f, 0.3386f, 1.8473f, 1.1855f, 0.0130f, 0.0228f, 0.0001f, 0.0888f, 0.0000f, 0.0387f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.1810f, 0.4214f, 0.4214f, 0.8670f, 0.9664f, 0.3537f, 1.9210f, 1.0857f, 0.0129f, 0.0113f, 0.0000f, 0.0885f, 0.0000f, 0.0387f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.1599f, 0.4381f, 0.4381f, 0.8670f, 0.9199f, 0.3451f, 1.9366f, 1.0747f, 0.0130f, 0.0113f, 0.0000f, 0.0881f, 0.0000f, 0.0387f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.3884f, 0.5098f, 0.5414f, 0.7358f, 0.8666f, 0.3485f, 1.8297f, 1.0352f, 0.0131f, 0.0114f, 0.0000f, 0.0873f, 0.0000f, 0.0386f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.2328f, 0.5050f, 0.5659f, 0.7378f, 0.9138f, 0.3480f, 1.8460f, 1.0523f, 0.0131f, 0.0114f, 0.0000f, 0.0879f, 0.0000f, 0.0387f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.2963f, 0.2774f, 0.2774f, 0.5806f, 0.9478f, 0.3617f, 1.9753f, 1.0467f, 0.0127f, 0.0056f, 0.0000f, 0.0885f, 0.0000f, 0.0386f}},
};

inline constexpr gemm_table gemm_h200_f32_tn{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2770458,
    .overlap = 0.10,
    .costs = gemm_h200_f32_tn_costs,
    .layouts = "tn"};
// clang-format on

}  // namespace loops::select::tables
