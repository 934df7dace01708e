// SPDX-License-Identifier: Apache-2.0
/// Matrices with a regular pattern: bands, stencils on grids, blocks, an arrow.
#include <algorithm>

#include "generators.hpp"
#include "grid.hpp"

namespace loops::datasets {
namespace {

class banded final : public seeded_rows {
 public:
  explicit banded(const parameters& p)
      : seeded_rows(p), rows_(p.integer("rows", 1)), width_(p.integer("width", 1, 2 * rows_)) {}
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return rows_; }
  double least_nonzeros() const override {
    return double(rows_) * double(std::min(rows_, (width_ + 1) / 2));  // of a row at the border
  }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto first = std::max<std::int64_t>(0, row - (width_ - 1) / 2);
    const auto last = std::min<std::int64_t>(rows_ - 1, row + width_ / 2);
    for (auto c = first; c <= last; ++c) columns.push_back(c);
  }

 private:
  std::int64_t rows_;
  std::int64_t width_;
};

/// A point and its neighbours on a grid: the Laplacian with Dirichlet borders.
class stencil : public seeded_rows {
 public:
  stencil(const parameters& p, int dimensions, bool diagonals)
      : seeded_rows(p),
        grid_(p, dimensions),
        diagonals_(diagonals),
        centre_(diagonals ? (dimensions == 3 ? 26.0 : 8.0) : 2.0 * dimensions) {}
  std::int64_t rows() const override { return grid_.points(); }
  std::int64_t cols() const override { return rows(); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    grid_.neighbours(row, diagonals_, [&](std::int64_t q) { columns.push_back(q); });
  }
  void values(std::int64_t row, std::span<const std::int64_t> columns,
              std::span<double> out) const override {
    for (std::size_t k = 0; k < columns.size(); ++k) out[k] = columns[k] == row ? centre_ : -1.0;
  }

 private:
  grid grid_;
  bool diagonals_;
  double centre_;
};

struct stencil5 final : stencil {
  explicit stencil5(const parameters& p) : stencil(p, 2, false) {}
};
struct stencil7 final : stencil {
  explicit stencil7(const parameters& p) : stencil(p, 3, false) {}
};
struct stencil9 final : stencil {
  explicit stencil9(const parameters& p) : stencil(p, 2, true) {}
};
struct stencil27 final : stencil {
  explicit stencil27(const parameters& p) : stencil(p, 3, true) {}
};

class block_diagonal final : public seeded_rows {
 public:
  explicit block_diagonal(const parameters& p)
      : seeded_rows(p),
        blocks_(p.integer("blocks", 1, std::int64_t{1} << 31)),
        size_(p.integer("size", 1, std::int64_t{1} << 31)) {}
  std::int64_t rows() const override { return blocks_ * size_; }
  std::int64_t cols() const override { return rows(); }
  double least_nonzeros() const override { return double(rows()) * double(size_); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto first = row / size_ * size_;
    for (auto c = first; c < first + size_; ++c) columns.push_back(c);
  }

 private:
  std::int64_t blocks_;
  std::int64_t size_;
};

class arrow final : public seeded_rows {
 public:
  explicit arrow(const parameters& p) : seeded_rows(p), rows_(p.integer("rows", 1)) {}
  std::int64_t rows() const override { return rows_; }
  std::int64_t cols() const override { return rows_; }
  double least_nonzeros() const override { return 3 * double(rows_) - 2; }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    if (row > 0) {
      columns.push_back(0);
      columns.push_back(row);
    } else {
      for (std::int64_t c = 0; c < rows_; ++c) columns.push_back(c);
    }
  }

 private:
  std::int64_t rows_;
};

const std::string along = "grid points along ";

}  // namespace

std::vector<entry> regular_generators() {
  const generator_parameter nx{"nx", "100", along + "x, which runs fastest"};
  const generator_parameter ny{"ny", "100", along + "y"};
  const std::vector<generator_parameter> cube = {
      {"nx", "40", nx.meaning}, {"ny", "40", ny.meaning}, {"nz", "40", along + "z"}};
  return {
      {{"banded",
        "a full band around the diagonal, cut off at the borders",
        {{"rows", "10000", "rows and columns"},
         {"width", "16", "nonzeros of a row away from the borders"}}},
       make<banded>},
      {{"stencil5", "the 5-point Laplacian of a 2D grid: 4 and -1", {nx, ny}}, make<stencil5>},
      {{"stencil9", "the 9-point Laplacian of a 2D grid: 8 and -1", {nx, ny}}, make<stencil9>},
      {{"stencil7", "the 7-point Laplacian of a 3D grid: 6 and -1", cube}, make<stencil7>},
      {{"stencil27", "the 27-point Laplacian of a 3D grid: 26 and -1", cube}, make<stencil27>},
      {{"block_diagonal",
        "full square blocks along the diagonal",
        {{"blocks", "1000", "number of blocks"}, {"size", "16", "rows and columns of a block"}}},
       make<block_diagonal>},
      {{"arrow",
        "a full first row, a full first column and the diagonal",
        {{"rows", "10000", "rows and columns"}}},
       make<arrow>},
  };
}

}  // namespace loops::datasets
