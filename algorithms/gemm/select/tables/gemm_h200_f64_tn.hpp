// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands that lie tn: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-tn-fit.json gemm-h200-f64-tn-narrow-fit.json --type f64 --layouts tn -o gemm_h200_f64_tn.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 5.2%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_tn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {4.0519f, 1.0871f, 1.1501f, 1.1245f, 1.7324f, 0.3358f, 4.0120f, 2.3683f, 0.0229f, 0.0083f, 0.0000f, 0.2976f, 0.0000f, 0.0886f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {4.6109f, 0.2833f, 0.2942f, 0.4349f, 0.6092f, 0.4007f, 2.3371f, 1.3044f, 0.0166f, 0.0082f, 0.0000f, 0.1336f, 0.0000f, 0.0877f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.5691f, 0.5872f, 0.5872f, 0.6716f, 0.7270f, 0.3135f, 3.0935f, 1.7892f, 0.0207f, 0.0091f, 0.0000f, 0.1791f, 0.0000f, 0.0881f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.5993f, 0.5876f, 0.5876f, 0.6716f, 0.6887f, 0.3052f, 3.0085f, 1.8085f, 0.0208f, 0.0085f, 0.0000f, 0.1824f, 0.0000f, 0.0879f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {4.6188f, 0.2787f, 0.3048f, 0.4451f, 0.5927f, 0.3901f, 2.4505f, 1.2877f, 0.0191f, 0.0092f, 0.0000f, 0.1350f, 0.0000f, 0.0887f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {4.6905f, 0.2866f, 0.3100f, 0.4451f, 0.5639f, 0.3785f, 2.5545f, 1.3056f, 0.0197f, 0.0087f, 0.0000f, 0.1347f, 0.0000f, 0.0888f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {3.9576f, 0.2253f, 0.2375f, 0.2586f, 0.2315f, 0.3366f, 2.7087f, 1.2594f, 0.0221f, 0.0094f, 0.0000f, 0.1048f, 0.0000f, 0.0886f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.8563f, 0.2225f, 0.2290f, 0.2753f, 0.2336f, 0.3400f, 2.6839f, 1.2633f, 0.0216f, 0.0087f, 0.0000f, 0.1033f, 0.0000f, 0.0888f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.2620f, 0.1300f, 0.1300f, 0.2523f, 0.1212f, 0.3740f, 2.2879f, 1.0784f, 0.0150f, 0.0083f, 0.0000f, 0.0861f, 0.0000f, 0.0852f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {3.6274f, 0.1632f, 0.1632f, 0.2097f, 0.1202f, 0.3528f, 2.5671f, 1.1256f, 0.0215f, 0.0096f, 0.0000f, 0.0918f, 0.0000f, 0.0901f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {4.6056f, 0.3686f, 0.4341f, 0.3619f, 0.4865f, 0.3497f, 2.9430f, 1.4664f, 0.0245f, 0.0095f, 0.0000f, 0.1321f, 0.0000f, 0.0884f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.3886f, 0.1881f, 0.2109f, 0.3319f, 0.2217f, 0.3176f, 2.6983f, 1.1552f, 0.0232f, 0.0103f, 0.0000f, 0.0963f, 0.0000f, 0.0895f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {3.2638f, 0.1946f, 0.2103f, 0.3319f, 0.2229f, 0.3194f, 2.9234f, 1.2638f, 0.0234f, 0.0092f, 0.0001f, 0.1047f, 0.0000f, 0.0891f}},
};

inline constexpr gemm_table gemm_h200_f64_tn{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4189892,
    .overlap = 0.20,
    .costs = gemm_h200_f64_tn_costs,
    .layouts = "tn"};
// clang-format on

}  // namespace loops::select::tables
