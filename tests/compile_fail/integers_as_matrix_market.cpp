// SPDX-License-Identifier: Apache-2.0
/// Integers cannot be read back, and a file of floats would round them.
// expect: Matrix Market files are written from float, double
#include <loops/io/matrix_market_writer.hpp>

void write(const loops::csr<std::int32_t>& a) {
  loops::write_matrix_market("a.mtx", a);
}
