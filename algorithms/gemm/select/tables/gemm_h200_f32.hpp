// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-nt-fit.json gemm-h200-f32-nt-narrow-fit.json --type f32 --layouts nt -o gemm_h200_f32.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 2.1%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 5}, 132, 1, {3.5446f, 3.0301f, 3.0301f, 2.2299f, 3.5247f, 0.4297f, 1.8257f, 2.5211f, 0.0092f, 0.0066f, 0.0013f, 0.0572f, 0.0000f, 0.0084f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.3548f, 1.6056f, 1.6056f, 1.5817f, 1.8364f, 0.4177f, 1.7125f, 1.5767f, 0.0087f, 0.0034f, 0.0007f, 0.0443f, 0.0000f, 0.0084f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.8960f, 0.8455f, 0.8455f, 1.1938f, 1.5732f, 0.4466f, 1.8247f, 1.3253f, 0.0092f, 0.0017f, 0.0004f, 0.0383f, 0.0000f, 0.0084f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.3887f, 1.5888f, 1.5888f, 1.9804f, 1.6814f, 0.4134f, 1.7667f, 1.6393f, 0.0090f, 0.0032f, 0.0006f, 0.0443f, 0.0000f, 0.0084f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.0185f, 0.9605f, 1.1404f, 1.6297f, 1.1973f, 0.4079f, 1.7772f, 1.1976f, 0.0093f, 0.0018f, 0.0004f, 0.0380f, 0.0000f, 0.0084f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.0220f, 1.0956f, 1.0956f, 1.6841f, 1.1982f, 0.4056f, 1.7223f, 1.1917f, 0.0092f, 0.0018f, 0.0004f, 0.0380f, 0.0000f, 0.0084f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.1263f, 0.4656f, 0.4656f, 0.9347f, 0.9840f, 0.4137f, 1.8161f, 1.1268f, 0.0091f, 0.0008f, 0.0001f, 0.0349f, 0.0000f, 0.0084f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.1327f, 0.4718f, 0.4718f, 0.9347f, 0.9559f, 0.4084f, 1.8408f, 1.0985f, 0.0091f, 0.0008f, 0.0001f, 0.0349f, 0.0000f, 0.0084f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.2244f, 0.5792f, 0.5975f, 0.7908f, 1.0426f, 0.4350f, 1.7173f, 1.0372f, 0.0092f, 0.0009f, 0.0002f, 0.0348f, 0.0000f, 0.0084f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.2452f, 0.5409f, 0.6374f, 0.7467f, 1.0290f, 0.4227f, 1.7265f, 1.0829f, 0.0093f, 0.0009f, 0.0003f, 0.0349f, 0.0000f, 0.0084f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.1784f, 0.2924f, 0.2924f, 0.6757f, 0.9530f, 0.4305f, 1.9292f, 1.0865f, 0.0091f, 0.0004f, 0.0001f, 0.0335f, 0.0000f, 0.0084f}},
};

inline constexpr gemm_table gemm_h200_f32{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2749226,
    .overlap = 0.10,
    .costs = gemm_h200_f32_costs};
// clang-format on

}  // namespace loops::select::tables
