// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie tt: fitted to 288 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-tt-fit.json gemm-h200-f32-tt-narrow-fit.json --type f32 --layouts tt -o gemm_h200_f32_tt.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 2.0%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_tt_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 5}, 132, 1, {3.3978f, 3.2382f, 3.2382f, 2.0377f, 1.8762f, 1.0139f, 1.7941f, 1.8747f, 0.0147f, 0.0315f, 0.0359f, 0.0473f, 0.0000f, 0.0229f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.4096f, 1.7251f, 1.7251f, 1.4722f, 1.3111f, 0.6864f, 1.7353f, 1.3820f, 0.0143f, 0.0170f, 0.0179f, 0.0473f, 0.0000f, 0.0229f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {4.0279f, 0.8451f, 0.8451f, 1.1156f, 1.1277f, 0.5587f, 1.8237f, 1.2293f, 0.0147f, 0.0099f, 0.0089f, 0.0476f, 0.0000f, 0.0229f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.2020f, 1.6347f, 1.6347f, 1.7644f, 1.2074f, 0.6687f, 1.7686f, 1.4180f, 0.0146f, 0.0171f, 0.0177f, 0.0471f, 0.0000f, 0.0229f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.0420f, 0.9242f, 1.1536f, 1.3843f, 0.9825f, 0.5224f, 1.7312f, 1.1221f, 0.0149f, 0.0099f, 0.0090f, 0.0472f, 0.0000f, 0.0229f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.0641f, 1.0204f, 1.0946f, 1.5053f, 0.9284f, 0.5098f, 1.7093f, 1.1422f, 0.0148f, 0.0099f, 0.0090f, 0.0471f, 0.0000f, 0.0229f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.1789f, 0.4808f, 0.4808f, 0.8850f, 0.8312f, 0.4376f, 1.7463f, 1.0927f, 0.0147f, 0.0063f, 0.0044f, 0.0472f, 0.0000f, 0.0229f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.1844f, 0.4755f, 0.4755f, 0.8850f, 0.8339f, 0.4366f, 1.8181f, 1.0783f, 0.0148f, 0.0063f, 0.0044f, 0.0472f, 0.0000f, 0.0229f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.2865f, 0.5379f, 0.5593f, 0.7574f, 0.9038f, 0.4673f, 1.7102f, 1.0375f, 0.0148f, 0.0064f, 0.0045f, 0.0472f, 0.0000f, 0.0229f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.4358f, 0.5545f, 0.6180f, 0.7525f, 0.8954f, 0.4571f, 1.7653f, 1.0679f, 0.0149f, 0.0063f, 0.0046f, 0.0473f, 0.0000f, 0.0229f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.2651f, 0.2857f, 0.2857f, 0.6545f, 0.8612f, 0.4225f, 1.8525f, 1.0976f, 0.0145f, 0.0045f, 0.0022f, 0.0475f, 0.0000f, 0.0229f}},
};

inline constexpr gemm_table gemm_h200_f32_tt{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2740699,
    .overlap = 0.10,
    .costs = gemm_h200_f32_tt_costs,
    .layouts = "tt"};
// clang-format on

}  // namespace loops::select::tables
