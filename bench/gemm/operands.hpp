// SPDX-License-Identifier: Apache-2.0
/// Sets of operands of one product in device memory, filled with random numbers.
#pragma once

#include "loops/execution/executor.hpp"

#include <cstddef>
#include <cstdint>

#include "gemm/product.hpp"

namespace loops::bench {

/// The byte of which elements of C that nobody has written consist.
constexpr unsigned char poison_of(operand_kind kind) {
  return kind == operand_kind::i8 ? 0x80 : 0xff;
}

/// `sets` times A, B and C. Elements of A and B are uniform in -1 … 1 and use all the bits that
/// their type multiplies: what processors draw, and so how fast they run, depends on it.
class operand_sets {
 public:
  operand_sets(const executor& exec, const product& what, int sets);

  [[nodiscard]] const executor& exec() const { return exec_; }
  [[nodiscard]] const product& what() const { return what_; }
  [[nodiscard]] int sets() const { return sets_; }
  [[nodiscard]] const void* a(int set) const { return a_.data() + offset(set, a_stride_); }
  [[nodiscard]] const void* b(int set) const { return b_.data() + offset(set, b_stride_); }
  [[nodiscard]] void* c(int set) const { return c_ + offset(set, c_stride_); }
  /// Makes every element of C number `set` a NaN, or an integer that no sum is.
  void poison(int set) const;

 private:
  [[nodiscard]] std::size_t offset(int set, std::size_t stride) const {
    return static_cast<std::size_t>(set % sets_) * stride;
  }
  const executor& exec_;
  product what_;
  int sets_;
  std::size_t a_stride_;
  std::size_t b_stride_;
  std::size_t c_stride_;
  array<std::byte> a_;
  array<std::byte> b_;
  array<std::byte> c_owned_;
  std::byte* c_;
};

}  // namespace loops::bench
