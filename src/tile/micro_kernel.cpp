// SPDX-License-Identifier: Apache-2.0
/// The corner of a product, compiled once for every width of vectors and chosen by the processor.
#include "loops/backend/host/micro_kernel.hpp"

namespace loops::host {

namespace {

/// A vector of `Bytes` bytes of T.
template <class T, int Bytes>
struct vector_of {
  using type [[gnu::vector_size(Bytes)]] = T;
};

/// A part of the corner whose sums stay in registers: `Rows` x `Wide` vectors.
template <class T, int Bytes, int Rows, int Wide>
[[gnu::always_inline]] inline void part(const T* a, const T* b, T* c, std::int64_t leading,
                                        std::int64_t steps) {
  using vector = typename vector_of<T, Bytes>::type;
  constexpr int lanes = Bytes / int(sizeof(T));
  vector sums[Rows][Wide];
#pragma GCC unroll 12
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < Wide; ++j)
      sums[i][j] = *reinterpret_cast<const vector*>(c + i * leading + j * lanes);
  for (std::int64_t k = 0; k < steps; ++k) {
    vector right[Wide];
#pragma GCC unroll 8
    for (int j = 0; j < Wide; ++j) right[j] = *reinterpret_cast<const vector*>(b + j * lanes);
#pragma GCC unroll 12
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < Wide; ++j) sums[i][j] += a[i] * right[j];
    a += panel_rows;
    b += panel_cols<T>;
  }
#pragma GCC unroll 12
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < Wide; ++j)
      *reinterpret_cast<vector*>(c + i * leading + j * lanes) = sums[i][j];
}

/// The corner, part by part. Few rows or columns, as of a product with a vector, are parts of their
/// own.
template <class T, int Bytes, int Rows, int Wide>
[[gnu::always_inline]] inline void corner(const T* a, const T* b, T* c, std::int64_t leading,
                                          std::int64_t steps, int rows, int columns) {
  constexpr int narrow = Bytes / int(sizeof(T));
  constexpr int few = 2;
  static_assert(panel_rows % Rows == 0 && Rows % few == 0 && panel_cols<T> % (Wide * narrow) == 0);
  for (int i = 0; i < rows; i += Rows)
    for (int j = 0; j < columns; j += Wide * narrow) {
      T* const at = c + i * leading + j;
      if (rows - i <= few) {
        part<T, Bytes, few, Wide>(a + i, b + j, at, leading, steps);
      } else if (columns - j <= narrow) {
        part<T, Bytes, Rows, 1>(a + i, b + j, at, leading, steps);
      } else {
        part<T, Bytes, Rows, Wide>(a + i, b + j, at, leading, steps);
      }
    }
}

template <class T>
using corner_function = void (*)(const T*, const T*, T*, std::int64_t, std::int64_t, int, int);

template <class T>
void corner_any(const T* a, const T* b, T* c, std::int64_t leading, std::int64_t steps, int rows,
                int columns) {
  corner<T, 16, 4, 2>(a, b, c, leading, steps, rows, columns);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2,fma")]] void corner_avx2(const T* a, const T* b, T* c, std::int64_t leading,
                                             std::int64_t steps, int rows, int columns) {
  corner<T, 32, 6, 2>(a, b, c, leading, steps, rows, columns);
}
template <class T>
[[gnu::target("avx512f")]] void corner_avx512(const T* a, const T* b, T* c, std::int64_t leading,
                                              std::int64_t steps, int rows, int columns) {
  corner<T, 64, 12, 2>(a, b, c, leading, steps, rows, columns);
}
#endif

template <class T>
corner_function<T> choose() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return corner_avx512<T>;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return corner_avx2<T>;
#endif
  return corner_any<T>;
}

}  // namespace

void multiply_panels(const float* a, const float* b, float* c, std::int64_t leading, std::int64_t k,
                     int rows, int columns) {
  static const corner_function<float> chosen = choose<float>();
  chosen(a, b, c, leading, k, rows, columns);
}

void multiply_panels(const double* a, const double* b, double* c, std::int64_t leading,
                     std::int64_t k, int rows, int columns) {
  static const corner_function<double> chosen = choose<double>();
  chosen(a, b, c, leading, k, rows, columns);
}

void multiply_panels(const std::int32_t* a, const std::int32_t* b, std::int32_t* c,
                     std::int64_t leading, std::int64_t k, int rows, int columns) {
  static const corner_function<std::int32_t> chosen = choose<std::int32_t>();
  chosen(a, b, c, leading, k, rows, columns);
}

}  // namespace loops::host
