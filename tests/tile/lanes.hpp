// SPDX-License-Identifier: Apache-2.0
/// What tests ask of the lanes of instructions.
#pragma once

#include "loops/tile/atom.hpp"
#include "loops/tile/atoms_wave32.hpp"
#include "loops/tile/atoms_wave64.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace lanes {

using namespace loops;

/// Every element of both operands and of the result is held, and the result's by one lane only.
template <class Atom>
void cover() {
  std::map<std::pair<int, int>, int> a, b, c;
  for (int lane = 0; lane < Atom::wave; ++lane) {
    for (int i = 0; i < Atom::a_count; ++i) ++a[{Atom::a(lane, i).outer, Atom::a(lane, i).k}];
    for (int i = 0; i < Atom::b_count; ++i) ++b[{Atom::b(lane, i).outer, Atom::b(lane, i).k}];
    for (int i = 0; i < Atom::c_count; ++i) ++c[{Atom::c(lane, i).row, Atom::c(lane, i).col}];
  }
  const auto complete = [](const auto& held, int rows, int cols, bool once) {
    EXPECT_EQ(int(held.size()), rows * cols);
    for (const auto& [place, count] : held) {
      EXPECT_TRUE(place.first >= 0 && place.first < rows && place.second >= 0 &&
                  place.second < cols);
      if (once) {
        EXPECT_EQ(count, 1);
      }
    }
  };
  const bool once = !(Atom::a_count * Atom::wave > Atom::m * Atom::k);
  complete(a, Atom::m, Atom::k, once);
  complete(b, Atom::n, Atom::k, once);
  complete(c, Atom::m, Atom::n, true);
}

}  // namespace lanes
