// SPDX-License-Identifier: Apache-2.0
/// Of waves of 64 lanes, only those with matrix instructions multiply matrices.
// expect: GEMM is compiled for gfx90a, gfx942 and gfx950
#include "algorithms/gemm/problem.hpp"
#include "algorithms/gemm/program.hpp"
#include "loops/execution/emulation.hpp"

using problem = loops::gemm_problem<float, loops::layout::row_major, float,
                                    loops::layout::row_major, loops::gemm_epilogue<float>>;
using program = loops::portable_gemm<loops::dense_source<problem>,
                                     loops::gemm_blocking<128, 128, 64, 2, 4, 64, 2>>;

int main() {
  return sizeof(program::storage<loops::emulation_executor<64>::block<program::shape>>) == 0;
}
