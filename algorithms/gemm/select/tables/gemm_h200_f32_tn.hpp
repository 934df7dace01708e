// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie tn: fitted to 361 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-tn-fit.json gemm-h200-f32-tn-narrow-fit.json --type f32 --layouts tn -o gemm_h200_f32_tn.hpp
// from what commit bb7f36d438ff1b078f5a4f89747a8f6806bdf839 measured; median error 2.0%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_tn_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.7189f, 2.4831f, 2.6368f, 1.6827f, 1.8312f, 0.5149f, 3.0346f, 1.5466f, 0.0049f, 0.0383f, 0.0078f, 0.2419f, 0.0000f, 0.5003f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {4.7683f, 1.7961f, 1.8011f, 0.9048f, 1.2895f, 0.5526f, 2.4822f, 1.2443f, 0.0035f, 0.0359f, 0.0067f, 0.1251f, 0.0000f, 0.4980f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.6032f, 0.7376f, 0.7376f, 0.9111f, 0.5364f, 0.4863f, 2.1616f, 1.0841f, 0.0029f, 0.0340f, 0.0043f, 0.0614f, 0.0000f, 0.5023f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.8675f, 0.7416f, 0.7416f, 0.6422f, 0.6174f, 0.5595f, 1.9522f, 0.9855f, 0.0029f, 0.0319f, 0.0042f, 0.0621f, 0.0000f, 0.4949f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {4.1831f, 1.4362f, 1.5397f, 1.4972f, 1.0289f, 0.5173f, 2.4261f, 1.2309f, 0.0034f, 0.0397f, 0.0096f, 0.1222f, 0.0000f, 0.5017f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {4.0394f, 0.7994f, 0.7994f, 1.2192f, 0.5885f, 0.5191f, 2.2649f, 1.0725f, 0.0034f, 0.0340f, 0.0054f, 0.0616f, 0.0000f, 0.4898f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {4.0642f, 0.7838f, 0.7838f, 1.2432f, 0.5804f, 0.5223f, 2.2119f, 1.0673f, 0.0033f, 0.0336f, 0.0054f, 0.0618f, 0.0000f, 0.5002f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.6003f, 0.3920f, 0.3920f, 0.7182f, 0.2920f, 0.5313f, 2.0409f, 1.0511f, 0.0029f, 0.0306f, 0.0033f, 0.0309f, 0.0000f, 0.4993f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.5328f, 0.3889f, 0.3889f, 0.7182f, 0.2876f, 0.5185f, 2.0526f, 1.0178f, 0.0030f, 0.0354f, 0.0032f, 0.0308f, 0.0000f, 0.5440f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {4.1601f, 0.4416f, 0.4416f, 0.6684f, 0.3012f, 0.5865f, 2.0721f, 1.0195f, 0.0031f, 0.0299f, 0.0032f, 0.0310f, 0.0000f, 0.4770f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {4.1128f, 0.4473f, 0.4535f, 0.6570f, 0.3025f, 0.5768f, 2.0841f, 0.9987f, 0.0032f, 0.0296f, 0.0032f, 0.0310f, 0.0000f, 0.5018f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.4091f, 0.2688f, 0.2688f, 0.5253f, 0.1430f, 0.5068f, 1.9999f, 0.9855f, 0.0029f, 0.0308f, 0.0021f, 0.0154f, 0.0000f, 0.4750f}},
};

inline constexpr gemm_table gemm_h200_f32_tn{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 3277381,
    .overlap = 0.10,
    .costs = gemm_h200_f32_tn_costs,
    .layouts = "tn"};
// clang-format on

}  // namespace loops::select::tables
