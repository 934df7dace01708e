// SPDX-License-Identifier: Apache-2.0
/// What bench_gemm measured, product by product.
#pragma once

#include "algorithms/gemm/select/model.hpp"

#include <string>
#include <utility>
#include <vector>

#include "train/gemm_fit.hpp"
#include "train/json.hpp"

namespace loops::train {

/// A product and all that was measured of it, in microseconds.
struct gemm_measured {
  select::gemm_size size;
  std::string layouts;
  std::vector<std::pair<select::gemm_candidate, double>> ours;  ///< the first was chosen in the run
  std::vector<double> peers;  ///< in the peer's own order of preference
  int failures = 0;
};

/// Results of one machine for one type of operands.
struct gemm_results {
  std::string machine;
  std::string commit;
  std::string command;
  std::string type;
  std::string layouts;  ///< of all products; empty where they differ
  double copy_gb_per_s = 0;
  std::vector<std::string> names;         ///< of the tiles
  std::vector<select::gemm_costs> tiles;  ///< their costs are those that the library has, or zero
  select::gemm_table like;                ///< with `tiles`; machine and type as the library spells
  std::vector<gemm_measured> products;

  gemm_results() = default;
  gemm_results(gemm_results&&) = default;  // `like` refers to `tiles`, which a move leaves in place
  gemm_results& operator=(gemm_results&&) = default;

  /// All of them, for the fit; `keep(product)` says of which products.
  template <class Keep>
  [[nodiscard]] std::vector<gemm_sample> samples(const Keep& keep) const {
    std::vector<gemm_sample> out;
    for (const gemm_measured& p : products)
      if (keep(p))
        for (const auto& [candidate, us] : p.ours) out.push_back({p.size, candidate, us});
    return out;
  }
};

/// Takes what bench_gemm wrote of `type` from files of one machine; `layouts`: only those, or empty
/// for all. Of products that several files measured the last counts. Throws: `parse` when a file is
/// no such result, when two are of different machines, or when nothing is left. Menus are united: a
/// file may be older than some tiles. Tiles that nobody measured are left out.
[[nodiscard]] gemm_results read_gemm_results(const std::vector<std::pair<std::string, json>>& files,
                                             const std::string& type, const std::string& layouts);

/// Leaves only these lines in the results. Products of which nothing is left go too. Requires: the
/// lines are in order.
void keep_lines(gemm_results& r, const std::vector<int>& lines);

/// Moves these places out of a list, in their order.
template <class T>
std::vector<T> picked(std::vector<T>& from, const std::vector<int>& lines) {
  std::vector<T> out;
  for (const int line : lines) out.push_back(std::move(from[static_cast<std::size_t>(line)]));
  return out;
}

}  // namespace loops::train
