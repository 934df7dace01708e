// SPDX-License-Identifier: Apache-2.0
/// A complex number that works in kernels; layout-compatible with `std::complex`.
#pragma once

#include "loops/backend/config.hpp"

namespace loops {

/// Real and imaginary part, in this order. Arithmetic is the textbook one: no NaN recovery.
template <class T>
struct complex {
  T re{};
  T im{};

  complex() = default;
  LOOPS_HD constexpr complex(T real, T imaginary = T{}) : re(real), im(imaginary) {}

  LOOPS_HD constexpr complex& operator+=(complex o) { return *this = *this + o; }
  LOOPS_HD constexpr complex& operator*=(complex o) { return *this = *this * o; }

  friend LOOPS_HD constexpr complex operator+(complex a, complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend LOOPS_HD constexpr complex operator-(complex a, complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend LOOPS_HD constexpr complex operator-(complex a) { return {-a.re, -a.im}; }
  friend LOOPS_HD constexpr complex operator*(complex a, complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend LOOPS_HD constexpr bool operator==(complex a, complex b) {
    return a.re == b.re && a.im == b.im;
  }
};

/// The conjugate of `z`.
template <class T>
LOOPS_HD constexpr complex<T> conj(complex<T> z) {
  return {z.re, -z.im};
}

}  // namespace loops
