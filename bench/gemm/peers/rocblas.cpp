// SPDX-License-Identifier: Apache-2.0
/// rocBLAS, with the kernel that it takes by itself.
#include <rocblas/rocblas.h>

#include "gemm/contenders.hpp"

namespace loops::bench {

namespace {

void expect(rocblas_status status, const char* doing) {
  if (status != rocblas_status_success)
    throw error(errc::device,
                std::string("rocBLAS failed ") + doing + ": " + rocblas_status_to_string(status));
}

struct type_choice {
  rocblas_datatype operand;
  rocblas_datatype compute;
};

type_choice types_of(operand_kind kind) {
  switch (kind) {
    case operand_kind::bf16:
      return {rocblas_datatype_bf16_r, rocblas_datatype_f32_r};
    case operand_kind::f16:
      return {rocblas_datatype_f16_r, rocblas_datatype_f32_r};
    case operand_kind::f64:
      return {rocblas_datatype_f64_r, rocblas_datatype_f64_r};
    default:
      return {rocblas_datatype_f32_r, rocblas_datatype_f32_r};
  }
}

/// Column-major, so B is its first operand and A its second.
class roc_product final : public prepared {
 public:
  explicit roc_product(const operand_sets& sets) : sets_(sets) {
    expect(rocblas_create_handle(&handle_), "creating a handle");
    expect(rocblas_set_stream(handle_, sets.exec().stream()), "setting the stream");
  }
  ~roc_product() override { rocblas_destroy_handle(handle_); }
  void start(int set) override {
    const product& p = sets_.what();
    const type_choice types = types_of(p.kind);
    const float one = 1;
    const float zero = 0;
    const double wide_one = 1;
    const double wide_zero = 0;
    const bool wide = p.kind == operand_kind::f64;
    const auto op = [](bool turned) {
      return turned ? rocblas_operation_transpose : rocblas_operation_none;
    };
    const int m = p.size.m;
    const int n = p.size.n;
    const int k = p.size.k;
    const auto elements = [](int rows, int columns) { return rocblas_stride{rows} * columns; };
    expect(rocblas_gemm_strided_batched_ex(
               handle_, op(p.b_turned), op(p.a_turned), n, m, k,
               wide ? static_cast<const void*>(&wide_one) : &one, sets_.b(set), types.operand,
               p.b_turned ? k : n, elements(k, n), sets_.a(set), types.operand, p.a_turned ? m : k,
               elements(m, k), wide ? static_cast<const void*>(&wide_zero) : &zero, sets_.c(set),
               types.operand, n, elements(m, n), sets_.c(set), types.operand, n, elements(m, n),
               p.size.batch, types.compute, rocblas_gemm_algo_standard, 0, 0),
           "multiplying");
  }

 private:
  const operand_sets& sets_;
  rocblas_handle handle_ = nullptr;
};

}  // namespace

std::vector<named_peer> prepare_peers(const operand_sets& sets, int, bool) {
  std::vector<named_peer> out;
  const operand_kind kind = sets.what().kind;
  if (kind != operand_kind::e4m3 && kind != operand_kind::i8 && kind != operand_kind::tf32)
    out.push_back({"rocblas", std::make_unique<roc_product>(sets)});
  return out;
}

}  // namespace loops::bench
