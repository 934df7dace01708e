// SPDX-License-Identifier: Apache-2.0
/// A peer for bench_spmv as somebody outside would write one: right, wrong, refusing and failing.
#include "bench/spmv/peers/plug_in.hpp"

#ifndef PEER_VERSION
#define PEER_VERSION loops_spmv_peer_version
#endif
#ifndef PEER_ENTRY
#define PEER_ENTRY loops_spmv_peer
#endif

namespace {

enum ways : std::int32_t { rows, forgetful, choosy, failing, how_many };

struct product {
  std::int32_t way;
  loops_spmv_matrix a;
};

template <class V>
void multiply(const loops_spmv_matrix& a, std::int32_t row_count, const void* x, void* y) {
  for (std::int32_t r = 0; r < row_count; ++r) {
    V sum{};
    for (std::int32_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k)
      sum += static_cast<const V*>(a.values)[k] * static_cast<const V*>(x)[a.indices[k]];
    static_cast<V*>(y)[r] = sum;
  }
}

const char* name(std::int32_t way) {
  constexpr const char* names[] = {"rows", "forgetful", "choosy", "failing"};
  return names[way];
}

void* prepare(std::int32_t way, const loops_spmv_matrix* a, void* stream, const char** why) {
  if (stream) *why = "there is a stream on the host";
  if (way == choosy && a->type == loops_spmv_f64) *why = "it is too wide";
  return *why ? nullptr : new product{way, *a};
}

const char* run(void* prepared, const void* x, void* y, void*) {
  const product& p = *static_cast<const product*>(prepared);
  if (p.way == failing) return "as it was made to";
  const std::int32_t row_count = p.a.rows - (p.way == forgetful);
  if (p.a.type == loops_spmv_f32)
    multiply<float>(p.a, row_count, x, y);
  else
    multiply<double>(p.a, row_count, x, y);
  return nullptr;
}

void release(void* prepared) {
  delete static_cast<product*>(prepared);
}

}  // namespace

extern "C" const loops_spmv_peer_table* PEER_ENTRY() {
  static constexpr loops_spmv_peer_table table{PEER_VERSION, how_many, name, prepare, run, release};
  return &table;
}
