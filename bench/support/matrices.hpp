// SPDX-License-Identifier: Apache-2.0
/// The matrices of a run: generated ones and files, with data whose sums are exact.
#pragma once

#include "loops/format/formats.hpp"
#include "loops/select/facts.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace loops::bench {

/// Where a matrix comes from: a line for `generate`, or a Matrix Market file.
struct matrix_source {
  std::string name;
  std::string text;
  bool file = false;
};

/// An odd multiple of 1/64 in (-1, 1), a function of `n`.
[[nodiscard]] float exact_value(std::uint64_t n);

/// A matrix on the host, what it is multiplied with, and the product. Values and x are odd
/// multiples of 1/64 in (-1, 1): products are odd multiples of 1/4096, so sums below 4096 are exact
/// in `float` in any order, and no nonzero can be missed without being seen.
struct exact_problem {
  csr<float> a;
  array<float> x;
  array<double> y;
  tile_statistics seen;  ///< of the rows
};

/// The kinds of matrices on which schedules differ.
[[nodiscard]] std::vector<matrix_source> default_matrices();

/// Generator lines, files, and folders of files. Throws `io` when a path is not there.
[[nodiscard]] std::vector<matrix_source> find_matrices(const std::vector<std::string>& arguments);

/// Makes or reads a matrix. The pattern is what the source says; the values are exact_value of
/// their position.
[[nodiscard]] csr<float> exact_matrix(const matrix_source& source);

/// A matrix of exact_matrix with its vectors.
/// Throws what `generate` and `read_matrix_market` throw.
[[nodiscard]] exact_problem load(const matrix_source& source);

}  // namespace loops::bench
