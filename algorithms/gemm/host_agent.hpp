// SPDX-License-Identifier: Apache-2.0
/// A GEMM block on the host: one lane that packs operands into panels and multiplies those.
#pragma once

#include "algorithms/gemm/source.hpp"
#include "loops/backend/host/micro_kernel.hpp"
#include "loops/core/path.hpp"
#include "loops/tile/mma.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace loops::gemm_detail {

/// Sums of the tile and packed operands stay in the second-level cache. Operands of 8 and 16 bits
/// are widened while they are packed.
template <class Source, class Blocking>
class host_agent {
  using problem = typename Source::problem_type;
  using ta = typename problem::a_type;
  using tb = typename problem::b_type;
  using sum = typename problem::sum;
  static constexpr int rows = host::panel_rows;
  static constexpr int cols = host::panel_cols<sum>;
  static constexpr int k_step = Blocking::k_bytes / int(sizeof(ta));
  static_assert(Blocking::m % rows == 0 && Blocking::n % cols == 0);

 public:
  struct storage {
    alignas(128) sum sums[Blocking::m * Blocking::n];
    alignas(128) sum a[Blocking::m * k_step];
    alignas(128) sum b[Blocking::n * k_step];
  };

  host_agent(const Source& source, storage& shared) : source_(&source), shared_(&shared) {}

  void clear() { down_ = 0; }

  void step(const segment& s) {
    const auto p = source_->at(s.tile);
    const std::int32_t m = std::min<std::int32_t>(Blocking::m, p.m - p.row);
    const std::int32_t n = std::min<std::int32_t>(Blocking::n, p.n - p.col);
    begin(m, n);
    for (std::int64_t i = s.first; i < s.last; ++i) {
      const auto k0 = static_cast<std::int32_t>(i) * k_step;
      const std::int32_t k = std::min<std::int32_t>(k_step, p.k - k0);
      pack<rows, problem::a_order == layout::row_major>(shared_->a, p.a, p.a_leading, p.row, m, k0,
                                                        k);
      pack<cols, problem::b_order == layout::column_major>(shared_->b, p.b, p.b_leading, p.col, n,
                                                           k0, k);
      for (std::int32_t j = 0; j < n; j += cols)
        for (std::int32_t r = 0; r < m; r += rows)
          host::multiply_panels(shared_->a + std::int64_t(r) * k, shared_->b + std::int64_t(j) * k,
                                row(r) + j, Blocking::n, k, std::min<int>(rows, m - r),
                                std::min<int>(cols, n - j));
    }
  }
  void store(std::byte* slot) const {
    auto* to = reinterpret_cast<sum*>(slot);
    for (int i = 0; i < down_; ++i, to += Blocking::n) std::copy_n(row(i), across_, to);
  }
  void add(const std::byte* slot) {
    const auto* other = reinterpret_cast<const sum*>(slot);
    for (int i = 0; i < down_; ++i, other += Blocking::n) {
      sum* const sums = row(i);
      for (int j = 0; j < across_; ++j) sums[j] += other[j];
    }
  }
  void finish(std::int64_t tile) const {
    const auto p = source_->at(tile);
    const auto epilogue = source_->epilogue(tile);
    const std::int32_t m = std::min<std::int32_t>(Blocking::m, p.m - p.row);
    const std::int32_t n = std::min<std::int32_t>(Blocking::n, p.n - p.col);
    for (std::int32_t i = 0; i < m; ++i)
      for (std::int32_t j = 0; j < n; ++j) epilogue.store(p.row + i, p.col + j, row(i)[j]);
  }
  void sync() {}

 private:
  /// Row i of the sums.
  [[nodiscard]] sum* row(std::int32_t i) const {
    return shared_->sums + std::int64_t(i) * Blocking::n;
  }
  /// Clears as many sums as a tile of m x n elements has: small products are many.
  void begin(std::int32_t m, std::int32_t n) {
    if (down_ > 0) return;
    down_ = (m + rows - 1) / rows * rows;
    across_ = (n + cols - 1) / cols * cols;
    for (int i = 0; i < down_; ++i) std::fill_n(row(i), across_, sum(0));
  }

  /// Packs `count` x `k` elements into panels of `Panel`, zeros beyond the edge. `Along`: k runs
  /// along memory.
  template <int Panel, bool Along, class T>
  static void pack(sum* to, const T* from, std::int64_t leading, std::int32_t first,
                   std::int32_t count, std::int32_t k0, std::int32_t k) {
    for (std::int32_t panel = 0; panel < count; panel += Panel) {
      sum* out = to + std::int64_t(panel) * k;
      const std::int32_t there = std::min<std::int32_t>(Panel, count - panel);
      if constexpr (Along) {
        const T* in = from + (std::int64_t(first) + panel) * leading + k0;
        // A few steps at a time: what is written stays in the first-level cache.
        for (std::int32_t begin = 0; begin < k; begin += 64) {
          const std::int32_t end = std::min<std::int32_t>(begin + 64, k);
          for (std::int32_t i = 0; i < there; ++i)
            for (std::int32_t j = begin; j < end; ++j)
              out[j * Panel + i] = tile::multiplied_as<sum>(in[i * leading + j]);
        }
      } else {
        const T* in = from + std::int64_t(k0) * leading + first + panel;
        for (std::int32_t j = 0; j < k; ++j, in += leading) {
          if (there == Panel) {
            for (int i = 0; i < Panel; ++i) out[j * Panel + i] = tile::multiplied_as<sum>(in[i]);
          } else {
            for (std::int32_t i = 0; i < there; ++i)
              out[j * Panel + i] = tile::multiplied_as<sum>(in[i]);
          }
        }
      }
      for (std::int32_t j = 0; there < Panel && j < k; ++j)
        for (std::int32_t i = there; i < Panel; ++i) out[j * Panel + i] = sum(0);
    }
  }

  const Source* source_;
  storage* shared_;
  std::int32_t down_ = 0;  ///< rows of sums, in whole panels; 0: none were begun
  std::int32_t across_ = 0;
};

}  // namespace loops::gemm_detail
