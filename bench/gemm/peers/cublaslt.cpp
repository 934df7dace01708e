// SPDX-License-Identifier: Apache-2.0
/// cuBLASLt: what its heuristics offer, in their order.
#include <algorithm>
#include <cublasLt.h>

#include "gemm/contenders.hpp"

namespace loops::bench {

namespace {

void expect(cublasStatus_t status, const char* doing) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw error(errc::device,
                std::string("cuBLASLt failed ") + doing + ": " + cublasLtGetStatusString(status));
}

struct type_choice {
  cudaDataType_t operand;
  cudaDataType_t result;
  cudaDataType_t scale;
  cublasComputeType_t compute;
};

type_choice types_of(operand_kind kind) {
  switch (kind) {
    case operand_kind::bf16:
      return {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case operand_kind::f16:
      return {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case operand_kind::e4m3:
      return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case operand_kind::i8:
      return {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I};
    case operand_kind::tf32:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
    case operand_kind::f32:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case operand_kind::f64:
      break;
  }
  return {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
}

/// What all products of the process share.
struct library {
  static constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
  cublasLtHandle_t handle = nullptr;
  array<std::byte> workspace;
  explicit library(const executor& exec) : workspace(workspace_bytes, exec.memory()) {
    expect(cublasLtCreate(&handle), "creating a handle");
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  ~library() { cublasLtDestroy(handle); }
};

/// The product as cuBLASLt sees it: column-major, so B is its first operand and A its second.
class description {
 public:
  description(const operand_sets& sets, bool fast_sums, std::shared_ptr<library> lib)
      : sets(sets), lib(std::move(lib)) {
    const product& p = sets.what();
    const type_choice types = types_of(p.kind);
    expect(cublasLtMatmulDescCreate(&operation, types.compute, types.scale),
           "describing the operation");
    const cublasOperation_t of_b = p.b_turned ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t of_a = p.a_turned ? CUBLAS_OP_T : CUBLAS_OP_N;
    set(CUBLASLT_MATMUL_DESC_TRANSA, of_b);
    set(CUBLASLT_MATMUL_DESC_TRANSB, of_a);
    if (p.kind == operand_kind::e4m3)
      set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(fast_sums));
    const auto m = static_cast<std::uint64_t>(p.size.m);
    const auto n = static_cast<std::uint64_t>(p.size.n);
    const auto k = static_cast<std::uint64_t>(p.size.k);
    describe(first, types.operand, p.b_turned ? k : n, p.b_turned ? n : k, p.size.batch);
    describe(second, types.operand, p.a_turned ? m : k, p.a_turned ? k : m, p.size.batch);
    describe(result, types.result, n, m, p.size.batch);
  }
  description(const description&) = delete;
  description& operator=(const description&) = delete;
  ~description() {
    for (const auto l : {first, second, result})
      if (l) cublasLtMatrixLayoutDestroy(l);
    if (operation) cublasLtMatmulDescDestroy(operation);
  }

  const operand_sets& sets;
  std::shared_ptr<library> lib;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr;
  cublasLtMatrixLayout_t second = nullptr;
  cublasLtMatrixLayout_t result = nullptr;

 private:
  template <class T>
  void set(cublasLtMatmulDescAttributes_t what, T value) {
    expect(cublasLtMatmulDescSetAttribute(operation, what, &value, sizeof value),
           "setting an attribute");
  }
  static void describe(cublasLtMatrixLayout_t& to, cudaDataType_t type, std::uint64_t rows,
                       std::uint64_t columns, std::int32_t batch) {
    expect(cublasLtMatrixLayoutCreate(&to, type, rows, columns, static_cast<std::int64_t>(rows)),
           "describing a matrix");
    if (batch == 1) return;
    const auto stride = static_cast<std::int64_t>(rows * columns);
    expect(cublasLtMatrixLayoutSetAttribute(to, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                            sizeof batch),
           "counting a batch");
    expect(cublasLtMatrixLayoutSetAttribute(to, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                            &stride, sizeof stride),
           "describing a batch");
  }
};

class offered final : public prepared {
 public:
  offered(std::shared_ptr<const description> d, const cublasLtMatmulHeuristicResult_t& offer)
      : d_(std::move(d)), algorithm_(offer.algo), bytes_(offer.workspaceSize) {}
  void start(int set) override {
    const operand_sets& s = d_->sets;
    static constexpr float one = 1;
    static constexpr float zero = 0;
    static constexpr double wide_one = 1;
    static constexpr double wide_zero = 0;
    static constexpr std::int32_t whole_one = 1;
    static constexpr std::int32_t whole_zero = 0;
    const void* alpha = &one;
    const void* beta = &zero;
    if (s.what().kind == operand_kind::f64) {
      alpha = &wide_one;
      beta = &wide_zero;
    } else if (s.what().kind == operand_kind::i8) {
      alpha = &whole_one;
      beta = &whole_zero;
    }
    expect(cublasLtMatmul(d_->lib->handle, d_->operation, alpha, s.b(set), d_->first, s.a(set),
                          d_->second, beta, s.c(set), d_->result, s.c(set), d_->result, &algorithm_,
                          d_->lib->workspace.data(), library::workspace_bytes, s.exec().stream()),
           "multiplying");
  }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  std::shared_ptr<const description> d_;
  cublasLtMatmulAlgo_t algorithm_;
  std::size_t bytes_;
};

}  // namespace

std::vector<named_peer> prepare_peers(const operand_sets& sets, int most, bool fast_sums) {
  // A process measures on one executor.
  static const std::shared_ptr<library> kept(new library(sets.exec()));
  const std::shared_ptr<const description> d(new description(sets, fast_sums, kept));
  cublasLtMatmulPreference_t preference = nullptr;
  expect(cublasLtMatmulPreferenceCreate(&preference), "creating a preference");
  const std::size_t bytes = library::workspace_bytes;
  cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                       sizeof bytes);
  // Not a vector: nvcc 13 fails on the destructor of a struct without a name of its own.
  cublasLtMatmulHeuristicResult_t offers[64];
  most = std::min(most, 64);
  int count = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(kept->handle, d->operation, d->first, d->second, d->result,
                                     d->result, preference, most, offers, &count);
  cublasLtMatmulPreferenceDestroy(preference);
  std::vector<named_peer> out;
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return out;
  expect(status, "asking its heuristics");
  for (int i = 0; i < count; ++i) {
    const auto& offer = offers[i];
    if (offer.state == CUBLAS_STATUS_SUCCESS)
      out.push_back({"cublaslt:" + std::to_string(i), std::make_unique<offered>(d, offer)});
  }
  return out;
}

}  // namespace loops::bench
