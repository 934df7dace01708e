// SPDX-License-Identifier: Apache-2.0
/// The widths of Hopper's matrix instruction that tiles use.
#pragma once

#include "loops/backend/cuda/wgmma.hpp"

#include <cstdint>

namespace loops::gpu {

/// The instruction for one width: d += a b, or d = a b when `accumulate` is 0. Lane t of wave w of
/// the warpgroup holds, in d[4 j + 2 h + i], row 16 w + t / 4 + 8 h and column 8 j + 2 (t % 4) + i.
/// `add`: d += a b in tf32, of which the lane has a in registers: in a[2 j + h], of that row, the
/// element at depth t % 4 + 4 j.
template <int columns, class Kind, class Major, class Sum = typename Kind::sum>
struct wgmma_columns;

// Inline assembly wants every operand spelled out, by its number in the text and as a constraint.
// The sums come first, half as many as there are columns, in registers `R` for type `S`. A line has
// the numbers of what follows them, then those of the sums, from 20 on, and their constraints.
#define LOOPS_TEN(t)                                                                       \
  ", %" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t \
  "8, %" #t "9"
#define LOOPS_TWENTY(t, u) LOOPS_TEN(t) LOOPS_TEN(u)
#define LOOPS_SUMS_4(R, i) R(d[i]), R(d[i + 1]), R(d[i + 2]), R(d[i + 3])
#define LOOPS_SUMS_20(R, i)                                                                    \
  LOOPS_SUMS_4(R, i), LOOPS_SUMS_4(R, i + 4), LOOPS_SUMS_4(R, i + 8), LOOPS_SUMS_4(R, i + 12), \
      LOOPS_SUMS_4(R, i + 16)
#define LOOPS_WGMMA(S, R, columns, n_a, n_b, n_accumulate, n_kind, n_major, from_20, ...)          \
  template <class Kind, class Major>                                                               \
  struct wgmma_columns<columns, Kind, Major, S> {                                                  \
    __device__ __forceinline__ static void run(S (&d)[columns / 2], std::uint64_t a,               \
                                               std::uint64_t b, int accumulate) {                  \
      asm volatile(                                                                                \
          "{ .reg .pred p;\n"                                                                      \
          "setp.ne.b32 p, %" #n_accumulate                                                         \
          ", 0;\n"                                                                                 \
          "wgmma.mma_async.sync.aligned.m64n" #columns "%" #n_kind                                 \
          " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9" LOOPS_TEN(1) from_20 "}, %" #n_a ", %" #n_b   \
                                                                          ", p%" #n_major "; }"    \
          : LOOPS_SUMS_20(R, 0), __VA_ARGS__                                                       \
          : "l"(a), "l"(b), "r"(accumulate), "C"(Kind::name), "C"(Major::tail));                   \
    }                                                                                              \
    __device__ __forceinline__ static void add(S (&d)[columns / 2], const unsigned (&a)[4],        \
                                               std::uint64_t b) {                                  \
      asm volatile(                                                                                \
          "{ .reg .pred p;\n"                                                                      \
          "setp.eq.u32 p, 1, 1;\n"                                                                 \
          "wgmma.mma_async.sync.aligned.m64n" #columns                                             \
          "k8.f32.tf32.tf32"                                                                       \
          " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9" LOOPS_TEN(1) from_20                          \
          "}, {%" #n_a ", %" #n_b ", %" #n_accumulate ", %" #n_kind "}, %" #n_major ", p, 1, 1; }" \
          : LOOPS_SUMS_20(R, 0), __VA_ARGS__                                                       \
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                                   \
    }                                                                                              \
  };

// clang-format off
#define LOOPS_WIDTHS(S, R)                                                                         \
LOOPS_WGMMA(S, R, 48, 24, 25, 26, 27, 28,                                                          \
            ", %20, %21, %22, %23",                                                                \
            LOOPS_SUMS_4(R, 20))                                                                   \
LOOPS_WGMMA(S, R, 64, 32, 33, 34, 35, 36,                                                          \
            LOOPS_TEN(2) ", %30, %31",                                                             \
            LOOPS_SUMS_4(R, 20), LOOPS_SUMS_4(R, 24), LOOPS_SUMS_4(R, 28))                         \
LOOPS_WGMMA(S, R, 72, 36, 37, 38, 39, 40,                                                          \
            LOOPS_TEN(2) ", %30, %31, %32, %33, %34, %35",                                         \
            LOOPS_SUMS_4(R, 20), LOOPS_SUMS_4(R, 24), LOOPS_SUMS_4(R, 28), LOOPS_SUMS_4(R, 32))    \
LOOPS_WGMMA(S, R, 80, 40, 41, 42, 43, 44,                                                          \
            LOOPS_TWENTY(2, 3),                                                                    \
            LOOPS_SUMS_20(R, 20))                                                                  \
LOOPS_WGMMA(S, R, 88, 44, 45, 46, 47, 48,                                                          \
            LOOPS_TWENTY(2, 3) ", %40, %41, %42, %43",                                             \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_4(R, 40))                                             \
LOOPS_WGMMA(S, R, 96, 48, 49, 50, 51, 52,                                                          \
            LOOPS_TWENTY(2, 3) ", %40, %41, %42, %43, %44, %45, %46, %47",                         \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_4(R, 40), LOOPS_SUMS_4(R, 44))                        \
LOOPS_WGMMA(S, R, 104, 52, 53, 54, 55, 56,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TEN(4) ", %50, %51",                                          \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_4(R, 40), LOOPS_SUMS_4(R, 44), LOOPS_SUMS_4(R, 48))   \
LOOPS_WGMMA(S, R, 112, 56, 57, 58, 59, 60,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TEN(4) ", %50, %51, %52, %53, %54, %55",                      \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_4(R, 40), LOOPS_SUMS_4(R, 44), LOOPS_SUMS_4(R, 48),   \
            LOOPS_SUMS_4(R, 52))                                                                   \
LOOPS_WGMMA(S, R, 120, 60, 61, 62, 63, 64,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5),                                                 \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40))                                            \
LOOPS_WGMMA(S, R, 128, 64, 65, 66, 67, 68,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) ", %60, %61, %62, %63",                          \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_4(R, 60))                       \
LOOPS_WGMMA(S, R, 136, 68, 69, 70, 71, 72,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) ", %60, %61, %62, %63, %64, %65, %66, %67",      \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_4(R, 60), LOOPS_SUMS_4(R, 64))  \
LOOPS_WGMMA(S, R, 144, 72, 73, 74, 75, 76,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TEN(6) ", %70, %71",                       \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_4(R, 60), LOOPS_SUMS_4(R, 64),  \
            LOOPS_SUMS_4(R, 68))                                                                   \
