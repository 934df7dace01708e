// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: cuSPARSE's product of sparse matrices, and the one that reuses a pattern.
#include "support/cusparse.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

#include "spgemm/contenders.hpp"

namespace loops::bench {

namespace {

constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// C, and the description of a product. Buffers live until the product ends.
template <class V>
class product {
  static constexpr cudaDataType type = cusparse::type_of<V>;

 public:
  explicit product(const problem<V>& p)
      : exec_(p.exec),
        handle_(cusparse::handle_on(p.exec)),
        a_(p.a),
        b_(p.b),
        c_{p.a.rows,
           p.b.cols,
           array<std::int32_t>(static_cast<std::size_t>(p.a.rows) + 1, p.exec.memory()),
           {},
           {}} {
    cusparse::check(
        cusparseCreateCsr(&there_, c_.rows, c_.cols, 0, c_.offsets.data(), nullptr, nullptr,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
        "describing C");
    cusparse::check(cusparseSpGEMM_createDescr(&description_), "describing the product");
  }
  ~product() {
    (void)cusparseSpGEMM_destroyDescr(description_);
    (void)cusparseDestroySpMat(there_);
  }
  product(const product&) = delete;
  product& operator=(const product&) = delete;

  /// Pattern and values.
  void whole(cusparseSpGEMMAlg_t algorithm) {
    std::size_t bytes = 0;
    const auto estimate = [&](void* at) {
      cusparse::check(
          cusparseSpGEMM_workEstimation(handle_, plain, plain, &alpha_, a_.get(), b_.get(), &beta_,
                                        there_, type, algorithm, description_, &bytes, at),
          "estimating the work");
    };
    const auto compute = [&](void* at) {
      cusparse::check(
          cusparseSpGEMM_compute(handle_, plain, plain, &alpha_, a_.get(), b_.get(), &beta_, there_,
                                 type, algorithm, description_, &bytes, at),
          "multiplying");
    };
    estimate(nullptr);
    buffer_[0] = room(bytes);
    estimate(buffer_[0].data());
    if (algorithm == CUSPARSE_SPGEMM_ALG2 || algorithm == CUSPARSE_SPGEMM_ALG3) {
      std::size_t more = 0;
      const auto memory = [&](void* at) {
        cusparse::check(cusparseSpGEMM_estimateMemory(handle_, plain, plain, &alpha_, a_.get(),
                                                      b_.get(), &beta_, there_, type, algorithm,
                                                      description_, 0.2F, &more, at, &bytes),
                        "estimating the memory");
      };
      memory(nullptr);
      buffer_[2] = room(more);
      memory(buffer_[2].data());
    } else {
      compute(nullptr);
    }
    buffer_[1] = room(bytes);
    compute(buffer_[1].data());
    allocate();
    cusparse::check(cusparseSpGEMM_copy(handle_, plain, plain, &alpha_, a_.get(), b_.get(), &beta_,
                                        there_, type, algorithm, description_),
                    "copying");
  }

  /// The pattern, for `again`.
  void find_pattern() {
    std::size_t bytes[5] = {};
    const auto estimate = [&](void* at) {
      cusparse::check(
          cusparseSpGEMMreuse_workEstimation(handle_, plain, plain, a_.get(), b_.get(), there_,
                                             CUSPARSE_SPGEMM_DEFAULT, description_, &bytes[0], at),
          "estimating the work");
    };
    estimate(nullptr);
    buffer_[0] = room(bytes[0]);
    estimate(buffer_[0].data());
    const auto count = [&](void* two, void* three, void* four) {
      cusparse::check(cusparseSpGEMMreuse_nnz(handle_, plain, plain, a_.get(), b_.get(), there_,
                                              CUSPARSE_SPGEMM_DEFAULT, description_, &bytes[1], two,
                                              &bytes[2], three, &bytes[3], four),
                      "counting");
    };
    count(nullptr, nullptr, nullptr);
    for (int i = 1; i <= 3; ++i) buffer_[i] = room(bytes[i]);
    count(buffer_[1].data(), buffer_[2].data(), buffer_[3].data());
    allocate();
    const auto copy = [&](void* at) {
      cusparse::check(
          cusparseSpGEMMreuse_copy(handle_, plain, plain, a_.get(), b_.get(), there_,
                                   CUSPARSE_SPGEMM_DEFAULT, description_, &bytes[4], at),
          "copying the pattern");
    };
    copy(nullptr);
    buffer_[4] = room(bytes[4]);
    copy(buffer_[4].data());
  }
  void again() {
    cusparse::check(
        cusparseSpGEMMreuse_compute(handle_, plain, plain, &alpha_, a_.get(), b_.get(), &beta_,
                                    there_, type, CUSPARSE_SPGEMM_DEFAULT, description_),
        "multiplying");
  }

  [[nodiscard]] csr_view<V> result() const { return c_.view(); }
  /// Bytes that `again` needs: the other buffers could go once the pattern is known.
  [[nodiscard]] std::size_t held() const { return buffer_[3].size() + buffer_[4].size(); }

 private:
  array<std::byte> room(std::size_t bytes) { return array<std::byte>(bytes, exec_.memory()); }
  void allocate() {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t entries = 0;
    cusparse::check(cusparseSpMatGetSize(there_, &rows, &cols, &entries), "asking for C's size");
    c_.indices = array<std::int32_t>(static_cast<std::size_t>(entries), exec_.memory());
    c_.values = array<V>(static_cast<std::size_t>(entries), exec_.memory());
    cusparse::check(
        cusparseCsrSetPointers(there_, c_.offsets.data(), c_.indices.data(), c_.values.data()),
        "setting C");
  }

  const executor& exec_;
  cusparseHandle_t handle_;
  cusparse::matrix<V> a_;
  cusparse::matrix<V> b_;
  csr<V> c_;
  cusparseSpMatDescr_t there_ = nullptr;
  cusparseSpGEMMDescr_t description_ = nullptr;
  V alpha_ = 1;
  V beta_ = 0;
  array<std::byte> buffer_[5];
};

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  const struct {
    const char* name;
    cusparseSpGEMMAlg_t algorithm;
  } all[] = {{"cusparse_alg1,once", CUSPARSE_SPGEMM_ALG1},
             {"cusparse_alg2,once", CUSPARSE_SPGEMM_ALG2},
             {"cusparse_alg3,once", CUSPARSE_SPGEMM_ALG3}};
  std::vector<contender<V>> out;
  for (const auto& one : all)
    out.push_back({one.name, true, [a = one.algorithm](const problem<V>& p) -> attempt<V> {
                     auto now = std::make_shared<std::unique_ptr<product<V>>>();
                     return {[&p, now, a] {
                               now->reset();
                               *now = std::make_unique<product<V>>(p);
                               (*now)->whole(a);
                             },
                             [now] { return (*now)->result(); }, 0};
                   }});
  out.push_back({"cusparse_reuse", false, [](const problem<V>& p) -> attempt<V> {
                   auto one = std::make_shared<product<V>>(p);
                   one->find_pattern();
                   return {[one] { one->again(); }, [one] { return one->result(); }, one->held()};
                 }});
  return out;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
