// SPDX-License-Identifier: Apache-2.0
/// Writes fitted costs as the header that the library includes.
#pragma once

#include <string>

#include "train/gemm_results.hpp"

namespace loops::train {

/// The name of a table: "gemm_h200_bf16", and "gemm_h200_bf16_nn" for other layouts than nt.
[[nodiscard]] std::string gemm_table_name(const std::string& machine, const std::string& type,
                                          const std::string& layouts);

/// The header `algorithms/gemm/select/tables/NAME.hpp`. `command`: how it was made.
[[nodiscard]] std::string gemm_header(const gemm_results& r, const gemm_fit& fit,
                                      const std::string& command);

}  // namespace loops::train
