// SPDX-License-Identifier: Apache-2.0
/// cuBLASLt's first choice for each product, all captured into a graph, and cuBLAS' own groups.
#include <cublasLt.h>
#include <cublas_v2.h>

#include "gemm/grouped.hpp"

namespace loops::bench {

namespace {

void expect(cublasStatus_t status, const char* doing) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw error(errc::device,
                std::string("cuBLAS failed ") + doing + ": " + cublasLtGetStatusString(status));
}
void expect(cudaError_t status, const char* doing) {
  gpu::check(status, doing);
}

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
constexpr int most_streams = 4;

/// What the calls share.
struct library {
  cublasLtHandle_t lt = nullptr;
  cublasHandle_t blas = nullptr;
  cudaStream_t streams[most_streams] = {};
  std::vector<array<std::byte>> workspaces;
  explicit library(const executor& exec) {
    expect(cublasLtCreate(&lt), "creating a handle");
    expect(cublasCreate(&blas), "creating a handle");
    for (cudaStream_t& s : streams)
      expect(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "creating a stream");
    for (int i = 0; i <= most_streams; ++i) workspaces.emplace_back(workspace_bytes, exec.memory());
    expect(cublasSetWorkspace(blas, workspaces.back().data(), workspace_bytes), "giving room");
    expect(cublasSetStream(blas, exec.stream()), "setting the stream");
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  ~library() {
    for (const cudaStream_t s : streams) cudaStreamDestroy(s);
    cublasDestroy(blas);
    cublasLtDestroy(lt);
  }
};

/// One product by what the heuristics take first. Column-major: B is the first operand.
void enqueue(const library& lib, const operand_sets& sets, int set, int stream) {
  const shape_mnk& size = sets.what().size;
  const auto m = static_cast<std::uint64_t>(size.m);
  const auto n = static_cast<std::uint64_t>(size.n);
  const auto k = static_cast<std::uint64_t>(size.k);
  cublasLtMatmulDesc_t operation = nullptr;
  expect(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F),
         "describing the operation");
  const cublasOperation_t turned = CUBLAS_OP_T;
  expect(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &turned,
                                        sizeof turned),
         "setting an attribute");
  cublasLtMatrixLayout_t first = nullptr;
  cublasLtMatrixLayout_t second = nullptr;
  cublasLtMatrixLayout_t result = nullptr;
  const auto describe = [](cublasLtMatrixLayout_t& to, std::uint64_t rows, std::uint64_t columns) {
    expect(cublasLtMatrixLayoutCreate(&to, CUDA_R_16BF, rows, columns,
                                      static_cast<std::int64_t>(rows)),
           "describing a matrix");
  };
  describe(first, k, n);
  describe(second, k, m);
  describe(result, n, m);
  cublasLtMatmulPreference_t preference = nullptr;
  expect(cublasLtMatmulPreferenceCreate(&preference), "creating a preference");
  cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                       &workspace_bytes, sizeof workspace_bytes);
  cublasLtMatmulHeuristicResult_t offer{};
  int count = 0;
  expect(cublasLtMatmulAlgoGetHeuristic(lib.lt, operation, first, second, result, result,
                                        preference, 1, &offer, &count),
         "asking its heuristics");
  static constexpr float one = 1;
  static constexpr float zero = 0;
  expect(cublasLtMatmul(
             lib.lt, operation, &one, sets.b(set), first, sets.a(set), second, &zero, sets.c(set),
             result, sets.c(set), result, &offer.algo,
             const_cast<std::byte*>(lib.workspaces[static_cast<std::size_t>(stream)].data()),
             workspace_bytes, lib.streams[stream]),
         "multiplying");
  cublasLtMatmulPreferenceDestroy(preference);
  for (const auto l : {first, second, result}) cublasLtMatrixLayoutDestroy(l);
  cublasLtMatmulDescDestroy(operation);
}

/// Graphs, one for each set of operands.
class graphs final : public prepared {
 public:
  graphs(const executor& exec, std::shared_ptr<library> lib) : exec_(exec), lib_(std::move(lib)) {}
  ~graphs() override {
    for (const cudaGraphExec_t g : ready_) cudaGraphExecDestroy(g);
  }
  void start(int set) override {
    expect(cudaGraphLaunch(ready_[static_cast<std::size_t>(set) % ready_.size()], exec_.stream()),
           "launching a graph");
  }
  /// Whatever `enqueue` puts into `origin` becomes the next graph.
  template <class F>
  void capture(cudaStream_t origin, const F& enqueue_all) {
    expect(cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed), "beginning a graph");
    enqueue_all();
    cudaGraph_t graph = nullptr;
    expect(cudaStreamEndCapture(origin, &graph), "ending a graph");
    cudaGraphExec_t ready = nullptr;
    expect(cudaGraphInstantiate(&ready, graph, 0), "making a graph");
    cudaGraphDestroy(graph);
    ready_.push_back(ready);
    expect(cudaGraphUpload(ready, exec_.stream()), "uploading a graph");
  }
  /// Keeps what the graphs read.
  void keep(std::shared_ptr<const prepared> what) { kept_ = std::move(what); }

 private:
  const executor& exec_;
  std::shared_ptr<library> lib_;
  std::shared_ptr<const prepared> kept_;
  std::vector<cudaGraphExec_t> ready_;
};

