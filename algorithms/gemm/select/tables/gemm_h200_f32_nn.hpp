// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie nn: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-nn-fit.json gemm-h200-f32-nn-narrow-fit.json --type f32 --layouts nn -o gemm_h200_f32_nn.hpp
// from what commit a45dc4cf999594dc9c6c48b1b5486225eb4076bb measured; median error 1.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {4.1174f, 2.4425f, 2.7905f, 2.1930f, 2.7048f, 0.4621f, 1.8963f, 1.2560f, 0.0745f, 0.0001f, 0.0000f, 0.0847f, 0.0000f, 0.0300f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.8321f, 1.6978f, 1.6978f, 1.5250f, 1.7065f, 0.4653f, 1.7919f, 1.1786f, 0.0356f, 0.0002f, 0.0001f, 0.0848f, 0.0000f, 0.0300f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {4.2754f, 0.8449f, 0.8449f, 1.1407f, 1.2723f, 0.5003f, 1.7584f, 1.1396f, 0.0175f, 0.0000f, 0.0001f, 0.0865f, 0.0000f, 0.0300f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.2852f, 0.8069f, 0.8069f, 0.8497f, 1.3367f, 0.5259f, 1.7514f, 1.0869f, 0.0176f, 0.0000f, 0.0001f, 0.0864f, 0.0000f, 0.0300f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.6321f, 1.6379f, 1.6379f, 1.9780f, 1.5534f, 0.4679f, 1.8301f, 1.1934f, 0.0359f, 0.0001f, 0.0000f, 0.0844f, 0.0000f, 0.0300f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.3036f, 1.0081f, 1.0081f, 1.5907f, 1.0351f, 0.4806f, 1.8463f, 1.0967f, 0.0181f, 0.0001f, 0.0000f, 0.0844f, 0.0000f, 0.0300f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.3605f, 0.9788f, 0.9788f, 1.6420f, 1.0024f, 0.4629f, 1.8527f, 1.1305f, 0.0181f, 0.0001f, 0.0000f, 0.0847f, 0.0000f, 0.0300f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.5372f, 0.4633f, 0.4633f, 0.8776f, 0.6945f, 0.4341f, 1.7841f, 1.1245f, 0.0088f, 0.0000f, 0.0000f, 0.0850f, 0.0000f, 0.0301f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.5175f, 0.4665f, 0.4665f, 0.8776f, 0.6623f, 0.4232f, 1.8257f, 1.1092f, 0.0088f, 0.0000f, 0.0001f, 0.0850f, 0.0000f, 0.0300f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.4972f, 0.5321f, 0.5321f, 0.7957f, 0.8305f, 0.5122f, 1.8228f, 1.0325f, 0.0090f, 0.0000f, 0.0000f, 0.0855f, 0.0000f, 0.0301f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.5495f, 0.5437f, 0.5437f, 0.8096f, 0.8134f, 0.5002f, 1.8397f, 1.0508f, 0.0091f, 0.0000f, 0.0000f, 0.0857f, 0.0000f, 0.0299f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.5574f, 0.2945f, 0.2945f, 0.6145f, 0.6777f, 0.5090f, 2.0362f, 1.1440f, 0.0044f, 0.0000f, 0.0000f, 0.0865f, 0.0000f, 0.0298f}},
};

inline constexpr gemm_table gemm_h200_f32_nn{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2884988,
    .overlap = 0.10,
    .costs = gemm_h200_f32_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
