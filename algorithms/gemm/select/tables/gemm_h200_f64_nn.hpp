// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands that lie nn: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-nn-fit.json gemm-h200-f64-nn-narrow-fit.json --type f64 --layouts nn -o gemm_h200_f64_nn.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 5.2%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {3.8224f, 1.1367f, 1.1692f, 1.3821f, 2.2745f, 0.1615f, 3.0882f, 2.3668f, 0.0280f, 0.0084f, 0.0000f, 0.3439f, 0.0000f, 0.0932f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {3.8517f, 0.2748f, 0.2807f, 0.4706f, 0.8450f, 0.1619f, 2.2480f, 1.3997f, 0.0228f, 0.0079f, 0.0000f, 0.1302f, 0.0000f, 0.0917f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.4578f, 0.5839f, 0.5856f, 0.7745f, 1.1968f, 0.1584f, 2.4100f, 1.6437f, 0.0257f, 0.0083f, 0.0000f, 0.2016f, 0.0000f, 0.0927f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.3057f, 0.5868f, 0.5876f, 0.7745f, 1.2484f, 0.1591f, 2.3366f, 1.6642f, 0.0258f, 0.0082f, 0.0000f, 0.2026f, 0.0000f, 0.0923f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {3.8052f, 0.2718f, 0.2921f, 0.4706f, 0.8146f, 0.1595f, 2.3288f, 1.4417f, 0.0253f, 0.0084f, 0.0000f, 0.1314f, 0.0000f, 0.0934f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {3.7679f, 0.2858f, 0.2990f, 0.4706f, 0.7782f, 0.1585f, 2.3017f, 1.4112f, 0.0265f, 0.0081f, 0.0000f, 0.1311f, 0.0000f, 0.0930f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {3.1923f, 0.2099f, 0.2468f, 0.2417f, 0.5766f, 0.1747f, 2.6657f, 1.2734f, 0.0349f, 0.0087f, 0.0000f, 0.1014f, 0.0000f, 0.0972f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.0817f, 0.1961f, 0.2691f, 0.2340f, 0.6137f, 0.1761f, 2.5459f, 1.2831f, 0.0329f, 0.0084f, 0.0000f, 0.1017f, 0.0000f, 0.0934f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {2.8359f, 0.1430f, 0.1430f, 0.2427f, 0.3789f, 0.1700f, 1.9264f, 1.0340f, 0.0175f, 0.0077f, 0.0000f, 0.0787f, 0.0000f, 0.0836f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {2.8414f, 0.1432f, 0.1746f, 0.1886f, 0.4502f, 0.1882f, 2.6232f, 1.1214f, 0.0371f, 0.0087f, 0.0000f, 0.0873f, 0.0000f, 0.0953f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {3.7515f, 0.3664f, 0.3664f, 0.3800f, 0.9045f, 0.1655f, 2.6274f, 1.4662f, 0.0307f, 0.0087f, 0.0000f, 0.1373f, 0.0000f, 0.0937f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.0413f, 0.1527f, 0.1908f, 0.3187f, 0.4524f, 0.1626f, 2.4821f, 1.1347f, 0.0344f, 0.0086f, 0.0000f, 0.0918f, 0.0000f, 0.0936f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {2.8925f, 0.2089f, 0.2247f, 0.3187f, 0.4542f, 0.1587f, 2.3077f, 1.1671f, 0.0304f, 0.0083f, 0.0001f, 0.0984f, 0.0000f, 0.0939f}},
};

inline constexpr gemm_table gemm_h200_f64_nn{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4082068,
    .overlap = 0.20,
    .costs = gemm_h200_f64_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
