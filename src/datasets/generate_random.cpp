// SPDX-License-Identifier: Apache-2.0
/// Matrices whose columns are drawn uniformly: plain, short and wide, tall and thin, near the
/// diagonal, with one dense row or column, with empty rows.
#include "loops/io/generate_random.hpp"

#include <algorithm>
#include <array>

#include "generators.hpp"

namespace loops::datasets {

void sort_unique(std::vector<std::int64_t>& columns, std::size_t from) {
  const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(from);
  const auto count = columns.size() - from;
  if (count < 1024) {
    std::sort(begin, columns.end());
  } else {
    // A least-digit-first radix sort: three passes for 2^33 columns, where comparing takes 2.5x.
    constexpr int digit = 11;
    const auto largest = *std::max_element(begin, columns.end());
    std::vector<std::int64_t> other(count);
    for (int shift = 0; largest >> shift != 0; shift += digit) {
      std::array<std::size_t, (1U << digit) + 1> starts{};
      const auto bin = [shift](std::int64_t c) {
        return static_cast<std::size_t>(c >> shift) & ((1U << digit) - 1);
      };
      for (auto c = begin; c != columns.end(); ++c) ++starts[bin(*c) + 1];
      for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
      for (auto c = begin; c != columns.end(); ++c) other[starts[bin(*c)]++] = *c;
      std::copy(other.begin(), other.end(), begin);
    }
  }
  columns.erase(std::unique(begin, columns.end()), columns.end());
}

void append_distinct(random_stream& random, std::int64_t count, std::int64_t cols,
                     std::vector<std::int64_t>& columns) {
  // A row's own length may be far above what its matrix has at least.
  if (count > std::int64_t{1} << 26)
    loops::detail::require_room(double(count) * sizeof(std::int64_t), "a row of this matrix");
  const auto from = columns.size();
  // Above one half it is quicker to draw what is left out.
  const bool inverted = count > cols / 2;
  const auto wanted = static_cast<std::size_t>(inverted ? cols - count : count);
  while (columns.size() - from < wanted) {
    const auto sorted = columns.size();
    for (auto missing = wanted - (sorted - from); missing > 0; --missing)
      columns.push_back(random.below(cols));
    sort_unique(columns, sorted);
    if (sorted == from) continue;
    const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(from);
    std::inplace_merge(begin, columns.begin() + static_cast<std::ptrdiff_t>(sorted), columns.end());
    columns.erase(std::unique(begin, columns.end()), columns.end());
  }
  if (!inverted) return;
  const std::vector<std::int64_t> left_out(columns.begin() + static_cast<std::ptrdiff_t>(from),
                                           columns.end());
  columns.resize(from);
  std::size_t k = 0;
  for (std::int64_t c = 0; c < cols; ++c) {
    if (k < left_out.size() && left_out[k] == c)
      ++k;
    else
      columns.push_back(c);
  }
}

namespace {

/// per_row - spread to per_row + spread nonzeros, each number as likely.
std::int64_t length_of_row(random_stream& random, std::int64_t per_row, std::int64_t spread) {
  return spread ? per_row - spread + random.below(2 * spread + 1) : per_row;
}

class uniform final : public seeded_rows {
 public:
  explicit uniform(const parameters& p)
      : seeded_rows(p),
        rows_(p.integer("rows", 1)),
        cols_(p.integer("cols", 1)),
        per_row_(p.integer("per_row", 0, cols_)),
        spread_(p.integer("spread", 0, std::min(per_row_, cols_ - per_row_))) {}
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  double least_nonzeros() const override { return double(rows_) * double(per_row_ - spread_); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    auto random = stream(row);
    append_distinct(random, length_of_row(random, per_row_, spread_), cols_, columns);
  }

 private:
  std::int64_t rows_, cols_, per_row_, spread_;
};

class scattered_band final : public seeded_rows {
 public:
  explicit scattered_band(const parameters& p)
      : seeded_rows(p),
        rows_(p.integer("rows", 1)),
        width_(p.integer("width", 1, rows_)),
        per_row_(p.integer("per_row", 0, width_)),
        spread_(p.integer("spread", 0, std::min(per_row_, width_ - per_row_))) {}
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return rows_; }
  double least_nonzeros() const override { return double(rows_) * double(per_row_ - spread_); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    auto random = stream(row);
    const auto from = static_cast<std::ptrdiff_t>(columns.size());
    append_distinct(random, length_of_row(random, per_row_, spread_), width_, columns);
    // At the corners the band stays as wide, and is not around the diagonal.
    const auto first = std::clamp<std::int64_t>(row - width_ / 2, 0, rows_ - width_);
    for (auto c = columns.begin() + from; c != columns.end(); ++c) *c += first;
  }

