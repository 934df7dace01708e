// SPDX-License-Identifier: Apache-2.0
/// Results made up for the tests of the trainer.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "train/results.hpp"

namespace train_support {

/// A matrix of `tiles` rows with `mean` nonzeros each, the longest with `longest`.
inline loops::train::measured matrix(const std::string& group, const std::string& name,
                                     std::int64_t tiles, std::int64_t mean, std::int64_t longest) {
  loops::train::measured x;
  x.matrix = group + "__" + name;
  x.group = group;
  x.given.seen = {tiles, tiles * mean, longest, 0, 0, tiles * mean};
  x.given.value_bytes = 4;
  return x;
}

/// A machine on which groups of 32 lanes take 5 us, and longer when a tile has more than 1000
/// atoms; merge_path always takes 8. A pass over the tiles costs `gather_us`.
inline loops::train::results world(double gather_us) {
  loops::train::results r;
  r.machine = "made up";
  r.backend = "CUDA";
  r.commit = "0123456789abcdef";
  r.copy_gb_per_s = 1000;
  for (int g = 0; g < 30; ++g)
    for (int i = 0; i < 2; ++i) {
      // Every other one has a hub; its size tells nothing of that.
      const bool hub = (g + i) % 2 == 0;
      auto x = matrix("group" + std::to_string(g), std::to_string(i), 1000 + 10 * g + i, 20,
                      hub ? 4000 + 10 * g : 30 + g);
      x.us["merge_path"] = 8;
      for (int lanes = 2; lanes <= 128; lanes *= 2)
        x.us["group_mapped:" + std::to_string(lanes)] =
            (hub ? 40 : 5) + 0.1 * std::abs(std::log2(lanes) - 4);
      x.us["queue"] = 50;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      x.gather_us = gather_us;
      r.rows.push_back(std::move(x));
    }
  return r;
}

}  // namespace train_support
