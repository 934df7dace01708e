// SPDX-License-Identifier: Apache-2.0
/// A simulated machine that multiplies matrices in times that are known.
#pragma once

#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "train/gemm_fit.hpp"

namespace support {

/// Costs like those of a table, but each off by its own factor, so that they have to be found.
struct gemm_machine {
  std::vector<loops::select::gemm_costs> costs;
  loops::select::gemm_table table;
  double noise;

  explicit gemm_machine(double measurement_noise = 0, unsigned seed = 1)
      : noise(measurement_noise) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> factor(0.7F, 1.4F);
    for (loops::select::gemm_costs c : like().costs) {
      for (float& us : c.us) us *= factor(random);
      costs.push_back(c);
    }
    table = like();
    table.bytes_per_us = 3.7e6;
    table.overlap = 0.2;
    table.costs = costs;
  }
  gemm_machine(const gemm_machine&) = delete;
  gemm_machine& operator=(const gemm_machine&) = delete;

  /// A table to begin with: every fourth line of a real one.
  static const loops::select::gemm_table& like() {
    static const auto lines = [] {
      std::vector<loops::select::gemm_costs> out;
      const auto& all = loops::select::tables::gemm_h200_bf16.costs;
      for (std::size_t i = 0; i < all.size(); i += 4) out.push_back(all[i]);
      return out;
    }();
    static const auto table = [] {
      loops::select::gemm_table out = loops::select::tables::gemm_h200_bf16;
      out.costs = lines;
      return out;
    }();
    return table;
  }

  static loops::select::gemm_size draw(std::mt19937& random) {
    std::uniform_real_distribution<> log_size(7, 13);
    const auto side = [&] { return static_cast<int>(std::exp2(log_size(random))) / 8 * 8; };
    loops::select::gemm_size p{side(), side(), side()};
    p.a = p.b = loops::select::row_starts_of(2 * p.k);
    p.c = loops::select::row_starts_of(2 * p.n);
    return p;
  }

  /// What a benchmark would bring home: every candidate within `hopeless` of the best.
  [[nodiscard]] std::vector<loops::train::gemm_sample> samples(int products, unsigned seed,
                                                               double hopeless = 3) const {
    std::mt19937 random(seed);
    std::normal_distribution<> error(0, noise);
    std::vector<loops::train::gemm_sample> out;
    for (int i = 0; i < products; ++i) {
      const loops::select::gemm_size p = draw(random);
      const double best = loops::select::cheapest(table, p).us;
      for (int c = 0; c < static_cast<int>(costs.size()); ++c)
        for (const int waves : {0, -1, 1, 2}) {
          const double us = loops::select::predict(table, p, {c, waves});
          if (us < hopeless * best) out.push_back({p, {c, waves}, us * std::exp(error(random))});
        }
    }
    return out;
  }
};

}  // namespace support
