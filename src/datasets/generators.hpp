// SPDX-License-Identifier: Apache-2.0
/// What the generators share: parsed parameters, a base class, and the table they are found in.
#pragma once

#include "loops/io/generate.hpp"
#include "loops/io/generate_random.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace loops::datasets {

/// The parameters of one generator, given or defaulted, checked as they are asked for.
class parameters {
 public:
  /// `values` has all parameters, `given` the names of those that were asked for.
  parameters(std::string generator, std::map<std::string, std::string> values,
             std::vector<std::string> given)
      : generator_(std::move(generator)), values_(std::move(values)), given_(std::move(given)) {}
  /// An integer in [least, most].
  [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t least,
                                     std::int64_t most = std::int64_t{1} << 48) const;
  /// A number in [least, most].
  [[nodiscard]] double real(const std::string& name, double least, double most) const;
  /// One of `legal`; returns its position.
  [[nodiscard]] std::size_t choice(const std::string& name,
                                   const std::vector<std::string>& legal) const;
  [[nodiscard]] std::uint64_t seed() const {
    return static_cast<std::uint64_t>(integer("seed", 0, std::int64_t{1} << 62));
  }
  /// Throws `invalid_argument` in the name of the generator.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  /// What a value must not be, for a message: it, or the default.
  [[nodiscard]] std::string wrong(const std::string& name) const;

  std::string generator_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> given_;
};

/// A generator with random values unless it says otherwise.
class seeded_rows : public row_source {
 public:
  explicit seeded_rows(const parameters& p) : seed_(p.seed()) {}
  void values(std::int64_t row, std::span<const std::int64_t> columns,
              std::span<double> out) const override;

 protected:
  /// The bits that decide the row, apart from those that decide its values.
  [[nodiscard]] random_stream stream(std::int64_t row) const {
    return {seed_, static_cast<std::uint64_t>(row)};
  }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
};

/// Appends `count` different columns below `cols`, ascending, every set equally likely.
/// Cost: O(count) plus a sort of the draws.
void append_distinct(random_stream& random, std::int64_t count, std::int64_t cols,
                     std::vector<std::int64_t>& columns);

/// A number as an integer with 32 bits behind the point: of a probability, what 32 random bits must
/// stay below.
inline std::uint64_t share_of(double p) {
  return static_cast<std::uint64_t>(p * 4294967296.0);
}

/// Sorts [from, end) and removes duplicates.
void sort_unique(std::vector<std::int64_t>& columns, std::size_t from);

/// A generator and the function that makes it.
struct entry {
  generator description;
  std::unique_ptr<const row_source> (*make)(const parameters&);
};

/// The generators of each file of this folder, in the order in which they are listed.
std::vector<entry> regular_generators();
std::vector<entry> random_generators();
std::vector<entry> power_law_generators();
std::vector<entry> rmat_generators();
std::vector<entry> combinatorial_generators();
std::vector<entry> applied_generators();

/// The maker of a class that is constructed from its parameters.
template <class Rows>
std::unique_ptr<const row_source> make(const parameters& p) {
  return std::make_unique<const Rows>(p);
}

}  // namespace loops::datasets
