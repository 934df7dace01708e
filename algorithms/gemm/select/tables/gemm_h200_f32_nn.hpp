// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie nn: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-nn-fit.json gemm-h200-f32-nn-narrow-fit.json --type f32 --layouts nn -o gemm_h200_f32_nn.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 2.2%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.3208f, 2.6674f, 2.6674f, 2.4117f, 2.1773f, 0.3781f, 1.8232f, 2.3619f, 0.0101f, 0.0000f, 0.0038f, 0.1942f, 0.0000f, 0.0000f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.4065f, 1.5580f, 1.5580f, 1.6764f, 1.5699f, 0.3792f, 1.7396f, 1.5312f, 0.0098f, 0.0001f, 0.0020f, 0.1299f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.9204f, 0.8494f, 0.8494f, 1.2663f, 1.3508f, 0.4009f, 1.8282f, 1.2775f, 0.0101f, 0.0000f, 0.0010f, 0.0991f, 0.0000f, 0.0000f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.3690f, 1.4667f, 1.4667f, 2.0438f, 1.3831f, 0.3740f, 1.7749f, 1.5730f, 0.0100f, 0.0000f, 0.0018f, 0.1289f, 0.0000f, 0.0000f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.0578f, 0.9322f, 1.0386f, 1.6676f, 1.0606f, 0.3743f, 1.7577f, 1.1480f, 0.0102f, 0.0001f, 0.0010f, 0.0970f, 0.0000f, 0.0000f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.0707f, 1.0041f, 1.0041f, 1.7005f, 1.0414f, 0.3683f, 1.7385f, 1.1809f, 0.0101f, 0.0001f, 0.0010f, 0.0974f, 0.0000f, 0.0000f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.0848f, 0.4538f, 0.4538f, 0.9800f, 0.9363f, 0.3730f, 1.8025f, 1.0987f, 0.0101f, 0.0000f, 0.0005f, 0.0815f, 0.0000f, 0.0000f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.0757f, 0.4612f, 0.4612f, 0.9800f, 0.9054f, 0.3669f, 1.8219f, 1.0746f, 0.0101f, 0.0000f, 0.0005f, 0.0815f, 0.0000f, 0.0000f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.2003f, 0.5752f, 0.6095f, 0.8306f, 0.9662f, 0.3844f, 1.7501f, 1.0239f, 0.0102f, 0.0001f, 0.0005f, 0.0814f, 0.0000f, 0.0000f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.2496f, 0.5375f, 0.6204f, 0.7793f, 0.9587f, 0.3805f, 1.7199f, 1.0628f, 0.0102f, 0.0001f, 0.0005f, 0.0815f, 0.0000f, 0.0000f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.2303f, 0.2944f, 0.2944f, 0.6936f, 0.9936f, 0.3930f, 1.9270f, 1.0701f, 0.0100f, 0.0000f, 0.0002f, 0.0744f, 0.0000f, 0.0000f}},
};

inline constexpr gemm_table gemm_h200_f32_nn{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2456181,
    .overlap = 0.10,
    .costs = gemm_h200_f32_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
