// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H100 80GB HBM3, f32 operands that lie nn: fitted to 160 products.
// clang-format off
//
// loops tune gemm gemm-h100-f32-nn-fit.json --type f32 --layouts nn -o gemm_h100_80gb_hbm3_f32_nn.hpp
// from what commit 4fb33358f2605f9b9541c09f9fdcb43e62a66145 measured; median error 0.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h100_80gb_hbm3_f32_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 1}, 132, 1, {4.1247f, 3.1507f, 3.1507f, 0.0000f, 1.1468f, 0.9441f, 1.9901f, 1.2900f, 0.0073f, 0.0000f, 0.0000f, 0.0874f, 0.0000f, 0.0000f}},
    {{128, 64, 1, 1, 1, 1}, 132, 1, {4.3184f, 1.6168f, 1.6168f, 0.0000f, 0.9515f, 0.9670f, 1.5616f, 1.3598f, 0.0064f, 0.0000f, 0.0000f, 0.0438f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 1}, 132, 1, {3.9360f, 0.8290f, 0.8290f, 0.0000f, 0.8514f, 0.9930f, 1.2440f, 1.2676f, 0.0041f, 0.0001f, 0.0000f, 0.0219f, 0.0000f, 0.0000f}},
};

inline constexpr gemm_table gemm_h100_80gb_hbm3_f32_nn{
    .machine = "NVIDIA H100 80GB HBM3",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2526785,
    .overlap = 0.10,
    .costs = gemm_h100_80gb_hbm3_f32_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
