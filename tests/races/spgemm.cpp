// SPDX-License-Identifier: Apache-2.0
/// Sparse matrices times sparse matrices.
#include "algorithms/spgemm/spgemm.hpp"

#include "loops/loops.hpp"

#include "races/small.hpp"

namespace {

namespace schedule = loops::schedule;

template <class Exec, class Schedule>
void watch(const Exec& exec, const Schedule& how, const loops::csr<float>& left,
           const loops::csr<float>& right) {
  const auto a = left.to(exec.memory()), b = right.to(exec.memory());
  for (const bool keep : {false, true}) {
    auto product = loops::plan_spgemm(exec, how, a.view(), b.view());
    if (keep) product.keep_products();
    auto c = product.pattern();
    product(a.values.data(), b.values.data(), c.values.data());
  }
}

}  // namespace

int main() {
  const auto some = [](const char* spec) { return loops::generate<float>(spec); };
  const auto both = [&](const auto& exec, const auto& a, const auto& b) {
    std::printf("%d x %d\n", a.rows, b.cols);
    watch(exec, schedule::lrb{}, a, b);
    watch(exec, schedule::group_mapped{8}, a, b);
  };
  races::on_every_wave([&](const auto& exec) {
    races::for_each_small<float>([&](const auto& m) { both(exec, m, m); });
    // Rows of C that are sorted by bits in several rounds, rows too wide for that, and one that no
    // table of a block holds.
    const auto b = some("random:rows=16k,cols=16k,per_row=2");
    both(exec, some("random:rows=3,cols=16k,per_row=600"), b);
    both(exec, some("random:rows=3,cols=16k,per_row=52"), b);
    both(exec, some("random:rows=1,cols=16k,per_row=5k"), b);
  });
}
