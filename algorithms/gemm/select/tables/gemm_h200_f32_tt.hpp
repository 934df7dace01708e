// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f32 operands that lie tt: fitted to 362 products.
// clang-format off
//
// loops tune gemm gemm-h200-f32-tt-fit.json gemm-h200-f32-tt-narrow-fit.json --type f32 --layouts tt -o gemm_h200_f32_tt.hpp
// from what commit a45dc4cf999594dc9c6c48b1b5486225eb4076bb measured; median error 2.3%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f32_tt_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 6}, 132, 1, {3.7942f, 2.5631f, 2.6565f, 2.1099f, 2.9348f, 0.2432f, 2.0881f, 1.3474f, 0.0382f, 0.0807f, 0.0000f, 0.0742f, 0.0000f, 0.5542f}},
    {{128, 64, 1, 1, 1, 4}, 264, 2, {3.4696f, 1.6292f, 1.6292f, 1.4951f, 1.7508f, 0.2408f, 2.0218f, 1.1516f, 0.0186f, 0.0658f, 0.0001f, 0.0739f, 0.0000f, 0.5516f}},
    {{64, 64, 1, 1, 1, 10}, 132, 1, {3.9379f, 0.8156f, 0.8156f, 1.0694f, 1.1525f, 0.2387f, 2.1464f, 1.1293f, 0.0093f, 0.0466f, 0.0000f, 0.0742f, 0.0000f, 0.5511f}},
    {{64, 64, 1, 1, 1, 5}, 264, 2, {4.0265f, 0.7697f, 0.7697f, 0.8023f, 1.5168f, 0.2550f, 2.0000f, 1.0720f, 0.0092f, 0.0501f, 0.0000f, 0.0751f, 0.0000f, 0.5521f}},
    {{256, 32, 1, 1, 1, 3}, 264, 2, {3.5348f, 1.6583f, 1.6583f, 1.9055f, 1.7205f, 0.2416f, 2.0713f, 1.1595f, 0.0188f, 0.0866f, 0.0000f, 0.0739f, 0.0000f, 0.5520f}},
    {{128, 32, 1, 1, 1, 3}, 396, 3, {3.1898f, 0.9371f, 1.0380f, 1.4948f, 1.1368f, 0.2401f, 2.0704f, 1.0654f, 0.0096f, 0.0594f, 0.0001f, 0.0737f, 0.0000f, 0.5417f}},
    {{32, 128, 1, 1, 1, 3}, 396, 3, {3.0015f, 0.9376f, 0.9796f, 1.5051f, 1.1608f, 0.2431f, 2.0552f, 1.0471f, 0.0094f, 0.0584f, 0.0000f, 0.0740f, 0.0000f, 0.5536f}},
    {{64, 32, 1, 1, 1, 15}, 132, 1, {3.3997f, 0.4485f, 0.4485f, 0.8093f, 0.8771f, 0.2374f, 2.0013f, 1.0580f, 0.0046f, 0.0485f, 0.0000f, 0.0748f, 0.0000f, 0.5550f}},
    {{32, 64, 1, 1, 1, 15}, 132, 1, {3.4602f, 0.4634f, 0.4634f, 0.8093f, 0.7691f, 0.2302f, 2.0026f, 1.0260f, 0.0047f, 0.0567f, 0.0000f, 0.0740f, 0.0000f, 0.5867f}},
    {{64, 32, 1, 1, 1, 4}, 396, 3, {3.2922f, 0.5002f, 0.5073f, 0.7717f, 1.0531f, 0.2532f, 2.0015f, 0.9896f, 0.0047f, 0.0437f, 0.0000f, 0.0743f, 0.0000f, 0.5297f}},
    {{32, 64, 1, 1, 1, 4}, 396, 3, {3.2242f, 0.4969f, 0.5018f, 0.7608f, 1.0196f, 0.2486f, 2.0443f, 1.0070f, 0.0048f, 0.0433f, 0.0000f, 0.0745f, 0.0000f, 0.5416f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {3.5104f, 0.2507f, 0.2507f, 0.5492f, 0.9120f, 0.2516f, 2.2320f, 1.0548f, 0.0023f, 0.0452f, 0.0000f, 0.0752f, 0.0000f, 0.5460f}},
};

inline constexpr gemm_table gemm_h200_f32_tt{
    .machine = "NVIDIA H200",
    .type = "f32",
    .depth = 32,
    .operand_bytes = 4,
    .result_bytes = 4,
    .least = 8,
    .bytes_per_us = 2413340,
    .overlap = 0.10,
    .costs = gemm_h200_f32_tt_costs,
    .layouts = "tt"};
// clang-format on

}  // namespace loops::select::tables
