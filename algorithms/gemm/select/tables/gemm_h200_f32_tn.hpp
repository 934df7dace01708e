// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie tn: fitted to 362 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-tn-fit.json gemm-h200-f32-tn-narrow-fit.json --type f32 --layouts tn -o gemm_h200_f32_tn.hpp
// from what commit a45dc4cf999594dc9c6c48b1b5486225eb4076bb measured; median error 2.5%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_tn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.9968f, 2.4937f, 2.5933f, 1.6219f, 2.3598f, 0.4716f, 2.6676f, 1.3777f, 0.0305f, 0.0421f, 0.0000f, 0.1124f, 0.0000f, 0.6536f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.7537f, 1.5042f, 1.5042f, 1.1855f, 1.9475f, 0.4049f, 2.3507f, 1.1304f, 0.0153f, 0.0408f, 0.0001f, 0.1131f, 0.0000f, 0.6464f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {4.1751f, 0.7014f, 0.7014f, 0.8479f, 1.1820f, 0.3511f, 2.3347f, 1.1957f, 0.0077f, 0.0375f, 0.0000f, 0.1117f, 0.0000f, 0.6489f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.3767f, 0.6438f, 0.6438f, 0.6404f, 1.4897f, 0.3771f, 2.1319f, 1.1495f, 0.0075f, 0.0388f, 0.0000f, 0.1149f, 0.0000f, 0.6513f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.4043f, 1.2893f, 1.2893f, 1.4684f, 1.3653f, 0.3843f, 2.3080f, 1.2170f, 0.0152f, 0.0410f, 0.0000f, 0.1107f, 0.0000f, 0.6478f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.6080f, 0.7801f, 0.8570f, 1.2107f, 1.2289f, 0.3490f, 2.1716f, 1.0657f, 0.0078f, 0.0406f, 0.0000f, 0.1116f, 0.0000f, 0.6311f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.5538f, 0.7915f, 0.8378f, 1.2380f, 1.2221f, 0.3500f, 2.1459f, 1.0599f, 0.0077f, 0.0403f, 0.0000f, 0.1128f, 0.0000f, 0.6514f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.5854f, 0.3720f, 0.3720f, 0.6572f, 0.9278f, 0.3292f, 2.0657f, 1.0872f, 0.0038f, 0.0366f, 0.0000f, 0.1125f, 0.0000f, 0.6362f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.5941f, 0.3671f, 0.3671f, 0.6572f, 0.8521f, 0.3196f, 2.0464f, 1.0747f, 0.0038f, 0.0468f, 0.0000f, 0.1113f, 0.0000f, 0.7175f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.6000f, 0.4225f, 0.4225f, 0.6139f, 0.8969f, 0.3350f, 2.0813f, 1.0181f, 0.0039f, 0.0381f, 0.0000f, 0.1114f, 0.0000f, 0.6081f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.4636f, 0.4292f, 0.4292f, 0.6080f, 0.9183f, 0.3324f, 2.1135f, 1.0473f, 0.0039f, 0.0382f, 0.0000f, 0.1122f, 0.0000f, 0.6444f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.6626f, 0.2294f, 0.2294f, 0.4694f, 0.8149f, 0.3191f, 2.2078f, 1.0704f, 0.0019f, 0.0463f, 0.0000f, 0.1117f, 0.0000f, 0.6242f}},
};

inline constexpr gemm_table gemm_h200_f32_tn{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 3896060,
    .overlap = 0.20,
    .costs = gemm_h200_f32_tn_costs,
    .layouts = "tn"};
// clang-format on

}  // namespace loops::select::tables
