// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-nt-fit.json gemm-h200-f32-nt-narrow-fit.json --type f32 --layouts nt -o gemm_h200_f32.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 1.5%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {4.3103f, 2.5351f, 2.8884f, 2.0319f, 2.2429f, 0.4266f, 2.9283f, 1.2715f, 0.0200f, 0.0011f, 0.0003f, 0.0000f, 0.0000f, 0.0213f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {4.2119f, 1.8342f, 1.9174f, 1.3609f, 1.1776f, 0.4229f, 2.1086f, 1.1211f, 0.0088f, 0.0010f, 0.0006f, 0.0000f, 0.0000f, 0.0213f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.7493f, 0.8645f, 0.8645f, 1.1172f, 0.6986f, 0.4345f, 1.9458f, 1.1161f, 0.0044f, 0.0004f, 0.0002f, 0.0000f, 0.0000f, 0.0213f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.7656f, 0.9529f, 0.9529f, 0.7140f, 0.7707f, 0.4699f, 1.7219f, 1.0018f, 0.0042f, 0.0005f, 0.0002f, 0.0000f, 0.0000f, 0.0213f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {4.5425f, 1.9083f, 2.0424f, 1.7191f, 1.3632f, 0.4406f, 2.1920f, 1.1788f, 0.0090f, 0.0012f, 0.0007f, 0.0000f, 0.0000f, 0.0213f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.7166f, 1.1498f, 1.1872f, 1.5217f, 0.6983f, 0.4283f, 1.9603f, 1.1029f, 0.0050f, 0.0007f, 0.0004f, 0.0000f, 0.0000f, 0.0213f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.6034f, 1.1560f, 1.1659f, 1.5876f, 0.7031f, 0.4355f, 1.9714f, 1.1337f, 0.0049f, 0.0006f, 0.0003f, 0.0000f, 0.0000f, 0.0213f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.4643f, 0.5195f, 0.5195f, 0.8886f, 0.3718f, 0.4397f, 1.8077f, 1.1007f, 0.0023f, 0.0003f, 0.0002f, 0.0000f, 0.0000f, 0.0213f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.4345f, 0.5243f, 0.5243f, 0.8886f, 0.3595f, 0.4204f, 1.8338f, 1.0766f, 0.0022f, 0.0003f, 0.0002f, 0.0000f, 0.0000f, 0.0213f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {4.2599f, 0.5807f, 0.5977f, 0.8088f, 0.4136f, 0.5350f, 1.7300f, 1.0212f, 0.0024f, 0.0003f, 0.0002f, 0.0000f, 0.0000f, 0.0213f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {4.2030f, 0.5770f, 0.6005f, 0.7844f, 0.4047f, 0.5099f, 1.7666f, 1.0343f, 0.0025f, 0.0004f, 0.0002f, 0.0000f, 0.0000f, 0.0213f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.5085f, 0.3005f, 0.3061f, 0.6599f, 0.1969f, 0.5062f, 1.8190f, 1.0937f, 0.0011f, 0.0002f, 0.0001f, 0.0000f, 0.0000f, 0.0212f}},
};

inline constexpr gemm_table gemm_h200_f32{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 8849296,
    .overlap = 0.20,
    .costs = gemm_h200_f32_costs};
// clang-format on

}  // namespace loops::select::tables