/// The products in turn on so many streams, which begin and end together.
std::unique_ptr<graphs> one_by_one(const grouped_operands& operands,
                                   const std::shared_ptr<library>& lib, int streams) {
  auto out = std::make_unique<graphs>(operands.exec(), lib);
  cudaEvent_t joint = nullptr;
  expect(cudaEventCreateWithFlags(&joint, cudaEventDisableTiming), "creating an event");
  for (int set = 0; set < operands.sets(); ++set)
    out->capture(lib->streams[0], [&] {
      expect(cudaEventRecord(joint, lib->streams[0]), "forking");
      for (int s = 1; s < streams; ++s)
        expect(cudaStreamWaitEvent(lib->streams[s], joint, 0), "forking");
      for (std::size_t g = 0; g < operands.groups(); ++g)
        enqueue(*lib, operands.of(g), set, static_cast<int>(g) % streams);
      for (int s = 1; s < streams; ++s) {
        expect(cudaEventRecord(joint, lib->streams[s]), "joining");
        expect(cudaStreamWaitEvent(lib->streams[0], joint, 0), "joining");
      }
    });
  cudaEventDestroy(joint);
  return out;
}

#if CUBLAS_VERSION >= 120500
/// What cuBLAS takes for a group of one product each.
class own_groups final : public prepared {
 public:
  own_groups(const grouped_operands& operands, std::shared_ptr<library> lib)
      : lib_(std::move(lib)), turned_(operands.groups(), CUBLAS_OP_T) {
    straight_.assign(operands.groups(), CUBLAS_OP_N);
    ones_.assign(operands.groups(), 1);
    one_.assign(operands.groups(), 1.0F);
    zero_.assign(operands.groups(), 0.0F);
    for (std::size_t g = 0; g < operands.groups(); ++g) {
      const shape_mnk& size = operands.of(g).what().size;
      m_.push_back(size.m);
      n_.push_back(size.n);
      k_.push_back(size.k);
    }
    for (int set = 0; set < operands.sets(); ++set) {
      std::vector<const void*> first, second;
      std::vector<void*> result;
      for (std::size_t g = 0; g < operands.groups(); ++g) {
        first.push_back(operands.of(g).b(set));
        second.push_back(operands.of(g).a(set));
        result.push_back(operands.of(g).c(set));
      }
      const auto& where = operands.exec().memory();
      first_.emplace_back(first, where);
      second_.emplace_back(second, where);
      result_.emplace_back(result, where);
    }
  }
  void start(int set) override {
    const auto s = static_cast<std::size_t>(set) % first_.size();
    expect(cublasGemmGroupedBatchedEx(
               lib_->blas, turned_.data(), straight_.data(), n_.data(), m_.data(), k_.data(),
               one_.data(), first_[s].data(), CUDA_R_16BF, k_.data(), second_[s].data(),
               CUDA_R_16BF, k_.data(), zero_.data(), result_[s].data(), CUDA_R_16BF, n_.data(),
               static_cast<int>(m_.size()), ones_.data(), CUBLAS_COMPUTE_32F),
           "multiplying groups");
  }

 private:
  std::shared_ptr<library> lib_;
  std::vector<cublasOperation_t> turned_, straight_;
  std::vector<int> m_, n_, k_, ones_;
  std::vector<float> one_, zero_;
  std::vector<array<const void*>> first_, second_;
  std::vector<array<void*>> result_;
};
#endif

}  // namespace

std::vector<named_peer> prepare_grouped_peers(const grouped_operands& operands) {
  static_assert(grouped_kind == operand_kind::bf16);
  // A process measures on one executor.
  static const std::shared_ptr<library> lib(new library(operands.exec()));
  std::vector<named_peer> out;
  out.push_back({"cublaslt, a stream", one_by_one(operands, lib, 1)});
  out.push_back({"cublaslt, 4 streams", one_by_one(operands, lib, most_streams)});
#if CUBLAS_VERSION >= 120500
  // Captured too, so that nobody waits for what it does on the host.
  const auto groups = std::make_shared<own_groups>(operands, lib);
  groups->start(0);
  operands.exec().synchronize();
  auto captured = std::make_unique<graphs>(operands.exec(), lib);
  for (int set = 0; set < operands.sets(); ++set)
    captured->capture(operands.exec().stream(), [&] { groups->start(set); });
  captured->keep(groups);
  out.push_back({"cublas, grouped", std::move(captured)});
#endif
  return out;
}

}  // namespace loops::bench
