// SPDX-License-Identifier: Apache-2.0
/// Bins sort whole tiles, so no measure may cut them.
// expect: bins are of whole tiles: worker::by_bin needs measure::one_tile
#include "loops/schedule/schedule.hpp"

int wrong() {
  return loops::composed<loops::measure::path, loops::worker::by_bin, loops::order::in_order>{}
      .who.size[0];
}
