// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-nt-fit.json gemm-h200-f64-nt-narrow-fit.json --type f64 --layouts nt -o gemm_h200_f64.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 5.5%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {3.6674f, 1.1135f, 1.1702f, 1.3634f, 2.4010f, 0.0499f, 3.0669f, 2.4118f, 0.0267f, 0.0080f, 0.0027f, 0.2122f, 0.0000f, 0.0626f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {3.7362f, 0.2677f, 0.2788f, 0.4689f, 1.0030f, 0.0499f, 2.2536f, 1.3854f, 0.0218f, 0.0075f, 0.0024f, 0.0556f, 0.0000f, 0.0626f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.4364f, 0.5801f, 0.5850f, 0.7671f, 1.3348f, 0.0496f, 2.4580f, 1.6430f, 0.0247f, 0.0079f, 0.0025f, 0.1087f, 0.0000f, 0.0624f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.3913f, 0.5733f, 0.5814f, 0.7671f, 1.3756f, 0.0497f, 2.4296f, 1.6609f, 0.0248f, 0.0078f, 0.0025f, 0.1085f, 0.0000f, 0.0622f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {3.6879f, 0.2693f, 0.2911f, 0.4689f, 0.9920f, 0.0498f, 2.3577f, 1.4124f, 0.0241f, 0.0079f, 0.0026f, 0.0561f, 0.0000f, 0.0626f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {3.6760f, 0.2691f, 0.2919f, 0.4689f, 0.8995f, 0.0495f, 2.3828f, 1.4047f, 0.0255f, 0.0077f, 0.0025f, 0.0558f, 0.0000f, 0.0625f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {3.1303f, 0.1944f, 0.2500f, 0.2381f, 0.7502f, 0.0510f, 2.7819f, 1.2695f, 0.0330f, 0.0082f, 0.0027f, 0.0300f, 0.0000f, 0.0640f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.0604f, 0.1827f, 0.2720f, 0.2277f, 0.7579f, 0.0507f, 2.6361f, 1.2565f, 0.0323f, 0.0081f, 0.0026f, 0.0299f, 0.0000f, 0.0621f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {2.8098f, 0.1394f, 0.1394f, 0.2452f, 0.5362f, 0.0505f, 2.0341f, 1.0153f, 0.0156f, 0.0072f, 0.0025f, 0.0165f, 0.0000f, 0.0590f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {2.7882f, 0.1206f, 0.1777f, 0.1832f, 0.6439f, 0.0518f, 2.6791f, 1.0941f, 0.0354f, 0.0084f, 0.0026f, 0.0168f, 0.0000f, 0.0627f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {3.0332f, 0.3538f, 0.3692f, 0.4016f, 1.0173f, 0.0504f, 2.7142f, 1.4313f, 0.0291f, 0.0081f, 0.0027f, 0.0568f, 0.0000f, 0.0629f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {2.9556f, 0.1530f, 0.1958f, 0.3198f, 0.6144f, 0.0502f, 2.5817f, 1.1359f, 0.0317f, 0.0080f, 0.0026f, 0.0297f, 0.0000f, 0.0628f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {2.9778f, 0.1502f, 0.1890f, 0.3198f, 0.5787f, 0.0499f, 2.6209f, 1.2037f, 0.0329f, 0.0078f, 0.0026f, 0.0296f, 0.0000f, 0.0631f}},
};

inline constexpr gemm_table gemm_h200_f64{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4037119,
    .overlap = 0.20,
    .costs = gemm_h200_f64_costs};
// clang-format on

}  // namespace loops::select::tables
