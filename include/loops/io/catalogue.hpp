// SPDX-License-Identifier: Apache-2.0
/// What is known about matrices of the SuiteSparse collection, and how to tell that a file holds
/// one.
#pragma once

#include "loops/format/formats.hpp"
#include "loops/io/generate_random.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loops {

/// 64 bits that stand for the pattern of a matrix: its dimensions, the length of each row, and each
/// row's columns in ascending order. Values, index types and the order inside a row do not count;
/// entries that are stored but zero do. Symmetric files are meant expanded to both triangles.
/// Every number n is taken in by `state = mix_bits(state ^ n) + 1`, from state 0: rows, columns,
/// then for each row its length and its columns. Cost: one pass, about 4 ns per nonzero.
template <class Value, class Index, class Offset>
[[nodiscard]] std::uint64_t fingerprint(const csr_view<Value, Index, Offset>& a) {
  std::uint64_t state = 0;
  const auto take = [&state](std::uint64_t n) { state = mix_bits(state ^ n) + 1; };
  take(static_cast<std::uint64_t>(a.rows));
  take(static_cast<std::uint64_t>(a.cols));
  std::vector<Index> sorted;
  for (Index r = 0; r < a.rows; ++r) {
    const Index* first = a.indices + a.offsets[r];
    const Index* last = a.indices + a.offsets[r + 1];
    take(static_cast<std::uint64_t>(last - first));
    if (!std::is_sorted(first, last)) {
      sorted.assign(first, last);
      std::sort(sorted.begin(), sorted.end());
      first = sorted.data();
      last = first + sorted.size();
    }
    for (; first != last; ++first) take(static_cast<std::uint64_t>(*first));
  }
  return state;
}

/// A matrix of the collection; numbers are of the matrix with both triangles.
struct catalogue_entry {
  std::string group;
  std::string name;
  std::optional<std::int64_t> rows;
  std::optional<std::int64_t> cols;
  std::optional<std::int64_t> nonzeros;
  std::string symmetry;  ///< general, symmetric, skew-symmetric, hermitian; "-": not known
  std::string field;     ///< real, integer, complex, pattern; "-": not known
  std::string kind;      ///< the collection's own words, such as "structural problem"
  std::optional<std::uint64_t> fingerprint;
};

/// The catalogue that came with the library, `datasets/suitesparse.tsv`, ordered by group and name.
[[nodiscard]] const std::vector<catalogue_entry>& catalogue();

/// Reads a catalogue: a line per matrix, tabs between the members above, "-" for what is not known,
/// the fingerprint in 16 hexadecimal digits, `#` before a comment. Throws `parse`, naming the line.
[[nodiscard]] std::vector<catalogue_entry> parse_catalogue(std::string_view text);

/// The line of `parse_catalogue` that says `entry`, without its end.
[[nodiscard]] std::string to_line(const catalogue_entry& entry);

/// The entry called "name" or "group/name"; what is not in the catalogue but has a group is an
/// entry about which nothing is known. Throws `invalid_argument` for an unknown or ambiguous bare
/// name.
[[nodiscard]] catalogue_entry find_in_catalogue(std::string_view name);

}  // namespace loops
