// SPDX-License-Identifier: Apache-2.0
/// Packs: as many neighbouring elements of a dense row as are read at a time.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::spmm_detail {

/// `Columns` neighbouring elements of a row, moved by as few instructions as there are.
template <class V, int Columns>
struct alignas(sizeof(V) * Columns <= 16 ? sizeof(V) * Columns : 16) pack {
  V at[Columns];
};

/// Elements in a pack: 16 bytes on a GPU, whose lanes read side by side; a line on a CPU.
template <class Exec, class V>
inline constexpr int widest_pack = (Exec::template block<shape<128, 32>>::threads == 1 ? 64 : 16) /
                                   int(sizeof(V));

/// Whether rows of packs can be read from, or written to, `m` as it is.
template <int Columns, class T>
bool in_packs(const dense_view<T>& m) {
  constexpr std::size_t align = alignof(pack<std::remove_const_t<T>, Columns>);
  return m.order == layout::rows && m.cols % Columns == 0 &&
         static_cast<std::size_t>(m.stride) * sizeof(T) % align == 0 &&
         reinterpret_cast<std::uintptr_t>(m.data) % align == 0;
}

/// Copies a matrix into rows of whole packs, one pack per atom; what lies beyond it is zero. Tiles
/// are columns of packs when it lies by columns, else its rows, so that neighbours read neighbours.
template <class V, int Columns>
struct copy_pack {
  dense_view<const V> b;
  V* to;
  std::int64_t stride;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom) const {
    const bool by_rows = b.order == layout::rows;
    const std::int64_t within = atom - tile * (by_rows ? stride / Columns : b.rows);
    const std::int64_t row = by_rows ? tile : within;
    const std::int64_t first = (by_rows ? within : tile) * Columns;
    pack<V, Columns> p;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i)
      p.at[i] = first + i < b.cols ? b(row, first + i) : V(accumulator_t<V>(0));
    *reinterpret_cast<pack<V, Columns>*>(to + row * stride + first) = p;
  }
};

}  // namespace loops::spmm_detail
