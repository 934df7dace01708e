// SPDX-License-Identifier: Apache-2.0
/// The host's matrix instruction: a corner of C in vector registers, for whatever vectors there
/// are.
#pragma once

#include <cstdint>

namespace loops::host {

/// Rows and columns of the corner; packed operands come in panels of as many.
inline constexpr int panel_rows = 12;
template <class T>
inline constexpr int panel_cols = 128 / int(sizeof(T));

/// c[i][j] += sum over k of a[k][i] * b[k][j] for a corner of `rows` x `columns`, at least: as many
/// up to `panel_rows` x `panel_cols` as registers hold well. Rows of c are `leading` elements
/// apart. Uses AVX-512, AVX2 or what every processor has. `b` and `c` are aligned to 64 bytes,
/// `leading` to 16 elements.
void multiply_panels(const float* a, const float* b, float* c, std::int64_t leading, std::int64_t k,
                     int rows, int columns);
void multiply_panels(const double* a, const double* b, double* c, std::int64_t leading,
                     std::int64_t k, int rows, int columns);
void multiply_panels(const std::int32_t* a, const std::int32_t* b, std::int32_t* c,
                     std::int64_t leading, std::int64_t k, int rows, int columns);

}  // namespace loops::host
