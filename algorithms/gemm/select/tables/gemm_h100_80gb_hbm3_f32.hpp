// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H100 80GB HBM3, f32 operands: fitted to 160 products.
// clang-format off
//
// loops tune gemm gemm-h100-f32-nt-fit.json --type f32 --layouts nt -o gemm_h100_80gb_hbm3_f32.hpp
// from what commit 4fb33358f2605f9b9541c09f9fdcb43e62a66145 measured; median error 0.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h100_80gb_hbm3_f32_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join}
    {{128, 128, 1, 1, 1, 1}, 132, 1, {4.5414f, 2.9601f, 2.9601f, 0.0000f, 2.5771f, 0.7636f, 2.3031f, 1.8117f, 0.0008f, 0.0001f, 0.0000f, 0.0471f, 0.0000f}},
    {{128, 64, 1, 1, 1, 1}, 132, 1, {4.2794f, 1.6086f, 1.6086f, 0.0000f, 1.3491f, 0.7083f, 1.6116f, 1.3686f, 0.0010f, 0.0005f, 0.0000f, 0.0390f, 0.0000f}},
    {{64, 64, 1, 1, 1, 1}, 132, 1, {3.9575f, 0.8286f, 0.8286f, 0.0000f, 1.1259f, 0.7908f, 1.2843f, 1.2654f, 0.0006f, 0.0006f, 0.0002f, 0.0352f, 0.0000f}},
};

inline constexpr gemm_table gemm_h100_80gb_hbm3_f32{
    .machine = "NVIDIA H100 80GB HBM3",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 1269370,
    .overlap = 0.10,
    .costs = gemm_h100_80gb_hbm3_f32_costs};
// clang-format on

}  // namespace loops::select::tables
