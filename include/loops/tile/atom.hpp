// SPDX-License-Identifier: Apache-2.0
/// What a matrix instruction is to the rest of the library: sizes, and who holds which element.
#pragma once

#include "loops/backend/config.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace loops::tile {

/// The place of an element of an operand: `outer` is a row of A or a column of B, `k` runs along
/// the sum.
struct operand_place {
  int outer;
  int k;
  friend constexpr bool operator==(const operand_place&, const operand_place&) = default;
};

/// The place of an element of C.
struct result_place {
  int row;
  int col;
  friend constexpr bool operator==(const result_place&, const result_place&) = default;
};

/// One matrix instruction C (m x n) += A (m x k) B (k x n), executed by the lanes of a wave
/// together. Lane l holds A's element `a(l, i)` for 0 <= i < a_count, and likewise for B and C.
/// Places along k are those in memory, which may permute k as long as A and B agree.
template <class A>
concept mma_atom = requires(int lane, int i) {
  { A::m } -> std::convertible_to<int>;
  { A::n } -> std::convertible_to<int>;
  { A::k } -> std::convertible_to<int>;
  { A::wave } -> std::convertible_to<int>;
  typename A::input_a;
  typename A::input_b;
  typename A::sum;
  { A::a_count } -> std::convertible_to<int>;
  { A::b_count } -> std::convertible_to<int>;
  { A::c_count } -> std::convertible_to<int>;
  { A::a(lane, i) } -> std::same_as<operand_place>;
  { A::b(lane, i) } -> std::same_as<operand_place>;
  { A::c(lane, i) } -> std::same_as<result_place>;
};

/// Which operand of a product.
enum class operand { a, b };

/// What one lane holds of A or B.
template <class Atom, operand Which>
struct operand_fragment {
  using atom = Atom;
  static constexpr operand which = Which;
  using element =
      std::conditional_t<Which == operand::a, typename Atom::input_a, typename Atom::input_b>;
  static constexpr int count = Which == operand::a ? Atom::a_count : Atom::b_count;
  /// Rows of A, or columns of B.
  static constexpr int outer = Which == operand::a ? Atom::m : Atom::n;
  /// The place of element i of this lane.
  static LOOPS_HD constexpr operand_place place(int lane, int i) {
    if constexpr (Which == operand::a) {
      return Atom::a(lane, i);
    } else {
      return Atom::b(lane, i);
    }
  }
  alignas(sizeof(element) * count >= 16 ? 16 : sizeof(element) * count) element at[count];
};

/// What one lane holds of C.
template <class Atom>
struct result_fragment {
  using atom = Atom;
  using element = typename Atom::sum;
  static constexpr int count = Atom::c_count;
  element at[count];
};

}  // namespace loops::tile
