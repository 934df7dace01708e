// SPDX-License-Identifier: Apache-2.0
/// Costs of GEMM tiles on NVIDIA H200, f64 operands that lie tt: fitted to 315 products.
// clang-format off
//
// loops tune gemm gemm-h200-f64-tt-fit.json gemm-h200-f64-tt-narrow-fit.json --type f64 --layouts tt -o gemm_h200_f64_tt.hpp
// from what commit 1d104d7d60ae0d12ea844fb7c6b5ee3a680d64e4 measured; median error 5.2%.
#pragma once

#include "algorithms/gemm/select/model.hpp"

namespace loops::select::tables {

inline constexpr gemm_costs gemm_h200_f64_tt_costs[] = {
    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, paired, µs per
    // {launch, lone_step, full_step, paired_step, tile, busy_tile, partial, peer, drift, slanted_a, slanted_b, slanted_c, join, queue}
    {{128, 128, 1, 1, 1, 7}, 132, 1, {3.8398f, 1.1333f, 1.1597f, 1.3436f, 2.5562f, 0.0855f, 3.4697f, 2.3584f, 0.0298f, 0.0026f, 0.0080f, 0.1017f, 0.0000f, 0.2014f}},
    {{64, 64, 1, 1, 1, 12}, 132, 1, {3.8229f, 0.2748f, 0.2821f, 0.4664f, 0.9827f, 0.0855f, 2.2163f, 1.3935f, 0.0235f, 0.0029f, 0.0060f, 0.0254f, 0.0000f, 0.1973f}},
    {{128, 64, 1, 1, 1, 9}, 132, 1, {3.4441f, 0.5881f, 0.5886f, 0.7591f, 1.3385f, 0.0848f, 2.5188f, 1.6424f, 0.0269f, 0.0029f, 0.0067f, 0.0510f, 0.0000f, 0.2001f}},
    {{64, 128, 1, 1, 1, 9}, 132, 1, {3.4445f, 0.5839f, 0.5839f, 0.7591f, 1.3345f, 0.0848f, 2.4380f, 1.6741f, 0.0271f, 0.0026f, 0.0067f, 0.0509f, 0.0000f, 0.1987f}},
    {{128, 32, 1, 1, 1, 8}, 132, 1, {3.8537f, 0.2785f, 0.2974f, 0.4669f, 0.9262f, 0.0846f, 2.2603f, 1.4483f, 0.0263f, 0.0034f, 0.0062f, 0.0254f, 0.0000f, 0.2013f}},
    {{32, 128, 1, 1, 1, 8}, 132, 1, {3.8404f, 0.2761f, 0.2933f, 0.4669f, 0.8213f, 0.0841f, 2.3498f, 1.4327f, 0.0278f, 0.0031f, 0.0061f, 0.0254f, 0.0000f, 0.2012f}},
    {{64, 32, 1, 1, 1, 6}, 396, 3, {3.2800f, 0.2094f, 0.2496f, 0.2430f, 0.6653f, 0.0879f, 2.5274f, 1.2783f, 0.0369f, 0.0033f, 0.0059f, 0.0128f, 0.0000f, 0.2075f}},
    {{32, 64, 1, 1, 1, 6}, 396, 3, {3.1952f, 0.1927f, 0.2654f, 0.2370f, 0.6766f, 0.0878f, 2.4874f, 1.2970f, 0.0363f, 0.0032f, 0.0059f, 0.0128f, 0.0000f, 0.2034f}},
    {{32, 32, 1, 1, 1, 20}, 132, 1, {2.8916f, 0.1446f, 0.1446f, 0.2467f, 0.4817f, 0.0873f, 1.8572f, 1.0531f, 0.0177f, 0.0031f, 0.0055f, 0.0064f, 0.0000f, 0.1729f}},
    {{32, 32, 1, 1, 1, 6}, 528, 4, {2.9444f, 0.1407f, 0.1669f, 0.2012f, 0.5208f, 0.0896f, 2.5030f, 1.1611f, 0.0405f, 0.0032f, 0.0058f, 0.0064f, 0.0000f, 0.2081f}},
    {{256, 16, 1, 1, 1, 3}, 264, 2, {3.1699f, 0.3868f, 0.3876f, 0.3864f, 1.0979f, 0.0875f, 2.5550f, 1.4239f, 0.0324f, 0.0034f, 0.0062f, 0.0256f, 0.0000f, 0.2031f}},
    {{128, 16, 1, 1, 1, 12}, 132, 1, {3.0110f, 0.2068f, 0.2256f, 0.3207f, 0.5615f, 0.0855f, 2.1950f, 1.1622f, 0.0312f, 0.0034f, 0.0057f, 0.0127f, 0.0000f, 0.2042f}},
    {{16, 128, 1, 1, 1, 12}, 132, 1, {2.9850f, 0.1521f, 0.1920f, 0.3207f, 0.5332f, 0.0854f, 2.4129f, 1.2297f, 0.0380f, 0.0033f, 0.0060f, 0.0127f, 0.0000f, 0.2059f}},
};

inline constexpr gemm_table gemm_h200_f64_tt{
    .machine = "NVIDIA H200",
    .type = "f64",
    .depth = 16,
    .operand_bytes = 8,
    .result_bytes = 8,
    .least = 8,
    .bytes_per_us = 4268667,
    .overlap = 0.20,
    .costs = gemm_h200_f64_tt_costs,
    .layouts = "tt"};
// clang-format on

}  // namespace loops::select::tables
