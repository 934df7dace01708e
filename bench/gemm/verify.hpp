// SPDX-License-Identifier: Apache-2.0
/// Whether a product is right: every element written, and samples within an error bound.
#pragma once

#include "loops/execution/executor.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "gemm/operands.hpp"

namespace loops::bench {

/// Sampled elements of C of one set of operands, summed in twice double precision, and by how much
/// a right result may differ from each.
class reference {
 public:
  /// Cost: samples x k multiplications on the device.
  explicit reference(const operand_sets& sets);

  /// What is wrong with C; empty when nothing is. C holds NaN (`poison`) where nobody wrote.
  [[nodiscard]] std::string complaint() const;

  static constexpr int set = 0;  ///< of the operands it was made for

 private:
  const operand_sets& sets_;
  std::vector<std::int32_t> places_on_host_;  ///< of the samples
  array<std::int32_t> places_;                ///< the same on the device
  mutable array<double> found_;
  std::vector<double> sums_;
  std::vector<double> bounds_;
};

}  // namespace loops::bench
