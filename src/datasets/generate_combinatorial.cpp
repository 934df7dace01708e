// SPDX-License-Identifier: Apache-2.0
/// Families of the SuiteSparse collection that have a definition in closed form.
#include <algorithm>
#include <bit>

#include "generators.hpp"

namespace loops::datasets {
namespace {

/// A 0/1 matrix.
class incidence : public seeded_rows {
 public:
  using seeded_rows::seeded_rows;
  void values(std::int64_t, std::span<const std::int64_t>, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 1.0);
  }
};

/// The graphs of Mycielski: triangle-free, chromatic number `order`; order 2 is a single edge, and
/// each next one gives every vertex a shadow with the same neighbours, and all shadows one hub.
class mycielskian final : public incidence {
 public:
  explicit mycielskian(const parameters& p)
      : incidence(p), order_(static_cast<int>(p.integer("order", 2, 40))) {}
  std::int64_t rows() const override { return vertices(order_); }
  std::int64_t cols() const override { return rows(); }
  double least_nonzeros() const override {
    double edges = 1;
    for (int order = 2; order < order_; ++order) edges = 3 * edges + double(vertices(order));
    return 2 * edges;
  }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    append(order_, row, columns);
  }

 private:
  static std::int64_t vertices(int order) { return (std::int64_t{3} << (order - 2)) - 1; }

  static void append(int order, std::int64_t vertex, std::vector<std::int64_t>& columns) {
    if (order == 2) {
      columns.push_back(1 - vertex);
      return;
    }
    const auto inner = vertices(order - 1);
    if (vertex == 2 * inner) {
      for (auto shadow = inner; shadow < 2 * inner; ++shadow) columns.push_back(shadow);
    } else if (vertex >= inner) {
      append(order - 1, vertex - inner, columns);
      columns.push_back(2 * inner);
    } else {
      const auto from = columns.size();
      append(order - 1, vertex, columns);
      const auto to = columns.size();
      for (auto k = from; k < to; ++k) columns.push_back(columns[k] + inner);
    }
  }

  int order_;
};

/// Trefethen's matrix: primes on the diagonal, ones where |row - column| is a power of two. With
/// `minor` the first row and column are left out, as in Trefethen_20b.
class trefethen final : public incidence {
 public:
  explicit trefethen(const parameters& p)
      : incidence(p),
        minor_(p.integer("minor", 0, 1)),
        rows_(p.integer("rows", 1 + minor_, 1 << 25) - minor_) {
    // The n-th prime lies below n (ln n + ln ln n) for n >= 6; twice the bits of n is above both
    // logs.
    const auto n = static_cast<std::size_t>(rows_ + minor_);
    const auto limit = n * static_cast<std::size_t>(std::bit_width(n)) + 16;
    std::vector<bool> composite(limit);
    primes_.reserve(n);
    for (std::size_t i = 2; i < limit && primes_.size() < n; ++i) {
      if (composite[i]) continue;
      primes_.push_back(static_cast<std::int32_t>(i));
      for (auto multiple = i * i; multiple < limit; multiple += i) composite[multiple] = true;
    }
  }
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return rows_; }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    std::int64_t step = std::int64_t{1} << 40;
    for (; step > 0; step /= 2)
      if (row >= step) columns.push_back(row - step);
    columns.push_back(row);
    for (step = 1; row + step < rows_; step *= 2) columns.push_back(row + step);
  }
  void values(std::int64_t row, std::span<const std::int64_t> columns,
              std::span<double> out) const override {
    for (std::size_t k = 0; k < columns.size(); ++k)
      out[k] = columns[k] == row ? primes_[static_cast<std::size_t>(row + minor_)] : 1.0;
  }

 private:
  std::int64_t minor_;
  std::int64_t rows_;
  std::vector<std::int32_t> primes_;
};

/// Binomial coefficients up to the largest that the generators ask for.
class binomials {
 public:
  binomials(int n, const parameters& p)
      : n_(n), table_(static_cast<std::size_t>((n + 1) * (n + 1))) {
    for (int i = 0; i <= n; ++i) {
      at(i, 0) = 1;
      for (int j = 1; j <= i; ++j) {
        at(i, j) = at(i - 1, j - 1) + (j < i ? at(i - 1, j) : 0);
        if (at(i, j) > std::int64_t{1} << 60)
          p.fail("that many points have more than 2^60 subsets");
      }
    }
  }
  [[nodiscard]] std::int64_t operator()(int n, int k) const {
    return k < 0 || k > n ? 0 : table_[static_cast<std::size_t>(n * (n_ + 1) + k)];
  }

