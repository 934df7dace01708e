// SPDX-License-Identifier: Apache-2.0
/// The command line of bench_gemm.
#pragma once

#include <string>
#include <vector>

#include "gemm/product.hpp"

namespace loops::bench {

struct options {
  std::vector<shape_mnk> shapes;     ///< empty: a sample of the corpus
  std::vector<std::string> grouped;  ///< lists of products of different sizes, instead of others
  int sample = 20;                   ///< products of the corpus
  int from = 0;                      ///< the first of them
  std::vector<operand_kind> kinds;
  std::vector<std::string> layouts;  ///< "nt", "nn", "tn", "tt"
  std::vector<int> waves;            ///< policies to try, as `select::gemm_candidate` counts them
  bool selected_only = false;        ///< of the library's candidates, only what it would choose
  bool measured = false;             ///< also plans that choose by a trial
  bool everything = false;           ///< also those that the model says are hopeless
  double hopeless = 3;               ///< times the best that the model expects
  bool fast_sums = false;            ///< 8-bit products may be summed in fewer bits by peers
  int offers = 16;                   ///< of a peer
  std::vector<std::string> peers;    ///< shared libraries that multiply groups
  double seconds = 0.1;              ///< of measuring per product, at most; preparing comes on top
  double limit = 0;                  ///< of everything; then the program ends as usual. 0: none
  std::string out;                   ///< JSON
  std::string commit;                ///< empty: the one that was built
  std::string command;
};

/// What `--help` prints.
void print_usage();

/// Reads the command line. Throws: invalid_argument naming the option.
[[nodiscard]] options parse(int argc, char** argv);

}  // namespace loops::bench
