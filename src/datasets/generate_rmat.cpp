// SPDX-License-Identifier: Apache-2.0
/// R-MAT graphs, made row by row.
#include <algorithm>
#include <array>
#include <bit>

#include "generators.hpp"

namespace loops::datasets {
namespace {

/// Draws the column of an edge four bits at a time, given the row: every bit of the row picks the
/// probability of the bit of the column beneath it.
class column_sampler {
 public:
  column_sampler(int bits, double zero_if_zero, double zero_if_one) : bits_(bits) {
    for (unsigned given = 0; given < (1U << bits); ++given) {
      std::array<std::uint64_t, 16> weights{};
      std::uint64_t sum = 0;
      for (unsigned drawn = 0; drawn < (1U << bits); ++drawn) {
        double probability = 1;
        for (int b = 0; b < bits; ++b) {
          const double zero = given >> b & 1 ? zero_if_one : zero_if_zero;
          probability = probability * (drawn >> b & 1 ? 1 - zero : zero);
        }
        sum += weights[drawn] =
            static_cast<std::uint64_t>(probability * static_cast<double>(total));
      }
      auto& largest = *std::max_element(weights.begin(), weights.end());
      largest += total - sum;
      tables_[given] = aliases(weights);
    }
  }

  /// Appends `bits()` bits to each of `columns`, given those of the row.
  void extend(unsigned given, random_stream& random, std::span<std::int64_t> columns) const {
    const auto& slots = tables_[given];
    std::uint64_t draw = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      draw = k % 2 ? draw >> 32 : random.next();
      const auto low = static_cast<std::uint32_t>(draw);
      const auto& entry = slots[low >> 28];
      // Computed, not branched: the outcome is random, and half the branches would be mispredicted.
      const auto below = std::uint32_t{0} - ((low & 0x0fffffffU) < entry.threshold);
      columns[k] = columns[k] << bits_ | (entry.above ^ ((entry.above ^ entry.below) & below));
    }
  }
  [[nodiscard]] int bits() const { return bits_; }

 private:
  struct slot {
    std::uint32_t threshold = 0;
    std::uint32_t below = 0;
    std::uint32_t above = 0;
  };
  using table = std::array<slot, 16>;
  static constexpr std::uint64_t total = std::uint64_t{1} << 40;

  /// Walker's alias method, in integers.
  static table aliases(std::array<std::uint64_t, 16> weights) {
    table out;
    for (auto& w : weights) w *= 16;
    std::vector<std::size_t> small, large;
    for (std::size_t i = 0; i < 16; ++i) (weights[i] < total ? small : large).push_back(i);
    while (!small.empty()) {
      const auto low = small.back(), high = large.back();
      small.pop_back();
      out[low] = {static_cast<std::uint32_t>(weights[low] >> 12), static_cast<std::uint32_t>(low),
                  static_cast<std::uint32_t>(high)};
      weights[high] -= total - weights[low];
      if (weights[high] < total) {
        large.pop_back();
        small.push_back(high);
      }
    }
    for (const auto i : large)
      out[i] = {1U << 28, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)};
    return out;
  }

  int bits_;
  std::array<table, 16> tables_;
};

/// A bijection of [0, 2^bits), so that hubs do not all stand at the top.
class shuffled_labels {
 public:
  shuffled_labels(std::uint64_t seed, int bits)
      : mask_((std::uint64_t{1} << bits) - 1),
        shift_(bits / 2 + 1),
        factor_(mix_bits(seed ^ 0x73U) | 1),
        inverse_(factor_) {
    for (int i = 0; i < 6; ++i) inverse_ *= 2 - factor_ * inverse_;
  }
  [[nodiscard]] std::uint64_t to(std::uint64_t x) const {
    for (int i = 0; i < 3; ++i) {
      x = x * factor_ & mask_;
      x ^= x >> shift_;
    }
    return x;
  }
  [[nodiscard]] std::uint64_t from(std::uint64_t x) const {
    for (int i = 0; i < 3; ++i) {
      x ^= x >> shift_;
      x = x * inverse_ & mask_;
    }
    return x;
  }

 private:
  std::uint64_t mask_;
  int shift_;
  std::uint64_t factor_, inverse_;
};