LOOPS_WGMMA(S, R, 152, 76, 77, 78, 79, 80,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TEN(6) ", %70, %71, %72, %73, %74, %75",   \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_4(R, 60), LOOPS_SUMS_4(R, 64),  \
            LOOPS_SUMS_4(R, 68), LOOPS_SUMS_4(R, 72))                                              \
LOOPS_WGMMA(S, R, 160, 80, 81, 82, 83, 84,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7),                              \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60))                      \
LOOPS_WGMMA(S, R, 168, 84, 85, 86, 87, 88,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7) ", %80, %81, %82, %83",       \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_4(R, 80)) \
LOOPS_WGMMA(S, R, 176, 88, 89, 90, 91, 92,                                                         \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7)                               \
            ", %80, %81, %82, %83, %84, %85, %86, %87",                                            \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_4(R, 80), \
            LOOPS_SUMS_4(R, 84))                                                                   \
LOOPS_WGMMA(S, R, 192, 96, 97, 98, 99, 100,                                                        \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7) LOOPS_TEN(8)                  \
            ", %90, %91, %92, %93, %94, %95",                                                      \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_4(R, 80), \
            LOOPS_SUMS_4(R, 84), LOOPS_SUMS_4(R, 88), LOOPS_SUMS_4(R, 92))                         \
LOOPS_WGMMA(S, R, 208, 104, 105, 106, 107, 108,                                                    \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7) LOOPS_TWENTY(8, 9)            \
            ", %100, %101, %102, %103",                                                            \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_20(R, 80), \
            LOOPS_SUMS_4(R, 100))                                                                  \
LOOPS_WGMMA(S, R, 224, 112, 113, 114, 115, 116,                                                    \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7) LOOPS_TWENTY(8, 9)            \
            LOOPS_TEN(10) ", %110, %111",                                                          \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_20(R, 80), \
            LOOPS_SUMS_4(R, 100), LOOPS_SUMS_4(R, 104), LOOPS_SUMS_4(R, 108))                      \
LOOPS_WGMMA(S, R, 240, 120, 121, 122, 123, 124,                                                    \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7) LOOPS_TWENTY(8, 9)            \
            LOOPS_TWENTY(10, 11),                                                                  \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_20(R, 80), \
            LOOPS_SUMS_20(R, 100))                                                                 \
LOOPS_WGMMA(S, R, 256, 128, 129, 130, 131, 132,                                                    \
            LOOPS_TWENTY(2, 3) LOOPS_TWENTY(4, 5) LOOPS_TWENTY(6, 7) LOOPS_TWENTY(8, 9)            \
            LOOPS_TWENTY(10, 11) ", %120, %121, %122, %123, %124, %125, %126, %127",               \
            LOOPS_SUMS_20(R, 20), LOOPS_SUMS_20(R, 40), LOOPS_SUMS_20(R, 60), LOOPS_SUMS_20(R, 80), \
            LOOPS_SUMS_20(R, 100), LOOPS_SUMS_4(R, 120), LOOPS_SUMS_4(R, 124))
LOOPS_WIDTHS(float, "+f")
LOOPS_WIDTHS(std::int32_t, "+r")
// clang-format on

#undef LOOPS_WIDTHS
#undef LOOPS_WGMMA
#undef LOOPS_SUMS_20
#undef LOOPS_SUMS_4
#undef LOOPS_TWENTY
#undef LOOPS_TEN

}  // namespace loops::gpu
