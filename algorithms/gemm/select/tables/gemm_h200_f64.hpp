// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-nt-fit.json gemm-h200-f64-nt-narrow-fit.json --type f64 --layouts nt -o gemm_h200_f64.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 5.0%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {3.8300f, 1.0992f, 1.1550f, 1.2936f, 1.9865f, 0.3097f, 3.0593f, 2.5955f, 0.0352f, 0.0093f, 0.0012f, 0.2567f, 0.0000f, 0.1301f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {4.5890f, 0.2701f, 0.2911f, 0.4665f, 0.7352f, 0.3621f, 2.3599f, 1.2938f, 0.0166f, 0.0087f, 0.0010f, 0.0708f, 0.0000f, 0.1305f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.6519f, 0.5860f, 0.5860f, 0.7446f, 0.8382f, 0.2931f, 2.7564f, 1.7810f, 0.0257f, 0.0092f, 0.0011f, 0.1293f, 0.0000f, 0.1285f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.5396f, 0.5854f, 0.5854f, 0.7446f, 0.8613f, 0.2944f, 2.8001f, 1.7614f, 0.0257f, 0.0092f, 0.0010f, 0.1315f, 0.0000f, 0.1281f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {4.5741f, 0.2716f, 0.2995f, 0.4701f, 0.7285f, 0.3587f, 2.5306f, 1.3003f, 0.0210f, 0.0093f, 0.0013f, 0.0712f, 0.0000f, 0.1306f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {4.6249f, 0.2724f, 0.3049f, 0.4701f, 0.6808f, 0.3444f, 2.6001f, 1.3087f, 0.0227f, 0.0090f, 0.0012f, 0.0708f, 0.0000f, 0.1294f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {4.1395f, 0.2113f, 0.2372f, 0.2643f, 0.2860f, 0.3290f, 3.0275f, 1.2440f, 0.0185f, 0.0097f, 0.0014f, 0.0382f, 0.0000f, 0.1342f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.9959f, 0.2101f, 0.2306f, 0.2809f, 0.2807f, 0.3180f, 3.0112f, 1.2481f, 0.0183f, 0.0094f, 0.0014f, 0.0379f, 0.0000f, 0.1270f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.1371f, 0.1321f, 0.1321f, 0.2560f, 0.1471f, 0.3547f, 2.4605f, 1.0254f, 0.0102f, 0.0083f, 0.0013f, 0.0221f, 0.0000f, 0.1215f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {3.8463f, 0.1490f, 0.1699f, 0.2052f, 0.1439f, 0.3345f, 3.0536f, 1.0616f, 0.0138f, 0.0100f, 0.0014f, 0.0222f, 0.0000f, 0.1314f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {4.3041f, 0.3430f, 0.4057f, 0.3775f, 0.5652f, 0.3215f, 2.9188f, 1.4361f, 0.0407f, 0.0097f, 0.0015f, 0.0701f, 0.0000f, 0.1304f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.4469f, 0.1562f, 0.2009f, 0.3329f, 0.2564f, 0.2971f, 2.9650f, 1.1113f, 0.0258f, 0.0101f, 0.0015f, 0.0375f, 0.0000f, 0.1307f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {3.4448f, 0.1528f, 0.1992f, 0.3329f, 0.2420f, 0.2754f, 3.0694f, 1.2150f, 0.0266f, 0.0100f, 0.0014f, 0.0375f, 0.0000f, 0.1323f}},
};

inline constexpr gemm_table gemm_h200_f64{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4147437,
    .overlap = 0.10,
    .costs = gemm_h200_f64_costs};
// clang-format on

}  // namespace loops::select::tables
