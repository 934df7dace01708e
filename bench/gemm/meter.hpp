// SPDX-License-Identifier: Apache-2.0
/// Measures all contenders of one product against each other, and checks their results.
#pragma once

#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"

#include <string>
#include <vector>

#include "gemm/contenders.hpp"
#include "gemm/options.hpp"

namespace loops::bench {

/// What one contender took.
struct lap {
  bool ours = false;
  select::gemm_candidate choice;  ///< ours
  std::string peer;
  double us = 0;       ///< median
  double spread = 0;   ///< distance of the quartiles over the median
  int rounds = 0;      ///< samples; 1: it was out of the running at the first look
  double plan_ms = 0;  ///< ours: to make the plan, what it waits for included
  std::string failed;  ///< what went wrong; then there is no time
};

/// Rounds in which every contender that is still in the running gets its turn, one after the
/// other, so that the drift of clocks and power hits all alike. In a turn the caches are emptied,
/// which also lets the queue fill, and then products run back to back, each on operands of its
/// own.
class meter {
 public:
  meter(const executor& exec, std::size_t flush_bytes)
      : exec_(exec), clock_(exec), flush_(exec, flush_bytes), cache_(flush_bytes / 2) {}

  /// Every result is checked, on outputs that were NaN before.
  std::vector<lap> measure(const product& what,
                           const std::vector<select::gemm_candidate>& candidates,
                           const options& settings);

 private:
  struct runner;
  /// Seconds per product of one turn.
  double turn(prepared& p, int products);

  const executor& exec_;
  stopwatch<executor> clock_;
  cache_flush<executor> flush_;
  std::size_t cache_;
};

}  // namespace loops::bench