/// R-MAT, made row by row: how many edges start in each half of the rows is drawn first, down to
/// single rows, then the columns of a row given its number. That is the same distribution as
/// edge by edge, but rows can be made in any order and nothing needs to be sorted but a row.
class rmat final : public seeded_rows {
 public:
  explicit rmat(const parameters& p)
      : seeded_rows(p),
        scale_(static_cast<int>(p.integer("scale", 1, 32))),
        upper_(p.real("a", 0, 1) + p.real("b", 0, 1)),
        shuffle_(p.choice("shuffle", {"0", "1"}) == 1),
        labels_(seed(), scale_),
        four_(sampler(p, 4)),
        rest_(sampler(p, scale_ % 4 ? scale_ % 4 : 4)) {
    const auto edges = p.integer("edges", 0, 1 << 15) << scale_;
    // Who draws more edges than memory holds waits for hours, or for days.
    loops::detail::require_room((double(rows()) + double(edges)) * sizeof(std::int64_t),
                                "this matrix, edges drawn twice counted,");
    counts_.assign(std::size_t{1} << scale_, 0);
    counts_[0] = edges;
    const auto share = share_of(upper_);
    for (auto width = std::int64_t{1} << scale_; width > 1; width /= 2)
      for (std::int64_t r = 0; r < std::int64_t{1} << scale_; r += width) {
        auto& all = counts_[static_cast<std::size_t>(r)];
        if (all == 0) continue;
        // A node of the tree is named as in a heap.
        random_stream coins(~seed(),
                            static_cast<std::uint64_t>(((std::int64_t{1} << scale_) + r) / width));
        const auto up = heads(coins, all, share);
        counts_[static_cast<std::size_t>(r + width / 2)] = all - up;
        all = up;
      }
  }
  std::int64_t rows() const override { return std::int64_t{1} << scale_; }
  std::int64_t cols() const override { return rows(); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto label = static_cast<std::uint64_t>(row);
    const auto number = shuffle_ ? labels_.from(label) : label;
    const auto from = columns.size();
    auto random = stream(row);
    columns.resize(from + static_cast<std::size_t>(counts_[number]), 0);
    // Group of bits by group of bits for all edges of the row, which then share one table.
    for (int left = scale_; left > 0;) {
      const auto& sampler = left == scale_ ? rest_ : four_;
      left -= sampler.bits();
      sampler.extend(static_cast<unsigned>(number >> left) & ((1U << sampler.bits()) - 1), random,
                     std::span(columns).subspan(from));
    }
    if (shuffle_)
      for (auto& column : std::span(columns).subspan(from))
        column = static_cast<std::int64_t>(labels_.to(static_cast<std::uint64_t>(column)));
    sort_unique(columns, from);
  }

 private:
  static column_sampler sampler(const parameters& p, int bits) {
    const double a = p.real("a", 0, 1), b = p.real("b", 0, 1), c = p.real("c", 0, 1);
    const double d = 1 - a - b - c;
    if (!(d >= -1e-9)) p.fail("a + b + c must be at most 1");
    if (!(a + b > 0 && a + b < 1)) p.fail("a + b must be above 0 and below 1");
    return {bits, a / (a + b), std::min(1.0, c / (1 - a - b))};
  }

  /// How many of `count` coins show heads, which has probability share / 2^32: 64 coins at a time,
  /// comparing their bits with those of `share` until every coin is decided.
  static std::int64_t heads(random_stream& coins, std::int64_t count, std::uint64_t share) {
    std::int64_t sum = 0;
    for (; count > 0; count -= 64) {
      std::uint64_t open = count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      for (int bit = 31; bit >= 0 && open != 0; --bit) {
        const auto draw = coins.next();
        const auto decided = share >> bit & 1 ? open & ~draw : open & draw;
        if (share >> bit & 1) sum += std::popcount(decided);
        open &= ~decided;
      }
    }
    return sum;
  }

  int scale_;
  double upper_;
  bool shuffle_;
  shuffled_labels labels_;
  column_sampler four_, rest_;
  std::vector<std::int64_t> counts_;
};

}  // namespace

std::vector<entry> rmat_generators() {
  return {
      {{"rmat",
        "a recursive (Kronecker) random graph; edges drawn twice are kept once",
        {{"scale", "14", "log2 of the rows"},
         {"edges", "16", "edges drawn per row"},
         {"a", "0.57", "probability of the upper left quadrant"},
         {"b", "0.19", "probability of the upper right quadrant"},
         {"c", "0.19", "probability of the lower left quadrant"},
         {"shuffle", "1", "1: number the vertices at random, 0: leave hubs together"}}},
       make<rmat>},
  };
}

}  // namespace loops::datasets
