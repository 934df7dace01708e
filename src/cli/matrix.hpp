// SPDX-License-Identifier: Apache-2.0
/// From what stands on the command line to matrices: files, folders, bundled ones, generators.
#pragma once

#include "loops/format/formats.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loops::cli {

/// A matrix that was asked for but not read yet.
struct matrix_source {
  enum class kind { file, bundled, generated };
  kind from = kind::file;
  std::string name;   ///< short, for tables
  std::string place;  ///< path, bundled name or generator spec
  std::string error;  ///< why there is no such matrix; empty when there may be one
};

/// A matrix as it was read, wide enough for every type that it may be narrowed to.
struct host_matrix {
  csr<double, std::int64_t, std::int64_t> parts;  ///< pattern and real parts
  std::vector<double> imaginary;                  ///< as long as the real parts, or empty
  [[nodiscard]] bool complex() const { return !imaginary.empty(); }
};

/// Matrices that are part of the program.
struct bundled_matrix {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] const std::vector<bundled_matrix>& bundled_matrices();

/// Every matrix that `arguments` name, in their order; folders are searched, sorted by path. An
/// argument that is nothing known, a folder that holds none or cannot be searched to its end, is
/// one with an `error`. Throws: `invalid_argument` for a generator whose text cannot be meant.
[[nodiscard]] std::vector<matrix_source> find_matrices(const std::vector<std::string>& arguments);

/// Whether there is anything to read.
[[nodiscard]] bool is_there(const matrix_source& source);

/// Throws `invalid_argument` when the text of a generator cannot be meant. A matrix that the
/// machine cannot hold passes: that is found when it is made.
void require_meant(const std::string& spec);

/// Reads or makes the matrix. Throws as `read_matrix_market` and `generate` do, and `io` for a
/// source with an `error`.
[[nodiscard]] host_matrix load(const matrix_source& source);

}  // namespace loops::cli
