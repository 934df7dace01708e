// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie nn: fitted to 366 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-nn-fit.json gemm-h200-f32-nn-narrow-fit.json --type f32 --layouts nn -o gemm_h200_f32_nn.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 1.5%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_nn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {4.0804f, 2.6461f, 2.9436f, 2.0390f, 2.1733f, 0.5918f, 2.9773f, 1.3838f, 0.0162f, 0.0001f, 0.0032f, 0.1109f, 0.0000f, 0.0555f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {4.1822f, 1.8479f, 1.8625f, 1.3726f, 1.1097f, 0.5014f, 2.1720f, 1.1650f, 0.0068f, 0.0005f, 0.0031f, 0.0556f, 0.0000f, 0.0555f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.7747f, 0.8773f, 0.8773f, 1.0990f, 0.6473f, 0.4800f, 1.9615f, 1.0956f, 0.0034f, 0.0001f, 0.0020f, 0.0280f, 0.0000f, 0.0555f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.8196f, 0.9260f, 0.9260f, 0.7214f, 0.6913f, 0.5193f, 1.8125f, 1.0042f, 0.0032f, 0.0002f, 0.0020f, 0.0279f, 0.0000f, 0.0555f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {4.0706f, 1.9026f, 1.9796f, 1.6715f, 1.1179f, 0.5132f, 2.2135f, 1.1810f, 0.0069f, 0.0006f, 0.0045f, 0.0554f, 0.0000f, 0.0556f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.6320f, 1.0775f, 1.0775f, 1.5047f, 0.6434f, 0.4799f, 2.0954f, 1.1029f, 0.0039f, 0.0004f, 0.0025f, 0.0278f, 0.0000f, 0.0556f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.6366f, 1.0813f, 1.0813f, 1.5364f, 0.6366f, 0.4817f, 2.0709f, 1.1354f, 0.0038f, 0.0003f, 0.0025f, 0.0279f, 0.0000f, 0.0555f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.4498f, 0.4907f, 0.4950f, 0.8639f, 0.3194f, 0.4304f, 1.8518f, 1.0741f, 0.0017f, 0.0002f, 0.0014f, 0.0139f, 0.0000f, 0.0556f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.5042f, 0.4806f, 0.4860f, 0.8639f, 0.3353f, 0.4610f, 1.9009f, 1.0647f, 0.0016f, 0.0001f, 0.0015f, 0.0140f, 0.0000f, 0.0554f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {4.0845f, 0.5552f, 0.5552f, 0.7810f, 0.3797f, 0.5731f, 1.8927f, 1.0099f, 0.0019f, 0.0001f, 0.0015f, 0.0140f, 0.0000f, 0.0557f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {4.1060f, 0.5681f, 0.5681f, 0.7889f, 0.3724f, 0.5505f, 1.9154f, 1.0264f, 0.0019f, 0.0001f, 0.0015f, 0.0140f, 0.0000f, 0.0554f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.4868f, 0.3189f, 0.3276f, 0.6289f, 0.1768f, 0.5201f, 2.0242f, 1.0654f, 0.0009f, 0.0001f, 0.0010f, 0.0070f, 0.0000f, 0.0551f}},
};

inline constexpr gemm_table gemm_h200_f32_nn{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 9239770,
    .overlap = 0.20,
    .costs = gemm_h200_f32_nn_costs,
    .layouts = "nn"};
// clang-format on

}  // namespace loops::select::tables
