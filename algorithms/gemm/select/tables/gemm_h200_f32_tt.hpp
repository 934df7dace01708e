// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie tt: fitted to 363 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-tt-fit.json gemm-h200-f32-tt-narrow-fit.json --type f32 --layouts tt -o gemm_h200_f32_tt.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 1.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_tt_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.8148f, 2.5279f, 2.6745f, 2.2401f, 2.3747f, 0.2770f, 2.9712f, 1.3034f, 0.0400f, 0.0811f, 0.0000f, 0.0198f, 0.0000f, 0.3701f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {4.1247f, 1.7730f, 1.8196f, 1.5150f, 1.3950f, 0.2787f, 2.1654f, 1.1175f, 0.0192f, 0.0655f, 0.0003f, 0.0200f, 0.0000f, 0.3694f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.5301f, 0.8514f, 0.8514f, 1.0742f, 0.7396f, 0.2719f, 2.0319f, 1.0650f, 0.0095f, 0.0433f, 0.0000f, 0.0200f, 0.0000f, 0.3722f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.6144f, 0.8554f, 0.8554f, 0.7414f, 0.8755f, 0.2937f, 1.8080f, 0.9687f, 0.0094f, 0.0420f, 0.0000f, 0.0200f, 0.0000f, 0.3666f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {4.2076f, 1.7723f, 1.8499f, 1.7034f, 1.4857f, 0.2824f, 2.2367f, 1.1389f, 0.0194f, 0.0963f, 0.0000f, 0.0199f, 0.0000f, 0.3701f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.4904f, 0.9940f, 1.0119f, 1.5190f, 0.7972f, 0.2787f, 2.0778f, 1.0708f, 0.0101f, 0.0539f, 0.0001f, 0.0200f, 0.0000f, 0.3647f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.5170f, 0.9727f, 0.9818f, 1.4953f, 0.7964f, 0.2827f, 2.0353f, 1.0613f, 0.0099f, 0.0528f, 0.0000f, 0.0200f, 0.0000f, 0.3704f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.2480f, 0.4935f, 0.4935f, 0.7942f, 0.4788f, 0.2870f, 1.8678f, 1.0532f, 0.0048f, 0.0365f, 0.0000f, 0.0200f, 0.0000f, 0.3717f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.2489f, 0.4886f, 0.4886f, 0.7942f, 0.4382f, 0.2720f, 1.8380f, 1.0233f, 0.0048f, 0.0361f, 0.0000f, 0.0200f, 0.0000f, 0.3769f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {4.1029f, 0.5023f, 0.5076f, 0.7713f, 0.5440f, 0.3218f, 1.8622f, 1.0087f, 0.0050f, 0.0309f, 0.0000f, 0.0201f, 0.0000f, 0.3609f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.9530f, 0.5067f, 0.5113f, 0.7638f, 0.5286f, 0.3110f, 1.9218f, 0.9998f, 0.0050f, 0.0306f, 0.0000f, 0.0201f, 0.0000f, 0.3693f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.3831f, 0.2788f, 0.2894f, 0.5256f, 0.3043f, 0.3024f, 1.8896f, 1.0381f, 0.0024f, 0.0253f, 0.0000f, 0.0201f, 0.0000f, 0.3800f}},
};

inline constexpr gemm_table gemm_h200_f32_tt{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 3332709,
    .overlap = 0.10,
    .costs = gemm_h200_f32_tt_costs,
    .layouts = "tt"};
// clang-format on

}  // namespace loops::select::tables
