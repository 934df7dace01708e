// SPDX-License-Identifier: Apache-2.0
/// The memory of matrices and vectors with strides, and whether two of them have some in common.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "loops/core/error.hpp"
#include "loops/core/wide.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>

namespace loops::gemm_detail {

/// Offsets in bytes are numbers of 64 bits; their sums need not be.
using wide_offset = detail::wide_int;

/// The multiples of a stride from `least` times to `most` times.
struct multiples {
  std::int64_t stride = 1;
  std::int64_t least = 0;
  std::int64_t most = 0;
  [[nodiscard]] constexpr wide_offset first() const { return wide_offset{stride} * least; }
  [[nodiscard]] constexpr wide_offset last() const { return wide_offset{stride} * most; }
  [[nodiscard]] constexpr multiples negative() const { return {stride, -most, -least}; }
};

/// `count` of a stride, which may be negative.
constexpr multiples multiples_of(std::int64_t stride, std::int64_t count) {
  if (stride == 0 || count < 2) return {};
  return stride > 0 ? multiples{stride, 0, count - 1} : multiples{-stride, 1 - count, 0};
}

/// Memory that begins at an address, in stretches of `length` bytes: one wherever a multiple of
/// `lines` and one of `matrices` lead.
struct stretches {
  std::uintptr_t begin;
  std::int64_t length;
  multiples lines;
  multiples matrices;

  /// From the address, to the first byte and behind the last one.
  [[nodiscard]] constexpr wide_offset first() const { return lines.first() + matrices.first(); }
  [[nodiscard]] constexpr wide_offset end() const {
    return lines.last() + matrices.last() + length;
  }
};

/// That of `count` vectors of so many elements.
template <class T>
stretches memory_of(const T* data, std::int64_t length, std::int64_t stride, std::int64_t count) {
  constexpr std::int64_t size = sizeof(T);
  return {reinterpret_cast<std::uintptr_t>(data),
          length * size,
          {},
          multiples_of(count > 1 ? stride * size : 0, count)};
}

/// That of a matrix. Requires: it has elements, and can be one (`check_matrix`).
template <class T, layout L>
stretches memory_of(const matrix<T, L>& m) {
  constexpr std::int64_t size = sizeof(T);
  stretches all = memory_of(m.data, m.inner(), m.batch_stride, m.batch);
  if (m.outer() > 1) all.lines = multiples_of(m.leading * size, m.outer());
  return all;
}

constexpr wide_offset rounded_down(wide_offset a, wide_offset b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Whether one multiple of each of `all` make a number from `least` to `most`. Looks at so many of
/// them, and says no when these were not enough. Requires: the largest stride comes first.
constexpr bool reach_by(std::span<const multiples> all, wide_offset least, wide_offset most,
                        std::int64_t& looks) {
  if (all.empty()) return least <= 0 && 0 <= most;
  const multiples& m = all.front();
  const auto others = all.subspan(1);
  wide_offset first = 0, last = 0;
  for (const multiples& o : others) {
    first += o.first();
    last += o.last();
  }
  const auto from = std::max<wide_offset>(m.least, -rounded_down(last - least, m.stride));
  const auto to = std::min<wide_offset>(m.most, rounded_down(most - first, m.stride));
  if (others.empty()) return from <= to;
  for (wide_offset x = from; x <= to && looks > 0; ++x) {
    --looks;
    if (reach_by(others, least - x * m.stride, most - x * m.stride, looks)) return true;
  }
  return false;
}

/// The same of up to four, of any strides.
inline bool reach(std::array<multiples, 4> all, wide_offset least, wide_offset most,
                  std::int64_t looks) {
  std::sort(all.begin(), all.end(),
            [](const multiples& a, const multiples& b) { return a.stride > b.stride; });
  std::size_t count = 0;
  std::int64_t common = 0;
  for (const multiples m : all) {
    if (m.least == 0 && m.most == 0) continue;
    common = std::gcd(common, m.stride);
    if (count > 0 && all[count - 1].stride == m.stride) {
      all[count - 1].least += m.least;
      all[count - 1].most += m.most;
    } else {
      all[count++] = m;
    }
  }
  // Columns of one array, which lie between each other and never meet, are told apart here.
  if (common > 0 && rounded_down(most, common) * common < least) return false;
  return reach_by(std::span<const multiples>(all.data(), count), least, most, looks);
}

/// Whether they have a byte in common. Cost: usually a comparison of where they begin and end, and
/// a few divisions where they lie between each other. Strides without a common measure that is
/// wider than the gaps may take more: what 4096 looks do not find is not found.
inline bool meet(const stretches& a, const stretches& b) {
  const auto apart = static_cast<wide_offset>(b.begin) - static_cast<wide_offset>(a.begin);
  if (apart + b.first() >= a.end() || apart + b.end() <= a.first()) return false;
  return reach({b.lines, b.matrices, a.lines.negative(), a.matrices.negative()},
               1 - b.length - apart, a.length - 1 - apart, 4096);
}

/// Refuses a C that shares memory with what is read while C is written: `what` and then `name`.
inline void check_apart(const stretches& read, const char* what, const char* name,
                        const stretches& c, source_place where) {
  if (meet(read, c))
    throw error(errc::invalid_argument,
                std::string("C overlaps ") + what + name +
                    ", which is read while C is written: give C a place of its own",
                where);
}

/// Whether matrices of a batch have elements in common; they may lie in each other's gaps.
/// Requires: what `check_matrix` does.
template <class T, layout L>
bool batches_overlap(const matrix<T, L>& c) {
  if (c.batch < 2 || c.rows == 0 || c.cols == 0) return false;
  if (c.batch_stride == 0) return true;
  const multiples lines{c.outer() > 1 ? c.leading : 1, 1 - c.outer(), c.outer() - 1};
  return reach({multiples{c.batch_stride, 1, c.batch - 1}, lines}, 1 - c.inner(), c.inner() - 1,
               INT64_MAX);
}

}  // namespace loops::gemm_detail