 private:
  std::int64_t& at(int n, int k) { return table_[static_cast<std::size_t>(n * (n_ + 1) + k)]; }
  int n_;
  std::vector<std::int64_t> table_;
};

/// Row: a pair of points; column: a subset of k of the n points; 1 where the pair lies in the
/// subset. Pairs and subsets are numbered in lexicographic order. (The bibd_n_k of the collection.)
class pairs_in_subsets final : public incidence {
 public:
  explicit pairs_in_subsets(const parameters& p)
      : incidence(p),
        n_(static_cast<int>(p.integer("points", 2, 62))),
        k_(static_cast<int>(p.integer("subset", 2, n_))),
        choose_(n_, p) {}
  std::int64_t rows() const override { return choose_(n_, 2); }
  std::int64_t cols() const override { return choose_(n_, k_); }
  double least_nonzeros() const override {
    return double(cols()) * double(k_) * double(k_ - 1) / 2;
  }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    int first = 0;
    for (; row >= n_ - 1 - first; ++first) row -= n_ - 1 - first;
    extend(first, first + 1 + static_cast<int>(row), -1, 0, 0, columns);
  }

 private:
  /// Appends the numbers of the subsets that go on with k - chosen points after `last` and contain
  /// what is left of the pair (-1: already in). Lexicographic order is the order of the numbers.
  void extend(int first, int second, int last, int chosen, std::int64_t number,
              std::vector<std::int64_t>& columns) const {
    if (chosen == k_) {
      columns.push_back(number);
      return;
    }
    const int needed = (first >= 0) + (second >= 0);
    const int most = first >= 0 ? first : second >= 0 ? second : n_ - 1;
    for (int point = last + 1; point <= most; ++point) {
      const bool wanted = point == first || point == second;
      if (!wanted && k_ - chosen - 1 < needed) continue;
      if (n_ - 1 - point < k_ - chosen - 1) break;
      // All subsets whose next point is smaller come before: a sum of binomials that telescopes.
      const auto before = choose_(n_ - 1 - last, k_ - chosen) - choose_(n_ - point, k_ - chosen);
      extend(point == first ? -1 : first, point == second ? -1 : second, point, chosen + 1,
             number + before, columns);
    }
  }

  int n_, k_;
  binomials choose_;
};

/// Words of `length` letters over `symbols` symbols; an edge drops the first letter and appends
/// one.
class de_bruijn final : public incidence {
 public:
  explicit de_bruijn(const parameters& p)
      : incidence(p), symbols_(p.integer("symbols", 1, 1 << 20)) {
    const auto length = p.integer("length", 1, 48);
    for (std::int64_t i = 0; i < length; ++i) {
      if (words_ > (std::int64_t{1} << 48) / symbols_)
        p.fail("symbols^length must be at most 2^48");
      words_ *= symbols_;
    }
  }
  std::int64_t rows() const override { return words_; }
  std::int64_t cols() const override { return words_; }
  double least_nonzeros() const override { return double(words_) * double(symbols_); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto first = row % (words_ / symbols_) * symbols_;
    for (auto c = first; c < first + symbols_; ++c) columns.push_back(c);
  }

 private:
  std::int64_t symbols_;
  std::int64_t words_ = 1;
};

}  // namespace

std::vector<entry> combinatorial_generators() {
  return {
      {{"mycielskian",
        "Mycielski's triangle-free graph of a chromatic number (SuiteSparse "
        "Mycielski/mycielskianN)",
        {{"order", "12", "the chromatic number; 3 * 2^(order - 2) - 1 vertices"}}},
       make<mycielskian>},
      {{"trefethen",
        "primes on the diagonal, ones at distances that are powers of two "
        "(JGD_Trefethen/Trefethen_N)",
        {{"rows", "20000", "rows and columns"},
         {"minor", "0", "1: without the first row and column (Trefethen_20b)"}}},
       make<trefethen>},
      {{"pairs_in_subsets",
        "which pairs lie in which subsets (JGD_BIBD/bibd_N_K)",
        {{"points", "16", "points; a row per pair of them"},
         {"subset", "8", "size of a subset; a column per subset"}}},
       make<pairs_in_subsets>},
      {{"de_bruijn",
        "the graph of words that overlap in all but one letter",
        {{"symbols", "2", "letters of the alphabet; nonzeros of a row"},
         {"length", "14", "letters of a word; symbols^length rows"}}},
       make<de_bruijn>},
  };
}

}  // namespace loops::datasets
