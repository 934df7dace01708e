// SPDX-License-Identifier: Apache-2.0
/// Products of sparse matrices with vectors and dense ones, either way, and softmax over rows.
#include "algorithms/sddmm/sddmm.hpp"
#include "algorithms/softmax/softmax.hpp"
#include "algorithms/spmm/spmm.hpp"
#include "algorithms/spmv/csr_hops.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "algorithms/spmv_transposed/spmv_transposed.hpp"
#include "loops/format/convert.hpp"
#include "loops/format/convert_bcsr.hpp"
#include "loops/loops.hpp"

#include <cstddef>
#include <vector>

#include "races/small.hpp"

namespace {

namespace schedule = loops::schedule;

template <class Exec>
loops::array<float> numbers(const Exec& exec, std::size_t n) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i % 13);
  return loops::array<float>(v, exec.memory());
}

template <class Exec>
void watch(const Exec& exec, const loops::csr<float>& m) {
  const auto a = m.to(exec.memory());
  const auto rows = static_cast<std::size_t>(m.rows), cols = static_cast<std::size_t>(m.cols);
  loops::array<float> z(cols, exec.memory()), scores(m.values.size(), exec.memory());
  const auto x1 = loops::array<float>(std::vector<float>(cols, 1), exec.memory());
  const auto y1 = loops::array<float>(std::vector<float>(rows, 1), exec.memory());
  loops::array<float> out(rows, exec.memory());

  std::printf(" spmv\n");
  loops::spmv(exec, schedule::merge_path{}, a, x1, out);
  loops::spmv(exec, schedule::merge_path{}, loops::to_coo(m).to(exec.memory()), x1, out);
  loops::spmv(exec, schedule::merge_path{}, loops::to_csc(m).to(exec.memory()), x1, out);
  loops::spmv(exec, schedule::group_mapped{4}, loops::to_bcsr<2, 2>(m).to(exec.memory()), x1, out);
  loops::plan_spmv(exec, a.view(), loops::in_hops{})(x1, out);
  std::printf(" transposed\n");
  loops::spmv_transposed(exec, schedule::merge_path{}, a.view(), y1, z);
  loops::plan_spmv_transposed(exec, a.view(), loops::in_hops{})(y1, z);
  loops::spmv_transposed(exec, schedule::merge_path{}, a.view(), loops::by_atomics{}, y1, z);
  for (const int width : {1, 3, 20}) {
    std::printf(" spmm, sddmm: %d\n", width);
    const auto n = static_cast<std::size_t>(width);
    const auto x = numbers(exec, cols * n), left = numbers(exec, rows * n);
    loops::array<float> y(rows * n, exec.memory());
    loops::spmm(exec, schedule::group_mapped{8}, a, loops::by_rows(x.data(), m.cols, width),
                loops::by_rows(y.data(), m.rows, width));
    loops::spmm(exec, schedule::merge_path{}, a, loops::by_columns(x.data(), m.cols, width),
                loops::by_columns(y.data(), m.rows, width));
    loops::sddmm(exec, a, loops::by_rows(left.data(), m.rows, width),
                 loops::by_columns(x.data(), width, m.cols), scores);
  }
  std::printf(" softmax\n");
  loops::plan_softmax(exec, schedule::merge_path{}, a.view())(scores, scores);
  loops::plan_softmax(exec, schedule::group_mapped{8}, a.view())(scores, scores);
}

/// Formats that would be large of any matrix.
template <class Exec>
void watch_narrow(const Exec& exec, const loops::csr<float>& m) {
  const auto x = numbers(exec, static_cast<std::size_t>(m.cols));
  loops::array<float> y(static_cast<std::size_t>(m.rows), exec.memory());
  std::printf("ell, dia\n");
  loops::spmv(exec, schedule::merge_path{}, loops::to_ell(m).to(exec.memory()), x, y);
  loops::spmv(exec, schedule::merge_path{}, loops::to_dia(m).to(exec.memory()), x, y);
}

}  // namespace

int main() {
  const auto mesh = loops::generate<float>("stencil9:nx=23,ny=19");
  races::on_every_wave([&](const auto& exec) {
    races::for_each_small<float>([&](const auto& m) { watch(exec, m); });
    watch_narrow(exec, mesh);
  });
}
