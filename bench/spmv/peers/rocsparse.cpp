// SPDX-License-Identifier: Apache-2.0
/// On AMD GPUs: every CSR algorithm of rocSPARSE.
#include <rocsparse/rocsparse.h>

#include <memory>
#include <string>
#include <type_traits>

#include "spmv/contenders.hpp"

namespace loops::bench {

namespace {

void check(rocsparse_status status, const char* what) {
  if (status != rocsparse_status_success)
    throw error(errc::device,
                std::string("rocSPARSE, ") + what + ": " + rocsparse_get_status_name(status));
}

/// One handle per program; making it takes milliseconds and is nobody's preparation.
rocsparse_handle handle_on(const executor& exec) {
  static const rocsparse_handle handle = [] {
    rocsparse_handle h = nullptr;
    check(rocsparse_create_handle(&h), "making a handle");
    return h;
  }();
  check(rocsparse_set_stream(handle, exec.stream()), "setting the stream");
  return handle;
}

/// Descriptors, buffer and preprocessing of one product.
template <class V>
class prepared {
  static constexpr rocsparse_datatype type =
      std::is_same_v<V, float> ? rocsparse_datatype_f32_r : rocsparse_datatype_f64_r;

 public:
  prepared(problem<V>& p, rocsparse_spmv_alg algorithm)
      : handle_(handle_on(p.exec)), algorithm_(algorithm) {
    check(rocsparse_create_const_csr_descr(
              &a_, p.a.rows, p.a.cols, p.a.nonzeros(), p.a.offsets.data(), p.a.indices.data(),
              p.a.values.data(), rocsparse_indextype_i32, rocsparse_indextype_i32,
              rocsparse_index_base_zero, type),
          "describing the matrix");
    check(rocsparse_create_const_dnvec_descr(&x_, p.a.cols, p.x.data(), type), "describing x");
    check(rocsparse_create_dnvec_descr(&y_, p.a.rows, p.y.data(), type), "describing y");
    run(rocsparse_spmv_stage_buffer_size, "asking for the buffer's size");
    buffer_ = array<std::byte>(bytes_ ? bytes_ : 1, p.exec.memory());
    run(rocsparse_spmv_stage_preprocess, "preprocessing");
  }
  ~prepared() {
    (void)rocsparse_destroy_dnvec_descr(y_);
    (void)rocsparse_destroy_dnvec_descr(x_);
    (void)rocsparse_destroy_spmat_descr(a_);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  void operator()() { run(rocsparse_spmv_stage_compute, "multiplying"); }

 private:
  void run(rocsparse_spmv_stage stage, const char* what) {
    check(rocsparse_spmv(handle_, rocsparse_operation_none, &alpha_, a_, x_, &beta_, y_, type,
                         algorithm_, stage, &bytes_, buffer_.data()),
          what);
  }

  rocsparse_handle handle_;
  rocsparse_spmv_alg algorithm_;
  rocsparse_const_spmat_descr a_ = nullptr;
  rocsparse_const_dnvec_descr x_ = nullptr;
  rocsparse_dnvec_descr y_ = nullptr;
  V alpha_ = 1;
  V beta_ = 0;
  std::size_t bytes_ = 0;
  array<std::byte> buffer_;
};

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  std::vector<contender<V>> out;
  const struct {
    const char* name;
    rocsparse_spmv_alg algorithm;
  } all[] = {{"rocsparse_default", rocsparse_spmv_alg_default},
             {"rocsparse_csr_adaptive", rocsparse_spmv_alg_csr_adaptive},
             {"rocsparse_csr_stream", rocsparse_spmv_alg_csr_stream},
             {"rocsparse_csr_lrb", rocsparse_spmv_alg_csr_lrb}};
  for (const auto& one : all) {
    out.push_back({one.name, false, [a = one.algorithm](problem<V>& p) -> std::function<void()> {
                     auto product = std::make_shared<prepared<V>>(p, a);
                     return [product] { (*product)(); };
                   }});
  }
  for (const auto& one : all) {
    out.push_back({std::string(one.name) + ",once", true,
                   [a = one.algorithm](problem<V>& p) -> std::function<void()> {
                     return [&p, a] { prepared<V>(p, a)(); };
                   }});
  }
  return out;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
