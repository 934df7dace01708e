// SPDX-License-Identifier: Apache-2.0
/// Many products of different sizes at once: the library's single launch, and calls one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gemm/contenders.hpp"
#include "gemm/operands.hpp"
#include "gemm/options.hpp"

namespace loops::bench {

/// Their sizes, and what they are called.
struct group_list {
  std::string name;
  std::vector<shape_mnk> sizes;
  [[nodiscard]] std::int64_t rows() const;
};

/// "64x2048": 64 products of n = k = 2048, and m from 16 to 4096, its logarithm uniform, as experts
/// of a mixture get rows. "64xmixed": n and k are drawn as well, multiples of 8 from 256 to 4096.
/// Throws: invalid_argument.
[[nodiscard]] group_list groups_named(const std::string& text);

/// What is multiplied in this mode: the type that most do on the backend, B stored transposed.
inline constexpr operand_kind grouped_kind =
    LOOPS_CUDA || LOOPS_HIP ? operand_kind::bf16 : operand_kind::f32;

/// Operands of all products.
class grouped_operands {
 public:
  grouped_operands(const executor& exec, const group_list& list, int sets);
  [[nodiscard]] const executor& exec() const { return exec_; }
  [[nodiscard]] int sets() const { return sets_; }
  [[nodiscard]] std::size_t groups() const { return all_.size(); }
  [[nodiscard]] const operand_sets& of(std::size_t group) const { return *all_[group]; }

 private:
  const executor& exec_;
  int sets_;
  std::vector<std::unique_ptr<operand_sets>> all_;
};

/// The library's products by a tile schedule's name, or by "automatic".
std::unique_ptr<prepared> prepare_grouped(const grouped_operands& operands,
                                          const std::string& schedule);

/// What other libraries do: calls one by one, in one stream and in several, and their own groups.
std::vector<named_peer> prepare_grouped_peers(const grouped_operands& operands);

/// Measures the lists that the settings name. Returns the program's exit status.
int run_grouped(const options& settings);

}  // namespace loops::bench