 private:
  std::int64_t rows_, width_, per_row_, spread_;
};

class dense_row final : public seeded_rows {
 public:
  explicit dense_row(const parameters& p)
      : seeded_rows(p),
        rows_(p.integer("rows", 1)),
        cols_(p.integer("cols", 0) ? p.integer("cols", 1) : rows_),
        per_row_(p.integer("per_row", 0, cols_)),
        at_(p.integer("at", -1, rows_ - 1)) {
    if (at_ < 0) at_ = rows_ / 2;
  }
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  double least_nonzeros() const override {
    return double(cols_) + double(rows_ - 1) * double(per_row_);
  }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    auto random = stream(row);
    append_distinct(random, row == at_ ? cols_ : per_row_, cols_, columns);
  }

 private:
  std::int64_t rows_, cols_, per_row_, at_;
};

class dense_column final : public seeded_rows {
 public:
  explicit dense_column(const parameters& p)
      : seeded_rows(p),
        rows_(p.integer("rows", 1)),
        cols_(p.integer("cols", 0) ? p.integer("cols", 1) : rows_),
        per_row_(p.integer("per_row", 1, cols_)),
        at_(p.integer("at", -1, cols_ - 1)) {
    if (at_ < 0) at_ = cols_ / 2;
  }
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  double least_nonzeros() const override { return double(rows_) * double(per_row_); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    auto random = stream(row);
    const auto from = columns.size();
    append_distinct(random, per_row_ - 1, cols_ - 1, columns);
    // The draws skip the dense column, which is then put in its place.
    const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(from);
    const auto place = std::lower_bound(begin, columns.end(), at_);
    for (auto c = place; c != columns.end(); ++c) ++*c;
    columns.insert(place, at_);
  }

 private:
  std::int64_t rows_, cols_, per_row_, at_;
};

class empty_rows final : public seeded_rows {
 public:
  explicit empty_rows(const parameters& p)
      : seeded_rows(p),
        rows_(p.integer("rows", 1)),
        cols_(p.integer("cols", 0) ? p.integer("cols", 1) : rows_),
        per_row_(p.integer("per_row", 0, cols_)),
        run_(p.integer("run", 1)),
        share_(share_of(p.real("empty", 0, 1))) {}
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return cols_; }
  double least_nonzeros() const override {
    return double(rows_) * double(per_row_) * (1 - double(share_) / 4294967296.0);
  }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    random_stream coin(~seed(), static_cast<std::uint64_t>(row / run_));
    if (coin.next() >> 32 < share_) return;
    auto random = stream(row);
    append_distinct(random, per_row_, cols_, columns);
  }

 private:
  std::int64_t rows_, cols_, per_row_, run_;
  std::uint64_t share_;
};

}  // namespace

std::vector<entry> random_generators() {
  const auto rows = [](const char* fallback) {
    return generator_parameter{"rows", fallback, "rows"};
  };
  const auto cols = [](const char* fallback) {
    return generator_parameter{"cols", fallback, "columns"};
  };
  const auto per_row = [](const char* fallback) {
    return generator_parameter{"per_row", fallback, "nonzeros of a row"};
  };
  const generator_parameter square{"cols", "0", "columns; 0: as many as rows"};
  const generator_parameter spread{"spread", "0",
                                   "a row has per_row - spread to per_row + spread nonzeros"};
  return {
      {{"random", "columns drawn uniformly", {rows("10000"), cols("10000"), per_row("16"), spread}},
       make<uniform>},
      {{"short_wide", "few long rows", {rows("100"), cols("1000000"), per_row("10000"), spread}},
       make<uniform>},
      {{"tall_thin", "many rows, few columns", {rows("100000"), cols("32"), per_row("4"), spread}},
       make<uniform>},
      {{"scattered_band",
        "columns drawn uniformly from a band around the diagonal",
        {{"rows", "10000", "rows and columns"},
         {"width", "1000", "columns of the band"},
         per_row("16"),
         spread}},
       make<scattered_band>},
      {{"dense_row",
        "one full row among short random ones",
        {rows("10000"),
         square,
         {"per_row", "3", "nonzeros of every other row"},
         {"at", "-1", "the full row; -1: the middle"}}},
       make<dense_row>},
      {{"dense_column",
        "one full column and short random rows",
        {rows("10000"),
         square,
         {"per_row", "3", "nonzeros of a row, the full column included"},
         {"at", "-1", "the full column; -1: the middle"}}},
       make<dense_column>},
      {{"empty_rows",
        "random rows, a share of which is empty",
        {rows("10000"),
         square,
         {"per_row", "8", "nonzeros of a row that is not empty"},
         {"empty", "0.5", "probability that a row is empty"},
         {"run", "1", "how many neighbouring rows share their fate"}}},
       make<empty_rows>},
  };
}

}  // namespace loops::datasets
