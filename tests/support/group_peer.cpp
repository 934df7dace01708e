// SPDX-License-Identifier: Apache-2.0
/// A peer for bench_gemm's groups as somebody outside would write one: right, wrong, refusing,
/// failing.
#include <vector>

#include "bench/gemm/peers/plug_in.hpp"

namespace {

enum ways : std::int32_t { rows, forgetful, choosy, failing, how_many };

struct products {
  std::int32_t way;
  std::vector<loops_group> groups;
};

const char* name(std::int32_t way) {
  constexpr const char* names[] = {"rows", "forgetful", "choosy", "failing"};
  return names[way];
}

void* prepare(std::int32_t way, loops_group_type type, const loops_group* groups,
              std::int32_t count, void* stream, const char** why) {
  if (stream) *why = "there is a stream on the host";
  if (type != loops_group_f32) *why = "it is not the type of the host";
  if (way == choosy && count > 2) *why = "they are too many";
  return *why ? nullptr : new products{way, {groups, groups + count}};
}

const char* run(void* prepared, void*) {
  const products& all = *static_cast<const products*>(prepared);
  if (all.way == failing) return "as it was made to";
  for (const loops_group& g : all.groups) {
    const auto* const a = static_cast<const float*>(g.a);
    const auto* const b = static_cast<const float*>(g.b);
    auto* const c = static_cast<float*>(g.c);
    for (std::int32_t y = 0; y < g.m - (all.way == forgetful); ++y)
      for (std::int32_t x = 0; x < g.n; ++x) {
        float sum = 0;
        for (std::int32_t z = 0; z < g.k; ++z) sum += a[y * g.k + z] * b[x * g.k + z];
        c[y * g.n + x] = sum;
      }
  }
  return nullptr;
}

void release(void* prepared) {
  delete static_cast<products*>(prepared);
}

}  // namespace

extern "C" const loops_group_peer_table* loops_group_peer() {
  static constexpr loops_group_peer_table table{
      loops_group_peer_version, how_many, name, prepare, run, release};
  return &table;
}
