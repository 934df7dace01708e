// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H100 80GB HBM3, f32 operands that lie nn: fitted to 160 products.
// clang-format off
//
// loops tune gemm gemm-h100-f32-nn-fit.json --type f32 --layouts nn -o gemm_h100_80gb_hbm3_f32_nn.hpp
// from what commit 4fb33358f2605f9b9541c09f9fdcb43e62a66145 measured; median error 0.8%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h100_80gb_hbm3_f32_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join}
    {{128, 128, 1, 1, 1, 1}, 132, 1, {4.0422f, 3.1270f, 3.1270f, 0.0000f, 1.1326f, 0.8023f, 2.1463f, 1.2738f, 0.0019f, 0.0028f, 0.0047f, 0.0689f, 0.0000f}},
    {{128, 64, 1, 1, 1, 1}, 132, 1, {4.2321f, 1.6023f, 1.6023f, 0.0000f, 1.0183f, 0.8181f, 1.6496f, 1.3434f, 0.0024f, 0.0025f, 0.0036f, 0.0345f, 0.0000f}},
    {{64, 64, 1, 1, 1, 1}, 132, 1, {3.8630f, 0.8207f, 0.8207f, 0.0000f, 0.9628f, 0.8386f, 1.2841f, 1.2494f, 0.0014f, 0.0017f, 0.0024f, 0.0172f, 0.0000f}},
};

inline constexpr gemm_table gemm_h100_80gb_hbm3_f32_nn{
    .machine = "NVIDIA H100 80GB HBM3",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 1263393,
    .overlap = 0.10,
    .costs = gemm_h100_80gb_hbm3_f32_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
