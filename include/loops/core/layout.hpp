// SPDX-License-Identifier: Apache-2.0
/// Which way a dense matrix lies in memory.
#pragma once

namespace loops {

/// Which neighbours of a dense matrix are adjacent in memory: those in a row, or those in a column.
enum class layout { row_major, column_major };

/// The other layout.
constexpr layout flipped(layout l) {
  return l == layout::row_major ? layout::column_major : layout::row_major;
}

}  // namespace loops
