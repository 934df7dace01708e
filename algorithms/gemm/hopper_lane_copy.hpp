// SPDX-License-Identifier: Apache-2.0
/// Operands that Hopper's copy unit cannot address: lanes bring them, element by element, to where
/// the unit would have put them.
#pragma once

#include "algorithms/gemm/copied_lines.hpp"
#include "algorithms/gemm/matrix.hpp"
#include "loops/backend/config.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/mma.hpp"

#include <cstdint>

namespace loops::hopper {

/// An operand as lanes read it: so many lines (rows of A, columns of B) of so many k.
template <class T>
struct lane_operand {
  const T* data = nullptr;  ///< null: the copy unit brings it
  std::int64_t leading = 0;
  std::int64_t batch_stride = 0;
  std::int32_t lines = 0;
  std::int32_t k = 0;

  lane_operand() = default;
  /// `turned`: its lines are contiguous in memory.
  template <layout L>
  lane_operand(const matrix<const T, L>& a, bool turned)
      : data(a.data),
        leading(a.leading),
        batch_stride(a.batch > 1 ? a.batch_stride : 0),
        lines(static_cast<std::int32_t>(turned ? a.inner() : a.outer())),
        k(static_cast<std::int32_t>(turned ? a.outer() : a.inner())) {}

  [[nodiscard]] LOOPS_HD constexpr bool exists() const { return data != nullptr; }
};

/// Begins to copy step `step` of `Lines` lines from `line` on, by lane `lane` of `Lanes`; zeros
/// where the operand ends. Lanes side by side take elements side by side in memory: strips of 128
/// bytes, of a line's k, or of lines that are turned at one k. A lane's places are two, a constant
/// number of bytes on, as compilers do not find out by themselves.
template <int Lanes, class T, int Lines, bool Turned>
__device__ __forceinline__ void copy_by_lanes(copied_lines<T, Lines, Turned>& to,
                                              const lane_operand<T>& from, int step, int line,
                                              int batch, int lane) {
  using lines = copied_lines<T, Lines, Turned>;
  constexpr int bytes = int(sizeof(T));
  constexpr int side = lines::side;
  constexpr int at_once = Lanes / side;
  constexpr int strips = Turned ? side : Lines;  // of a square, or of all lines
  static_assert(Lanes % side == 0 && strips % at_once == 0);
  static_assert(at_once == 4 || at_once == 8, "strips of a lane share a swizzle, or two");
  const int inside = lane % side;
  const int first = lane / side;
  const int k = step * side;
  const auto place =
      static_cast<std::uint32_t>(bytes * lines::index(Turned ? tile::operand_place{inside, first}
                                                             : tile::operand_place{first, inside}));
  const std::uint32_t even = gpu::shared_address(&to) + place;
  const std::uint32_t odd = at_once == 4 ? even ^ 64 : even;
  const T* const begin = from.data + batch * from.batch_stride;
  const std::int64_t next = at_once * from.leading;
#pragma unroll 1
  for (int square = 0; square < Lines; square += strips) {
    const int outer = line + square;
    const T* read = begin + (Turned ? (k + first) * from.leading + (outer + inside)
                                    : (outer + first) * from.leading + (k + inside));
    const int left = Turned ? (outer + inside < from.lines ? from.k - k - first : 0)
                            : (k + inside < from.k ? from.lines - outer - first : 0);
    const auto on = static_cast<std::uint32_t>(square * 128);
#pragma unroll
    for (int i = 0; i < strips; i += at_once) {
      gpu::copy_async<bytes>((i / at_once % 2 == 0 ? even : odd) + on + i * 128, read,
                             i < left ? bytes : 0);
      read += next;
    }
  }
}

/// The same of lines along k that are read k by k: turned on their way. Lanes side by side take 8
/// of k, 32 bytes in memory, of each of four lines.
template <int Lanes, class T, int Lines>
__device__ __forceinline__ void turn_by_lanes(copied_lines<T, Lines, true>& to,
                                              const lane_operand<T>& from, int step, int line,
                                              int batch, int lane) {
  using lines = copied_lines<T, Lines, true>;
  constexpr int bytes = int(sizeof(T));
  constexpr int side = lines::side;
  constexpr int at_once = Lanes / side;  // lines
  static_assert(at_once == 4 && side == 32, "four waves, of 8 elements each of a line");
  const int inside = lane % 8 + lane / 32 * 8;
  const int first = lane % 32 / 8;
  const int k = step * side;
  const std::uint32_t at =
      gpu::shared_address(&to) + static_cast<std::uint32_t>(bytes * lines::index({first, inside}));
  const T* read =
      from.data + batch * from.batch_stride + (line + first) * from.leading + (k + inside);
  const int left = k + inside < from.k ? from.lines - line - first : 0;
  const std::int64_t next = at_once * from.leading;
#pragma unroll
  for (int i = 0; i < Lines; i += at_once) {
    gpu::copy_async<bytes>((at ^ (i / at_once % 8 * 16)) + i / side * (side * 128), read,
                           i < left ? bytes : 0);
    read += next;
  }
}

}  // namespace loops::hopper
