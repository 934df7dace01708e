// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands that lie tn: fitted to 315 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-tn-fit.json gemm-h200-f64-tn-narrow-fit.json --type f64 --layouts tn -o gemm_h200_f64_tn.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 4.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_tn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {3.8366f, 1.1335f, 1.1554f, 1.3619f, 2.4901f, 0.1478f, 3.8159f, 2.3348f, 0.0226f, 0.0064f, 0.0000f, 0.2015f, 0.0000f, 0.1054f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {3.8387f, 0.2810f, 0.2879f, 0.4633f, 0.9012f, 0.1481f, 2.3476f, 1.3986f, 0.0199f, 0.0037f, 0.0000f, 0.0717f, 0.0000f, 0.1031f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.4151f, 0.5890f, 0.5930f, 0.7648f, 1.2621f, 0.1455f, 2.7223f, 1.7320f, 0.0214f, 0.0052f, 0.0000f, 0.1158f, 0.0000f, 0.1050f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.3313f, 0.5918f, 0.5918f, 0.7648f, 1.2782f, 0.1453f, 2.6264f, 1.7649f, 0.0214f, 0.0050f, 0.0000f, 0.1151f, 0.0000f, 0.1046f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {3.9692f, 0.2761f, 0.3002f, 0.4663f, 0.8211f, 0.1446f, 2.3879f, 1.4368f, 0.0217f, 0.0049f, 0.0000f, 0.0719f, 0.0000f, 0.1052f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {3.8887f, 0.2904f, 0.3045f, 0.4663f, 0.7705f, 0.1437f, 2.4201f, 1.3959f, 0.0223f, 0.0046f, 0.0000f, 0.0722f, 0.0000f, 0.1055f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {3.3039f, 0.2200f, 0.2626f, 0.2376f, 0.5488f, 0.1540f, 2.5663f, 1.2961f, 0.0273f, 0.0034f, 0.0000f, 0.0516f, 0.0000f, 0.1075f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.1886f, 0.2036f, 0.2817f, 0.2338f, 0.5892f, 0.1566f, 2.5127f, 1.3069f, 0.0262f, 0.0033f, 0.0000f, 0.0517f, 0.0000f, 0.1075f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {2.9435f, 0.1554f, 0.1554f, 0.2358f, 0.3694f, 0.1552f, 1.8472f, 1.0356f, 0.0161f, 0.0025f, 0.0000f, 0.0400f, 0.0000f, 0.0986f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {2.9848f, 0.1524f, 0.1895f, 0.1864f, 0.4057f, 0.1637f, 2.5143f, 1.1567f, 0.0290f, 0.0026f, 0.0000f, 0.0413f, 0.0000f, 0.1082f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {3.6932f, 0.3924f, 0.3924f, 0.3676f, 1.0051f, 0.1531f, 2.6525f, 1.4583f, 0.0240f, 0.0077f, 0.0000f, 0.0734f, 0.0000f, 0.1056f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.0285f, 0.2104f, 0.2288f, 0.3170f, 0.4585f, 0.1469f, 2.2390f, 1.1436f, 0.0244f, 0.0047f, 0.0000f, 0.0492f, 0.0000f, 0.1060f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {2.9132f, 0.2119f, 0.2300f, 0.3170f, 0.4611f, 0.1462f, 2.3081f, 1.1849f, 0.0249f, 0.0045f, 0.0001f, 0.0516f, 0.0000f, 0.1063f}},
};

inline constexpr gemm_table gemm_h200_f64_tn{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4188684,
    .overlap = 0.20,
    .costs = gemm_h200_f64_tn_costs,
    .layouts = "tn"};
// clang-format on

}  // namespace loops::select::tables
