// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands that lie nn: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-nn-fit.json gemm-h200-f64-nn-narrow-fit.json --type f64 --layouts nn -o gemm_h200_f64_nn.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 4.9%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {3.9887f, 1.0916f, 1.1644f, 1.1902f, 1.9406f, 0.3163f, 3.2966f, 2.5467f, 0.0315f, 0.0072f, 0.0000f, 0.3465f, 0.0000f, 0.1587f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {4.5224f, 0.2783f, 0.2969f, 0.4509f, 0.6760f, 0.3688f, 2.3076f, 1.3155f, 0.0168f, 0.0070f, 0.0000f, 0.1523f, 0.0000f, 0.1548f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.6976f, 0.5926f, 0.5926f, 0.7019f, 0.7452f, 0.2934f, 2.8948f, 1.8921f, 0.0248f, 0.0072f, 0.0000f, 0.2071f, 0.0000f, 0.1565f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.4901f, 0.5937f, 0.5970f, 0.7019f, 0.7902f, 0.2965f, 2.8262f, 1.8732f, 0.0250f, 0.0071f, 0.0000f, 0.2118f, 0.0000f, 0.1562f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {4.7190f, 0.2729f, 0.3026f, 0.4578f, 0.6549f, 0.3606f, 2.4493f, 1.3039f, 0.0207f, 0.0074f, 0.0000f, 0.1533f, 0.0000f, 0.1592f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {4.6599f, 0.2839f, 0.3155f, 0.4578f, 0.6322f, 0.3532f, 2.5058f, 1.3174f, 0.0220f, 0.0071f, 0.0000f, 0.1528f, 0.0000f, 0.1578f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {4.1260f, 0.2175f, 0.2386f, 0.2639f, 0.2682f, 0.3368f, 2.9538f, 1.2764f, 0.0206f, 0.0076f, 0.0000f, 0.1181f, 0.0000f, 0.1644f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {4.0144f, 0.2158f, 0.2324f, 0.2806f, 0.2656f, 0.3323f, 2.8342f, 1.2832f, 0.0201f, 0.0073f, 0.0000f, 0.1171f, 0.0000f, 0.1588f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.0925f, 0.1366f, 0.1366f, 0.2592f, 0.1352f, 0.3510f, 2.3765f, 1.0384f, 0.0120f, 0.0069f, 0.0000f, 0.0944f, 0.0000f, 0.1363f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {3.7556f, 0.1612f, 0.1697f, 0.2108f, 0.1365f, 0.3544f, 2.8137f, 1.0919f, 0.0171f, 0.0076f, 0.0000f, 0.1030f, 0.0000f, 0.1643f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {4.7591f, 0.3426f, 0.4170f, 0.3724f, 0.5416f, 0.3299f, 2.8911f, 1.5099f, 0.0356f, 0.0076f, 0.0000f, 0.1505f, 0.0000f, 0.1588f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.4219f, 0.1519f, 0.2005f, 0.3357f, 0.2379f, 0.2988f, 2.8602f, 1.1342f, 0.0261f, 0.0079f, 0.0000f, 0.1054f, 0.0000f, 0.1593f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {3.3023f, 0.1936f, 0.2165f, 0.3357f, 0.2475f, 0.3056f, 2.8286f, 1.1939f, 0.0250f, 0.0073f, 0.0001f, 0.1153f, 0.0000f, 0.1613f}},
};

inline constexpr gemm_table gemm_h200_f64_nn{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4136221,
    .overlap = 0.10,
    .costs = gemm_h200_f64_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
