// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H100 80GB HBM3, f32 operands that lie tn: fitted to 160 products.
// clang-format off
//
// loops tune gemm gemm-h100-f32-tn-fit.json --type f32 --layouts tn -o gemm_h100_80gb_hbm3_f32_tn.hpp
// from what commit 4fb33358f2605f9b9541c09f9fdcb43e62a66145 measured; median error 0.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h100_80gb_hbm3_f32_tn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 1}, 132, 1, {4.0253f, 3.1710f, 3.1710f, 0.0000f, 1.4561f, 0.8214f, 1.8358f, 1.3034f, 0.0230f, 0.0085f, 0.0000f, 0.1277f, 0.0000f, 0.0000f}},
    {{128, 64, 1, 1, 1, 1}, 132, 1, {4.2544f, 1.5968f, 1.5968f, 0.0000f, 1.1152f, 0.8388f, 1.4769f, 1.3525f, 0.0120f, 0.0044f, 0.0000f, 0.0641f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 1}, 132, 1, {4.0512f, 0.7730f, 0.7730f, 0.0000f, 0.9979f, 0.9316f, 1.2088f, 1.2946f, 0.0060f, 0.0023f, 0.0000f, 0.0322f, 0.0000f, 0.0000f}},
};

inline constexpr gemm_table gemm_h100_80gb_hbm3_f32_tn{
    .machine = "NVIDIA H100 80GB HBM3",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2590319,
    .overlap = 0.10,
    .costs = gemm_h100_80gb_hbm3_f32_tn_costs,
    .layouts = "tn"};
// clang-format on

}  // namespace loops::select::tables
