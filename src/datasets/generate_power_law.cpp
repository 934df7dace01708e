// SPDX-License-Identifier: Apache-2.0
/// Row lengths from a power law.
#include "loops/core/wide.hpp"

#include <algorithm>

#include "fixed_exp2.hpp"
#include "generators.hpp"

namespace loops::datasets {
namespace {

using wide = loops::detail::wide_uint;

/// Row lengths from P(length = k) ~ k^-exponent, scaled until they add up to `nonzeros`.
class power_law final : public seeded_rows {
 public:
  explicit power_law(const parameters& p)
      : seeded_rows(p),
        rows_(p.integer("rows", 1, std::int64_t{1} << 32)),
        cols_(p.integer("cols", 0) ? p.integer("cols", 1) : rows_),
        least_(p.integer("least", 0, cols_)),
        most_(p.integer("most", 0, cols_) ? p.integer("most", least_, cols_) : cols_) {
    const wide room = static_cast<wide>(rows_) * static_cast<std::uint64_t>(most_);
    const auto ceiling =
        room > (std::uint64_t{1} << 48) ? std::int64_t{1} << 48 : static_cast<std::int64_t>(room);
    const wide floor = static_cast<wide>(rows_) * static_cast<std::uint64_t>(least_);
    if (floor > static_cast<std::uint64_t>(ceiling))
      p.fail("rows times least is more than 2^48 nonzeros");
    nonzeros_ = p.integer("nonzeros", static_cast<std::int64_t>(floor), ceiling);
    // 2^-32 is exact, so the exponent is the same integer everywhere.
    const auto slope = share_of(p.real("exponent", 1.0625, 16) - 1);
    // A nonzero takes more than a byte in any matrix; giving out very many takes time, too.
    loops::detail::require_room(double(rows_) * (sizeof(std::int64_t) + sizeof(std::uint64_t)) +
                                double(nonzeros_));
    draw_lengths(nonzeros_, slope);
  }
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  double least_nonzeros() const override { return double(nonzeros_); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    auto random = stream(row);
    append_distinct(random, lengths_[static_cast<std::size_t>(row)], cols_, columns);
  }

 private:
  [[nodiscard]] std::int64_t scaled(std::uint64_t weight, std::uint64_t scale) const {
    const wide length = static_cast<wide>(weight) * scale >> 52;  // 20 and 32 bits behind the point
    if (length >= static_cast<std::uint64_t>(most_)) return most_;
    return std::max(least_, static_cast<std::int64_t>(length));
  }

  void draw_lengths(std::int64_t nonzeros, std::uint64_t slope) {
    const fixed_exp2 exp2;
    std::vector<std::uint64_t> weights(static_cast<std::size_t>(rows_));
    for (std::size_t r = 0; r < weights.size(); ++r) {
      random_stream random(~seed(), r);
      weights[r] = exp2((fixed_exp2::minus_log2(random.next()) << 32) / slope);
    }
    std::uint64_t scale = 0;
    const auto total = [&](std::uint64_t s) {
      std::int64_t sum = 0;
      for (const auto w : weights) {
        sum += scaled(w, s);
        if (sum > nonzeros) break;
      }
      return sum;
    };
    std::int64_t reached = total(0);
    for (int bit = 62; bit >= 0 && nonzeros - reached > rows_ / 1024; --bit) {
      const auto next = scale | std::uint64_t{1} << bit;
      const auto sum = total(next);
      if (sum > nonzeros) continue;
      scale = next;
      reached = sum;
    }
    lengths_.resize(weights.size());
    std::int64_t missing = nonzeros;
    for (std::size_t r = 0; r < weights.size(); ++r)
      missing -= lengths_[r] = scaled(weights[r], scale);
    // What rounding left over goes one by one to rows anywhere in the matrix.
    random_stream random(~seed(), weights.size());
    for (auto r = static_cast<std::size_t>(random.below(rows_)); missing > 0;
         r = (r + 1) % weights.size())
      if (lengths_[r] < most_) ++lengths_[r], --missing;
  }

  std::int64_t rows_, cols_, least_, most_;
  std::int64_t nonzeros_ = 0;
  std::vector<std::int64_t> lengths_;
};

}  // namespace

std::vector<entry> power_law_generators() {
  return {
      {{"power_law",
        "row lengths with P(length = k) ~ k^-exponent, random columns, an exact number of nonzeros",
        {{"rows", "10000", "rows"},
         {"cols", "0", "columns; 0: as many as rows"},
         {"nonzeros", "140000", "nonzeros in all"},
         {"exponent", "2.1", "the exponent, 1.0625 to 16; smaller is more skewed"},
         {"least", "1", "shortest row"},
         {"most", "0", "longest row; 0: as many as columns"}}},
       make<power_law>},
  };
}

}  // namespace loops::datasets
