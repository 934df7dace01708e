// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands that lie tt: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-tt-fit.json gemm-h200-f64-tt-narrow-fit.json --type f64 --layouts tt -o gemm_h200_f64_tt.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 5.3%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_tt_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {4.0528f, 1.0848f, 1.1608f, 1.2004f, 2.0339f, 0.3878f, 3.5092f, 2.4969f, 0.0266f, 0.0105f, 0.0055f, 0.1471f, 0.0000f, 0.2517f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {4.4971f, 0.2836f, 0.2944f, 0.4510f, 0.6937f, 0.4635f, 2.3377f, 1.3095f, 0.0183f, 0.0102f, 0.0053f, 0.0464f, 0.0000f, 0.2510f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.5483f, 0.5978f, 0.5978f, 0.7056f, 0.8028f, 0.3596f, 2.8247f, 1.7706f, 0.0234f, 0.0107f, 0.0054f, 0.0783f, 0.0000f, 0.2456f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.5589f, 0.5890f, 0.5890f, 0.7056f, 0.8049f, 0.3567f, 2.8066f, 1.7554f, 0.0231f, 0.0100f, 0.0054f, 0.0791f, 0.0000f, 0.2435f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {4.6363f, 0.2789f, 0.3029f, 0.4582f, 0.6819f, 0.4548f, 2.4592f, 1.2941f, 0.0210f, 0.0112f, 0.0054f, 0.0465f, 0.0000f, 0.2574f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {4.6517f, 0.2805f, 0.3036f, 0.4582f, 0.6322f, 0.4334f, 2.5478f, 1.3115f, 0.0222f, 0.0110f, 0.0054f, 0.0463f, 0.0000f, 0.2489f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {4.0034f, 0.2167f, 0.2350f, 0.2645f, 0.2654f, 0.3979f, 2.8235f, 1.2582f, 0.0250f, 0.0113f, 0.0054f, 0.0291f, 0.0000f, 0.2539f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.8870f, 0.2115f, 0.2259f, 0.2804f, 0.2634f, 0.3907f, 2.8064f, 1.2491f, 0.0247f, 0.0104f, 0.0054f, 0.0289f, 0.0000f, 0.2500f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.2195f, 0.1284f, 0.1284f, 0.2566f, 0.1355f, 0.4188f, 2.2970f, 1.0835f, 0.0155f, 0.0098f, 0.0053f, 0.0204f, 0.0000f, 0.2254f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {3.6349f, 0.1592f, 0.1592f, 0.2140f, 0.1360f, 0.4061f, 2.7750f, 1.1050f, 0.0244f, 0.0113f, 0.0055f, 0.0205f, 0.0000f, 0.2626f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {4.1397f, 0.3610f, 0.4234f, 0.3766f, 0.5489f, 0.4085f, 2.9258f, 1.4641f, 0.0286f, 0.0116f, 0.0054f, 0.0460f, 0.0000f, 0.2514f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.4062f, 0.1854f, 0.2106f, 0.3345f, 0.2520f, 0.3697f, 2.7722f, 1.1523f, 0.0260f, 0.0123f, 0.0053f, 0.0286f, 0.0000f, 0.2609f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {3.3708f, 0.1576f, 0.1957f, 0.3345f, 0.2349f, 0.3352f, 2.7785f, 1.2199f, 0.0283f, 0.0122f, 0.0057f, 0.0289f, 0.0000f, 0.2569f}},
};

inline constexpr gemm_table gemm_h200_f64_tt{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4183859,
    .overlap = 0.10,
    .costs = gemm_h200_f64_tt_costs,
    .layouts = "tt"};
// clang-format on

}  // namespace loops::select::tables
