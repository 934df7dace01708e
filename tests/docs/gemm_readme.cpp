// SPDX-License-Identifier: Apache-2.0
/// Compiles the first example of the GEMM's README for the CPU, where its kernels are few.

// @snippet

void use_on_host(const host_executor& exec, const bfloat16* a, const bfloat16* b, const float* bias,
                 float* c, const std::vector<gemm_group<half, half, float>>& groups) {
  use(exec, 64, 64, 64, 64, a, b, bias, c, groups);
}
