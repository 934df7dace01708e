// SPDX-License-Identifier: Apache-2.0
/// What takes a candidate's place in large works, learnt from rows.
#pragma once

#include "loops/select/selector.hpp"

#include <string_view>

#include "train/table.hpp"

namespace loops::train {

/// Whether these kernels are no candidate, but take the place of one.
[[nodiscard]] bool takes_a_place(std::string_view kernels);

/// Lets other schedules take a candidate's place in large works where they are faster: questions
/// about tiles go to all works alike, and trees would have few large ones to learn from. Only lanes
/// that fit and twice as many give way, of even works, and `merge_path`. Fills `c.instead`; nothing
/// without columns of `nonzero_split` and `merge_path`.
void let_give_way(select::candidate& c, std::string_view name, const table& t);

}  // namespace loops::train
