// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H100 80GB HBM3, f32 operands: fitted to 160 products.
// clang-format off
//
// loops tune gemm gemm-h100-f32-nt-fit.json --type f32 --layouts nt -o gemm_h100_80gb_hbm3_f32.hpp
// from what commit 4fb33358f2605f9b9541c09f9fdcb43e62a66145 measured; median error 1.0%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h100_80gb_hbm3_f32_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 1}, 132, 1, {4.6360f, 2.9772f, 2.9772f, 0.0000f, 2.6117f, 0.9184f, 2.1463f, 1.8303f, 0.0065f, 0.0000f, 0.0000f, 0.0189f, 0.0000f, 0.0000f}},
    {{128, 64, 1, 1, 1, 1}, 132, 1, {4.3727f, 1.6187f, 1.6187f, 0.0000f, 1.3110f, 0.8410f, 1.5369f, 1.3827f, 0.0052f, 0.0000f, 0.0000f, 0.0189f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 1}, 132, 1, {4.0360f, 0.8340f, 0.8340f, 0.0000f, 1.0175f, 0.9559f, 1.2510f, 1.2816f, 0.0035f, 0.0001f, 0.0001f, 0.0189f, 0.0000f, 0.0000f}},
};

inline constexpr gemm_table gemm_h100_80gb_hbm3_f32{
    .machine = "NVIDIA H100 80GB HBM3",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2538739,
    .overlap = 0.10,
    .costs = gemm_h100_80gb_hbm3_f32_costs};
// clang-format on

}  // namespace loops::select::tables
