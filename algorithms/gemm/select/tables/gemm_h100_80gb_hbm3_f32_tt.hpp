// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H100 80GB HBM3, f32 operands that lie tt: fitted to 160 products.
// clang-format off
//
// loops tune gemm gemm-h100-f32-tt-fit.json --type f32 --layouts tt -o gemm_h100_80gb_hbm3_f32_tt.hpp
// from what commit 4fb33358f2605f9b9541c09f9fdcb43e62a66145 measured; median error 1.1%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h100_80gb_hbm3_f32_tt_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 1}, 132, 1, {4.4836f, 2.9406f, 2.9406f, 0.0000f, 2.5270f, 0.7480f, 2.2887f, 1.7890f, 0.0088f, 0.0129f, 0.0007f, 0.0394f, 0.0000f, 0.0000f}},
    {{128, 64, 1, 1, 1, 1}, 132, 1, {4.2118f, 1.5923f, 1.5923f, 0.0000f, 1.2707f, 0.7026f, 1.7049f, 1.3539f, 0.0069f, 0.0074f, 0.0010f, 0.0218f, 0.0000f, 0.0000f}},
    {{64, 64, 1, 1, 1, 1}, 132, 1, {3.9822f, 0.8223f, 0.8223f, 0.0000f, 0.8921f, 0.7767f, 1.4463f, 1.2407f, 0.0046f, 0.0041f, 0.0008f, 0.0130f, 0.0000f, 0.0000f}},
};

inline constexpr gemm_table gemm_h100_80gb_hbm3_f32_tt{
    .machine = "NVIDIA H100 80GB HBM3",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2561198,
    .overlap = 0.20,
    .costs = gemm_h100_80gb_hbm3_f32_tt_costs,
    .layouts = "tt"};
// clang-format on

}  // namespace loops::select::tables
