// SPDX-License-Identifier: Apache-2.0
/// Packs: as many neighbouring elements of a dense row as are read at a time.
#pragma once

#include "loops/core/error.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace loops::spmm_detail {

/// `Columns` neighbouring elements of a row, moved by as few instructions as there are.
template <class V, int Columns>
struct alignas(sizeof(V) * Columns <= 16 ? sizeof(V) * Columns : 16) pack {
  V at[Columns];
};

/// Whether lanes are alone, as on a CPU: they read rows element by element, in vectors.
template <class Exec>
inline constexpr bool reads_alone = Exec::template block<shape<128, 32>>::threads == 1;

/// Elements in a pack: 16 bytes on a GPU, whose lanes read side by side; a line on a CPU.
template <class Exec, class V>
inline constexpr int widest_pack = (reads_alone<Exec> ? 64 : 16) / int(sizeof(V));

/// Whether rows of packs can be read from, or written to, `m` as it is: where one row is from the
/// next is counted in bytes, in 32 bits.
template <int Columns, class T>
bool in_packs(const dense_view<T>& m) {
  constexpr std::size_t align = alignof(pack<std::remove_const_t<T>, Columns>);
  return m.order == layout::row_major && m.cols % Columns == 0 &&
         static_cast<std::uint64_t>(m.stride) * sizeof(T) < (std::uint64_t{1} << 32) &&
         static_cast<std::size_t>(m.stride) * sizeof(T) % align == 0 &&
         reinterpret_cast<std::uintptr_t>(m.data) % align == 0;
}

/// Refuses a B that lies so that the plan has no way to read it.
[[noreturn]] inline void refuse_otherwise(const char* name) {
  throw error(errc::invalid_argument,
              std::string(name) +
                  " lies otherwise than the one the plan was made for: make a plan for this one");
}

}  // namespace loops::spmm_detail
