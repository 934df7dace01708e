// SPDX-License-Identifier: Apache-2.0
/// Sparse matrices times sparse matrices.
#include "algorithms/spgemm/spgemm.hpp"

#include "loops/loops.hpp"

#include <initializer_list>

#include "races/small.hpp"

namespace {

namespace schedule = loops::schedule;

template <class Exec, class Schedule>
void watch(const Exec& exec, const Schedule& how, const loops::csr<float>& left,
           const loops::csr<float>& right, std::initializer_list<bool> keeps = {false, true}) {
  const auto a = left.to(exec.memory()), b = right.to(exec.memory());
  for (const bool keep : keeps) {
    auto product = loops::plan_spgemm(exec, how, a.view(), b.view());
    if (keep) product.keep_products();
    auto c = product.pattern();
    product(a.values.data(), b.values.data(), c.values.data());
  }
}

}  // namespace

int main() {
  const auto some = [](const char* spec) { return loops::generate<float>(spec); };
  races::on_every_wave([&](const auto& exec) {
    races::for_each_small<float>([&](const auto& m) {
      watch(exec, schedule::lrb{}, m, m);
      watch(exec, schedule::group_mapped{8}, m, m);
    });
    // Rows of C that are sorted by bits in several rounds, rows too wide for that, and one that no
    // table of a block holds, but its bits.
    const auto b = some("random:rows=16k,cols=16k,per_row=2");
    for (const char* a : {"random:rows=2,cols=16k,per_row=600", "random:rows=2,cols=16k,per_row=52",
                          "random:rows=1,cols=16k,per_row=5k"}) {
      std::printf("%s\n", a);
      watch(exec, schedule::lrb{}, some(a), b);
    }
    // One that has more columns than bits, too.
    std::printf("wide\n");
    watch(exec, schedule::lrb{}, some("random:rows=1,cols=16k,per_row=5k"),
          some("random:rows=16k,cols=300k,per_row=2"));
  });
  // More columns than are kept: rows are listed anew, by few blocks that come by more than once.
  loops::emulation_options alone;
  alone.residency = 1;
  std::printf("outer product\n");
  watch(loops::emulation_executor<64>(alone), schedule::group_mapped{2},
        some("random:rows=208,cols=1,per_row=1"), some("random:rows=1,cols=96,per_row=96"),
        {false});
}
