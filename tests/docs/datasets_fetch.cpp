// SPDX-License-Identifier: Apache-2.0
/// Compiles how the page of datasets gets a matrix of the collection.
#include <loops/io/fetch.hpp>
#include <loops/io/matrix_market.hpp>

void get() {
  // @snippet
}
